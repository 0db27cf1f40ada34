import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newSession, testApplication } from '../../testing/merchants.ts'
import { firstRow } from '../../testing/money.ts'
import { shopWorld } from '../../testing/shop-world.ts'

const { app, deps, owner, merchant, receiver, next, deliver, payOrder } = await shopWorld({ after })
const { key } = await testApplication(deps, merchant.id)
const headers = { authorization: `Bearer ${key}` }

async function orderPaid(millionths: bigint) {
  const order = { out_trade_no: next(), amount: '10', currency: 'USDT', notify_url: receiver.url }
  const made = await app.inject({ method: 'POST', url: '/api/v1/pay/orders', headers, payload: order })
  const tradeNo: string = made.json().data.trade_no
  await payOrder(tradeNo, millionths)
  return tradeNo
}

/** Creates an order by the API, pays it, and has its callbacks delivered; returns their ids by event. */
async function paidOrder(millionths: bigint) {
  const tradeNo = await orderPaid(millionths)
  while ((await deliver()).length > 0);
  const { list } = (await app.inject({ url: `/api/v1/pay/callbacks?trade_no=${tradeNo}`, headers })).json().data
  const ids = Object.fromEntries(list.map((each: { event: string; id: string }) => [each.event, each.id]))
  return { tradeNo, ids: ids as Record<string, string> }
}

const giveBack = (tradeNo: string, amount: string) =>
  owner.query(
    `insert into payment_refunds (merchant_id, trade_no, credited, refunded)
     select merchant_id, trade_no, paid_amount, trunc(${amount}) from payments where trade_no = $1`,
    [tradeNo],
  )
const resend = (id = '') => app.inject({ method: 'POST', url: `/api/v1/pay/callbacks/${id}/resend`, headers })
const byHand = async (id = '') =>
  app.inject({
    method: 'POST',
    url: '/api/v1/callback/resend',
    headers: { 'x-token': await newSession(deps, merchant.id) },
    payload: { id },
  })

test('what says that an order is paid is not signed anew once money went back, and the refusal says why', async () => {
  const { tradeNo, ids } = await paidOrder(1_000_000n)
  assert.deepEqual([(await resend(ids['payment.paid'])).statusCode, (await deliver()).length], [200, 1])
  await giveBack(tradeNo, 'paid_amount / 10')
  for (const again of [resend, byHand]) {
    const refused = await again(ids['payment.paid'])
    assert.deepEqual([refused.statusCode, refused.json().field], [422, 'id'])
    assert.match(refused.json().msg, /not paid in full any more/)
  }
  assert.deepEqual(await deliver(), [])
  const { status } = await firstRow(owner, 'select status from callbacks where id = $1', [ids['payment.paid']])
  assert.equal(status, 2, 'it stays delivered')
  // What came on the way there says so itself.
  assert.equal((await resend(ids['payment.seen'])).statusCode, 200)
  assert.equal((await deliver()).length, 1)
})

test('what an overpaid order was told may be sent again while no more than the surplus went back', async () => {
  const { tradeNo, ids } = await paidOrder(1_500_000n)
  await giveBack(tradeNo, 'paid_amount / 3')
  for (const event of ['payment.paid', 'payment.over']) assert.equal((await resend(ids[event])).statusCode, 200, event)
  assert.equal((await deliver()).length, 2)
  await owner.query('update payment_refunds set refunded = refunded + 1 where trade_no = $1', [tradeNo])
  for (const event of ['payment.paid', 'payment.over']) assert.equal((await resend(ids[event])).statusCode, 422, event)
})

test('what waited for its first or next attempt is not signed once money went back', async () => {
  const tradeNo = await orderPaid(1_000_000n)
  await giveBack(tradeNo, 'paid_amount')
  const events: string[] = []
  for (let sent = await deliver(); sent.length > 0; sent = await deliver())
    events.push(...sent.map(each => JSON.parse(each.body).type))
  assert.deepEqual(
    events.filter(event => event.startsWith('payment.') && event !== 'payment.seen'),
    [],
  )
  const { result } = await firstRow(
    owner,
    "select result from callbacks where trade_no = $1 and event = 'payment.paid'",
    [tradeNo],
  )
  assert.equal(result, 'not_paid')
})
