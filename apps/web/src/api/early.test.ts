import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { fetchOrReusePrefetched } from './early.ts'

const url = '/api/v1/user/info'
const headers = { 'X-Token': 'tk', 'X-Language': 'en-US' }
const page = globalThis as unknown as { earlyCalls: Map<string, object> | undefined; fetch: typeof fetch }
const sent = mock.fn(async () => new Response('asked again'))
const real = page.fetch

let ending = new AbortController()

function early(change: object = {}) {
  ending = new AbortController()
  const call = {
    token: 'tk',
    language: 'en-US',
    sentAt: performance.now(),
    ending,
    answer: Promise.resolve(new Response('early')),
  }
  page.earlyCalls = new Map([[url, { ...call, ...change }]])
}

beforeEach(() => {
  page.fetch = sent
  sent.mock.resetCalls()
  page.earlyCalls = undefined
})

// Other files may run in this process.
afterEach(() => {
  page.fetch = real
})

const ask = async (init: RequestInit = {}, to = url) => {
  const answer = await fetchOrReusePrefetched(to, { method: 'GET', headers, ...init })
  return answer.text()
}

test('the first request takes the early call over, later ones are sent', async () => {
  early()
  assert.deepEqual([await ask(), sent.mock.callCount()], ['early', 0])
  assert.deepEqual([await ask(), sent.mock.callCount()], ['asked again', 1])
})

test('without early calls, and for other calls, a request is sent', async () => {
  assert.equal(await ask(), 'asked again')
  early()
  assert.equal(await ask({}, '/api/v1/statistics/overview'), 'asked again')
  assert.equal(await ask({ method: 'PUT' }), 'asked again')
})

test('an answer for another merchant or in another language is not taken', async () => {
  early({ token: 'of the merchant before' })
  assert.equal(await ask(), 'asked again')
  early({ language: 'zh-CN' })
  assert.equal(await ask(), 'asked again')
})

test('an answer that nobody took for long is not taken', async () => {
  early({ sentAt: performance.now() - 16_000 })
  assert.equal(await ask(), 'asked again')
})

test('the status and the failure of the early call are those of the request', async () => {
  early({ answer: Promise.resolve(new Response('{}', { status: 401 })) })
  assert.equal((await fetchOrReusePrefetched(url, { method: 'GET', headers })).status, 401)
  const lost = Promise.reject(new TypeError('no connection'))
  early({ answer: lost })
  await assert.rejects(ask(), TypeError)
  assert.equal(sent.mock.callCount(), 0)
})

test('cancelling the request cancels the early call', async () => {
  early()
  const cancel = new AbortController()
  await ask({ signal: cancel.signal })
  assert.equal(ending.signal.aborted, false)
  cancel.abort()
  assert.equal(ending.signal.aborted, true)
})
