import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { checkLedger } from '../domains/ledger/check-ledger.ts'
import { makeAppRole } from '../migrations/app-role.ts'
import { knownMigrations, migrate } from '../migrations/migrate.ts'
import type { BackupKeys } from './encryption.ts'
import { type BackupManifest, backupFiles, signerFiles } from './manifest.ts'
import { findPostgresPrograms, hidePassword } from './postgres-programs.ts'
import { type BackupSummary, readDatabaseDump, summarizeBackup } from './read-backup.ts'
import { compareTotals, readTotals } from './totals.ts'
import { collectText } from './write-backup.ts'

/** Where a backup is read from. */
export interface BackupSource {
  file: string
  keys: BackupKeys
  /** Folder of the programs of PostgreSQL; empty to look for them. */
  programs: string
  /** Fingerprints that the installation has by its settings, each of which the backup must have. */
  expected: readonly { name: string; value: string; setting: string }[]
}

/** A backup that was read to its end and may be restored. */
export interface ReadableBackup extends BackupSource {
  summary: BackupSummary
  restoreProgram: string
}

/**
 * Reads a backup to its end and refuses one that is damaged, of another installation or of a newer version, before
 * anything is written.
 * @param databaseUrl a database of the server that it is to be restored into
 * @throws OperatorProblem
 */
export async function openReadableBackup(source: BackupSource, databaseUrl: string): Promise<ReadableBackup> {
  const major = await withClient(databaseUrl, async client => {
    const { rows } = await client.query('show server_version_num')
    return Math.floor(rows[0].server_version_num / 10_000)
  })
  const { restore } = await findPostgresPrograms(major, source.programs)
  const summary = await summarizeBackup(source.file, source.keys, restore)
  const { manifest } = summary
  if (!(await knownMigrations()).includes(manifest.schema))
    throw new OperatorProblem(
      `The backup is of Coffer ${manifest.coffer}, whose database has the migration ${manifest.schema}, which this version does not know: restore it with that version or a later one`,
    )
  for (const { name, value, setting } of source.expected) {
    const known = manifest.installation.filter(each => each.name === name)
    if (known.length > 0 && !known.some(each => each.value === value))
      throw new OperatorProblem(
        `The backup is of another installation: its ${setting} is another than the one in the environment. Unset ${setting}, or name the file of this installation`,
      )
  }
  return { ...source, summary, restoreProgram: restore }
}

/**
 * Restores the database of a backup into an empty one, all of it or nothing, brings it up to date, and checks it.
 * @param ownerUrl the owner of the empty database
 * @throws OperatorProblem
 */
export async function restoreDatabase(backup: ReadableBackup, ownerUrl: string): Promise<string[]> {
  await withClient(ownerUrl, requireEmpty)
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: ownerUrl, max: 1 }) }),
  })
  await db
    .transaction()
    .execute(makeAppRole)
    .finally(() => db.destroy())
  await runRestore(backup, ownerUrl)
  const faults = await withClient(ownerUrl, async client => {
    // The dump has these rights for the role that owned the other database, which need not exist here.
    await client.query(
      `alter default privileges in schema public grant select, insert, update, delete on tables to coffer_app;
       alter default privileges in schema public grant select on sequences to coffer_app`,
    )
    return compareTotals(backup.summary.manifest.totals, await readTotals(client))
  })
  await migrate(ownerUrl)
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  try {
    const violated = await checkLedger({ pool })
    return [...faults, ...violated.map(({ invariant }) => `the ledger: ${invariant} (violated)`)]
  } finally {
    await pool.end()
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%' limit 1`,
  )
  if (rows[0])
    throw new OperatorProblem(
      `The database is not empty (it has ${rows[0].name}): a backup is restored into a new one only. Nothing was changed.`,
    )
}

async function runRestore(backup: ReadableBackup, ownerUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-restore-'))
  const list = join(folder, 'contents')
  const kept = backup.summary.contents.split('\n').filter(line => !/^\d+; \S+ \S+ DEFAULT ACL /.test(line))
  await writeFile(list, kept.join('\n'))
  const { url, env } = hidePassword(ownerUrl)
  const words = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-password', '--use-list', list]
  const child = spawn(backup.restoreProgram, [...words, '--dbname', url], {
    env: { ...env, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const said = collectText(child.stderr)
  const ended = once(child, 'close')
  ended.catch(() => {})
  child.stdin.on('error', () => {})
  try {
    for await (const part of readDatabaseDump(backup.file, backup.keys, backup.summary)) {
      if (!child.stdin.writable) break
      if (!child.stdin.write(part)) await Promise.race([once(child.stdin, 'drain'), ended]).catch(() => {})
    }
    child.stdin.end()
    const [code] = await ended
    if (code !== 0)
      throw new OperatorProblem(
        `pg_restore failed, and the database is as empty as before: ${said().trim() || `exit code ${code}`}`,
      )
  } finally {
    child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Restores a backup into a database of its own, which is dropped again, and compares it with the manifest.
 * @param ownerUrl a user that may create databases on the server
 * @returns what is wrong with it
 */
export async function verifyBackup(backup: ReadableBackup, ownerUrl: string): Promise<string[]> {
  const name = `coffer_verify_${process.pid}_${backup.summary.manifest.made_at}`
  await withClient(ownerUrl, async client => {
    await client.query(`create database ${name} template template0`).catch(error => {
      if (error.code !== '42501') throw error
      throw new OperatorProblem(
        'The user of DATABASE_OWNER_URL may not create a database to restore into: alter role ... createdb, or set COFFER_BACKUP_SCRATCH_URL to one that may, such as on another server',
      )
    })
  })
  try {
    return await restoreDatabase(backup, renameDatabase(ownerUrl, name))
  } finally {
    await withClient(ownerUrl, client => client.query(`drop database if exists ${name} with (force)`))
  }
}

/** The same connection to another database. */
const renameDatabase = (url: string, name: string) =>
  url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, (_, head: string) => `${head}${name}`)

/**
 * Writes the files of a backup: those of the signer into a folder that has none, and settings into new files.
 * @returns the paths that were written
 * @throws OperatorProblem when one exists
 */
export async function restoreFiles(
  { files }: BackupSummary,
  { signerFolder, settingsFile }: { signerFolder: string; settingsFile: string },
): Promise<string[]> {
  const placed = listPlacedFiles(files, { signerFolder, settingsFile })
  requireNewFiles(placed)
  for (const { path, content } of placed) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(content)
    await file.sync()
    await file.close()
  }
  return placed.map(({ path }) => path)
}

/** Refuses files that exist, before the database is restored. */
export const requireRestorableFiles = (
  { files }: BackupSummary,
  at: { signerFolder: string; settingsFile: string },
): void => requireNewFiles(listPlacedFiles(files, at))

function requireNewFiles(placed: readonly { path: string }[]): void {
  const existing = placed.find(({ path }) => existsSync(path))
  if (existing) throw new OperatorProblem(`${existing.path} already exists and is never written over`)
}

function listPlacedFiles(
  files: ReadonlyMap<string, Buffer>,
  { signerFolder, settingsFile }: { signerFolder: string; settingsFile: string },
): { path: string; content: Buffer }[] {
  const of = (name: string, path: string) => {
    const content = files.get(name)
    return content ? [{ path, content }] : []
  }
  return [
    ...(signerFolder ? signerFiles.flatMap(name => of(`signer/${name}`, join(signerFolder, name))) : []),
    ...(settingsFile ? of(backupFiles.settings, settingsFile) : []),
    ...(settingsFile ? of(backupFiles.chains, join(dirname(settingsFile), backupFiles.chains)) : []),
  ]
}

export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: 'coffer backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** What a backup is of, in words. */
export const describeBackup = ({ made_at, coffer, schema, database, totals }: BackupManifest): string =>
  `made ${new Date(made_at * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC by Coffer ${coffer} (${schema}) at ${database.lsn}: ${totals.payments} payments, ${totals.deposits} deposits, ${totals.withdrawals} withdrawals`
