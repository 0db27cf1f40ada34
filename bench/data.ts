import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { bnbSmartChain, defineSandboxChain, ethereum } from '@coffer/chains'
import { writeChains } from '@coffer/server/domains/chains/sync-chains.ts'
import { appRoleConnectionOptions } from '@coffer/server/migrations/app-role.ts'
import { migrate } from '@coffer/server/migrations/migrate.ts'
import { makeTestDeps, type TestDeps } from '@coffer/server/testing/deps.ts'
import { assertFiguresAgree } from '@coffer/server/testing/invariants.ts'
import { addCounts, addMerchants, addPayments } from '@coffer/server/testing/life.ts'
import { testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import pg from 'pg'
import type { Scope } from './figure.ts'
import { ownPostgres } from './own-postgres.ts'

/** A database with many payments, half of them of one merchant. The applications are in the order of their payments. */
export interface Records {
  deps: TestDeps
  url: string
  /** PostgreSQL's log. */
  log: string
  payments: number
  busy: { id: string; token: string; appids: string[] }
}

const writers = 3
/** Bytes of PostgreSQL's buffers: half of the machine's memory. */
const buffers = Math.floor(totalmem() / 2)
const settings = { max_wal_size: '4GB', shared_buffers: `${Math.floor(buffers / 1_024)}kB` }
/** Number of payments up to which counts and statistics are verified against the rows. */
const checkedMax = 300_000

/**
 * Fills a new PostgreSQL, with the product's settings and more memory, with two years of payments of 200 merchants (see
 * `addPayments`). Counts and statistics are as `foldStatistics` would make them. With `existing` the folder is reused
 * and stays, else it is removed at the end.
 */
export async function makeRecords(scope: Scope, payments: number, existing?: string): Promise<Records> {
  const { url, folder } = await ownPostgres(scope, { existing, settings })
  await migrate(url)
  const pool = new pg.Pool({ connectionString: url, max: 20, options: appRoleConnectionOptions })
  const owner = new pg.Pool({
    connectionString: url,
    max: writers,
    options:
      '-c synchronous_commit=off -c maintenance_work_mem=512MB -c work_mem=256MB -c max_parallel_maintenance_workers=0',
  })
  // The server may end connections of a pool that is already closed; that must not fail the benchmark.
  for (const each of [pool, owner]) each.on('error', () => {})
  scope.after(async () => void (await Promise.all([pool.end(), owner.end()])))
  const deps = makeTestDeps({ pool, config: { mode: 'sandbox' } })
  const done = join(folder, `payments-${payments}.json`)
  const log = join(folder, 'log', 'postgres.log')
  if (existsSync(done)) return { deps, url, log, payments, busy: JSON.parse(readFileSync(done, 'utf8')) }
  const token = (decimals: number) => [{ symbol: 'USDT', contract: `0x${'d'.repeat(40)}`, decimals }]
  await writeChains(pool, [
    defineSandboxChain(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: token(6) }),
    defineSandboxChain(bnbSmartChain, { chainId: 31338, confirmations: 4, blockTime: 1, tokens: token(18) }),
  ])
  const { id, token: session } = await testMerchant(deps)
  const appids: string[] = []
  for (let i = 0; i < 10; i++) appids.push((await testApplication(deps, id)).appid)
  const busy = { id, token: session, appids }
  await addMerchants(owner)
  await timed(`writing ${payments.toLocaleString('en')} payments`, () =>
    addPayments(owner, { busy, payments }, writers),
  )
  await timed('counting them', () => addCounts(owner))
  if (payments <= checkedMax) await timed('checking the counts', () => assertFiguresAgree(owner))
  await timed('vacuum', () => owner.query('vacuum analyze'))
  writeFileSync(done, JSON.stringify(busy))
  return { deps, url, log, payments, busy }
}

/** Runs a step and prints its duration. */
async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  process.stderr.write(`  (${what}: ${((performance.now() - started) / 1000).toFixed(0)} s)\n`)
}

/**
 * Reads indexes, then tables, into PostgreSQL's buffers as far as they reach, so that the figures depend neither on the
 * disk nor on how long the system keeps what it has read.
 */
export async function warmBuffers({ url }: Records): Promise<void> {
  const owner = new pg.Client(url)
  await owner.connect()
  try {
    await owner.query('create extension if not exists pg_prewarm')
    await owner.query(
      `select pg_prewarm(oid) from (
         select oid, sum(pg_relation_size(oid)) over (order by relkind, pg_relation_size(oid), oid) as bytes
         from pg_class where relkind in ('i', 'r')
       ) relations where bytes <= $1`,
      [buffers],
    )
  } finally {
    await owner.end()
  }
}
