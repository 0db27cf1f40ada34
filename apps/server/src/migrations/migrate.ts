import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { isOnline, type MigrationSteps } from './online-step.ts'
import { type OnlineRun, runOnlineStep } from './run-online-step.ts'
import { version } from './version.ts'

const folder = new URL('./steps/', import.meta.url)

/** Key of the advisory lock that running servers share, and that steps need alone which are not online. */
export const schemaLock = 0x636f66666572
/** Key of the advisory lock of the one migration that runs. Backups share it, so that none has half of a step. */
export const migrationLock = 0x636f66666573
/** How long a migration waits for servers that are stopping, and for another migration (s). */
const stoppingSeconds = 15

export interface MigrateOptions {
  /** How long to wait for servers that are stopping, and for another migration. */
  seconds?: number
  /** By default the files of `steps/`. */
  steps?: MigrationSteps
  /** Receives a line for each part that may take long. */
  log?: (line: string) => void
}

/**
 * Migrates the database to the latest version, or to the step named `to`. Steps that need every server to be stopped
 * run together in one transaction; those that do not run while servers do, and continue where they were killed.
 * Released ones are never edited.
 * @returns the names of the steps that ran
 * @throws the error of the first step that fails, or a Problem when the database belongs to another version, when
 *   another migration runs, or when a server runs and must not
 */
export async function migrate(databaseUrl: string, to?: string, options: MigrateOptions = {}): Promise<string[]> {
  const { seconds = stoppingSeconds, steps = await readSteps(), log = () => {} } = options
  const readPending = async (db: Kysely<unknown>) =>
    (await findPendingSteps(db, steps)).filter(name => to === undefined || name <= to)
  return withDatabase(databaseUrl, async db => {
    if ((await readPending(db)).length === 0) return []
    return db.connection().execute(async held => {
      // What the migration of a process that is gone still does ends, and then frees the locks of its connection.
      await sql`select set_config('client_connection_check_interval', '1s', false)`.execute(held)
      await lockMigrations(held, seconds)
      // Another one may have run meanwhile.
      const pending = await readPending(held)
      const stops = pending.filter(name => !isOnline(name, steps[name]!))
      await lockSchema(held, seconds, steps, stops)
      await runSteps({ db: held, isAlone: stops.length > 0, log }, steps, pending)
      if (pending.length > 0 && (await has(held, 'fingerprints')))
        await sql`insert into fingerprints (name, value, created_at)
          values ('version', ${version}, extract(epoch from now())::bigint)
          on conflict (name, value) do update set created_at = excluded.created_at`.execute(held)
      return pending
    })
  })
}

/** Runs the steps in their order: those that are not online and follow each other in one transaction. */
async function runSteps(run: OnlineRun, steps: MigrationSteps, pending: string[]): Promise<void> {
  for (const [index, name] of pending.entries()) {
    const step = steps[name]!
    if (isOnline(name, step)) {
      await runOnlineStep(run, name, step)
      continue
    }
    const following = pending[index + 1]
    if (following !== undefined && !isOnline(following, steps[following]!)) continue
    const migrator = new Migrator({ db: run.db, provider: { getMigrations: async () => steps } })
    const { error } = await migrator.migrateTo(name)
    if (error) throw error
  }
}

/**
 * Returns the names of the steps that the database does not have yet, and changes nothing.
 * @throws Problem when the database belongs to another version
 */
export const pendingMigrations = (databaseUrl: string): Promise<string[]> =>
  withDatabase(databaseUrl, async db => findPendingSteps(db, await readSteps()))

/** Names of all steps of this version, in their order. */
export const knownMigrations = async (): Promise<string[]> => Object.keys(await readSteps())

/** Returns which of these steps need every server to be stopped. */
export async function findStops(names: string[]): Promise<string[]> {
  const steps = await readSteps()
  return names.filter(name => !isOnline(name, steps[name]!))
}

/**
 * Takes the lock of migrations. Asks for it again and again: who waits in a statement has a snapshot, for whose end an
 * index waits that the other migration builds.
 */
async function lockMigrations(db: Kysely<unknown>, seconds: number): Promise<void> {
  for (const end = performance.now() + seconds * 1_000; ; await sleep(100)) {
    const { rows } = await sql<{ ok: boolean }>`select pg_try_advisory_lock(${migrationLock}) as ok`.execute(db)
    if (rows[0]!.ok) return
    if (performance.now() > end) throw new OperatorProblem(anotherRuns)
  }
}

/** Takes the lock of the schema: alone while no server may run. */
async function lockSchema(db: Kysely<unknown>, seconds: number, steps: MigrationSteps, stops: string[]): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${seconds}s`}, false)`.execute(db)
  const take =
    stops.length > 0 ? sql`select pg_advisory_lock(${schemaLock})` : sql`select pg_advisory_lock_shared(${schemaLock})`
  await take.execute(db).catch(error => {
    throw error.code === '55P03' ? new OperatorProblem(serverRuns(stops, steps)) : error
  })
  await sql`select set_config('lock_timeout', '0', false)`.execute(db)
}

const anotherRuns = 'Another migration runs on this database, which goes on by itself, or a backup: wait for its end'

/** How many steps a refusal names. */
const namedMost = 5

function serverRuns(stops: string[], steps: MigrationSteps): string {
  const named = stops.slice(0, namedMost).map(name => {
    const why = steps[name]!.needsStop
    return why ? `${name} (${why})` : name
  })
  const more = stops.length > namedMost ? ` and ${stops.length - namedMost} more` : ''
  return `A server of Coffer still runs on this database, and must not while these steps do: ${named.join(', ')}${more}. Stop every server, then migrate. One that does not end, as when it is frozen, is found by "select * from pg_stat_activity where application_name = 'coffer schema'".`
}

async function withDatabase<T>(connectionString: string, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 5_000 })
  // A lost connection already fails its statement; the event must not also end the process.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function findPendingSteps(db: Kysely<unknown>, steps: MigrationSteps): Promise<string[]> {
  const ours = Object.keys(steps)
  if (!(await has(db, 'kysely_migration'))) {
    if (!(await has(db, 'merchants'))) return ours
    throw new OperatorProblem(
      'The database has tables and no record of their version, so no version of Coffer can upgrade it: restore a complete backup, or name an empty database in DATABASE_URL.',
    )
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const theirs = rows.map(row => row.name)
  const pending = ours.filter(name => !theirs.includes(name))
  const unknown = theirs.filter(name => !ours.includes(name))
  const isBehind = pending.length > 0 && unknown.length > 0
  const online = unknown.length > 0 ? await readOnlineSteps(db) : new Set()
  const incompatible = unknown.findLast(name => isBehind || !online.has(name))
  if (incompatible !== undefined) throw new OperatorProblem(await tooNew(db, incompatible))
  const missed = pending.find(name => name < theirs.at(-1)!)
  if (missed !== undefined)
    throw new OperatorProblem(
      `The database has later migrations than ${missed} and not ${missed} itself: it was made by an unreleased version, which no version can upgrade. Restore a backup made by a release.`,
    )
  return pending
}

/** The steps that servers go on with which do not know them. */
async function readOnlineSteps(db: Kysely<unknown>): Promise<Set<string>> {
  if (!(await has(db, 'online_steps'))) return new Set()
  const { rows } = await sql<{ name: string }>`select name from online_steps`.execute(db)
  return new Set(rows.map(row => row.name))
}

async function tooNew(db: Kysely<unknown>, unknown: string): Promise<string> {
  const found = (await has(db, 'fingerprints'))
    ? await sql<{ value: string }>`
        select value from fingerprints where name = 'version' order by created_at desc limit 1`.execute(db)
    : { rows: [] }
  const theirs = found.rows[0]?.value ?? version
  const [by, start] =
    theirs === version
      ? [`a later build than this one (${version}): it has the migration ${unknown}`, 'that build']
      : [`Coffer ${theirs}, and this is ${version}`, theirs]
  return `The database was upgraded by ${by}. Start ${start} or a later version, or restore the backup from before the upgrade.`
}

async function has(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(db)
  return rows[0]?.found === true
}

export async function readSteps(): Promise<MigrationSteps> {
  const files = (await readdir(folder)).filter(name => /^\d{4}_[a-z0-9_]+\.ts$/.test(name)).sort()
  return Object.fromEntries(
    await Promise.all(files.map(async file => [file.slice(0, -3), await import(new URL(file, folder).href)])),
  )
}
