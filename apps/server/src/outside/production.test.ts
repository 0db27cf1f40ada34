import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../config.ts'
import { makeExternalServices } from './production.ts'

const local = { databaseUrl: 'postgres://c:x@127.0.0.1/c', databasePlain: 'refuse', chainsFile: '/nowhere/chains.json' }
const start = (host: string, trustProxy: number) => makeExternalServices({ ...local, host, trustProxy } as Config)

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

test('refuses a database on another machine without TLS', async () => {
  const at = (databaseUrl: string, databasePlain = 'refuse') =>
    makeExternalServices({ ...local, host: '127.0.0.1', trustProxy: 0, databaseUrl, databasePlain } as Config)
  for (const url of [
    'postgres://c:x@db.internal:5432/c',
    'postgres://c:x@10.0.0.7/c',
    'postgres://c:x@db/c?sslmode=prefer',
    'postgres://c:x@/c?host=db.internal',
  ])
    await assert.rejects(at(url), /DATABASE_URL names another machine without TLS/, url)
  const replica = { ...local, host: '127.0.0.1', trustProxy: 0, databaseReadUrl: 'postgres://c:x@10.0.0.8/c' } as Config
  await assert.rejects(makeExternalServices(replica), /DATABASE_READ_URL names another machine without TLS/)
  // The next thing it needs is the chains file.
  await assert.rejects(at('postgres://c:x@db.internal/c', 'allow'), /chains\.json/)
  for (const url of [
    'postgres://c:x@db.internal/c?sslmode=verify-full',
    'postgres://c:x@localhost:5433/c',
    'postgres://c:x@[::1]/c',
    'postgres:///c?host=/var/run/postgresql',
    'postgres://c@/c?host=/var/run/postgresql',
    'postgresql://c:x@/c?host=/var/run/postgresql&port=5433',
    'postgres://c:x@%2Fvar%2Frun%2Fpostgresql/c',
  ])
    await assert.rejects(at(url), /chains\.json/, url)
})
