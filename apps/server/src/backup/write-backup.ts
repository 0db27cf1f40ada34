import { spawn } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, OperatorProblem } from '@coffer/local/problem.ts'
import pg from 'pg'
import { databaseIdentity, readFingerprints } from '../domains/installation/store.ts'
import { migrationLock, schemaLock } from '../migrations/migrate.ts'
import { version } from '../migrations/version.ts'
import { type BackupKeys, encryptBackup } from './encryption.ts'
import { type BackupManifest, backupFiles, signerFiles } from './manifest.ts'
import { findPostgresPrograms, hidePassword } from './postgres-programs.ts'
import { encodeTarFile, tarEnd, tarFileBytesMax } from './tar.ts'
import { readTotals } from './totals.ts'

/** The database is stored in parts of this size (bytes): a part is all that is in memory. */
const partBytes = 8 * 2 ** 20
/** Key of the advisory lock that a backup of a database holds. */
export const backupLock = 0x636f66666562
/** How long a backup waits for migrations that run (ms). */
const migrationPatienceMs = 15_000

/** What is backed up, and where to. */
export interface BackupRequest {
  /** The database, as its owner or as the server. */
  databaseUrl: string
  /** A new file. */
  file: string
  keys: BackupKeys
  /** Exponent of the work of a passphrase, smaller in tests. */
  passphraseWork?: number
  /** Folder of the programs of PostgreSQL; empty to look for them. */
  programs: string
  /** Folder of the signer; empty where it is on another machine. */
  signerFolder: string
  /** Settings by name. */
  settings: Readonly<Record<string, string>>
  /** Path of the chains file; empty for none. */
  chainsFile: string
  /** Unix seconds. */
  now: number
  /** How long to wait for migrations that run (ms), by default 15 s. */
  migrationWaitMs?: number
}

/**
 * Writes an encrypted backup of the database in one snapshot, the signer's folder and the settings. The file appears
 * under its name once it is complete and flushed; what an interrupted run leaves ends in `.partial`.
 * @throws OperatorProblem in words for the operator
 */
export async function writeBackup(request: BackupRequest): Promise<{ manifest: BackupManifest; bytes: number }> {
  const { file, keys, passphraseWork, migrationWaitMs = migrationPatienceMs } = request
  if (existsSync(file)) throw new OperatorProblem(`${file} already exists: a backup is never written over`)
  const snapshot = await BackupSnapshot.open(request.databaseUrl, migrationWaitMs)
  const partial = `${file}.partial`
  let output: FileHandle | undefined
  try {
    const contents = new BackupContents(request, snapshot)
    // Refused before a file is made.
    const sealed = await encryptBackup(contents.chunks(), keys, passphraseWork)
    output = await open(partial, 'w', 0o600)
    let bytes = 0
    for await (const chunk of sealed) {
      await output.write(chunk)
      bytes += chunk.length
    }
    await output.sync()
    await output.close()
    output = undefined
    // Unlike a rename, fails when the name was taken meanwhile.
    await link(partial, file)
    await syncFolder(dirname(file))
    return { manifest: contents.manifest!, bytes }
  } catch (error) {
    throw ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')
      ? new OperatorProblem(`The disk of ${dirname(file)} is full: no backup was made. Free some space, or keep fewer`)
      : error
  } finally {
    await output?.close().catch(() => {})
    await rm(partial, { force: true })
    await snapshot.end()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** A connection whose transaction sees the database as it was at one time, and keeps migrations from running. */
class BackupSnapshot {
  readonly client: pg.Client
  id = ''

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async open(url: string, migrationWaitMs: number): Promise<BackupSnapshot> {
    const client = new pg.Client({ connectionString: url, application_name: 'coffer backup', keepAlive: true })
    client.on('error', () => {})
    await client.connect()
    const snapshot = new BackupSnapshot(client)
    try {
      await snapshot.#begin(migrationWaitMs)
      return snapshot
    } catch (error) {
      await snapshot.end()
      throw error
    }
  }

  async #begin(migrationWaitMs: number): Promise<void> {
    const { client } = this
    await client.query(`select set_config('statement_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false), set_config('lock_timeout', '${migrationWaitMs}', false)`)
    const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [backupLock])
    if (!rows[0].held) throw new OperatorProblem('Another backup of this database is being made: wait for its end')
    await client
      .query('select pg_advisory_lock_shared($1), pg_advisory_lock_shared($2)', [schemaLock, migrationLock])
      .catch(error => {
        if (error.code !== '55P03') throw error
        throw new OperatorProblem('A migration of this database runs: make the backup after it')
      })
    await client.query('begin isolation level repeatable read read only')
    this.id = (await client.query('select pg_export_snapshot() as id')).rows[0].id
  }

  async describe(now: number): Promise<Omit<BackupManifest, 'files'>> {
    const { client } = this
    const { rows: steps } = await client.query('select name from kysely_migration order by name desc limit 1')
    const { rows } = await client.query(`select current_setting('server_version') as server,
      pg_database_size(current_database())::text as bytes,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as lsn`)
    const fingerprints = await readFingerprints(client)
    const identity = await databaseIdentity(client)
    return {
      format: 1,
      made_at: now,
      coffer: version,
      schema: steps[0].name,
      installation: fingerprints.map(({ name, value }) => ({ name, value })),
      database: {
        identity: identity!.value,
        lsn: rows[0].lsn,
        server: rows[0].server,
        bytes: Number(rows[0].bytes),
      },
      totals: await readTotals(client),
    }
  }

  async end(): Promise<void> {
    await this.client.end().catch(() => {})
  }
}

/** The files of a backup, one after the other. */
class BackupContents {
  readonly #request: BackupRequest
  readonly #snapshot: BackupSnapshot
  readonly #files: BackupManifest['files'] = []
  /** Set once all is written. */
  manifest: BackupManifest | undefined

  constructor(request: BackupRequest, snapshot: BackupSnapshot) {
    this.#request = request
    this.#snapshot = snapshot
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { settings, chainsFile, signerFolder, now } = this.#request
    yield this.#encode(backupFiles.settings, Buffer.from(formatSettings(settings)))
    if (chainsFile && existsSync(chainsFile)) yield this.#encode(backupFiles.chains, await readFile(chainsFile))
    // After the snapshot: the record then knows each nonce that the database has signed.
    if (signerFolder)
      for (const name of signerFiles) {
        const content = await readSignerFile(join(signerFolder, name))
        if (content) yield this.#encode(`signer/${name}`, content)
      }
    yield* this.#dumpDatabase()
    this.manifest = { ...(await this.#snapshot.describe(now)), files: this.#files }
    yield encodeTarFile(
      { name: backupFiles.manifest, content: Buffer.from(`${JSON.stringify(this.manifest, null, 2)}\n`) },
      now,
    )
    yield tarEnd()
  }

  #encode(name: string, content: Buffer): Buffer {
    this.#files.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    return encodeTarFile({ name, content }, this.#request.now)
  }

  async *#dumpDatabase(): AsyncGenerator<Buffer> {
    const { databaseUrl, programs, now } = this.#request
    const { rows } = await this.#snapshot.client.query('show server_version_num')
    const { dump } = await findPostgresPrograms(Math.floor(rows[0].server_version_num / 10_000), programs)
    const { url, env } = hidePassword(databaseUrl)
    const words = ['--format=custom', `--snapshot=${this.#snapshot.id}`, '--no-password', '--dbname', url]
    const child = spawn(dump, words, { env: { ...env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = collectText(child.stderr)
    const ended = once(child, 'close')
    ended.catch(() => {})
    const sum = createHash('sha256')
    let bytes = 0
    try {
      for await (const part of splitIntoParts(child.stdout, sum)) {
        const name = `${backupFiles.database}/${String(bytes / partBytes).padStart(6, '0')}`
        bytes += part.length
        yield encodeTarFile({ name, content: part }, now)
      }
      const [code] = await ended
      if (code !== 0) throw new OperatorProblem(`pg_dump failed: ${said().trim() || `exit code ${code}`}`)
    } finally {
      child.kill()
    }
    this.#files.push({ name: backupFiles.database, bytes, sha256: sum.digest('hex') })
  }
}

/** Cuts a stream into parts of `partBytes`, the last of which is shorter, and adds them to a sum. */
async function* splitIntoParts(chunks: AsyncIterable<Buffer>, sum: Hash): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(partBytes)
  let filled = 0
  for await (const chunk of chunks) {
    sum.update(chunk)
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(part, filled, from)
      from += copied
      filled += copied
      if (filled < partBytes) continue
      yield part
      part = Buffer.allocUnsafe(partBytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

/** Collects the end of what a program says. */
export function collectText(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2_000)
  })
  return () => text
}

/** Reads a file of the signer; of its record only whole lines. Undefined when there is none. */
async function readSignerFile(path: string): Promise<Buffer | undefined> {
  if (!existsSync(path)) return undefined
  const content = await readFile(path).catch(error => {
    throw new OperatorProblem(
      `The signer's folder cannot be read (${error.message}): run the backup as a user that may, or name another folder`,
    )
  })
  if (content.length > tarFileBytesMax) throw new OperatorProblem(`${path} is too large for a backup`)
  return path.endsWith('.jsonl') ? content.subarray(0, content.lastIndexOf('\n') + 1) : content
}

/** Writes settings as systemd and Docker read them, one a line. */
const formatSettings = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
