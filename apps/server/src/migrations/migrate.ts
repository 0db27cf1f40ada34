import { readdir } from 'node:fs/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'

const folder = new URL('./steps/', import.meta.url)

/**
 * Migrates the database to the latest version, or to the migration named `to`, each step in its own transaction. Released
 * migrations are never edited.
 * @returns the names of the migrations that ran
 * @throws the error of the first migration that fails
 */
export async function migrate(databaseUrl: string, to?: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: 5_000 })
  // A lost connection already fails its statement; the event must not also end the process.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations } })
    const { error, results } = await (to ? migrator.migrateTo(to) : migrator.migrateToLatest())
    if (error) throw error
    return (results ?? []).map(result => result.migrationName)
  } finally {
    await db.destroy()
  }
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter(name => /^\d{4}_[a-z0-9_]+\.ts$/.test(name)).sort()
  return Object.fromEntries(
    await Promise.all(files.map(async file => [file.slice(0, -3), await import(new URL(file, folder).href)])),
  )
}
