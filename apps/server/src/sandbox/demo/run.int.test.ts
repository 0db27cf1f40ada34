import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Problem } from '@coffer/local/problem.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { readConfig } from '../../config.ts'
import { runDemo } from './run.ts'

/** A sandbox of its own, whose chains began `days` ago, or now. */
async function emptySandbox(t: TestContext, days = 0) {
  const data = mkdtempSync(join(tmpdir(), 'coffer-demo-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const chain = days > 0 ? { genesisTime: Math.floor(Date.now() / 1_000) - days * 86_400 } : {}
  const [database, first, second] = await Promise.all([
    withPostgres(t),
    withAnvil(t, chain),
    withAnvil(t, { ...chain, chainId: 31338 }),
  ])
  process.env.COFFER_SANDBOX_CHAINS = `${first.url},${second.url}`
  return readConfig({ DATABASE_URL: database.url, COFFER_DATA: data })
}

test('refuses a sandbox that was started before, whose chains already have current blocks', async t => {
  const config = await emptySandbox(t)
  await assert.rejects(
    runDemo(config, () => assert.fail('the demo started')),
    error => error instanceof Problem && /has been started before/.test(error.message),
  )
})

test('the shop is paid, withdraws, gives back and shares', async t => {
  const config = await emptySandbox(t, 20)
  assert.ok((await runDemo(config, () => {}, 10)) > 100)
  const db = new pg.Client({ connectionString: config.databaseUrl })
  await db.connect()
  const { rows } = await db.query(
    `select (select count(*) from withdrawals where status = 5) > 0 as withdrawn, (select count(*) from withdrawals where status <> 5) as stuck,
       (select count(*) from refunds where status = 5) > 0 as refunded, (select count(*) from refunds where status <> 5) as kept,
       (select count(*) from internal_transfers) as shared, (select count(*) > 0 from sweeps where state = 'swept') as swept,
       (select count(*) from list_changes) as unfolded`,
  )
  await db.end()
  assert.deepEqual(rows, [{ withdrawn: true, stuck: 0, refunded: true, kept: 0, shared: 2, swept: true, unfolded: 0 }])
})
