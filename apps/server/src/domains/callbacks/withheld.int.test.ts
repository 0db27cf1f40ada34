import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackStatus, paymentStatus } from '@coffer/contract/codes.ts'
import { testApplication } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { shopWorld } from '../../testing/shop-world.ts'

/* Callbacks that say that an order is paid while it is not, or no longer: they are not tried, and say so. */

const { app, deps, owner, merchant, receiver, shop, next, deliver, payOrder } = await shopWorld({ after })
const { key } = await testApplication(deps, merchant.id)
const headers = { authorization: `Bearer ${key}` }
const day = 86_400

/** An order that is paid, of which the shop was told nothing yet. */
async function paidOrder() {
  const order = { out_trade_no: next(), amount: '10', currency: 'USDT', notify_url: receiver.url }
  const made = await app.inject({ method: 'POST', url: '/api/v1/pay/orders', headers, payload: order })
  const tradeNo: string = made.json().data.trade_no
  await payOrder(tradeNo)
  return tradeNo
}

const setStatus = (tradeNo: string, status: number) =>
  owner.query('update payments set status = $2 where trade_no = $1', [tradeNo, status])
const giveBack = (tradeNo: string) =>
  owner.query(
    `insert into payment_refunds (merchant_id, trade_no, credited, refunded)
     select merchant_id, trade_no, paid_amount, 1 from payments where trade_no = $1`,
    [tradeNo],
  )

async function sentAll() {
  const events: string[] = []
  for (let sent = await deliver(); sent.length > 0; sent = await deliver())
    events.push(...sent.map(each => JSON.parse(each.body).type))
  return events
}

/** The callback as the merchant's server reads it, with its attempts. */
async function read(tradeNo: string) {
  const row = await firstRow(owner, "select id, tries from callbacks where trade_no = $1 and event = 'payment.paid'", [
    tradeNo,
  ])
  const { callback, attempts } = (await app.inject({ url: `/api/v1/pay/callbacks/${row.id}`, headers })).json().data
  const { status, result, next_time } = callback
  return {
    status,
    result,
    next_time,
    tries: row.tries,
    results: attempts.map((each: { result: string }) => each.result),
  }
}

const notices = (tradeNo: string) =>
  rowsOf(
    owner,
    `select message, params from notifications where message like '%callback%' and params ->> 'trade_no' = $1`,
    [tradeNo],
  )

const withheld = {
  status: callbackStatus.withheld,
  result: 'not_paid',
  next_time: 0,
  tries: 0,
  results: ['not_paid'],
}

test('what says "paid" is not tried once money went back: its state and one notification say why, and it is not given up', async () => {
  const tradeNo = await paidOrder()
  await giveBack(tradeNo)
  assert.deepEqual(await sentAll(), ['payment.seen'])
  assert.deepEqual(await read(tradeNo), withheld)
  const { id } = await firstRow(owner, "select id from callbacks where trade_no = $1 and event = 'payment.paid'", [
    tradeNo,
  ])
  const params = { callback: id, event: 'payment.paid', trade_no: tradeNo, url: receiver.url }
  assert.deepEqual(await notices(tradeNo), [{ message: 'callback_withheld', params }])
  for (let hours = 0; hours < 100; hours++) {
    deps.pass(3_600)
    assert.deepEqual(await sentAll(), [])
  }
  assert.deepEqual(await read(tradeNo), withheld)
  assert.equal((await notices(tradeNo)).length, 1)
  const due = await firstRow(owner, 'select count(*) as n from callbacks where trade_no = $1 and next_at is not null', [
    tradeNo,
  ])
  assert.equal(Number(due.n), 0, 'after three days nothing looks at it any more')
})

test('what went back and returns within three days is reported within the hour', async () => {
  const tradeNo = await paidOrder()
  await giveBack(tradeNo)
  await sentAll()
  deps.pass(2 * day)
  assert.deepEqual(await sentAll(), [])
  await owner.query('delete from payment_refunds where trade_no = $1', [tradeNo])
  deps.pass(3_600)
  assert.deepEqual(await sentAll(), ['payment.paid'])
  assert.equal((await read(tradeNo)).status, callbackStatus.delivered)
})

test('while a reorganization or a refund is undecided it waits, however long, uses up no attempt and goes out within a minute', async () => {
  for (const status of [paymentStatus.in_doubt, paymentStatus.refunding]) {
    const tradeNo = await paidOrder()
    await setStatus(tradeNo, status)
    if (status === paymentStatus.refunding) await giveBack(tradeNo)
    assert.deepEqual(await sentAll(), ['payment.seen'])
    deps.pass(10 * day)
    assert.deepEqual(await sentAll(), [])
    assert.deepEqual(await read(tradeNo), withheld)
    assert.deepEqual(await notices(tradeNo), [], 'nothing is decided yet')
    await owner.query('delete from payment_refunds where trade_no = $1', [tradeNo])
    await setStatus(tradeNo, paymentStatus.paid)
    deps.pass(60)
    shop.says = '<html>not here</html>'
    assert.deepEqual(await sentAll(), ['payment.paid'])
    shop.says = 'success'
    assert.deepEqual([(await read(tradeNo)).status, (await read(tradeNo)).tries], [callbackStatus.retrying, 1])
    deps.pass(15)
    assert.deepEqual(await sentAll(), ['payment.paid'])
    assert.equal((await read(tradeNo)).status, callbackStatus.delivered)
  }
})

test('a second receiver of the same order gets no second notification', async () => {
  const tradeNo = await paidOrder()
  await owner.query(
    `insert into callbacks (merchant_id, id, appid, trade_no, event, seq, url, body, status, next_at, created_at)
     select merchant_id, id || '-', appid, trade_no, 'payment.over', seq + 1, url, body, status, next_at, created_at
     from callbacks where trade_no = $1 and event = 'payment.paid'`,
    [tradeNo],
  )
  await giveBack(tradeNo)
  assert.deepEqual(await sentAll(), ['payment.seen'])
  assert.deepEqual(await sentAll(), [], 'the first attempts are made in order')
  const rows = await rowsOf(
    owner,
    "select status from callbacks where trade_no = $1 and event in ('payment.paid', 'payment.over')",
    [tradeNo],
  )
  assert.deepEqual(rows, [{ status: callbackStatus.withheld }, { status: callbackStatus.withheld }])
  assert.equal((await notices(tradeNo)).length, 1)
})
