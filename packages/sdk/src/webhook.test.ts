import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError } from './index.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const body = JSON.stringify({ type: 'test.ping', timestamp: '2026-01-01T00:00:00.000Z', data: { appid: 'app_1' } })
const signed = (text = body, at = new Date()) => ({
  'Webhook-Id': 'cb-1',
  'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
  'Webhook-Signature': new Webhook(secret).sign('cb-1', at, text),
})

test('returns the event of a signed callback, from any form of headers and body', () => {
  const event = { id: 'cb-1', type: 'test.ping', timestamp: '2026-01-01T00:00:00.000Z', data: { appid: 'app_1' } }
  assert.deepEqual(verifyWebhook({ secret, headers: signed(), body }), event)
  assert.deepEqual(
    verifyWebhook({ secret, headers: new Headers(signed()), body: new TextEncoder().encode(body) }),
    event,
  )
  assert.deepEqual(
    verifyWebhook({ secret, headers: { ...signed(), cookie: ['a', 'b'], none: undefined }, body: Buffer.from(body) }),
    event,
  )
})

test('accepts either secret while a secret is being replaced', () => {
  const old = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  const at = new Date()
  const both = [secret, old].map(each => new Webhook(each).sign('cb-1', at, body)).join(' ')
  const headers = { ...signed(body, at), 'Webhook-Signature': both }
  for (const each of [secret, old]) assert.equal(verifyWebhook({ secret: each, headers, body }).id, 'cb-1')
})

test('rejects any other request', () => {
  const refused = (request: Partial<Parameters<typeof verifyWebhook>[0]>) =>
    assert.throws(() => verifyWebhook({ secret, headers: signed(), body, ...request }), WebhookError)
  refused({ body: body.replace('app_1', 'app_2') })
  refused({ headers: {} })
  refused({ headers: { ...signed(), 'Webhook-Id': 'cb-2' } })
  refused({ headers: { ...signed(), 'Webhook-Signature': '' } })
  refused({ headers: { ...signed(), 'Webhook-Signature': 'v1' } })
  refused({ headers: { ...signed(), 'Webhook-Signature': ['v1,a', 'v1,b'] } })
  refused({ secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}` })
  refused({ headers: signed(body, new Date(Date.now() - 400_000)) })
  refused({ headers: signed(body, new Date(Date.now() + 400_000)) })
  refused({ body: 'not json', headers: signed('not json') })
})

test('says what it was given instead of the raw body', () => {
  for (const [given, what] of [
    [JSON.parse(body), 'a parsed object'],
    [[1], 'an array'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'number'],
  ])
    assert.throws(() => verifyWebhook({ secret, headers: signed(), body: given }), {
      name: 'TypeError',
      message: new RegExp(`must be the raw body, a string or bytes, but is ${what}: read it before a JSON parser`),
    })
})

test('throws TypeError on a malformed secret', () => {
  for (const wrong of ['', 'sk_test_123', 'whsec_', 'whsec_***'])
    assert.throws(() => verifyWebhook({ secret: wrong, headers: signed(), body }), TypeError, wrong)
  const unset = { secret: undefined, headers: signed(), body }
  assert.throws(() => verifyWebhook(unset), { name: 'TypeError', message: /must start with whsec_/ })
})
