import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eth, moneyWorld, rowsOf } from '../testing/money.ts'

const usdt = `${eth.id}:USDT`

test('a payment is seen, confirmed and credited with its fee, statistics, notification and callbacks', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  assert.equal(order.amount, '10')
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  assert.equal((await world.payment(order.trade_no)).pending_amount, '10000000')
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.seen'])
  await world.eth.add()
  assert.equal((await world.payment(order.trade_no)).status, 1)
  assert.equal(await world.balance(usdt), '0')
  await world.eth.add()

  const paid = await world.payment(order.trade_no)
  assert.deepEqual(
    [paid.status, paid.exception, paid.paid_amount, paid.pending_amount, paid.fees],
    [2, 'none', '10000000', '0', '40000'],
  )
  assert.equal(await world.balance(usdt), '9960000')
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.seen', 'payment.paid'])
  const notifications = await rowsOf(world.owner, 'select message, params from notifications where types = 3')
  assert.deepEqual(
    notifications.map(each => [each.message, each.params.amount, each.params.out_trade_no]),
    [['payment_paid', '10', order.out_trade_no]],
  )
})
