import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coffer, CofferError, type CofferOptions, paymentStatus } from './index.ts'

interface Seen {
  url: URL
  method: string
  headers: Headers
  body: unknown
}
type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | 'lost' | 'silent'

/** A client whose requests get these replies in order; the last one repeats. */
function clientOf(replies: Reply[], options: Partial<CofferOptions> = {}) {
  const seen: Seen[] = []
  const send: typeof fetch = async (url, init) => {
    const { method = 'GET', headers, body, signal, redirect } = init ?? {}
    assert.equal(redirect, 'error')
    seen.push({
      url: new URL(String(url)),
      method,
      headers: new Headers(headers),
      body: body ? JSON.parse(String(body)) : null,
    })
    const reply = replies[Math.min(seen.length, replies.length) - 1] ?? 'lost'
    if (reply === 'lost') throw new TypeError('fetch failed')
    signal?.throwIfAborted()
    if (reply === 'silent') {
      // Keep the process alive as a connection would: the timer of an abort signal does not.
      const open = setInterval(() => {}, 1000)
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          clearInterval(open)
          reject(signal.reason)
        }),
      )
    }
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
    return new Response(text, { status: reply.status ?? 200, headers: reply.headers ?? {} })
  }
  const coffer = new Coffer({
    baseUrl: 'https://pay.example',
    secretKey: 'sk_test_0123456789abcdefghij',
    fetch: send,
    ...options,
  })
  return { coffer, seen }
}

const success = (data: unknown): Reply => ({ body: { code: 200, data } })
const busy: Reply = { status: 503, body: { code: 503, msg: 'busy' }, headers: { 'retry-after': '0' } }

test('authenticates a call and returns its data', async () => {
  const { coffer, seen } = clientOf([success({ trade_no: '1' })])
  assert.deepEqual(await coffer.createOrder({ out_trade_no: 'A-1', amount: '5' }), { trade_no: '1' })
  const [request] = seen
  assert.equal(request?.url.href, 'https://pay.example/api/v1/pay/orders')
  assert.equal(request?.headers.get('authorization'), 'Bearer sk_test_0123456789abcdefghij')
  assert.match(request?.headers.get('idempotency-key') ?? '', /^[0-9a-f-]{36}$/)
  assert.deepEqual(request?.body, { out_trade_no: 'A-1', amount: '5' })
})

test('encodes paths and queries below the base URL', async () => {
  const { coffer, seen } = clientOf([success({ list: [], total: 0 })], { baseUrl: 'https://pay.example/coffer/' })
  await coffer.getOrder({ out_trade_no: 'A:1' })
  await coffer.listOrders({ status: paymentStatus.paid, out_trade_no: undefined, current: 3 })
  await coffer.closeOrder('../../user/info')
  assert.deepEqual(
    seen.map(({ method, url }) => `${method} ${url.pathname}${url.search}`),
    [
      'GET /coffer/api/v1/pay/orders/out%3AA%3A1',
      'GET /coffer/api/v1/pay/orders?status=2&current=3',
      'POST /coffer/api/v1/pay/orders/..%2F..%2Fuser%2Finfo/close',
    ],
  )
})

test('throws a refusal with its details, without a retry', async () => {
  const refusal = { code: 10048, msg: 'Please enter a correct amount', field: 'amount' }
  const { coffer, seen } = clientOf([{ status: 422, body: refusal, headers: { 'x-request-id': 'r-1' } }])
  await assert.rejects(coffer.createOrder({ out_trade_no: 'A-1', amount: '-1' }), error => {
    assert.ok(error instanceof CofferError)
    const { code, msg, message, field, status, request_id } = error
    assert.deepEqual(
      { code, msg, message, field, status, request_id },
      { ...refusal, message: refusal.msg, status: 422, request_id: 'r-1' },
    )
    return true
  })
  assert.equal(seen.length, 1)
})

test('retries a POST with the same idempotency key', async () => {
  const inFlight = { status: 409, body: { code: 10058 }, headers: { 'retry-after': '0' } }
  // The server closed a connection that had been silent, while the call was under way to it.
  const silent = { status: 408, body: {} }
  const { coffer, seen } = clientOf(['lost', busy, inFlight, silent, success({})], { retries: 4 })
  await coffer.closeOrder('1')
  assert.equal(seen.length, 5)
  assert.equal(new Set(seen.map(({ headers }) => headers.get('idempotency-key'))).size, 1)
})

test('throws the last error once retries are exhausted', async () => {
  const { coffer, seen } = clientOf([busy], { retries: 2 })
  await assert.rejects(coffer.balances(), { name: 'CofferError', status: 503, code: 503 })
  assert.equal(seen.length, 3)
  const none = clientOf(['lost'], { retries: 0 })
  await assert.rejects(
    none.coffer.balances(),
    (error: CofferError) => error.status === 0 && error.cause instanceof TypeError,
  )
})

test('retries no earlier than Retry-After says, and throws when that is too long to wait', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const wait = (value: string): Reply => ({ ...(busy as object), headers: { 'retry-after': value } })
  for (const [value, ms] of [
    ['30', 30_000],
    [new Date(45_000).toUTCString(), 45_000],
  ] as const) {
    t.mock.timers.setTime(0)
    const { coffer, seen } = clientOf([wait(value), success({ total_usdt: '0' })])
    const call = coffer.balances()
    const settle = () => new Promise(resolve => setImmediate(resolve))
    await settle()
    t.mock.timers.tick(ms - 1)
    await settle()
    assert.equal(seen.length, 1, value)
    t.mock.timers.tick(1)
    assert.deepEqual(await call, { total_usdt: '0' })
  }
  const { coffer, seen } = clientOf([wait('61')])
  await assert.rejects(coffer.balances(), { name: 'CofferError', retry_after: 61 })
  assert.equal(seen.length, 1)
})

test('iterates over lists by cursor', async () => {
  const rows = (from: number, n: number, next_cursor: string) =>
    success({ list: Array.from({ length: n }, (_, i) => ({ id: String(from + i) })), total: 150, next_cursor })
  for (const name of ['refunds', 'withdrawals', 'addresses', 'deposits'] as const) {
    const { coffer, seen } = clientOf([rows(0, 100, '9-a'), rows(100, 50, '')])
    const ids: string[] = []
    for await (const { id } of coffer[name]({ reference: 'r' } as never)) ids.push(id)
    assert.deepEqual(
      ids,
      Array.from({ length: 150 }, (_, i) => String(i)),
    )
    assert.deepEqual(
      seen.map(({ url }) => url.search),
      ['?reference=r&pageSize=100', '?reference=r&cursor=9-a&pageSize=100'],
    )
  }
})

test('ends an attempt at the timeout, and a call on its signal', async () => {
  const { coffer } = clientOf(['silent'], { timeoutMs: 20, retries: 0 })
  await assert.rejects(coffer.currencies(), { name: 'CofferError', msg: 'no response within 20 ms' })
  const patient = clientOf(['silent'])
  const reason = new Error('cancelled')
  const call = patient.coffer.currencies({ signal: AbortSignal.any([AbortSignal.timeout(10)]) })
  await assert.rejects(call, { name: 'TimeoutError' })
  await assert.rejects(patient.coffer.currencies({ signal: AbortSignal.abort(reason) }), reason)
  assert.equal(patient.seen.length, 2)
})

test('throws on a response that is not from Coffer', async () => {
  for (const body of ['<html>', 'null', '[]', '{}', '{"data":{}}']) {
    const { coffer } = clientOf([{ body }])
    await assert.rejects(coffer.balances(), { name: 'CofferError', code: 0, status: 200 }, body)
  }
})

test('iterates over all pages of orders without duplicates', async () => {
  const page = (from: number, n: number, next_cursor: string) =>
    success({ list: Array.from({ length: n }, (_, i) => ({ trade_no: String(from + i) })), total: 150, next_cursor })
  const { coffer, seen } = clientOf([page(0, 100, 'next'), page(100, 50, '')])
  const numbers: string[] = []
  for await (const { trade_no } of coffer.orders({ status: paymentStatus.paid })) numbers.push(trade_no)
  assert.deepEqual(
    numbers,
    Array.from({ length: 150 }, (_, i) => String(i)),
  )
  assert.deepEqual(
    seen.map(({ url }) => url.search),
    ['?status=2&pageSize=100', '?status=2&cursor=next&pageSize=100'],
  )
})

test('creates, closes and iterates over payment links', async () => {
  const page = (id: string, next_cursor: string) => success({ list: [{ id }], next_cursor })
  const { coffer, seen } = clientOf([success({ id: 'a/b' }), success({}), page('2', 'next'), page('1', '')])
  const { id } = await coffer.createLink({ title: 'Cake', amount: '5' })
  await coffer.closeLink(id)
  const ids: string[] = []
  for await (const link of coffer.links({ start_time: 7 })) ids.push(link.id)
  assert.deepEqual(ids, ['2', '1'])
  assert.ok(seen[0]?.headers.get('idempotency-key') && seen[1]?.headers.get('idempotency-key'))
  assert.deepEqual(
    seen.map(({ method, url }) => `${method} ${url.pathname}${url.search}`),
    [
      'POST /api/v1/pay/links',
      'POST /api/v1/pay/links/a%2Fb/close',
      'GET /api/v1/pay/links?start_time=7&pageSize=100',
      'GET /api/v1/pay/links?start_time=7&cursor=next&pageSize=100',
    ],
  )
})

test('refuses base URLs in plain text and malformed keys', () => {
  const make = (baseUrl: string, secretKey = 'sk_live_abc') => new Coffer({ baseUrl, secretKey })
  for (const url of ['http://pay.example', 'http://127.0.0.1.evil.example', 'ftp://localhost', 'pay.example'])
    assert.throws(() => make(url), TypeError, url)
  for (const url of ['https://pay.example', 'http://127.0.0.1:8080', 'http://localhost:8080']) assert.ok(make(url))
  for (const key of ['', 'whsec_abc', 'sk_live_a b'])
    assert.throws(() => make('https://pay.example', key), TypeError, key)
  const unset = { baseUrl: 'https://pay.example', secretKey: undefined }
  assert.throws(() => new Coffer(unset), { name: 'TypeError', message: /secretKey must start with/ })
  const misspelled: object = { xpubs: { evm: 'xpub...' } }
  assert.throws(() => clientOf([], misspelled), {
    name: 'TypeError',
    message: /^unknown option xpubs: the client takes baseUrl, .*, accountKeys, /,
  })
})
