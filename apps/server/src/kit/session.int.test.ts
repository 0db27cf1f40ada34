import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startPostgres } from '@coffer/local/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { pino } from 'pino'
import { makePool } from '../make-deps.ts'
import { databaseProblem, isConnectionLost } from './database-problem.ts'
import { tx } from './db.ts'
import { requireDurable } from './durability.ts'
import { requireServer } from './require-server.ts'

/** A server of its own, with the role that pools change to. */
async function ownServer(t: TestContext, settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'coffer-session-'))
  const start = () => startPostgres({ dataDir, durable: false, settings: { synchronous_commit: 'on', ...settings } })
  let postgres = await start()
  t.after(async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true })
  })
  const owner = async (sql: string) => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    return client.query(sql).finally(() => client.end())
  }
  await owner('create role coffer_app')
  return {
    url: postgres.url,
    folder: join(dataDir, 'pg'),
    owner,
    /** Stops it, changes its folder, and starts it again. */
    restart: async (change: () => void) => {
      await postgres.stop()
      change()
      postgres = await start()
    },
  }
}

test('a standby is refused, and a primary that comes back after another was promoted', async t => {
  const { url, folder, owner, restart } = await ownServer(t)
  const pool = makePool(url, pino({ level: 'silent' }))
  t.after(() => pool.end())
  const refusal = async () => {
    await assert.rejects(pool.query('select 1'), error => isConnectionLost(error))
    const error = await requireServer(url).then(
      () => assert.fail('it was accepted'),
      error => error,
    )
    return (databaseProblem(error) as Error).message
  }
  await requireServer(url)
  const { rows } = await pool.query("select current_user::text as who, current_setting('statement_timeout') as limit")
  assert.deepEqual(rows, [{ who: 'coffer_app', limit: '15s' }])
  await restart(() => {
    execFileSync('cp', ['-a', folder, `${folder}-former`])
    writeFileSync(join(folder, 'standby.signal'), '')
  })
  await pool.query('select 1').catch(() => {})
  assert.match(
    await refusal(),
    /^What answers where DATABASE_URL points is a standby .* \(the server is in recovery\)$/,
  )
  await owner('select pg_promote()')
  await requireServer(url)
  await pool.query('select 1')
  await restart(() => {
    rmSync(folder, { recursive: true })
    renameSync(`${folder}-former`, folder)
  })
  await pool.query('select 1').catch(() => {})
  assert.match(await refusal(), /or a former primary, .* \(its timeline is 1, and 2 was promoted since\)$/)
})

test('a commit whose wait for a standby is cancelled is not taken for a success', async t => {
  const { url, owner } = await ownServer(t)
  await owner('create table things (n int); grant all on things to coffer_app')
  const pool = makePool(url, pino({ level: 'silent' }))
  t.after(() => pool.end())
  const insert = () => tx(pool, c => c.query('insert into things values (1)'))
  await insert()
  assert.deepEqual(await requireDurable(pool), [
    'fsync is off in the database, which a crash of the machine then destroys',
    'full_page_writes is off in the database, which a crash of the machine then destroys',
  ])
  await owner("alter system set synchronous_standby_names = 'nobody'")
  await owner('select pg_reload_conf()')
  await until('it is set', async () => (await pool.query('show synchronous_standby_names')).rows[0])
  await until('it is warned of', async () => (await requireDurable(pool))[0]?.includes('no replica is connected'))
  const cancelled = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
  const alone = async (write: () => Promise<unknown>) => {
    const waits = assert.rejects(write(), error => (error as { code?: string }).code === '40003')
    await until('it waits', async () => (await owner(cancelled)).rowCount)
    await waits
  }
  await alone(insert)
  await alone(() => pool.query('insert into things values (2)'))
  assert.deepEqual((await pool.query('select n from things')).rows, [{ n: 1 }, { n: 1 }, { n: 2 }], 'it is there alone')
  const local = new pg.Pool({ connectionString: url, max: 1, options: '-c synchronous_commit=local' }).on(
    'error',
    () => {},
  )
  t.after(() => local.end())
  await assert.rejects(
    requireDurable(local),
    /^OperatorProblem: synchronous_commit is local in the database, which has/,
  )
})
