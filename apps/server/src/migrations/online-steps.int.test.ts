// second-server: locks, and what is left of an index that was not finished
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { testDatabase } from '../testing/deps.ts'
import { makeStep } from '../testing/make-step.ts'
import { holdSchema } from './hold-schema.ts'
import { migrate, pendingMigrations, readSteps } from './migrate.ts'
import type { LaterPart, MigrationStep } from './online-step.ts'

const index: LaterPart = { kind: 'index', name: 'things_note', table: 'things', definition: '(note)' }
const check: LaterPart = { kind: 'validate', table: 'things', constraint: 'things_note_short' }
const notes: LaterPart = { kind: 'fill', table: 'things', set: "note = 'n' || id", where: "note = ''" }

/** What the next version adds to a table that has rows. */
const addNote = makeStep(
  `alter table things add column note text not null default '';
   alter table things add constraint things_note_short check (length(note) < 100) not valid`,
  { later: [index, check, notes] },
)

/** A database of this version with a table that has rows, a server on it, and what the next version does to it. */
async function withRunningServer(t: Scope, rows = 5_000) {
  const { url, owner } = await testDatabase(t)
  await owner.query(`create table things (id int primary key, filling text not null default repeat('x', 300));
    insert into things select generate_series(1, ${rows})`)
  const problems: string[] = []
  const stop = await holdSchema({
    options: { connectionString: url },
    check: async () => assert.deepEqual(await pendingMigrations(url), []),
    onProblem: problem => problems.push(problem.message),
  })
  t.after(stop)
  const ours = await readSteps()
  const upgrade = (more: Record<string, MigrationStep>, seconds?: number) =>
    migrate(url, undefined, { steps: { ...ours, ...more }, ...(seconds && { seconds }) })
  const cut = (name: string) =>
    owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ $1 and pid <> pg_backend_pid()',
      [name],
    )
  /** A transaction that has read a table and goes on. */
  const openReader = async (table: string) => {
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    t.after(() => reader.end())
    await reader.query(`begin isolation level repeatable read; select from ${table} limit 1`)
    return reader
  }
  return { url, owner, problems, upgrade, cut, openReader }
}

const filled = async (owner: pg.Pool) =>
  (await owner.query("select count(*)::int as n from things where note = 'n' || id")).rows[0].n as number

test('the steps of the next version run while a server does, which stays and can be started again', async t => {
  const { url, owner, problems, upgrade } = await withRunningServer(t)
  assert.deepEqual(await upgrade({ '9001_note': addNote }), ['9001_note'])
  assert.equal(await filled(owner), 5_000)
  const { rows } = await owner.query(`select convalidated and (select indisvalid from pg_index
    where indexrelid = 'things_note'::regclass) as whole from pg_constraint where conname = 'things_note_short'`)
  assert.deepEqual(rows, [{ whole: true }])
  // The server of this version knows nothing of it. It reconnects, and is started again.
  const held =
    "select pid from pg_stat_activity where application_name = 'coffer schema' and datname = current_database()"
  const before = (await owner.query(held)).rows[0].pid
  await owner.query('select pg_terminate_backend($1)', [before])
  await until(
    'it is connected again',
    async () => (await owner.query(held)).rows[0]?.pid,
    pid => pid && pid !== before,
  )
  assert.deepEqual(await pendingMigrations(url), [])
  assert.deepEqual(await migrate(url), [])
  assert.deepEqual(problems, [])
  assert.deepEqual(await upgrade({ '9001_note': addNote }), [])
})

test('a step that needs a stop is refused while a server runs, with its reason, and ends a server that is left', async t => {
  const { url, owner, problems, upgrade } = await withRunningServer(t, 10)
  const drop = makeStep('drop table things', { needsStop: 'things go' })
  const next = { '9001_note': addNote, '9002_drop': drop }
  await assert.rejects(upgrade(next, 0.1), {
    name: 'OperatorProblem',
    message: /while these steps do: 9002_drop \(things go\)\./,
  })
  assert.equal((await owner.query("select from online_steps where name > '9'")).rowCount, 0, 'nothing was begun')
  const held =
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coffer schema' and datname = current_database()"
  // Its connection is lost while the migration waits.
  const migrated = upgrade(next)
  await until(
    'it waits',
    async () =>
      (
        await owner.query(
          "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
        )
      ).rowCount,
  )
  await owner.query(held)
  assert.deepEqual(await migrated, ['9001_note', '9002_drop'])
  await until('the server ends', () => problems.length)
  assert.match(
    problems[0]!,
    /it has the migration 9002_drop\. Start that build or a later version, or restore the backup/,
  )
  await assert.rejects(pendingMigrations(url), { name: 'OperatorProblem', message: /9002_drop/ })
})

test('a migration that was killed continues, and one at a time works', async t => {
  const { owner, upgrade, cut, openReader } = await withRunningServer(t)
  const next = { '9001_note': addNote }
  const reader = await openReader('merchants')
  const first = upgrade(next).catch(error => error)
  const building =
    "select from pg_stat_activity where datname = current_database() and query ~ '^create index concurrently things_note'"
  await until('the index waits for the reader', async () => (await owner.query(building)).rowCount)
  await assert.rejects(upgrade(next, 0.1), { name: 'OperatorProblem', message: /^Another migration runs/ })
  const invalid = "select from pg_index where indexrelid = to_regclass('things_note') and not indisvalid"
  await until('the index is begun', async () => (await owner.query(invalid)).rowCount)
  await cut('^create index concurrently')
  assert.ok((await first) instanceof Error)
  assert.equal((await owner.query(invalid)).rowCount, 1)
  const second = upgrade(next)
  const third = upgrade(next)
  await reader.query('commit')
  const ran = await Promise.all([second, third])
  assert.deepEqual(ran.map(each => each.length).sort(), [0, 1])
  assert.equal((await owner.query(invalid)).rowCount, 0)
  assert.equal(await filled(owner), 5_000)
})

test('rows are filled from the page on at which it was killed, also those that moved meanwhile', async t => {
  const { owner, upgrade } = await withRunningServer(t)
  // Fails at a row of the middle.
  const fill = (set: string): MigrationStep => ({ ...addNote, later: [{ ...notes, set } as LaterPart] })
  const broken = "note = case when id = 2500 then (1 / (id - 2500))::text else 'n' || id end"
  await assert.rejects(upgrade({ '9001_note': fill(broken) }), /division by zero/)
  const some = await filled(owner)
  assert.ok(some > 0 && some < 5_000, `${some} are filled`)
  await owner.query("update things set note = '' where id = 1")
  assert.deepEqual(await upgrade({ '9001_note': fill("note = 'n' || id") }), ['9001_note'])
  assert.equal(await filled(owner), 5_000)
})

test('a step gives way to those who work, and takes its turn when they are done', async t => {
  const { owner, upgrade, openReader } = await withRunningServer(t, 10)
  const reader = await openReader('things')
  const upgraded = upgrade({ '9001_note': { ...addNote, later: [] } })
  await until(
    'it has tried',
    async () =>
      (await owner.query("select from pg_stat_activity where datname = current_database() and query ~ '^rollback'"))
        .rowCount,
  )
  // Nothing waits behind it for long.
  await owner.query("set lock_timeout = '3s'; update things set filling = ''")
  await reader.query('commit')
  assert.deepEqual(await upgraded, ['9001_note'])
})
