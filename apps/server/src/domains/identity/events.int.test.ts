import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { LiveHint } from '../../kit/live.ts'
import { makeApp } from '../../serve.ts'
import { nothingLive, withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { logout } from './sessions/sessions.ts'

const listening = new Map<string, (hint: LiveHint) => void>()
let streams = 0
const deps = await withDeps(
  { after },
  {
    live: {
      ...nothingLive,
      onMerchant: (id, listen) => {
        listening.set(id, listen)
        streams++
        return () => {
          listening.delete(id)
          streams--
        }
      },
      recent: (merchant_id, ms) => (ms === 900 ? [{ merchant_id, type: 'balance', id: 'y' }] : []),
    },
  },
)
const app = await makeApp(deps)
after(() => app.close())
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

test('an event stream ends with its session when the account changes', { timeout: 180_000 }, async t => {
  // The periodic check every 15 s would end it as well, but the test is faster.
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { id, token, session } = await testMerchant(deps)
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  const response = await fetch(`${origin}/api/v1/user/events?since=900`, {
    headers: { 'x-token': token },
    signal: stopping.signal,
  })
  const hint = (type: LiveHint['type']) => listening.get(id)?.({ merchant_id: id, type, id: 'x' })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (part: string) => {
    while (!text.includes(part)) {
      const { value, done } = await reader.read()
      assert.ok(!done, `ended before ${part}`)
      text += value
    }
  }
  await until('retry')
  await until('{"type":"balance","id":"y"}')
  hint('account')
  await until('"account"')
  hint('payment')
  await until('"payment"')
  await logout(deps, session, { ip: '203.0.113.7', device: 'test', language: 'en' })
  hint('account')
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  assert.equal(text.match(/"account"/g)?.length, 2)
  assert.equal(listening.has(id), false)
})

test('a merchant has at most fifty open streams; a closed one frees its place', {
  timeout: 180_000,
}, async t => {
  const { token } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const all: AbortController[] = []
  t.after(async () => {
    for (const each of all) each.abort()
    // A mocked clearInterval of the next test would not end their timers.
    await until('all streams are closed', () => streams === 0)
  })
  const open = async (by: string) => {
    const stopping = new AbortController()
    all.push(stopping)
    const { status } = await fetch(`${origin}/api/v1/user/events`, {
      headers: { 'x-token': by },
      signal: stopping.signal,
    })
    return { status, leave: () => stopping.abort() }
  }
  const held = []
  for (let n = 0; n < 50; n++) held.push(await open(token))
  assert.ok(held.every(({ status }) => status === 200))
  assert.equal((await open(token)).status, 503)
  assert.equal((await open(other.token)).status, 200)
  held[0]?.leave()
  let status = 503
  while (status === 503) status = (await open(token)).status
  assert.equal(status, 200)
})
