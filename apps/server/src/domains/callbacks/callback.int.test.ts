import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type CallbackEvent, callbackStatus } from '@coffer/contract'
import { Refusal } from '../../kit/refusal.ts'
import { call } from '../../testing/call.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { moneyWorld } from '../../testing/money.ts'
import { insertAttempt, leaseCallbacks } from './callback-lease.ts'
import { callbackHandlers } from './routes.ts'

const world = await moneyWorld({ after })
const { deps, merchant, appid } = world
const refusal = (reason: string) => (error: unknown) => error instanceof Refusal && error.reason === reason
const list = (query: object, merchantId = merchant.id) =>
  call(callbackHandlers, 'GET /api/v1/callback/list', deps, merchantId, { query })
const detail = (id: string, merchantId = merchant.id) =>
  call(callbackHandlers, 'GET /api/v1/callback/detail', deps, merchantId, { query: { id } })
const resend = (id: string, merchantId = merchant.id) =>
  call(callbackHandlers, 'POST /api/v1/callback/resend', deps, merchantId, { body: { id } })
const sendTest = (id: string, merchantId = merchant.id) =>
  call(callbackHandlers, 'POST /api/v1/callback/test', deps, merchantId, { body: { appid: id } })

test('callbacks are listed newest first with every filter, and the detail shows body and attempts', async () => {
  const { trade_no, address, out_trade_no } = await world.pay()
  await world.eth.add([{ to: address, amount: 10_000_000n }])
  deps.pass(60)
  await world.eth.confirm()
  const { list: rows, total } = await list({ trade_no })
  assert.equal(total, 2)
  assert.deepEqual(
    rows.map(row => row.event),
    ['payment.paid', 'payment.seen'],
  )
  const [paid] = rows
  assert.deepEqual(
    [paid?.type, paid?.status, paid?.amount, paid?.token, paid?.address, paid?.out_trade_no, paid?.attempts],
    ['payment', 1, '10', 'USDT', 'https://shop.example/notify', out_trade_no, 0],
  )
  // Other tests have callbacks of their own.
  const count = async (query: object) => (await list({ trade_no, ...query })).total
  assert.equal(await count({ event: 'payment.paid' satisfies CallbackEvent }), 1)
  assert.equal(await count({ appid, status: callbackStatus.pending }), 2)
  assert.equal(await count({ status: callbackStatus.delivered }), 0)
  assert.equal(await count({ appid: 'other' }), 0)
  assert.equal(await count({ start_time: deps.clock() }), 1)
  assert.equal(await count({ end_time: deps.clock() - 1 }), 1)
  assert.deepEqual(
    (await list({ trade_no, pageSize: 1, current: 2 })).list.map(row => row.event),
    ['payment.seen'],
  )

  const leases = await leaseCallbacks(deps.pool, {
    now: deps.clock(),
    until: deps.clock() + 60,
    limit: 100,
    free: {},
    perKey: 100,
  })
  const leased = leases.find(({ id }) => rows.some(row => row.id === id))
  await insertAttempt(deps.pool, leased!, {
    id: '1',
    httpStatus: 500,
    result: 'HTTP 500',
    answer: 'no',
    durationMs: 12,
    now: deps.clock(),
  })
  const shown = await detail(leased!.id)
  assert.equal(JSON.parse(shown.body).data.trade_no, trade_no)
  assert.deepEqual(shown.attempt_list, [
    { time: deps.clock(), duration_ms: 12, http_status: 500, result: 'HTTP 500', answer: 'no', manual: false },
  ])
})

/** A payment that was seen, with its callback. */
async function seenPayment() {
  const { trade_no, address } = await world.pay()
  await world.eth.add([{ to: address, amount: 10_000_000n }])
  const [mine] = (await list({ trade_no })).list
  return { trade_no, mine }
}

test("another merchant's callbacks are not visible", async () => {
  const { trade_no, mine } = await seenPayment()
  const other = (await testMerchant(deps)).id
  assert.deepEqual(await list({}, other), { list: [], total: 0 })
  assert.equal((await list({ trade_no }, other)).total, 0)
  await assert.rejects(detail(mine!.id, other), refusal('callback_not_exist'))
  await assert.rejects(resend(mine!.id, other), refusal('callback_not_exist'))
  await assert.rejects(sendTest(appid, other), refusal('application_not_exist'))
  await assert.rejects(detail('00000000-0000-7000-8000-000000000000'), refusal('callback_not_exist'))
})

test('a test is queued to the notify URL, and refused without one or above the rate limit', async () => {
  // Tests are limited per minute.
  deps.pass(60)
  const { id } = await sendTest(appid)
  const shown = await detail(id)
  assert.deepEqual(
    [shown.type, shown.event, shown.trade_no, JSON.parse(shown.body).data],
    ['test', 'test.ping', '', { appid }],
  )
  const silent = await testApplication(deps, merchant.id)
  await assert.rejects(sendTest(silent.appid), refusal('bad_url'))
  for (let i = 1; i < 10; i++) await sendTest(appid)
  await assert.rejects(sendTest(appid), refusal('frequent_operation'))
  deps.pass(60)
  await sendTest(appid)
})

test('a resend queues a callback again, whatever its status', async () => {
  deps.pass(60)
  const { id } = await sendTest(appid)
  await world.owner.query(
    `update callbacks set status = ${callbackStatus.given_up}, next_at = null, tries = 1, attempts = 1 where id = $1`,
    [id],
  )
  assert.equal((await detail(id)).next_time, 0)
  assert.deepEqual(await resend(id), {})
  assert.equal((await detail(id)).next_time, deps.clock())
})

test('a merchant can resend at most 600 callbacks an hour', async () => {
  const { mine } = await seenPayment()
  const asOften = `insert into throttles (key, n, since) values ($1, 599, $2)
    on conflict (key) do update set n = excluded.n, since = excluded.since`
  await world.owner.query(asOften, [`resend ${merchant.id}`, deps.clock()])
  await resend(mine!.id)
  await assert.rejects(resend(mine!.id), refusal('frequent_operation'))
  deps.pass(3_600)
  await resend(mine!.id)
})
