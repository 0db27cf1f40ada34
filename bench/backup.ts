import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseUrl } from '@coffer/local/testing/postgres.ts'
import { startSecondPostgres } from '@coffer/local/testing/second-postgres.ts'
import { findPostgresPrograms, hidePassword } from '@coffer/server/backup/postgres-programs.ts'
import { migrate } from '@coffer/server/migrations/migrate.ts'
import pg from 'pg'
import { type Figure, postgresTime, type Scope } from './figure.ts'
import { fillPayments } from './fill-payments.ts'

const cli = join(import.meta.dirname, '../apps/server/src/cli/main.ts')
/** Memory that `coffer backup` and `coffer restore` may take, whatever the size of the database (MB). */
const memoryLimitMb = 512
/** Processor time, with that of the database, beside `pg_dump` and `pg_restore` alone. */
const timesLimit = 2

/** What a program and those that it started took: seconds of processors with the database's, and the most memory. */
interface Cost {
  cpu: number
  seconds: number
  mb: number
}

/**
 * Backs up a database with many payments and restores it, beside `pg_dump` and `pg_restore` alone, as children of which
 * the kernel counts time and memory.
 */
export async function backup(here: Scope, payments: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-backup-'))
  here.after(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startSecondPostgres()
  here.after(() => server.stop())
  const owner = new pg.Pool({ connectionString: server.url, max: 2 })
  owner.on('error', () => {})
  here.after(() => owner.end())
  for (const name of ['shop', 'restored', 'peer']) await owner.query(`create database ${name}`)
  const [shop, restored, peer] = ['shop', 'restored', 'peer'].map(each => databaseUrl(server.url, each))
  await migrate(shop!)
  const pool = new pg.Pool({ connectionString: shop!, max: 2 })
  await fillPayments(pool, payments).finally(() => pool.end())
  const { rows } = await owner.query(`select pg_database_size('shop') / 1e9 as gb`)
  const gb = `${Number(rows[0].gb).toFixed(1)} GB`

  const file = join(folder, 'shop.age')
  const env = await keyOf(folder, shop!)
  const measure = async (command: string, words: string[], more: NodeJS.ProcessEnv): Promise<Cost> => {
    const before = await postgresTime(owner)
    const cost = await runCounted(command, words, more)
    return { ...cost, cpu: cost.cpu + ((await postgresTime(owner)) - before) / 1e6 }
  }
  const coffer = (words: string[], more: NodeJS.ProcessEnv = {}) =>
    measure(process.execPath, [cli, ...words], { ...env, ...more })
  const made = await coffer(['backup', file])
  const back = await coffer(['restore', file], { DATABASE_OWNER_URL: restored })
  // Before the other one is filled: all of it may be in memory.
  await owner.query('drop database restored with (force)')
  const { dump, restore } = await findPostgresPrograms(Number(server.version.split('.')[0]))
  const from = hidePassword(shop!)
  const to = hidePassword(peer!)
  const plain = join(folder, 'shop.dump')
  const dumped = await measure(dump, ['-Fc', '-f', plain, '-d', from.url], from.env)
  const again = await measure(restore, ['--single-transaction', '-d', to.url, plain], to.env)
  return [
    ...compare(`coffer backup of ${gb}`, made, 'pg_dump', dumped),
    ...compare('coffer restore of it', back, 'pg_restore', again),
    {
      what: 'size of the backup',
      value: `${(statSync(file).size / 1e6).toFixed(0)} MB`,
      comparison: `${(statSync(plain).size / 1e6).toFixed(0)} MB of pg_dump`,
    },
  ]
}

const compare = (what: string, ours: Cost, peer: string, theirs: Cost): Figure[] => [
  {
    what: `${what}, processor`,
    value: `${ours.cpu.toFixed(1)} s`,
    comparison: `${(ours.cpu / theirs.cpu).toFixed(2)} of ${peer}, ${theirs.cpu.toFixed(1)} s; at most ${timesLimit}; ${ours.seconds.toFixed(0)} and ${theirs.seconds.toFixed(0)} s of the clock`,
    holds: ours.cpu <= timesLimit * theirs.cpu,
  },
  {
    what: `${what}, memory of the largest process`,
    value: `${ours.mb.toFixed(0)} MB`,
    comparison: `${theirs.mb.toFixed(0)} MB of ${peer}; at most ${memoryLimitMb}`,
    holds: ours.mb <= memoryLimitMb,
  },
]

/** A key of backups, and the settings of a server that has it. */
async function keyOf(folder: string, url: string): Promise<NodeJS.ProcessEnv> {
  const key = join(folder, 'key.txt')
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'backup', 'key', key])
  const [, recipient = ''] = /COFFER_BACKUP_RECIPIENTS=(\S+)/.exec(stdout) ?? []
  return {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    DATABASE_OWNER_URL: url,
    COFFER_DATA: folder,
    COFFER_BACKUP_RECIPIENTS: recipient,
    COFFER_BACKUP_KEY_FILE: key,
  }
}

/** Runs a program to its end and reads from the kernel what it takes, every 20 ms. */
async function runCounted(command: string, words: string[], env: NodeJS.ProcessEnv): Promise<Cost> {
  const began = performance.now()
  const child = spawn(command, words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const cost: Cost = { cpu: 0, seconds: 0, mb: 0 }
  const timer = setInterval(() => {
    cost.cpu = familyTicks(child.pid!) / 100 || cost.cpu
    cost.mb = Math.max(cost.mb, peakMb(child.pid!))
  }, 20)
  const [code] = await once(child, 'exit').finally(() => clearInterval(timer))
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${code}`)
  return { ...cost, seconds: (performance.now() - began) / 1_000 }
}

/** Processor ticks of a process and of its children that have ended. 0 once it is gone. */
function familyTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
  } catch {
    return 0
  }
}

/** The most memory that a process has had (MB). 0 once it is gone. */
function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
  } catch {
    return 0
  }
}
