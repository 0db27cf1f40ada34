import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { type Kysely, sql } from 'kysely'
import { findLockedTables, type LaterPart, type MigrationStep, readStatements } from './online-step.ts'

/**
 * How long a statement may wait for a lock while writers wait behind it (ms). Shorter than PostgreSQL waits before it
 * looks for deadlocks: it is the migration that gives way.
 */
const lockMs = 200
/** How long a lock that keeps no writer waiting is waited for (ms). PostgreSQL ends a vacuum for it after a second. */
const quietLockMs = 5_000
/** How long a batch should take (ms): a writer of the same row waits no longer. */
const batchMs = 75
const batchPages = { first: 64, most: 8_192 }
/** How often a table is gone through while servers of the release before still write rows that are not filled. */
const passesMost = 3
/** How long to try again before it is said who is in the way (ms). */
const patienceMs = 120_000

export interface OnlineRun {
  /** The connection that holds the lock of migrations: it is lost with what it runs. */
  db: Kysely<unknown>
  /** Whether no server runs, so that nobody need be spared. */
  isAlone: boolean
  log: (line: string) => void
}

/** Runs a step while servers run, or continues it. Records what is done together with it. */
export async function runOnlineStep(run: OnlineRun, name: string, step: MigrationStep): Promise<void> {
  const { db, log } = run
  const { rows } = await sql<{ parts_done: number }>`select parts_done from online_steps where name = ${name}`.execute(
    db,
  )
  const { later = [] } = step
  if (rows[0] === undefined) await makeQuickly(db, name, step)
  for (const [index, part] of later.entries()) {
    if (index < (rows[0]?.parts_done ?? 0)) continue
    log(`${name}: ${describePart(part)}`)
    await runPart(run, name, part)
    await sql`update online_steps set parts_done = ${index + 1}, next_page = 0 where name = ${name}`.execute(db)
  }
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(db)
}

export const describePart = (part: LaterPart): string =>
  part.kind === 'index'
    ? `builds the index ${part.name}`
    : part.kind === 'validate'
      ? `checks the rows of ${part.table} (${part.constraint})`
      : `fills ${part.table}`

/** Runs `up`, in one short transaction. */
async function makeQuickly(db: Kysely<unknown>, name: string, step: MigrationStep): Promise<void> {
  const tables = findLockedTables(await readStatements(step))
  await untilUnlocked(db, () =>
    db.transaction().execute(async c => {
      await setLockTimeout(c, quietLockMs)
      // Keeps vacuum away and lets writers go on: what follows then waits for them alone.
      for (const table of tables) await sql`lock table ${sql.table(table)} in share update exclusive mode`.execute(c)
      await setLockTimeout(c, lockMs)
      await step.up(c)
      await sql`insert into online_steps (name, parts_done, next_page) values (${name}, 0, 0)`.execute(c)
    }),
  )
}

const setLockTimeout = (db: Kysely<unknown>, ms: number) =>
  sql`select set_config('lock_timeout', ${`${ms}ms`}, ${db.isTransaction})`.execute(db)

/** Whether a lock was not available, or waiting for it would have been a deadlock. */
const isInTheWay = (error: unknown) => ['55P03', '40P01'].includes(String((error as { code?: string }).code))

/** Runs `work` again while others hold a lock that it needs. */
async function untilUnlocked<T>(db: Kysely<unknown>, work: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + patienceMs; ; await sleep(500)) {
    try {
      return await work()
    } catch (error) {
      if (!isInTheWay(error)) throw error
      if (performance.now() > end) throw new OperatorProblem(await nameHolders(db))
    }
  }
}

async function nameHolders(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select format('%s (%s, since %s): %s', pid, application_name, xact_start, left(query, 80)) as line
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
    order by xact_start limit 3`.execute(db)
  const lines = rows.map(row => row.line).join('; ')
  return `The migration did not get a lock within ${patienceMs / 1_000} s, and keeps no server waiting for longer. Run it again; it continues. Transactions in the way: ${lines || 'none is open any more'}.`
}

async function runPart(run: OnlineRun, name: string, part: LaterPart): Promise<void> {
  const { db } = run
  if (part.kind === 'fill') return fill(run, name, part)
  await setLockTimeout(db, part.kind === 'index' ? 0 : quietLockMs)
  try {
    if (part.kind === 'index') return await untilUnlocked(db, () => buildIndex(db, part))
    // Lets readers and writers go on.
    await untilUnlocked(db, () =>
      sql`alter table ${sql.table(part.table)} validate constraint ${sql.ref(part.constraint)}`.execute(db),
    )
  } finally {
    await setLockTimeout(db, 0)
  }
}

async function buildIndex(db: Kysely<unknown>, part: Extract<LaterPart, { kind: 'index' }>): Promise<void> {
  const { name, table, definition, isUnique } = part
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${`public.${name}`})`.execute(db)
  if (rows[0]?.valid) return
  const drop = () => sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
  // One that was begun and not finished.
  if (rows[0]) await drop()
  try {
    await sql.raw(`create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${table} ${definition}`).execute(db)
  } catch (error) {
    await drop().catch(() => {})
    throw error
  }
}

type Fill = Extract<LaterPart, { kind: 'fill' }>

/**
 * Updates the rows of one range of pages after another, each in a transaction of its own. Rows that others move while
 * it goes through the table are found by going through it again.
 */
async function fill(run: OnlineRun, name: string, part: Fill): Promise<void> {
  const { rows } = await sql<{ next_page: string }>`
    select next_page from online_steps where name = ${name}`.execute(run.db)
  let from = Number(rows[0]!.next_page)
  for (let pass = 1; pass <= passesMost; pass++) {
    const isWhole = from === 0
    const changed = await fillOnce(run, name, part, from)
    if (isWhole && changed === 0) return
    from = 0
  }
}

/** Goes through the table once from a page on, and returns how many rows it has changed. */
async function fillOnce({ db, isAlone }: OnlineRun, name: string, part: Fill, from: number): Promise<number> {
  let changed = 0
  let pages: number = batchPages.first
  for (let page = from, last = await countPages(db, part.table); page < last; ) {
    const next = Math.min(page + pages, last)
    const began = performance.now()
    const rows = await fillPages(db, name, part, page, next)
    const ms = performance.now() - began
    if (rows !== undefined) {
      page = next
      changed += rows
    }
    pages = Math.max(1, Math.min(Math.round((pages * batchMs) / ms), pages * 2, batchPages.most))
    // As long as it took: others do their work.
    if (!isAlone) await sleep(ms)
    if (page >= last) last = await countPages(db, part.table)
  }
  return changed
}

/** Returns the number of changed rows; undefined when another transaction was in the way. */
async function fillPages(
  db: Kysely<unknown>,
  name: string,
  { table, set, where }: Fill,
  page: number,
  next: number,
): Promise<number | undefined> {
  try {
    return await db.transaction().execute(async c => {
      await setLockTimeout(c, lockMs)
      const range = `ctid >= '(${page},0)' and ctid < '(${next},0)'`
      const { numAffectedRows } = await sql.raw(`update ${table} set ${set} where ${range} and (${where})`).execute(c)
      await sql`update online_steps set next_page = ${next} where name = ${name}`.execute(c)
      return Number(numAffectedRows)
    })
  } catch (error) {
    if (!isInTheWay(error)) throw error
    return undefined
  }
}

async function countPages(db: Kysely<unknown>, table: string): Promise<number> {
  const { rows } = await sql<{ pages: string }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as pages`.execute(db)
  return Number(rows[0]!.pages)
}
