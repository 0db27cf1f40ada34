import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../config.ts'
import { makeWorld } from './production.ts'

const start = (host: string, trustProxy: number) =>
  makeWorld({ host, trustProxy, chainsFile: '/nowhere/chains.json' } as Config)

test('refuses to serve other machines without a proxy that terminates TLS', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.7', 'pay.example'])
    await assert.rejects(start(host, 0), /COFFER_HOST is .* COFFER_TRUST_PROXY is 0/, host)
})

test('starts behind a proxy, and for this machine alone', async () => {
  // The next thing it needs is the chains file.
  for (const [host, trustProxy] of [
    ['0.0.0.0', 1],
    ['127.0.0.1', 0],
    ['::1', 0],
    ['localhost', 0],
  ] as const)
    await assert.rejects(start(host, trustProxy), /chains\.json/, host)
})
