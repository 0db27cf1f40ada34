import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOrders } from './plan.ts'

const from = 1_750_000_000
const to = from + 60 * 86_400

test('plans the same orders for the same seed', () => {
  assert.deepEqual(planOrders(from, to, 1), planOrders(from, to, 1))
  assert.notDeepEqual(planOrders(from, to, 1), planOrders(from, to, 2))
})

test('plans orders in order of time and within range, increasing, with every outcome', () => {
  const orders = planOrders(from, to, 7)
  assert.ok(orders.length > 1_000)
  for (const [index, order] of orders.entries()) {
    assert.ok(order.at >= (orders[index - 1]?.at ?? from) && order.at < to)
    assert.match(order.amount, /^[1-9]\d*\.\d\d$/)
  }
  const half = orders.filter(order => order.at < from + 30 * 86_400).length
  assert.ok(orders.length - half > half)
  assert.equal(new Set(orders.map(order => order.outcome)).size, 6)
  const inCoins = orders.filter(order => order.native).length / orders.length
  assert.ok(inCoins > 0.15 && inCoins < 0.3, `${inCoins}`)
})
