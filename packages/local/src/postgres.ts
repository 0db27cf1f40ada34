import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { postgresAccount } from './account.ts'
import { type Child, type Ending, startChild } from './children.ts'
import { lockFolder } from './lock.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { endLeftovers, explainFailure, makeCluster, ownerOf, ownFolder, socketFolder } from './postgres-folder.ts'
import { errorCode, folderProblem } from './problem.ts'

/** Says in a line what the platform is doing. */
export type Log = (line: string) => void

/** How `pg` reaches a database: pass it to Pool or Client. */
export type PostgresConfig = { host: string; port: number; user: string; database: string }

/** A running PostgreSQL of our own. */
export type Postgres = {
  config: PostgresConfig
  /** The same as a connection string, for whoever takes DATABASE_URL. */
  url: string
  /** Resolves when the server has ended, for whatever reason. */
  ended: Promise<Ending>
  stop: () => Promise<void>
}

export type PostgresOptions = {
  /** The folder that everything of this installation lives in; the cluster is its `pg`. Made when missing. */
  dataDir: string
  log?: Log
  /** False only for throwaway clusters of tests: nothing is flushed to the disk. */
  durable?: boolean
  /** Further settings, such as `listen_addresses`; the port is part of the socket's name. */
  settings?: Record<string, string>
  port?: number
}

const database = 'coffer'
const megabyte = 1024 * 1024

/**
 * Starts PostgreSQL on `<dataDir>/pg`, making the cluster and the database `coffer` at the first start.
 *
 * It listens on a unix socket in a private folder and on no network. One start at a time has the folder. A server left
 * by a killed parent is stopped with a fast shutdown and started anew, so that it always has today's settings.
 * Gives how to connect and `stop`. Throws a Problem of one clear line when it cannot start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { durable = true, port = 5432, log = () => {} } = options
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'pg')
  let lock: Awaited<ReturnType<typeof lockFolder>> | undefined
  try {
    mkdirSync(join(dataDir, 'log'), { recursive: true })
    checkWritable(dataDir)
    lock = await lockFolder(dataDir, 'postgres')
    const account = ownerOf(folder, postgresAccount())
    const binaries = postgresBinaries(account)
    const host = socketFolder(folder, port, account)
    if (existsSync(folder)) await endLeftovers(folder, host, port)
    else log('Making a PostgreSQL cluster')
    await makeCluster(folder, binaries, account, durable)
    const settings = settingsOf(account && host === folder ? ownFolder : host, port, durable, options.settings)
    const logFile = openLog(join(dataDir, 'log', 'postgres.log'))
    const child = await startChild({
      name: 'postgres',
      command: binaries.postgres,
      args: ['-D', account ? ownFolder : folder, ...settings],
      cwd: folder,
      env: { TZ: 'UTC' },
      uid: account?.uid,
      gid: account?.gid,
      stdio: ['ignore', logFile.descriptor, logFile.descriptor],
      // Fast shutdown, then an immediate one that leaves the rest to recovery.
      stopWith: [
        ['SIGINT', 8_000],
        ['SIGQUIT', 1_500],
      ],
    }).finally(() => closeSync(logFile.descriptor))
    const config = { host, port, user: 'coffer', database }
    try {
      await untilReady(child, config, () =>
        explainFailure(readFileSync(logFile.path, 'utf8').slice(logFile.from), folder),
      )
    } catch (error) {
      await child.stop()
      throw error
    }
    const held = lock
    return {
      config,
      url: connectionString(config),
      ended: child.ended,
      stop: async () => {
        await child.stop()
        await held.release()
      },
    }
  } catch (error) {
    await lock?.release()
    throw folderProblem(error, dataDir)
  }
}

/**
 * How to reach the server that `startPostgres` runs on this folder, from another process of ours; undefined when there is
 * no cluster. Does not start it and does not know whether it runs.
 */
export function urlOfRunning(dataDir: string, port = 5432): string | undefined {
  const folder = join(resolve(dataDir), 'pg')
  if (!existsSync(folder)) return undefined
  const host = socketFolder(folder, port, ownerOf(folder, postgresAccount()))
  return connectionString({ host, port, user: 'coffer', database })
}

/** Gives the connection string of a database reached through a unix socket. */
export function connectionString(config: PostgresConfig): string {
  const query = new URLSearchParams({ host: config.host, port: String(config.port) })
  return `postgresql://${config.user}@localhost/${config.database}?${query}`
}

function settingsOf(socket: string, port: number, durable: boolean, more: Record<string, string> = {}): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '256MB',
    max_wal_size: '1GB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' }),
    ...more,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** A full disk lets a file be made and refuses what is written to it. */
function checkWritable(folder: string): void {
  const probe = join(folder, `.writable.${process.pid}`)
  try {
    writeFileSync(probe, Buffer.alloc(64 * 1024), { flush: true })
  } finally {
    rmSync(probe, { force: true })
  }
}

function openLog(path: string): { path: string; descriptor: number; from: number } {
  if (existsSync(path) && statSync(path).size > 10 * megabyte) renameSync(path, `${path}.1`)
  const descriptor = openSync(path, 'a', 0o600)
  return { path, descriptor, from: statSync(path).size }
}

/** Waits until the server answers and has our database. Recovery after a crash may take long: as long as it lives, wait. */
async function untilReady(child: Child, config: PostgresConfig, explain: () => Error): Promise<void> {
  let dead = false
  child.ended.then(() => {
    dead = true
  })
  while (!dead) {
    const client = new Client({ ...config, database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rowCount } = await client.query('select from pg_database where datname = $1', [config.database])
      if (rowCount === 0) await client.query(`create database ${config.database}`)
      return
    } catch (error) {
      // Not listening yet, or (57P03) still recovering.
      if (!['ENOENT', 'ECONNREFUSED', '57P03'].includes(errorCode(error) ?? '')) throw error
      await sleep(25)
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw explain()
}
