import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@coffer/local/postgres.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { pino } from 'pino'
import { makePool } from '../make-deps.ts'
import { migrate } from '../migrations/migrate.ts'

/** Runs a statement over a connection of its own. */
export const runOnce = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** A primary with a migrated database, and a replica that streams from it. */
export async function replicatedDatabase(scope: Scope) {
  const root = mkdtempSync(join(tmpdir(), 'coffer-replica-'))
  // PostgreSQL may run as another user, and the replica asks the primary by its socket.
  chmodSync(root, 0o755)
  const running = new Map<string, Postgres>()
  const ends: (() => Promise<void> | void)[] = [() => rmSync(root, { recursive: true })]
  scope.after(async () => {
    for (const end of ends) await end()
  })
  const start = async (name: string, settings: Record<string, string> = {}) => {
    const dataDir = join(root, name)
    // A file of many replicas of tests.
    const common = { synchronous_commit: 'on', shared_buffers: '32MB', wal_receiver_status_interval: '1s' }
    const started = await startPostgres({ dataDir, durable: false, settings: { ...common, ...settings } })
    running.set(name, started)
    return started
  }
  ends.unshift(async () => void (await Promise.all([...running.values()].map(each => each.stop()))))
  const folderOf = (name: string) => join(root, name, 'pg')
  const first = await start('primary')
  await migrate(first.url)
  await first.stop()
  execFileSync('mkdir', ['-p', join(root, 'replica')])
  execFileSync('cp', ['-a', folderOf('primary'), folderOf('replica')])
  writeFileSync(join(folderOf('replica'), 'standby.signal'), '')
  const primary = await start('primary')
  const { host, port, user } = primary.config
  const startReplica = () => start('replica', { primary_conninfo: `host=${host} port=${port} user=${user}` })
  const replica = await startReplica()
  const pool = makePool(primary.url, pino({ level: 'silent' }))
  const owner = new pg.Pool({ connectionString: primary.url, max: 3 })
  owner.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  ends.unshift(async () => void (await Promise.all([pool.end(), owner.end()])))
  const postmaster = () => Number(readFileSync(join(folderOf('replica'), 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    database: { pool, owner, url: primary.url },
    replicaUrl: replica.url,
    onReplica: (sql: string) => runOnce(replica.url, sql),
    /** Ends the replica at once, as a crash does. */
    crashReplica: async () => {
      process.kill(postmaster(), 'SIGQUIT')
      await running.get('replica')!.stop()
    },
    startReplica,
    /** Makes a replica of what was promoted. */
    standReplicaBy: async () => {
      await running.get('replica')!.stop()
      writeFileSync(join(folderOf('replica'), 'standby.signal'), '')
      await start('replica')
    },
    /** Freezes the replica with its connections. Returns what wakes it. */
    freezeReplica: async () => {
      const rows = await runOnce(replica.url, "select pid from pg_stat_activity where backend_type = 'client backend'")
      const pids = [postmaster(), ...rows.map(({ pid }) => Number(pid))]
      const send = (signal: NodeJS.Signals) => {
        for (const pid of pids)
          try {
            process.kill(pid, signal)
          } catch {
            // The connection that asked has ended.
          }
      }
      send('SIGSTOP')
      ends.unshift(() => send('SIGCONT'))
      return () => send('SIGCONT')
    },
  }
}
