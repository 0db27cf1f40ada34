import { execFile } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresAccount } from '@coffer/local/account.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import type { Drill } from './part.ts'

const run = promisify(execFile)
const config = join(import.meta.dirname, '..', '..', 'ops', 'backup', 'pgbackrest.conf')

/** A PostgreSQL that pgBackRest backs up by the file of `ops/backup`. */
export interface ArchivedPostgres {
  /** The superuser's connection to its database `postgres`. */
  url: string
  /** Runs pgBackRest, and returns what it says. */
  backrest: (...words: string[]) => Promise<string>
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** Sets up a PostgreSQL of the system that archives its log, and the stanza of its backups. */
export async function startArchivedPostgres({ folder, after }: Drill): Promise<ArchivedPostgres> {
  const bin = findPrograms()
  const account = postgresAccount()
  const asAccount = account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
  const [data, sockets, repository, spool, log, lock] = ['pg', 'run', 'repository', 'spool', 'log', 'lock'].map(
    name => {
      const path = join(folder, name)
      mkdirSync(path, { mode: 0o700 })
      if (account) chownSync(path, account.uid, account.gid)
      return path
    },
  ) as [string, string, string, string, string, string]
  if (account) chownSync(folder, account.uid, account.gid)
  const port = await steadyPort()
  const env = {
    PATH: process.env.PATH,
    ...backrestVariables({ repository, spool, log, lock, data, sockets }),
    PGBACKREST_STANZA: 'coffer',
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_USER: 'operator',
  }
  const call = async (command: string, ...words: string[]) => {
    const [program = '', ...rest] = [...asAccount, command, ...words]
    const { stdout } = await run(program, rest, { env, cwd: folder, maxBuffer: 64 * 2 ** 20 })
    return stdout
  }
  const control = (...words: string[]) => call(join(bin, 'pg_ctl'), '-D', data, '-w', '-t', '120', ...words)
  const words = ['-U', 'operator', '--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums']
  await call(join(bin, 'initdb'), '-D', data, ...words)
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${sockets}'`,
    'archive_mode = on',
    "archive_command = 'pgbackrest archive-push %p'",
    'archive_timeout = 60',
    'max_connections = 200',
  ]
  appendFileSync(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const url = `postgresql://operator@127.0.0.1:${port}/postgres`
  const start = async () => {
    await control('-l', join(folder, 'run', 'postgres.log'), 'start')
    await until('the database is no longer in recovery', () => isPrimary(url))
  }
  const stop = async () => void (await control('-m', 'fast', 'stop'))
  await start()
  after(async () => void (await control('-m', 'immediate', 'stop').catch(() => {})))
  const backrest = (...typed: string[]) => call('pgbackrest', ...typed)
  await backrest('stanza-create')
  await backrest('check')
  return { url, backrest, start, stop }
}

/** What the file of `ops/backup` leaves to a machine: pgBackRest takes each option from here before its file. */
export const backrestVariables = (
  folders: Record<'repository' | 'spool' | 'log' | 'lock' | 'data' | 'sockets', string>,
) => ({
  PGBACKREST_CONFIG: config,
  PGBACKREST_REPO1_PATH: folders.repository,
  PGBACKREST_REPO1_CIPHER_PASS: 'only for the drill',
  PGBACKREST_SPOOL_PATH: folders.spool,
  PGBACKREST_LOG_PATH: folders.log,
  PGBACKREST_LOCK_PATH: folders.lock,
  PGBACKREST_PG1_PATH: folders.data,
  PGBACKREST_PG1_SOCKET_PATH: folders.sockets,
  PGBACKREST_LOG_LEVEL_CONSOLE: 'warn',
})

function findPrograms(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map(version => join(root, version, 'bin')).find(path => existsSync(join(path, 'initdb')))
  if (!found || !existsSync('/usr/bin/pgbackrest'))
    throw new OperatorProblem(
      'The drill needs PostgreSQL and pgBackRest: apt-get install -y --no-install-recommends postgresql pgbackrest',
    )
  return found
}

async function isPrimary(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query('select not pg_is_in_recovery() as ok')).rows[0].ok
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
