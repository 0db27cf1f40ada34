import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import { moneyWorld, rowsOf } from '../../testing/money.ts'
import { readMerchantOrder } from './present-order.ts'

test('dust deposits do not grow orders or callbacks beyond the limit', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const dust = Array.from({ length: 120 }, () => ({ to: order.address, amount: 1n }))
  await world.eth.add(dust)
  world.deps.pass(12)
  await world.eth.add([...dust, { to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const of = { merchantId: world.merchant.id, tradeNo: order.trade_no }
  const { status, deposits, paid_amount } = (await readMerchantOrder(world.deps.pool, '', of))!
  assert.deepEqual(
    [status, paid_amount, deposits.length, deposits.at(-1)!.amount],
    [paymentStatus.paid, '10.00024', 100, '10'],
  )
  for (const { body } of await rowsOf(world.owner, 'select body from callbacks'))
    assert.ok(JSON.parse(body).data.deposits.length <= 100)
})
