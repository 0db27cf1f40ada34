import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type CallbackEvent, callbackStatus, type RouteData, type RouteDefinition, routes } from '@coffer/contract'
import { Refusal } from '../../kit/refusal.ts'
import { call } from '../../testing/call.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { moneyWorld } from '../../testing/money.ts'
import { insertAttempt, leaseCallbacks } from './callback-lease.ts'
import callbacksDomain from './domain.ts'
import { callbackKeyHandlers } from './key-routes.ts'
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
    {
      time: deps.clock(),
      duration_ms: 12,
      http_status: 500,
      result: 'HTTP 500',
      answer: 'no',
      sent: '',
      manual: false,
    },
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

const as = <K extends keyof typeof callbackKeyHandlers>(
  key: K,
  given: { query?: object; id?: string },
  appid: string,
) => {
  const holder = {
    merchantId: merchant.id,
    appid,
    paymentMode: 1,
    scopes: [],
    managesEndpoints: false,
    mayMark: false,
    madeBy: merchant.id,
    openedAt: 0,
  }
  const query = (routes[key] as RouteDefinition).query?.parse(given.query ?? {})
  const context = { deps, holder, query, params: { id: given.id } }
  return callbackKeyHandlers[key](context as never) as Promise<RouteData<K>>
}

test('events are recorded once, whether the application has a notify URL, has muted them, or a shop gets the callbacks', async () => {
  const url = 'https://shop.example/own'
  const silent = await testApplication(deps, merchant.id)
  const muted = await testApplication(deps, merchant.id, { notify_url: url, callbacks_muted: ['payment.seen'] })
  const of = (appid: string) => as('GET /api/v1/pay/events', { query: {} }, appid)
  for (const { appid } of [silent, muted]) {
    const { trade_no, address } = await world.pay({}, { merchantId: merchant.id, appid })
    await world.eth.add([{ to: address, amount: 10_000_000n }])
    await world.eth.confirm()
    const { list: events } = await of(appid)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.trade_no]),
      ['payment.seen', 'payment.paid'].map(type => [type, trade_no]),
    )
  }
  assert.deepEqual((await as('GET /api/v1/pay/callbacks', { query: {} }, silent.appid)).list, [])
  const sent = (await as('GET /api/v1/pay/callbacks', { query: {} }, muted.appid)).list
  assert.deepEqual(
    sent.map(row => row.event),
    ['payment.paid'],
  )
  const [first] = (await of(silent.appid)).list
  const read = as('GET /api/v1/pay/callbacks/:id', { id: first!.id }, silent.appid)
  await assert.rejects(read, refusal('callback_not_exist'))

  const shop = { connection: '1', form: 'epay', events: ['payment.paid'], fields: {} }
  const { trade_no, address } = await world.pay({}, { merchantId: merchant.id, appid: silent.appid })
  await world.owner.query('update payments set shop = $2, notify_url = $3 where trade_no = $1', [trade_no, shop, url])
  await world.eth.add([{ to: address, amount: 10_000_000n }])
  await world.eth.confirm()
  assert.equal((await of(silent.appid)).list.filter(({ data }) => data.trade_no === trade_no).length, 2)
  assert.deepEqual(
    (await list({ trade_no })).list.map(row => row.event),
    ['payment.paid'],
  )

  deps.pass(30 * 86_400 + 1)
  assert.deepEqual((await of(silent.appid)).list, [])
  await callbacksDomain.deleteExpired!(deps)
  assert.deepEqual((await world.owner.query('select from unsent_events')).rowCount, 0)
})

test('a key lists, reads and resends the callbacks of its application, and reads its events since a cursor', async () => {
  const own = await testApplication(deps, merchant.id, { notify_url: 'https://shop.example/own' })
  const listOf = (query: object, by = own.appid) => as('GET /api/v1/pay/callbacks', { query }, by)
  const eventsOf = (query: object, by = own.appid) => as('GET /api/v1/pay/events', { query }, by)
  const started = deps.clock()
  for (let n = 0; n < 3; n++) {
    await sendTest(own.appid)
    deps.pass(10)
  }
  const { list: all } = await listOf({})
  assert.equal(all.length, 3)
  const first = await listOf({ pageSize: 2 })
  const rest = await listOf({ pageSize: 2, cursor: first.next_cursor })
  assert.deepEqual([...first.list, ...rest.list], all)
  assert.equal(rest.next_cursor, '')
  assert.deepEqual((await listOf({ status: callbackStatus.delivered })).list, [])

  const { id } = all[0]!
  const read = await as('GET /api/v1/pay/callbacks/:id', { id }, own.appid)
  assert.deepEqual([read.callback, JSON.parse(read.body).type, read.attempts], [all[0], 'test.ping', []])
  assert.equal((await as('POST /api/v1/pay/callbacks/:id/resend', { id }, own.appid)).id, id)

  const ids = (events: { id: string }[]) => events.map(event => event.id)
  const { list: events, next_cursor } = await eventsOf({})
  assert.deepEqual(ids(events), ids(all).reverse())
  assert.deepEqual([events[0]?.type, events[0]?.data], ['test.ping', { appid: own.appid }])
  // None is 30 seconds old but the first, so that later ones come again: others may still be committed before them.
  assert.equal(next_cursor, '')
  deps.pass(5)
  const { next_cursor: settled } = await eventsOf({})
  assert.equal(settled, `${started}-${events[0]?.id}`)
  assert.deepEqual(ids((await eventsOf({ cursor: settled })).list), ids(events).slice(1))
  deps.pass(31 * 86_400)
  assert.deepEqual((await eventsOf({ cursor: settled })).list, [], 'events end after 30 days')

  const { appid: other } = await testApplication(deps, merchant.id)
  assert.deepEqual([(await listOf({}, other)).list, (await eventsOf({}, other)).list], [[], []])
  for (const key of ['GET /api/v1/pay/callbacks/:id', 'POST /api/v1/pay/callbacks/:id/resend'] as const)
    await assert.rejects(as(key, { id }, other), refusal('callback_not_exist'))
})
