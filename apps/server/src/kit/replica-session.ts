import { setTimeout as sleep } from 'node:timers/promises'
import type { replicaProblems } from '@coffer/contract/operator/operations.ts'
import type pg from 'pg'
import type { Session } from './session.ts'

/**
 * Where the log of the primary was when somebody asked. A replica of the same history that has replayed it has all that
 * was confirmed before.
 */
export interface PrimaryPosition {
  /** Identifier of the cluster, which its replicas have too. */
  system: string
  /** Place in the log. */
  lsn: string
  /** The server that asks, and the last mark that it made on this primary: no other history has it. */
  server: string
  mark: number
}

/** Why a replica is not read. */
export type ReplicaProblem = (typeof replicaProblems)[number]

/** SQL of the identifier of a cluster. */
export const systemSql = '(select system_identifier::text from pg_control_system())'

/**
 * Of one statement the snapshot may be older than the position, so that what is to be seen is read by a later one. A
 * primary that has nothing to write makes no replica late.
 */
const readReplica = `select pg_is_in_recovery() as standby, ${systemSql} as system,
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as replayed,
  exists (select from replica_marks where server = $2 and mark >= $3) as same,
  greatest(coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0), 0)::float8 as bytes,
  greatest(coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0), 0)::float8 as seconds`

interface Reading {
  standby: boolean
  system: string
  replayed: boolean
  same: boolean
  bytes: number
  seconds: number
}

/** The replica cannot be read now. */
export class ReplicaUnfit extends Error {
  readonly problem: ReplicaProblem
  readonly lag: { seconds: number; bytes: number }

  constructor(problem: ReplicaProblem, { seconds, bytes }: Reading) {
    super(replicaProblemTexts[problem])
    this.problem = problem
    this.lag = { seconds, bytes }
  }
}

export const replicaProblemTexts: Record<ReplicaProblem, string> = {
  behind: 'it has not replayed what the primary wrote',
  away: 'it does not answer',
  promoted: 'it is a primary',
  diverged: 'it follows another history, as after a failover',
  other: 'it is a replica of another database: correct DATABASE_READ_URL',
}

/** How long (ms) the replica may take to answer how far it is. */
const answerMs = 1_000
/** How long (ms) an export waits for a replica that is behind: it takes longer than a list. */
export const exportPatienceMs = 10_000

/**
 * Waits until what this connection leads to has everything up to a position. Returns how far it was behind before.
 * @throws ReplicaUnfit
 */
export async function awaitPosition(
  c: pg.ClientBase,
  position: PrimaryPosition,
  patience: number,
): Promise<{ seconds: number; bytes: number }> {
  let lag: { seconds: number; bytes: number } | undefined
  const until = performance.now() + patience
  const query = {
    name: 'replica-state',
    text: readReplica,
    values: [position.lsn, position.server, position.mark],
    query_timeout: answerMs,
  }
  for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, 100)) {
    const reading = (await c.query<Reading>(query)).rows[0]!
    lag ??= { bytes: reading.bytes, seconds: reading.bytes > 0 ? reading.seconds : 0 }
    if (reading.system !== position.system) throw new ReplicaUnfit('other', reading)
    if (!reading.standby) throw new ReplicaUnfit('promoted', reading)
    if (reading.replayed && reading.same) return lag
    // A history as long without the mark is another one, as that of a former primary.
    if (reading.replayed) throw new ReplicaUnfit('diverged', reading)
    if (performance.now() > until) throw new ReplicaUnfit('behind', reading)
    await sleep(pauseMs)
  }
}

/** Sets up a connection to the replica like those to the primary. */
export async function beginReplicaSession(client: pg.ClientBase, session: Session): Promise<void> {
  const { role, statementMs, idleMs, lockMs } = session
  await client.query(
    `select set_config('role', $1, false), set_config('statement_timeout', $2, false),
       set_config('idle_in_transaction_session_timeout', $3, false), set_config('lock_timeout', $4, false)`,
    [role, statementMs, idleMs, lockMs],
  )
}
