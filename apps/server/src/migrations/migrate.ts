import { readdir } from 'node:fs/promises'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { version } from './version.ts'

const folder = new URL('./steps/', import.meta.url)

/** Key of the advisory lock that running servers share, and that migrations need alone. */
export const schemaLock = 0x636f66666572
/** How long a migration waits for servers that are stopping (s). */
const stoppingSeconds = 15

/**
 * Migrates the database to the latest version, or to the migration named `to`, each step in its own transaction.
 * Released migrations are never edited.
 * @param seconds how long to wait for servers that are stopping
 * @returns the names of the migrations that ran
 * @throws the error of the first migration that fails, or a Problem when the database belongs to another version or a
 *   server runs
 */
export async function migrate(databaseUrl: string, to?: string, seconds = stoppingSeconds): Promise<string[]> {
  return withDatabase(databaseUrl, async db => {
    const migrations = await getMigrations()
    if ((await pendingSteps(db, migrations)).length === 0) return []
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error, results } = await withoutServers(db, seconds, () =>
      to ? migrator.migrateTo(to) : migrator.migrateToLatest(),
    )
    if (error) throw error
    const ran = (results ?? []).map(result => result.migrationName)
    if (ran.length > 0 && (await has(db, 'fingerprints')))
      await sql`insert into fingerprints (name, value, created_at)
        values ('version', ${version}, extract(epoch from now())::bigint)
        on conflict (name, value) do update set created_at = excluded.created_at`.execute(db)
    return ran
  })
}

/**
 * Returns the names of the migrations that the database does not have yet, and changes nothing.
 * @throws Problem when the database belongs to another version
 */
export const pendingMigrations = (databaseUrl: string): Promise<string[]> =>
  withDatabase(databaseUrl, async db => pendingSteps(db, await getMigrations()))

/** Names of all migrations of this version, in their order. */
export const knownMigrations = async (): Promise<string[]> => Object.keys(await getMigrations())

/** Runs `work` while no server runs on the database. */
function withoutServers<T>(db: Kysely<unknown>, seconds: number, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async held => {
    await sql`select set_config('lock_timeout', ${`${seconds}s`}, false)`.execute(held)
    await sql`select pg_advisory_lock(${schemaLock})`.execute(held).catch(error => {
      if (error.code !== '55P03') throw error
      throw new OperatorProblem(
        'A server of Coffer still runs on this database, or another migration: stop every server, then migrate. One that does not end, as when it is frozen, is found by "select * from pg_stat_activity where application_name = \'coffer schema\'".',
      )
    })
    return work().finally(() => sql`select pg_advisory_unlock(${schemaLock})`.execute(held))
  })
}

async function withDatabase<T>(connectionString: string, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 5_000 })
  // A lost connection already fails its statement; the event must not also end the process.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function pendingSteps(db: Kysely<unknown>, migrations: Record<string, Migration>): Promise<string[]> {
  const ours = Object.keys(migrations)
  if (!(await has(db, 'kysely_migration'))) {
    if (!(await has(db, 'merchants'))) return ours
    throw new OperatorProblem(
      'The database has tables and no record of their version, so no version of Coffer can upgrade it: restore a complete backup, or name an empty database in DATABASE_URL.',
    )
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const theirs = rows.map(row => row.name)
  const unknown = theirs.findLast(name => !ours.includes(name))
  if (unknown !== undefined) throw new OperatorProblem(await tooNew(db, unknown))
  const missed = ours.find((name, index) => !theirs.includes(name) && index < theirs.length)
  if (missed !== undefined)
    throw new OperatorProblem(
      `The database has later migrations than ${missed} and not ${missed} itself: it was made by an unreleased version, which no version can upgrade. Restore a backup made by a release.`,
    )
  return ours.slice(theirs.length)
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

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter(name => /^\d{4}_[a-z0-9_]+\.ts$/.test(name)).sort()
  return Object.fromEntries(
    await Promise.all(files.map(async file => [file.slice(0, -3), await import(new URL(file, folder).href)])),
  )
}
