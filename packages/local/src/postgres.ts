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
import { type ProcessExit, type SupervisedChild, startChild } from './children.ts'
import { lockFolder } from './lock.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import {
  clusterAccountOf,
  currentFolderPath,
  endOrphanedPostgres,
  explainPostgresFailure,
  makeCluster,
  socketFolder,
} from './postgres-folder.ts'
import { errorCode, folderProblem } from './problem.ts'

/** Receives progress messages, one line each. */
export type ProgressLog = (line: string) => void

/** Connection settings for a `pg` Pool or Client. */
export type PostgresConfig = { host: string; port: number; user: string; database: string }

/** A running embedded PostgreSQL. */
export type Postgres = {
  config: PostgresConfig
  /** The same as a connection string. */
  url: string
  /** Resolves when the server has exited, for whatever reason. */
  ended: Promise<ProcessExit>
  stop: () => Promise<void>
}

export type PostgresOptions = {
  /** The data folder of this installation, created if missing. The cluster is in its subfolder `pg`. */
  dataDir: string
  log?: ProgressLog
  /** False for throwaway clusters of tests: turns off flushing to disk. */
  durable?: boolean
  /** Additional server settings, such as `listen_addresses`. */
  settings?: Record<string, string>
  /** Part of the socket's name. */
  port?: number
}

const database = 'coffer'
const megabyte = 1024 * 1024

/**
 * Starts PostgreSQL on `<dataDir>/pg`, creating the cluster and the database `coffer` on the first start.
 *
 * It listens on a Unix socket in a private folder and on no network. The folder is locked. An orphaned server is shut
 * down first, so that the current settings always apply.
 * @throws Problem when it cannot start
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
    const account = clusterAccountOf(folder, postgresAccount())
    const binaries = postgresBinaries(account)
    const host = socketFolder(folder, port, account)
    if (existsSync(folder)) await endOrphanedPostgres(folder, host, port)
    else log('Creating a PostgreSQL cluster')
    await makeCluster(folder, binaries, account, durable)
    const settings = settingsOf(account && host === folder ? currentFolderPath : host, port, durable, options.settings)
    const logFile = openLog(join(dataDir, 'log', 'postgres.log'))
    const child = await startChild({
      name: 'postgres',
      command: binaries.postgres,
      args: ['-D', account ? currentFolderPath : folder, ...settings],
      cwd: folder,
      env: { TZ: 'UTC' },
      uid: account?.uid,
      gid: account?.gid,
      stdio: ['ignore', logFile.descriptor, logFile.descriptor],
      // Fast shutdown, then immediate shutdown, which leaves the rest to recovery.
      stopWith: [
        ['SIGINT', 8_000],
        ['SIGQUIT', 1_500],
      ],
    }).finally(() => closeSync(logFile.descriptor))
    const config = { host, port, user: 'coffer', database }
    try {
      await untilReady(child, config, () =>
        explainPostgresFailure(readFileSync(logFile.path, 'utf8').slice(logFile.from), folder),
      )
    } catch (error) {
      await child.stop()
      throw error
    }
    const heldLock = lock
    return {
      config,
      url: connectionString(config),
      ended: child.ended,
      stop: async () => {
        await child.stop()
        await heldLock.release()
      },
    }
  } catch (error) {
    await lock?.release()
    throw folderProblem(error, dataDir)
  }
}

/**
 * Returns the connection string of the server that another process runs on this folder with `startPostgres`; undefined
 * when there is no cluster. The server may not be running.
 */
export function postgresUrl(dataDir: string, port = 5432): string | undefined {
  const folder = join(resolve(dataDir), 'pg')
  if (!existsSync(folder)) return undefined
  const host = socketFolder(folder, port, clusterAccountOf(folder, postgresAccount()))
  return connectionString({ host, port, user: 'coffer', database })
}

/** Returns the connection string for a Unix socket. */
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

/** Tests by writing data: on a full disk a file can be created but not written. */
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

/** Waits until the server answers and has the database. There is no timeout, because crash recovery may take long. */
async function untilReady(child: SupervisedChild, config: PostgresConfig, explain: () => Error): Promise<void> {
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
      // Not listening yet, or still recovering (57P03).
      if (!['ENOENT', 'ECONNREFUSED', '57P03'].includes(errorCode(error) ?? '')) throw error
      await sleep(25)
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw explain()
}
