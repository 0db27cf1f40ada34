import { existsSync, statSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { chainKindNames } from '@coffer/chains'
import { OperatorProblem } from '@coffer/local/problem.ts'
import pg from 'pg'
import { createBackupKey, readBackupKeys } from '../backup/encryption.ts'
import type { BackupManifest } from '../backup/manifest.ts'
import {
  type BackupSource,
  describeBackup,
  openReadableBackup,
  requireRestorableFiles,
  restoreDatabase,
  restoreFiles,
  verifyBackup,
} from '../backup/restore-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { ConfigProblem, resolveSecretFiles, xpubVariable } from '../config.ts'
import { noteBackup } from '../domains/backups/store.ts'
import { digestXpub } from '../domains/installation/fingerprints.ts'
import { makeSeal } from '../kit/seal.ts'

/** Options of a command, and its other words. @throws OperatorProblem for one that is unknown or lacks its value */
function parseOptions<const Options extends ParseArgsOptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new OperatorProblem((error as Error).message)
  }
}

const noOwner = 'DATABASE_OWNER_URL is not set: it names the owner of the database'

/** `coffer backup ...`. Returns what to print. @throws OperatorProblem, ConfigProblem */
export async function runBackupCommand(typed: NodeJS.ProcessEnv, words: readonly string[]): Promise<string> {
  const env = resolveSecretFiles(typed)
  const { values, positionals: rest } = parseOptions(words, {
    verify: { type: 'boolean' },
    keep: { type: 'string' },
    signer: { type: 'string' },
  })
  const [first, second] = rest
  if (first === 'key' && second) return writeBackupKey(second)
  if (first === 'verify' && second) return verifyBackupFile(env, second)
  if (first === 'record' && second) return recordBackup(env, second)
  if (!first || rest.length > 1)
    throw new OperatorProblem('usage: coffer backup <file or folder> [--verify] [--keep n]')
  const isFolder = existsSync(first) && statSync(first).isDirectory()
  const keep = values.keep === undefined ? 0 : Number(values.keep)
  if (!(Number.isInteger(keep) && keep >= 0 && keep < 10_000) || (keep > 0 && !isFolder))
    throw new OperatorProblem('--keep takes a number, and a folder to keep that many backups in')
  const made = await makeBackup(env, { target: first, isFolder, signer: values.signer })
  const checked = values.verify ? [await verifyBackupFile(env, made.file)] : []
  const deleted = keep > 0 ? await deleteOldBackups(first, keep) : []
  return [made.text, ...checked, ...deleted.map(name => `Deleted ${name}.`)].join('\n')
}

/** Makes a private key of backups in a new file. It should then leave this machine. */
async function writeBackupKey(file: string): Promise<string> {
  const { identity, recipient } = await createBackupKey()
  try {
    writeFileSync(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new OperatorProblem(`The key cannot be written: ${(error as Error).message}`)
  }
  return `The private key is in ${file}: keep it where the backups are not, and off this server. Set for the server:\nCOFFER_BACKUP_RECIPIENTS=${recipient}`
}

/** Names of files in a folder of backups. Their order is that of their times. */
const backupName = /^coffer-\d{8}T\d{6}Z\.age$/

async function makeBackup(
  env: NodeJS.ProcessEnv,
  { target, isFolder, signer }: { target: string; isFolder: boolean; signer: string | undefined },
): Promise<{ file: string; text: string }> {
  const databaseUrl = env.DATABASE_OWNER_URL || env.DATABASE_URL
  if (!databaseUrl) throw new ConfigProblem('DATABASE_URL is not set: it names the database to back up')
  const now = Math.floor(Date.now() / 1_000)
  const stamp = new Date(now * 1_000).toISOString().replace(/[-:]|\.\d+/g, '')
  const file = isFolder ? join(target, `coffer-${stamp}.age`) : target
  const data = resolve(env.COFFER_DATA || '.coffer')
  const named = signer ?? env.COFFER_BACKUP_SIGNER
  const own = join(data, 'signer')
  if (named && !existsSync(named)) throw new OperatorProblem(`There is no folder ${named} of the signer`)
  const signerFolder = named || (existsSync(join(own, 'seed.json')) ? own : '')
  const { manifest, bytes } = await writeBackup({
    databaseUrl,
    file,
    keys: readBackupKeys(env),
    programs: env.COFFER_POSTGRES_BIN ?? '',
    signerFolder,
    settings: collectSettings(env),
    chainsFile: env.COFFER_CHAINS || join(data, 'chains.json'),
    now,
  })
  await note(databaseUrl, manifest, { file, bytes, verifiedAt: null })
  const signerText = signerFolder ? `with the signer of ${signerFolder}` : 'without a signer: back its folder up, too'
  return { file, text: `${file}: ${bytes} bytes, ${describeBackup(manifest)}; ${signerText}.` }
}

/** Settings that are backed up: all but what opens the seed and the backups. */
const collectSettings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        /^(COFFER|DATABASE)_/.test(entry[0]) &&
        !/^COFFER_(SIGNER_PASSPHRASE|BACKUP_PASSPHRASE|BACKUP_KEY)/.test(entry[0]) &&
        // The secret stands under its own name by now.
        !(entry[0].endsWith('_FILE') && env[entry[0].slice(0, -'_FILE'.length)] !== undefined) &&
        Boolean(entry[1]),
    ),
  )

/** Fingerprints by which a backup of another installation is told. */
function expectedFingerprints(env: NodeJS.ProcessEnv): BackupSource['expected'] {
  const secret = env.COFFER_SECRET
    ? [{ name: 'secret', value: makeSeal(env.COFFER_SECRET).keyId, setting: 'COFFER_SECRET' }]
    : []
  const xpubs = chainKindNames.flatMap(kind => {
    const setting = xpubVariable(kind)
    return env[setting] ? [{ name: `xpub ${kind}`, value: digestXpub(env[setting]), setting }] : []
  })
  return [...secret, ...xpubs]
}

const sourceOf = (env: NodeJS.ProcessEnv, file: string): BackupSource => ({
  file,
  keys: readBackupKeys(env),
  programs: env.COFFER_POSTGRES_BIN ?? '',
  expected: expectedFingerprints(env),
})

/** Restores a backup into a database of its own, compares it, checks its ledger, and drops it again. */
async function verifyBackupFile(env: NodeJS.ProcessEnv, file: string): Promise<string> {
  const url = env.COFFER_BACKUP_SCRATCH_URL || env.DATABASE_OWNER_URL
  if (!url)
    throw new ConfigProblem(
      'Neither COFFER_BACKUP_SCRATCH_URL nor DATABASE_OWNER_URL is set: a backup is checked by restoring it into a database that is made for that',
    )
  const backup = await openReadableBackup(sourceOf(env, file), url)
  const faults = await verifyBackup(backup, url)
  if (faults.length > 0) throw new OperatorProblem([`${file} was restored, and is wrong:`, ...faults].join('\n'))
  const { manifest } = backup.summary
  const database = env.DATABASE_OWNER_URL || env.DATABASE_URL
  const verifiedAt = Math.floor(Date.now() / 1_000)
  if (database) await note(database, manifest, { file, bytes: statSync(file).size, verifiedAt })
  return `${file} was restored into a database of its own: its totals are those of the manifest and its ledger is consistent. It was ${describeBackup(manifest)}.`
}

/** Notes a backup that was made and checked otherwise, such as by pgBackRest. */
async function recordBackup(env: NodeJS.ProcessEnv, name: string): Promise<string> {
  const url = env.DATABASE_URL || env.DATABASE_OWNER_URL
  if (!url) throw new ConfigProblem('DATABASE_URL is not set: it names the database that was backed up')
  const now = Math.floor(Date.now() / 1_000)
  await withPool(url, pool => noteBackup(pool, `${now} ${name}`, name, 0, now, now))
  return `Noted that ${name} was restored and checked.`
}

const note = (
  url: string,
  { made_at, database }: BackupManifest,
  { file, bytes, verifiedAt }: { file: string; bytes: number; verifiedAt: number | null },
) =>
  withPool(url, pool =>
    noteBackup(pool, `${made_at} ${database.lsn}`, basename(file), bytes, made_at, verifiedAt).catch(error => {
      // A database that this version has not migrated yet, as before an upgrade, notes none.
      if (error.code !== '42P01') throw error
    }),
  )

async function withPool<T>(connectionString: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Deletes all but the newest backups of a folder. */
async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => backupName.test(name)).sort()
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) await rm(join(folder, name))
  return old
}

/** `coffer restore <file>`. Returns what to print. @throws OperatorProblem, ConfigProblem */
export async function runRestoreCommand(typed: NodeJS.ProcessEnv, words: readonly string[]): Promise<string> {
  const env = resolveSecretFiles(typed)
  const { values, positionals: rest } = parseOptions(words, {
    settings: { type: 'string' },
    signer: { type: 'string' },
  })
  const [file] = rest
  if (!file || rest.length > 1)
    throw new OperatorProblem('usage: coffer restore <file> [--settings new file] [--signer new folder]')
  const url = env.DATABASE_OWNER_URL
  if (!url) throw new ConfigProblem(noOwner)
  const at = { signerFolder: values.signer ?? '', settingsFile: values.settings ?? '' }
  const backup = await openReadableBackup(sourceOf(env, file), url)
  requireRestorableFiles(backup.summary, at)
  const faults = await restoreDatabase(backup, url)
  const written = await restoreFiles(backup.summary, at)
  const found = [
    `Restored what was ${describeBackup(backup.summary.manifest)}.`,
    ...written.map(path => `Wrote ${path}.`),
  ]
  if (faults.length > 0) throw new OperatorProblem([...found, 'The restored database is wrong:', ...faults].join('\n'))
  return [
    ...found,
    'The ledger is consistent. Nothing is paid, swept, called back or mailed from this copy until "coffer restore release" says that the original is off.',
  ].join('\n')
}
