import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { callbackStatus, notificationType } from '@coffer/contract'
import { Webhook } from 'standardwebhooks'
import { tx } from '../../kit/db.ts'
import { makeTestDeps, type TestDeps, testDatabase } from '../../testing/deps.ts'
import { mailedProof, testApplication, testMerchant, visitor } from '../../testing/merchants.ts'
import { testReceiver } from '../../testing/receiver.ts'
import { endPreviousSecret, rotateApplicationSecret } from '../applications/change-application.ts'
import { changeApplication, webhookSecretSealPlace } from '../applications/store.ts'
import { type LeasedCallback, leaseCallbacks } from './callback-lease.ts'
import { deliverCallback } from './deliver-callback.ts'
import { enqueueCallbacks } from './enqueue.ts'
import { callbackLeaseSeconds, deliverCallbacks } from './jobs.ts'
import { concurrentAttemptsMax } from './receivers.ts'
import { resendCallback } from './resend-callback.ts'
import {
  type AttemptRow,
  type CallbackRow,
  listAttempts,
  listCallbacks,
  listMerchantAbandonedCallbacks,
} from './store.ts'

const database = await testDatabase({ after })

/** Creates a merchant for one test on the shared database, and deletes the callbacks that earlier tests left. */
async function world(t: TestContext, given: Partial<TestDeps> = {}) {
  await database.owner.query('delete from callbacks')
  const deps = makeTestDeps({ pool: database.pool, config: { mode: 'sandbox' }, ...given })
  const receiver = await testReceiver(t)
  return { deps, receiver, ...(await shopOf(deps, receiver.url)) }
}

async function shopOf(deps: TestDeps, url: string) {
  const { id } = await testMerchant(deps)
  return applicationOf(deps, id, url)
}

async function applicationOf(deps: TestDeps, merchantId: string, url: string) {
  const { appid, webhookSecret } = await testApplication(deps, merchantId, { notify_url: url })
  const put = async (trade_no: string, seq: number, event = 'payment.paid') => {
    const body = JSON.stringify({ type: event, trade_no, seq })
    const row = { merchant_id: merchantId, appid, trade_no, event, seq, url, body, amount: '1', token: 'USDT' }
    return tx(deps.pool, async (_, uow) => enqueueCallbacks(uow, [{ ...row, created_at: deps.clock() }])[0]!)
  }
  const row = async (id: string) =>
    (await listCallbacks(deps.pool, merchantId, {}, { limit: 100, offset: 0 })).rows.find(
      each => each.id === id,
    ) as CallbackRow
  const attempts = (id: string): Promise<AttemptRow[]> => listAttempts(deps.pool, merchantId, id)
  return { merchantId, appid, webhookSecret, put, row, attempts }
}

const request = (deps: TestDeps) => ({
  now: deps.clock(),
  until: deps.clock() + callbackLeaseSeconds,
  limit: 100,
  free: {},
  perKey: 100,
})
const lease = (deps: TestDeps, limit = 100) => leaseCallbacks(deps.pool, { ...request(deps), limit })

/** Attempts all due callbacks until none are left. */
async function attemptDue(deps: TestDeps) {
  for (let taken = await lease(deps); taken.length > 0; taken = await lease(deps))
    await Promise.all(taken.map(each => deliverCallback(deps, each, { random: () => 0.5 })))
}

test('the Standard Webhooks library verifies the signature, and any 2xx confirms a callback', async t => {
  const { deps, receiver, put, row, attempts, webhookSecret } = await world(t, {
    clock: () => Math.floor(Date.now() / 1000),
  })
  const id = await put('1', 1)
  await attemptDue(deps)
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]]
  assert.deepEqual(new Webhook(webhookSecret).verify(body, headers as Record<string, string>), JSON.parse(body))
  assert.equal(headers['webhook-id'], id)
  const { status, attempts: made, result, next_at } = await row(id)
  assert.deepEqual(
    { status, made, result, next_at },
    { status: callbackStatus.delivered, made: 1, result: 'HTTP 204', next_at: null },
  )
  const [attempt] = await attempts(id)
  assert.deepEqual([attempt?.http_status, attempt?.manual, attempt?.answer], [204, false, ''])
})

test('for a day after a rotation both webhook secrets sign; ending the old one ends its signatures', async t => {
  const { deps, receiver, put, webhookSecret, merchantId, appid } = await world(t)
  const proved = async () => {
    const proof = await mailedProof(deps, merchantId)
    return { merchantId, appid, target: 'webhook_secret' as const, proof, from: visitor }
  }
  const rotate = async () => rotateApplicationSecret(deps, await proved())
  const next = (await rotate()).webhook_secret!
  const accepted = async (trade: string) => {
    await put(trade, 1)
    await attemptDue(deps)
    const { headers, body } = receiver.received.at(-1)!
    // The tests' clock stands in the past, so compare signatures instead of verifying their age.
    const at = new Date(deps.clock() * 1000)
    const given = String(headers['webhook-signature']).split(' ')
    return [webhookSecret, next].map(secret =>
      given.includes(new Webhook(secret).sign(String(headers['webhook-id']), at, body)),
    )
  }
  assert.deepEqual(await accepted('1'), [true, true])
  deps.pass(86_399)
  assert.deepEqual(await accepted('2'), [true, true])
  deps.pass(1)
  assert.deepEqual(await accepted('3'), [false, true])
  await changeApplication(deps.pool, merchantId, appid, {
    webhook_secret: deps.seal.seal(webhookSecret, webhookSecretSealPlace(appid)),
  })
  const third = (await rotate()).webhook_secret!
  assert.deepEqual(await accepted('4'), [true, false])
  await endPreviousSecret(deps, await proved())
  assert.deepEqual(await accepted('5'), [false, false])
  assert.ok(third)
})

test('the signed body arrives byte for byte, in any script', async t => {
  const { deps, receiver, put, webhookSecret } = await world(t, { clock: () => Math.floor(Date.now() / 1000) })
  await put('客户 🧾 \u2028 é e\u0301', 1)
  await attemptDue(deps)
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]]
  assert.equal(Number(headers['content-length']), Buffer.byteLength(body))
  assert.deepEqual(new Webhook(webhookSecret).verify(body, headers as Record<string, string>), JSON.parse(body))
  assert.equal(JSON.parse(body).trade_no, '客户 🧾 \u2028 é e\u0301')
})

test('after a crash during delivery the callback is resent under the same id once its lease ends', async t => {
  const { deps, receiver, put, row } = await world(t)
  const id = await put('1', 1)
  const [taken] = await lease(deps)
  assert.equal(taken?.id, id)
  deps.pass(callbackLeaseSeconds - 1)
  assert.deepEqual(await lease(deps), [], 'nobody else takes it before')
  deps.pass(2)
  await attemptDue(deps)
  assert.equal((await row(id)).status, callbackStatus.delivered)
  await deliverCallback(deps, taken as LeasedCallback)
  assert.deepEqual(
    receiver.received.map(each => each.id),
    [id, id],
  )
})

test("a late failure under a lost lease does not override another process's result", async t => {
  const { deps, receiver, put, row, attempts } = await world(t)
  const id = await put('1', 1)
  const [lost] = await lease(deps)
  deps.pass(callbackLeaseSeconds + 1)
  await attemptDue(deps)
  receiver.answer = (_, response) => void response.writeHead(500).end()
  await deliverCallback(deps, lost as LeasedCallback)
  const { status, next_at, attempts: made } = await row(id)
  assert.deepEqual({ status, next_at, made }, { status: callbackStatus.delivered, next_at: null, made: 2 })
  assert.deepEqual((await attempts(id)).map(each => each.result).sort(), ['HTTP 204', 'HTTP 500'])
})

test('concurrent processes never lease the same callback', async t => {
  const { deps, put } = await world(t)
  const ids = await Promise.all(Array.from({ length: 60 }, (_, i) => put(`payment ${i}`, 1)))
  const taken = (await Promise.all(Array.from({ length: 8 }, () => lease(deps, 20)))).flat().map(each => each.id)
  assert.equal(new Set(taken).size, taken.length)
  const rest = (await lease(deps)).map(each => each.id)
  assert.deepEqual([...taken, ...rest].sort(), ids.sort())
})

const failing =
  (id: string): Awaited<ReturnType<typeof testReceiver>>['answer'] =>
  ({ headers }, response) =>
    void response.writeHead(headers['webhook-id'] === id ? 500 : 204).end()

test('the first attempts at the callbacks of one payment are made in order', async t => {
  const { deps, put } = await world(t)
  const ids = [await put('1', 1, 'payment.seen'), await put('1', 2), await put('1', 3, 'payment.over')]
  for (const id of ids) {
    const taken = await lease(deps)
    assert.deepEqual(
      taken.map(each => each.id),
      [id],
    )
    await deliverCallback(deps, taken[0]!)
  }
})

for (const [event, outcome] of [
  ['payment.seen', 'payment.paid'],
  ['withdrawal.created', 'withdrawal.completed'],
  ['refund.created', 'refund.completed'],
] as const)
  test(`a failing ${event} delays ${outcome} by nothing and is then not sent again`, async t => {
    const { deps, receiver, merchantId, put, row } = await world(t)
    const seen = await put('1', 1, event)
    const paid = await put('1', 2, outcome)
    const other = await put('2', 1)
    receiver.answer = failing(seen)
    await attemptDue(deps)
    assert.deepEqual(receiver.received.map(each => each.id).sort(), [seen, paid, other].sort())
    assert.equal((await row(paid)).status, callbackStatus.delivered)
    const { status, result, next_at } = await row(seen)
    assert.deepEqual(
      { status, result, next_at },
      { status: callbackStatus.given_up, result: 'superseded', next_at: null },
    )
    const sql = 'select from notifications where types = 3 and merchant_id = $1'
    const { rows } = await deps.pool.query(sql, [merchantId])
    assert.equal(rows.length, 0, 'nobody is notified that it was given up')
    assert.deepEqual(await listMerchantAbandonedCallbacks(deps.pool, merchantId), [])
  })

test('after an outage the later state goes first; an outcome is never superseded', async t => {
  const { deps, receiver, put, row } = await world(t)
  receiver.answer = (_, response) => void response.writeHead(500).end()
  const seen = await put('1', 1, 'payment.seen')
  const paid = await put('1', 2, 'payment.paid')
  const late = await put('1', 3, 'payment.late')
  await attemptDue(deps)
  const tried = receiver.received.length
  assert.equal(tried, 3)
  receiver.answer = (_, response) => void response.writeHead(204).end()
  deps.pass(11)
  await attemptDue(deps)
  assert.deepEqual(
    receiver.received
      .slice(tried)
      .map(each => each.id)
      .sort(),
    [paid, late].sort(),
  )
  assert.deepEqual(
    [(await row(seen)).result, (await row(paid)).status, (await row(late)).status],
    ['superseded', callbackStatus.delivered, callbackStatus.delivered],
  )
})

test('a progress event is retried as long as nothing later was delivered', async t => {
  const { deps, receiver, put, row } = await world(t)
  const seen = await put('1', 1, 'payment.seen')
  const paid = await put('1', 2)
  receiver.answer = failing(paid)
  deps.pass(1)
  await attemptDue(deps)
  assert.equal((await row(seen)).status, callbackStatus.delivered)
  assert.equal((await row(paid)).status, callbackStatus.retrying)
  const again = await put('1', 3, 'payment.seen')
  receiver.answer = (_, response) => void response.writeHead(500).end()
  await attemptDue(deps)
  deps.pass(11)
  await attemptDue(deps)
  const { status, attempts } = await row(again)
  assert.deepEqual({ status, attempts }, { status: callbackStatus.retrying, attempts: 2 })
})

test('a callback that is never confirmed is attempted twelve times in about three days; then the merchant is notified', async t => {
  const { deps, receiver, put, row, attempts, merchantId } = await world(t)
  receiver.answer = (_, response) => void response.writeHead(500).end('\u0000out of order\u202e')
  const id = await put('20250602100000000000000000000001', 1)
  const start = deps.clock()
  for (;;) {
    await attemptDue(deps)
    const { next_at, status } = await row(id)
    if (next_at === null) break
    assert.equal(status, callbackStatus.retrying)
    deps.pass(next_at - deps.clock())
  }
  assert.equal(receiver.received.length, 12)
  assert.equal((await row(id)).status, callbackStatus.given_up)
  const days = (deps.clock() - start) / 86_400
  assert.ok(days > 2.5 && days < 3.5, `${days} days`)
  const [last] = await attempts(id)
  assert.deepEqual([last?.http_status, last?.result, last?.answer], [500, 'HTTP 500', 'out of order'])
  const sql = 'select types, message, params from notifications where types <> 2 and merchant_id = $1'
  const { rows } = await deps.pool.query(sql, [merchantId])
  const { trade_no } = await row(id)
  const params = { callback: id, event: 'payment.paid', trade_no, url: receiver.url }
  assert.deepEqual(rows, [{ types: notificationType.payment, message: 'callback_given_up', params }])
})

test('a manual resend is immediate and keeps the id, even after the last attempt failed', async t => {
  const { deps, receiver, put, row, attempts, merchantId } = await world(t)
  const id = await put('1', 1)
  await database.owner.query(
    `update callbacks set status = ${callbackStatus.given_up}, tries = 12, attempts = 12, next_at = null`,
  )
  receiver.answer = (_, response) => void response.writeHead(503).end()
  await resendCallback(deps, { merchantId, id })
  await resendCallback(deps, { merchantId, id })
  await attemptDue(deps)
  assert.deepEqual(
    [(await row(id)).status, (await row(id)).attempts],
    [callbackStatus.given_up, 13],
    'a second click is the same click',
  )
  receiver.answer = (_, response) => void response.writeHead(200).end('thanks')
  await resendCallback(deps, { merchantId, id })
  await attemptDue(deps)
  assert.equal((await row(id)).status, callbackStatus.delivered)
  assert.deepEqual(
    (await attempts(id)).map(({ result, manual }) => [result, manual]),
    [
      ['HTTP 200', true],
      ['HTTP 503', true],
    ],
  )
  assert.deepEqual(new Set(receiver.received.map(each => each.id)), new Set([id]))
})

test('pending callbacks go to the current URL', async t => {
  const { deps, receiver, put, row, merchantId, appid } = await world(t)
  const id = await put('1', 1)
  receiver.answer = (_, response) => void response.writeHead(404).end()
  await attemptDue(deps)
  const mended = await testReceiver(t)
  await database.owner.query('update applications set notify_url = $2 where appid = $1', [appid, mended.url])
  deps.pass(10)
  await attemptDue(deps)
  assert.equal(mended.received[0]?.id, id)
  assert.equal((await row(id)).url, mended.url)
  assert.ok(merchantId)
})

test('outside the sandbox callbacks to loopback addresses are never sent', async t => {
  const { deps, receiver, put, row } = await world(t, { config: { mode: 'production' } as TestDeps['config'] })
  const id = await put('1', 1)
  await attemptDue(deps)
  assert.equal(receiver.received.length, 0)
  assert.equal((await row(id)).result, 'address_forbidden')
})

test('a hanging receiver holds few attempts and delays no other receiver, even of its own merchant', async t => {
  const { deps, receiver: hanging, put, merchantId } = await world(t)
  hanging.answer = () => {}
  await Promise.all(Array.from({ length: 40 }, (_, i) => put(`hanging ${i}`, 1)))
  const good = await testReceiver(t)
  const others = [await shopOf(deps, good.url), await applicationOf(deps, merchantId, good.url)]
  for (const { put } of others) await Promise.all(Array.from({ length: 20 }, (_, i) => put(`good ${i}`, 1)))
  const stop = new AbortController()
  const job = deliverCallbacks(deps, stop.signal)
  t.after(async () => {
    stop.abort()
    await hanging.close()
    await job
  })
  await good.until(40)
  assert.ok(hanging.received.length <= concurrentAttemptsMax.perHost, `${hanging.received.length} at the hanging one`)
  const { rows } = await database.owner.query(
    "select result from callback_attempts where merchant_id = $1 and result <> 'HTTP 204'",
    [merchantId],
  )
  assert.deepEqual(rows, [], 'none at the hanging one has ended meanwhile')
})

test('a queue moved to a slow receiver delays no other receiver', async t => {
  const { deps, receiver, put, merchantId, appid } = await world(t)
  await Promise.all(Array.from({ length: 501 }, (_, i) => put(`waiting ${i}`, 1)))
  await changeApplication(deps.pool, merchantId, appid, { notify_url: 'https://slow.example/' })
  deps.pass(1)
  const other = await shopOf(deps, receiver.url)
  const id = await other.put('1', 1)
  const free = { 'host slow.example': 0 }
  const taken = await leaseCallbacks(deps.pool, { ...request(deps), free })
  assert.deepEqual(
    taken.map(each => each.id),
    [id],
  )
})

test('without a notify URL nothing is sent, and pending callbacks resume once one is set', async t => {
  const { deps, receiver, put, row, merchantId, appid } = await world(t)
  const id = await put('1', 1)
  await changeApplication(deps.pool, merchantId, appid, { notify_url: '' })
  const other = await shopOf(deps, receiver.url)
  const others = await other.put('1', 1)
  await attemptDue(deps)
  assert.deepEqual(
    receiver.received.map(each => each.id),
    [others],
  )
  assert.deepEqual([(await row(id)).status, (await row(id)).result], [3, 'no_address'])
  await changeApplication(deps.pool, merchantId, appid, { notify_url: receiver.url })
  deps.pass(10)
  await attemptDue(deps)
  assert.equal((await row(id)).status, callbackStatus.delivered)
})

test('a confirmation is not overridden by a process that leased the callback before it was recorded', async t => {
  const { deps, receiver, put, row } = await world(t)
  const id = await put('1', 1)
  const [first] = await lease(deps)
  deps.pass(callbackLeaseSeconds + 1)
  const [second] = await lease(deps)
  await deliverCallback(deps, first as LeasedCallback)
  receiver.answer = (_, response) => void response.writeHead(500).end()
  await deliverCallback(deps, second as LeasedCallback)
  const { status, next_at, attempts } = await row(id)
  assert.deepEqual({ status, next_at, attempts }, { status: callbackStatus.delivered, next_at: null, attempts: 2 })
})
