import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locksFirst } from '../../testing/lock-order.ts'
import { moneyWorld } from '../../testing/money.ts'
import { lockPayments } from './store.ts'

test('payments are locked in the order of their numbers, in whatever order they are requested', async t => {
  const { owner, pay } = await moneyWorld(t)
  const [low, high] = [await pay(), await pay()].map(each => each.trade_no).sort()
  // Stored behind the other one.
  await owner.query('update payments set subject = subject where trade_no = $1', [low])
  const payment = (tradeNo: string) => `select from payments where trade_no = '${tradeNo}'`
  const isFirst = await locksFirst(owner, {
    held: payment(low!),
    other: payment(high!),
    work: c => lockPayments(c, [high!, low!]),
  })
  assert.equal(isFirst, false)
})
