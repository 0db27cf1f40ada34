import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import fastify from 'fastify'
import type { Deps } from '../deps.ts'
import { normalizeForwardedIps } from './forwarded.ts'

test('a proxy that sends no address is said once in the log', async () => {
  const error = mock.fn()
  const app = fastify({ trustProxy: (_address, hop) => hop < 1 })
  normalizeForwardedIps(app, { log: { error }, config: { trustProxy: 1 } } as unknown as Deps)
  app.get('/', async request => request.ip)
  const ask = async (forwarded: string) =>
    (await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).body
  assert.equal(await ask('192.0.2.1:50000, [2001:db8::1]:443'), '2001:db8::1')
  assert.equal(error.mock.callCount(), 0)
  for (const none of ['unknown', '192.0.2.1, _hidden']) assert.match(await ask(none), /parameter_error/)
  assert.equal(error.mock.callCount(), 1)
  assert.equal(error.mock.calls[0]?.arguments[0].entry, 'unknown')
})
