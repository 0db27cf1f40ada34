import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { postgresAccount } from '../account.ts'
import { startChild } from '../children.ts'
import { findFreePort } from '../ports.ts'
import { postgresBinaries } from '../postgres-binaries.ts'
import { fastFolder } from './fast-folder.ts'
import { until } from './until.ts'

const password = 'only-for-tests'

/** A PostgreSQL server as operators use it: over TCP, with a password. */
export interface SecondPostgres {
  /** The connection string of its database `postgres`. */
  url: string
  version: string
  stop: () => Promise<void>
}

/**
 * Starts a throwaway server from the system's PostgreSQL (the newest under /usr/lib/postgresql), or from the embedded
 * one if there is none. Flushing to disk is off.
 */
export async function startSecondPostgres(): Promise<SecondPostgres> {
  const account = postgresAccount()
  const { initdb, postgres } = systemPrograms() ?? postgresBinaries(account)
  const folder = mkdtempSync(join(fastFolder(), 'coffer-second-pg-'))
  const data = join(folder, 'data')
  const secret = join(folder, 'password')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(secret, password)
  chmodSync(folder, 0o755)
  if (account) for (const path of [data, secret]) chownSync(path, account.uid, account.gid)
  const run = { cwd: data, ...(account && { uid: account.uid, gid: account.gid }) }
  const made = [
    '-D',
    data,
    '-U',
    'operator',
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    '--encoding=UTF8',
    '--locale=C',
  ]
  execFileSync(initdb, [...made, '--no-sync'], { ...run, stdio: 'pipe' })
  const port = await findFreePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const more = ['synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']
  const child = await startChild({
    name: 'second postgres',
    command: postgres,
    args: ['-D', data, ...[...settings, ...more].flatMap(setting => ['-c', setting])],
    ...run,
    stdio: 'ignore',
    stopWith: [
      ['SIGINT', 8_000],
      ['SIGQUIT', 1_500],
    ],
  })
  const url = `postgresql://operator:${password}@127.0.0.1:${port}/postgres`
  const stop = async () => {
    await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { url, version: await versionOf(url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function systemPrograms(): { initdb: string; postgres: string } | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions
    .map(version => ({
      initdb: join(root, version, 'bin', 'initdb'),
      postgres: join(root, version, 'bin', 'postgres'),
    }))
    .find(({ initdb, postgres }) => existsSync(initdb) && existsSync(postgres))
}

async function versionOf(url: string): Promise<string> {
  return until('the server answers', async () => {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query('show server_version')).rows[0].server_version as string
    } finally {
      await client.end().catch(() => {})
    }
  })
}
