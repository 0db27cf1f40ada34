import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl } from '@coffer/local/testing/postgres.ts'
import { startSecondPostgres } from '@coffer/local/testing/second-postgres.ts'
import pg from 'pg'
import { runBackupCommand, runRestoreCommand } from '../cli/backup.ts'
import { addFingerprints } from '../domains/installation/store.ts'
import { migrate, schemaLock } from '../migrations/migrate.ts'
import { makeTestDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'
import { findPostgresPrograms } from './postgres-programs.ts'
import { summarizeBackup } from './read-backup.ts'
import { encodeTarFile, tarEnd } from './tar.ts'
import { compareTotals } from './totals.ts'
import { type BackupRequest, backupLock, writeBackup } from './write-backup.ts'

const programs = ['/usr/lib/postgresql']
  .filter(existsSync)
  .flatMap(root => readdirSync(root).map(version => join(root, version, 'bin', 'pg_dump')))
  .some(existsSync)
const skip = programs ? false : 'pg_dump is not installed (Debian: postgresql-client)'

const folder = mkdtempSync(join(tmpdir(), 'coffer-backup-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let shared: Promise<World> | undefined
after(async () => (await shared)?.stop())

interface World {
  server: string
  source: string
  env: NodeJS.ProcessEnv
  /** Creates an empty database. */
  empty: (name: string) => Promise<string>
  run: (url: string, sql: string) => Promise<pg.QueryResult>
  stop: () => Promise<void>
}

/** A database with a merchant on a server that has its programs, and the settings of its backups. */
const makeWorld = async (): Promise<World> => {
  const server = await startSecondPostgres()
  const run = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return client.query(sql).finally(() => client.end())
  }
  const empty = async (name: string) => {
    await run(server.url, `create database ${name}`)
    return databaseUrl(server.url, name)
  }
  const source = await empty('source')
  await migrate(source)
  const pool = new pg.Pool({ connectionString: source, max: 2 })
  const deps = makeTestDeps({ pool })
  await testMerchant(deps)
  await addFingerprints(pool, ['secret'], [deps.seal.keyId], deps.clock())
  await pool.end()
  const key = await runBackupCommand({}, ['key', join(folder, 'key.txt')])
  const [, recipient = ''] = /COFFER_BACKUP_RECIPIENTS=(\S+)/.exec(key) ?? []
  const data = join(folder, 'data')
  mkdirSync(join(data, 'signer'), { recursive: true })
  writeFileSync(join(data, 'signer', 'seed.json'), '{"seed":"sealed"}')
  writeFileSync(join(data, 'signer', 'signed.jsonl'), '{"at":1}\n{"at":2}\n{"torn')
  writeFileSync(join(data, 'chains.json'), '{"chains":[]}')
  const env = {
    DATABASE_URL: source,
    DATABASE_OWNER_URL: source,
    COFFER_DATA: data,
    COFFER_SECRET: 'a secret for tests of 32 characters',
    COFFER_BACKUP_RECIPIENTS: recipient,
    COFFER_BACKUP_KEY_FILE: join(folder, 'key.txt'),
  }
  return { server: server.url, source, env, empty, run, stop: server.stop }
}
const world = () => {
  shared ??= makeWorld()
  return shared
}

const merchants = 'select count(*)::int as n from merchants'

test('a backup is checked by restoring it, and restored whole', { skip }, async () => {
  const { env, empty, run } = await world()
  const target = join(folder, 'kept')
  mkdirSync(target)
  const made = await runBackupCommand(env, [target, '--verify', '--keep', '1'])
  assert.match(made, /its totals are those of the manifest and its ledger is consistent/)
  const [name = ''] = readdirSync(target)
  const file = join(target, name)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const noted = await run(env.DATABASE_URL!, 'select name, verified_at is not null as checked from backups')
  assert.deepEqual(noted.rows, [{ name, checked: true }])

  const url = await empty('restored')
  const settings = join(folder, 'restored', 'coffer.env')
  const signer = join(folder, 'restored', 'signer')
  const restored = { ...env, DATABASE_OWNER_URL: url }
  const text = await runRestoreCommand(restored, [file, '--settings', settings, '--signer', signer])
  assert.match(text, /The ledger is consistent/)
  assert.equal((await run(url, merchants)).rows[0].n, 1)
  assert.match(readFileSync(settings, 'utf8'), /^COFFER_SECRET=a secret for tests/m)
  assert.doesNotMatch(readFileSync(settings, 'utf8'), /BACKUP_KEY/)
  assert.equal(readFileSync(join(signer, 'signed.jsonl'), 'utf8'), '{"at":1}\n{"at":2}\n', 'whole lines only')
  await assert.rejects(runRestoreCommand(restored, [file]), /The database is not empty \(it has public\./)
  const again = { ...env, DATABASE_OWNER_URL: await empty('again') }
  await assert.rejects(runRestoreCommand(again, [file, '--signer', signer]), /seed\.json already exists/)
})

/** Makes a backup, and returns its file. */
async function backUp(name: string, changes: NodeJS.ProcessEnv = {}): Promise<string> {
  const { env } = await world()
  const file = join(folder, name)
  await runBackupCommand({ ...env, ...changes }, [file])
  return file
}

test('what is damaged, cut off or not ours is refused before anything is restored', { skip }, async () => {
  const { env, empty, run } = await world()
  const whole = readFileSync(await backUp('whole.age'))
  const url = await empty('hostile')
  const other = join(folder, 'other.txt')
  await runBackupCommand({}, ['key', other])
  const damaged = join(folder, 'damaged.age')
  const refused = async (content: Uint8Array, words: RegExp, changes: NodeJS.ProcessEnv = {}) => {
    writeFileSync(damaged, content)
    await assert.rejects(runRestoreCommand({ ...env, DATABASE_OWNER_URL: url, ...changes }, [damaged]), error => {
      assert.equal((error as Error).name, 'OperatorProblem')
      assert.match((error as Error).message, words)
      return true
    })
  }
  const flipped = (at: number) => whole.map((byte, index) => (index === at ? byte ^ 1 : byte))
  await refused(whole, /None of the given keys opens this backup/, { COFFER_BACKUP_KEY_FILE: other })
  await refused(whole, /Nothing opens this backup/, { COFFER_BACKUP_KEY_FILE: '' })
  await refused(flipped(3), /no backup, or its beginning is damaged/)
  for (const at of [0.3, 0.6, 0.999]) await refused(flipped(Math.floor(whole.length * at)), /is damaged/)
  // Also where a part of the encryption ends, so that all that is left is authentic.
  const head = whole.indexOf('\n--- ') + 1
  const body = whole.indexOf('\n', head) + 1 + 16
  for (const length of [100, body, body + 65_552, whole.length - 1, whole.length - 2_000])
    await refused(whole.subarray(0, length), /damaged/)
  await refused(new Uint8Array(0), /no backup, or its beginning is damaged/)
  await refused(whole, /of another installation: its COFFER_SECRET/, {
    COFFER_SECRET: 'another secret for tests of 32 characters',
  })
  const { rows } = await run(url, `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`)
  assert.equal(rows[0].n, 0, 'nothing was restored')
})

test('backups refuse what they cannot do, in words', { skip }, async () => {
  const { source, env, run } = await world()
  const file = await backUp('first.age')
  await assert.rejects(runBackupCommand(env, [file]), /already exists: a backup is never written over/)
  await assert.rejects(
    runBackupCommand({ ...env, COFFER_BACKUP_RECIPIENTS: '' }, [join(folder, 'open.age')]),
    /Nothing says how backups are encrypted/,
  )
  await assert.rejects(
    runBackupCommand({ ...env, COFFER_BACKUP_RECIPIENTS: 'age1nothing' }, [join(folder, 'open.age')]),
    /is no public key of age/,
  )
  const old = join(folder, 'old')
  mkdirSync(old)
  for (const name of ['pg_dump', 'pg_restore'])
    writeFileSync(join(old, name), '#!/bin/sh\necho "x (PostgreSQL) 9.6.24"\n', { mode: 0o755 })
  await assert.rejects(
    runBackupCommand({ ...env, COFFER_POSTGRES_BIN: old }, [join(folder, 'old.age')]),
    /is of version 9, and the server of \d+: install postgresql-client-/,
  )
  const holder = new pg.Client({ connectionString: source })
  await holder.connect()
  await holder.query(`select pg_advisory_lock(${backupLock})`)
  await assert.rejects(backUp('second.age'), /Another backup of this database is being made/)
  await holder.query(`select pg_advisory_unlock_all(), pg_advisory_lock(${schemaLock})`)
  const request = { ...(await requestOf('migrating.age')), migrationWaitMs: 50 }
  await assert.rejects(writeBackup(request), /A migration of this database runs/)
  await holder.end()
  await run(source, `insert into kysely_migration (name, timestamp) values ('9999_later', '')`)
  const later = await backUp('later.age')
  await assert.rejects(
    runBackupCommand(env, ['verify', later]),
    /has the migration 9999_later, which this version does not know/,
  )
  await run(source, `delete from kysely_migration where name = '9999_later'`)
  const partial = readdirSync(folder).filter(name => name.endsWith('.partial'))
  assert.deepEqual(partial, [], 'what failed left nothing behind')
})

/** What `coffer backup` asks for, as the user of the server and by a passphrase. */
async function requestOf(name: string): Promise<BackupRequest> {
  const { env, source } = await world()
  return {
    databaseUrl: source,
    file: join(folder, name),
    keys: { recipients: [], identities: [], passphrase: 'correct horse battery' },
    passphraseWork: 4,
    programs: '',
    signerFolder: '',
    settings: {},
    chainsFile: join(String(env.COFFER_DATA), 'chains.json'),
    now: 1_748_858_400,
  }
}

test('the user of the server can back up what the owner has, by a passphrase', { skip }, async () => {
  const { source, run, server } = await world()
  await run(server, `create role limited login password 'limited' in role coffer_app`)
  const request = {
    ...(await requestOf('limited.age')),
    databaseUrl: source.replace(/\/\/[^@]*@/, '//limited:limited@'),
  }
  const { manifest } = await writeBackup(request)
  assert.equal(manifest.totals.merchants, '1')
  const { restore } = await findPostgresPrograms(Number.parseInt(manifest.database.server, 10))
  const summary = await summarizeBackup(request.file, request.keys, restore)
  assert.deepEqual(summary.manifest, manifest)
  assert.equal(summary.files.get('chains.json')?.toString(), '{"chains":[]}')
  const wrong = { ...request.keys, passphrase: 'another horse battery' }
  await assert.rejects(summarizeBackup(request.file, wrong, restore), /the passphrase is wrong/)
})

test('a backup whose ledger is broken, or that holds less than it says, fails its check', { skip }, async () => {
  const { env, source, run } = await world()
  const insert = `insert into ledger_accounts (id, merchant_id, part, asset_id, balance)
    select m.id || '/available/u', m.id, 'available', a.id, 7 from merchants m, (values ('u')) a (id)`
  await run(source, `insert into chains (id, kind, definition) values ('c', 'evm', '{}')`)
  await run(source, `insert into assets (id, chain_id, symbol, decimals) values ('u', 'c', 'USDT', 6)`)
  await run(source, insert)
  const file = await backUp('broken.age')
  await assert.rejects(
    runBackupCommand(env, ['verify', file]),
    /was restored, and is wrong:\nthe ledger: a balance equals the sum of its postings \(violated\)/,
  )
  const checked = await run(source, `select verified_at from backups where name = 'broken.age'`)
  assert.deepEqual(checked.rows, [{ verified_at: null }])
  const scratch = await run(source, `select datname from pg_database where datname like 'coffer_verify%'`)
  assert.deepEqual(scratch.rows, [], 'its database is dropped')
  assert.deepEqual(compareTotals({ payments: '2', refunds: '0' }, { payments: '1', refunds: '0' }), [
    'payments: 2 in the backup, 1 restored',
  ])
})

test('the archive is one of tar', { skip: existsSync('/bin/tar') ? false : 'tar is not installed' }, async () => {
  const files = [
    { name: 'coffer.env', content: Buffer.from('A=1\n') },
    { name: 'database.dump/000000', content: Buffer.alloc(1_500, 7) },
  ]
  const archive = join(folder, 'archive.tar')
  writeFileSync(archive, Buffer.concat([...files.map(each => encodeTarFile(each, 1_748_858_400)), tarEnd()]))
  const listed = execFileSync('/bin/tar', ['tvf', archive], { encoding: 'utf8', env: { TZ: 'UTC' } })
  assert.match(listed, /^-rw-------.* 4 2025-06-02 10:00 coffer\.env\n-rw-------.* 1500 .* database\.dump\/000000\n$/)
})
