import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { build } from 'vite'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

/** The client as a bundler for browsers and workers builds it. */
async function bundle(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL('./index.ts', import.meta.url)), formats: ['iife'], name: 'sdk' },
    },
  })
  const [output] = Array.isArray(made) ? made : [made]
  assert.ok(output && 'output' in output)
  return output.output[0].code
}

test('runs in a runtime without Node.js: web globals only, no process, Buffer or require', async () => {
  const code = await bundle()
  assert.doesNotMatch(code, /\brequire\(|node:|browser-external/)
  const body = JSON.stringify({ type: 'test.ping', timestamp: '2026-01-01T00:00:00.000Z', data: { appid: 'app_1' } })
  const now = new Date()
  const headers = {
    'webhook-id': 'cb-1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('cb-1', now, body),
  }
  const keys: string[] = []
  let failures = 1
  const send: typeof fetch = async (_url, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key') ?? '')
    if (failures-- > 0) return new Response('{}', { status: 503, headers: { 'retry-after': '0' } })
    return Response.json({ code: 200, data: { trade_no: '1' } })
  }
  const web = { crypto, Headers, URL, TextDecoder, TextEncoder, AbortSignal, setTimeout, clearTimeout }
  const context = createContext({ ...web, fetch: send, given: { secret, headers, body } })
  runInContext(code, context)
  assert.equal(runInContext('typeof process + typeof Buffer + typeof require', context), 'undefined'.repeat(3))
  const order = await runInContext(
    `new sdk.Coffer({ baseUrl: 'https://pay.example', secretKey: 'sk_test_1' }).createOrder({ out_trade_no: 'a', amount: '1' })`,
    context,
  )
  assert.equal(order.trade_no, '1')
  assert.equal(keys.length, 2)
  assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(keys[0], keys[1])
  assert.equal(runInContext('sdk.verifyWebhook(given).id', context), 'cb-1')
  assert.equal(runInContext('sdk.verifyWebhook({ ...given, headers: new Headers(given.headers) }).id', context), 'cb-1')
  const parsed = `try { sdk.verifyWebhook({ ...given, body: JSON.parse(given.body) }) } catch (error) { error.message }`
  assert.match(runInContext(parsed, context), /but is a parsed object/)
})
