import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@coffer/local/postgres.ts'
import { appRoleConnectionOptions } from '@coffer/server/migrations/app-role.ts'
import { migrate } from '@coffer/server/migrations/migrate.ts'
import pg from 'pg'
import type { Scope } from './figure.ts'

/** Starts a PostgreSQL server for the time of a scope, in a new folder, or in an `existing` one, which stays. */
export async function ownPostgres(
  here: Scope,
  { existing, settings }: { existing?: string | undefined; settings?: Record<string, string> } = {},
): Promise<{ url: string; folder: string }> {
  const folder = existing ?? mkdtempSync(join(tmpdir(), 'coffer-bench-'))
  if (!existing) here.after(() => rmSync(folder, { recursive: true, force: true }))
  const { url, stop } = await startPostgres({ dataDir: folder, ...(settings && { settings }) })
  here.after(() => stop())
  return { url, folder }
}

/** As `ownPostgres`, with the product's tables and two connections as the server has them. */
export async function ownDatabase(here: Scope): Promise<{ url: string; folder: string; pool: pg.Pool }> {
  const server = await ownPostgres(here)
  await migrate(server.url)
  const pool = new pg.Pool({ connectionString: server.url, max: 2, options: appRoleConnectionOptions })
  pool.on('error', () => {})
  here.after(() => pool.end())
  return { ...server, pool }
}
