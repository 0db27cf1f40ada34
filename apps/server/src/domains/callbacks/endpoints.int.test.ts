import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { callbackStatus, errors } from '@coffer/contract'
import { Webhook } from 'standardwebhooks'
import { newId } from '../../kit/ids.ts'
import { makeApp } from '../../serve.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { moneyWorld, rowsOf } from '../../testing/money.ts'
import { testReceiver } from '../../testing/receiver.ts'
import { freezeMerchant } from '../onboarding/freeze-merchant.ts'
import { leaseCallbacks } from './callback-lease.ts'
import { deliverCallback } from './deliver-callback.ts'

/** A sandbox with an application without a notify URL, called by its key. */
async function endpointWorld(t: TestContext) {
  const world = await moneyWorld(t, { config: { mode: 'sandbox' } })
  const { deps, merchant } = world
  const app = await makeApp(deps)
  t.after(() => app.close())
  const own = await testApplication(deps, merchant.id)
  const callOf =
    (key: string) =>
    async (method: 'GET' | 'POST', path: string, payload?: object, headers: object = {}) => {
      const url = `/api/v1/pay/${path}`
      const all = { authorization: `Bearer ${key}`, ...headers }
      const answer = await app.inject({ method, url, headers: all, ...(payload && { payload }) })
      return { status: answer.statusCode, ...answer.json() }
    }
  const call = callOf(own.key)
  const create = (given: object, headers?: object) => call('POST', 'webhook-endpoints', given, headers)
  const list = async () => (await call('GET', 'webhook-endpoints')).data.list
  const deliver = async () => {
    const lease = { now: deps.clock(), until: deps.clock() + 60, limit: 100, free: {}, perKey: 100 }
    for (
      let taken = await leaseCallbacks(deps.pool, lease);
      taken.length > 0;
      taken = await leaseCallbacks(deps.pool, lease)
    )
      await Promise.all(taken.map(each => deliverCallback(deps, each, { random: () => 0.5 })))
  }
  const pay = async (order: object = {}) => {
    const made = await world.pay(order, { merchantId: merchant.id, appid: own.appid })
    await world.eth.add([{ to: made.address, amount: 10_000_000n }])
    await deliver()
    await world.eth.confirm()
    await deliver()
    return made
  }
  return { ...world, app, own, callOf, call, create, list, deliver, pay }
}

const typesOf = (receiver: { received: { body: string }[] }) =>
  receiver.received.map(({ body }) => JSON.parse(body).type)

test('each endpoint gets the events it chose, signed with its own secret, whatever happens to the others', async t => {
  const { deps, call, create, deliver, pay } = await endpointWorld(t)
  const all = await testReceiver(t)
  const some = await testReceiver(t)
  const broken = await testReceiver(t)
  broken.answer = (_, response) => response.writeHead(500).end()
  const made = (await create({ url: all.url })).data
  const second = (await create({ url: some.url, events: ['payment.paid'] })).data
  await create({ url: broken.url })
  await pay()
  assert.deepEqual(typesOf(all), ['payment.seen', 'payment.paid'])
  assert.deepEqual(typesOf(some), ['payment.paid'])
  assert.deepEqual(typesOf(broken), ['payment.seen', 'payment.paid'])

  const { list: events } = (await call('GET', 'events')).data
  assert.deepEqual(
    all.received.map(({ id }) => id),
    events.map((event: { id: string }) => event.id),
  )
  const isSigned = ({ id, headers, body }: (typeof all.received)[number], secret: string) =>
    String(headers['webhook-signature'])
      .split(' ')
      .includes(new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1000), body))
  assert.ok(isSigned(all.received[1]!, made.secret) && isSigned(some.received[0]!, second.secret))
  assert.ok(!isSigned(some.received[0]!, made.secret))

  const renewed = await call('POST', `webhook-endpoints/${made.endpoint.id}/renew`, { keep_seconds: 3600 })
  await call('POST', `webhook-endpoints/${made.endpoint.id}/test`)
  await deliver()
  assert.ok(isSigned(all.received[2]!, made.secret) && isSigned(all.received[2]!, renewed.data.secret))
  deps.pass(3_600)
  await call('POST', `webhook-endpoints/${made.endpoint.id}/test`)
  await deliver()
  assert.ok(!isSigned(all.received.at(-1)!, made.secret) && isSigned(all.received.at(-1)!, renewed.data.secret))

  // A failed one is sent again until it is confirmed, and nobody else gets it again.
  const before = [all, some].map(each => each.received.length)
  broken.answer = (_, response) => response.writeHead(204).end()
  await deliver()
  assert.deepEqual(typesOf(broken).slice(2).includes('payment.paid'), true)
  assert.deepEqual(
    [all, some].map(each => each.received.length),
    before,
  )
})

test('an event is read and sent again by the webhook-id that endpoints received', async t => {
  const { call, callOf, create, deliver, pay, deps, merchant } = await endpointWorld(t)
  const one = await testReceiver(t)
  const two = await testReceiver(t)
  await create({ url: one.url })
  await create({ url: two.url })
  await pay()
  const { id } = one.received.at(-1)!
  assert.equal((await call('GET', `callbacks/${id}`)).data.callback.event, 'payment.paid')
  const before = [one.received.length, two.received.length]
  assert.equal((await call('POST', `callbacks/${id}/resend`)).code, 200)
  await deliver()
  for (const [at, { received }] of [one, two].entries()) {
    assert.equal(received.length, before[at]! + 1)
    assert.deepEqual([received.at(-1)!.id, received.at(-1)!.body], [id, one.received[before[0]! - 1]!.body])
  }
  const stranger = callOf((await testApplication(deps, merchant.id)).key)
  for (const answer of [await stranger('POST', `callbacks/${id}/resend`), await stranger('GET', `callbacks/${id}`)])
    assert.equal(answer.code, errors.callback_not_exist.code)
})

test('an endpoint that is off or removed gets nothing, and its callbacks stay on record', async t => {
  const { call, create, deliver, pay, list, owner } = await endpointWorld(t)
  const receiver = await testReceiver(t)
  const { id } = (await create({ url: receiver.url })).data.endpoint
  assert.equal(
    (await call('POST', `webhook-endpoints/${id}`, { enabled: false, description: 'off' })).data.enabled,
    false,
  )
  await pay()
  assert.deepEqual(receiver.received, [])
  const on = await call('POST', `webhook-endpoints/${id}`, { enabled: true, events: ['payment.paid'] })
  assert.deepEqual([on.data.events, on.data.description], [['payment.paid'], 'off'])
  const { trade_no } = await pay({ notify_url: 'https://shop.example/of-the-order' })
  assert.deepEqual(typesOf(receiver), ['payment.paid'])
  const { list: sent } = (await call('GET', `callbacks?trade_no=${trade_no}`)).data
  assert.equal(sent.filter((row: { notify_url: string }) => row.notify_url === receiver.url).length, 1)

  // What waits is not sent either.
  await call('POST', `webhook-endpoints/${id}/test`)
  assert.equal((await call('POST', `webhook-endpoints/${id}/remove`)).status, 200)
  await deliver()
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(await list(), [])
  const [last] = await rowsOf(owner, "select result from callbacks where endpoint = $1 and event = 'test.ping'", [id])
  assert.equal(last.result, 'no_address')
  for (const path of ['', '/renew', '/test', '/remove'])
    assert.equal(
      (await call('POST', `webhook-endpoints/${id}${path}`, {})).code,
      errors.webhook_endpoint_not_exist.code,
    )
  assert.equal((await create({ url: receiver.url })).status, 200, 'its URL is free again')
})

test('endpoints are made once, within their limit, and only by the key of an open application', async t => {
  const { deps, merchant, own, owner, callOf, call, create, list } = await endpointWorld(t)
  const url = 'https://shop.example/hook'
  const key = { 'idempotency-key': 'once' }
  const first = await create({ url }, key)
  assert.deepEqual(await create({ url }, key), first, 'a retry gets the first answer')
  assert.equal((await create({ url }, { 'idempotency-key': 'twice' })).code, errors.webhook_endpoint_exists.code)
  const both = await Promise.all([1, 2].map(() => create({ url: `${url}/2` })))
  assert.deepEqual(both.map(each => each.code).sort(), [200, errors.webhook_endpoint_exists.code].sort())
  const other = (await list())[0].id
  assert.equal((await call('POST', `webhook-endpoints/${other}`, { url })).code, errors.webhook_endpoint_exists.code)

  const stranger = callOf((await testApplication(deps, (await testMerchant(deps)).id)).key)
  const sibling = callOf((await testApplication(deps, merchant.id)).key)
  for (const theirs of [stranger, sibling])
    for (const path of ['', '/renew', '/test', '/remove'])
      assert.equal((await theirs('POST', `webhook-endpoints/${other}${path}`, {})).status, 404, path)
  assert.deepEqual((await sibling('GET', 'webhook-endpoints')).data.list, [])

  for (const [given, code] of [
    [{ url: 'http://10.0.0.1/x' }, errors.url_forbidden.code],
    [{ url: 'javascript:alert(1)' }, errors.bad_url.code],
    [{ url: `${url}/3`, events: [] }, errors.parameter_error.code],
    [{ url: `${url}/3`, events: ['test.ping'] }, errors.parameter_error.code],
    [{ url: `${url}/3`, secret: 'whsec_mine' }, errors.parameter_error.code],
  ] as const)
    assert.equal((await create(given)).code, code, JSON.stringify(given))
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => create({ url: `${url}/many/${n}` })))
  assert.equal(made.filter(each => each.code === 200).length, 8)
  assert.equal(made.filter(each => each.code === errors.limit_reached.code).length, 4)

  const [{ n }] = await rowsOf(
    owner,
    "select count(*)::int as n from audit_log where type = 'webhook_endpoint_changed'",
  )
  assert.equal(n, 10)
  assert.ok(!JSON.stringify(await rowsOf(owner, 'select * from audit_log')).includes(first.data.secret))
  await freezeMerchant(deps, { merchantId: merchant.id })
  assert.equal((await create({ url: `${url}/frozen` })).code, errors.account_frozen.code)
  assert.equal((await call('POST', `webhook-endpoints/${newId()}/remove`)).code, errors.account_frozen.code)
  assert.ok(own.appid)
})

test('a web page delivers nothing: the callback is tried again, and the merchant hears of it once a day', async t => {
  const { deps, owner, merchant, call, create, deliver, pay } = await endpointWorld(t)
  const receiver = await testReceiver(t)
  const says = (text: string) => {
    receiver.answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(text)
  }
  says('<!doctype html><title>One moment</title>ok')
  await create({ url: receiver.url })
  await pay()
  await pay()
  const callbacks = async () => {
    const rows = (await call('GET', 'callbacks?event=payment.paid')).data.list
    return rows.map((row: Record<string, unknown>) => [row.status, row.result])
  }
  const unseen = [callbackStatus.retrying, 'page_answered']
  assert.deepEqual(await callbacks(), [unseen, unseen])
  const told = () =>
    rowsOf(
      owner,
      `select params - 'callback' as params from notifications
       where merchant_id = $1 and message = 'callback_page_answered' and params ? 'callback'`,
      [merchant.id],
    )
  assert.deepEqual(await told(), [{ params: { event: 'payment.seen', url: receiver.url } }])
  deps.pass(86_401)
  await deliver()
  assert.equal((await told()).length, 2)
  says('ok')
  deps.pass(86_401)
  await deliver()
  assert.deepEqual(await callbacks(), [
    [callbackStatus.delivered, 'HTTP 200'],
    [callbackStatus.delivered, 'HTTP 200'],
  ])
})
