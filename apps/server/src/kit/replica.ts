import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { isConnectionLost, isOverload } from './database-problem.ts'
import { first, type Queryable, run } from './db.ts'
import { registry } from './metrics.ts'
import {
  awaitPosition,
  type PrimaryPosition,
  type ReplicaProblem,
  ReplicaUnfit,
  replicaProblemTexts,
  systemSql,
} from './replica-session.ts'
import { poolSessions, type Session } from './session.ts'

/** How the replica fares, as far as this server has seen. */
export interface ReplicaState {
  problem: ReplicaProblem | null
  /** The last error, while it is away. */
  reason: string
  /** How far it was behind when last looked at. */
  lagSeconds: number
  lagBytes: number
}

const timelineSql = `('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int`

// What is confirmed is flushed, and what is only inserted may wait for it.
const readPosition = first(
  'replica-position',
  `select ${systemSql} as system, ${timelineSql} as timeline, pg_current_wal_flush_lsn()::text as lsn`,
)
const makeMark = first(
  'replica-mark',
  `insert into replica_marks as m (server, mark, made_at) values ($1, 1, extract(epoch from clock_timestamp())::bigint)
   on conflict (server) do update set mark = m.mark + 1, made_at = extract(epoch from clock_timestamp())::bigint
   returning mark, ${timelineSql} as timeline`,
)
/** Deletes the marks of servers that have ended. */
export const deleteOldReplicaMarks = run(
  'replica-forget',
  'delete from replica_marks where made_at < extract(epoch from clock_timestamp())::bigint - 86400',
)

/** How long (ms) a list waits for a replica that is behind, before it reads the primary. */
const patienceMs = 300

const registers = [registry]
const used = new Gauge({ name: 'coffer_replica_used', help: '1 while the replica is read, 0 while not', registers })
const lagSeconds = new Gauge({ name: 'coffer_replica_lag_seconds', help: 'How far the replica is behind', registers })
const lagBytes = new Gauge({ name: 'coffer_replica_lag_bytes', help: 'Log that the replica lacks', registers })
const reads = new Counter({
  name: 'coffer_replica_reads_total',
  help: 'Lists, statistics and exports by where they were read',
  labelNames: ['from'],
  registers,
})

/** What an export needs to read the replica over a connection of its own. */
export interface ReplicaExport {
  connection: { connectionString: string | undefined }
  session: Session | undefined
  position: PrimaryPosition
}

/**
 * Reads lists from a replica, as they are on the primary: each waits until the replica has what was confirmed before it
 * was asked for. When that takes too long, or the replica fails, it is read from the primary.
 */
export class Replica {
  readonly #primary: pg.Pool
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #server = randomUUID()
  #mark: { mark: number; timeline: number | null } | undefined
  #state: ReplicaState = { problem: 'away', reason: 'not asked yet', lagSeconds: 0, lagBytes: 0 }
  #watched: ReplicaProblem | null | undefined
  #said: ReplicaProblem | null | undefined

  constructor({ primary, pool, log }: { primary: pg.Pool; pool: pg.Pool; log: Logger }) {
    this.#primary = primary
    this.#pool = pool
    this.#log = log
  }

  state(): ReplicaState {
    return this.#state
  }

  /** Returns what `work` reads from the replica, or undefined: then the primary is to be read. */
  async read<T>(work: (pool: pg.Pool) => Promise<T>): Promise<{ value: T } | undefined> {
    const position = this.#state.problem === null ? await this.#findPosition(this.#primary) : undefined
    if (!position) {
      reads.inc({ from: 'primary' })
      return undefined
    }
    try {
      const value = await this.#borrow(async c => {
        await awaitPosition(c, position, patienceMs)
        return runInTurn(c, work)
      })
      reads.inc({ from: 'replica' })
      return { value }
    } catch (error) {
      this.#noteFailure(error)
      reads.inc({ from: 'primary' })
      return undefined
    }
  }

  /** Returns what an export reads, or undefined while the replica is not read. */
  async beginExport(): Promise<ReplicaExport | undefined> {
    const position = this.#state.problem === null ? await this.#findPosition(this.#primary) : undefined
    if (!position) reads.inc({ from: 'primary' })
    return (
      position && {
        connection: { connectionString: this.#pool.options.connectionString },
        session: poolSessions.get(this.#pool),
        position,
      }
    )
  }

  /** Notes whether an export could be read from the replica. */
  noteExport(isRead: boolean): void {
    reads.inc({ from: isRead ? 'replica' : 'primary' })
  }

  /**
   * Marks the history of the primary, looks how the replica fares, and says so once it changed and stayed so. Throws
   * only when the primary cannot be asked.
   */
  async watch(primary: Queryable): Promise<void> {
    this.#mark = await makeMark(primary, this.#server)
    const position = await this.#findPosition(primary)
    if (!position) return
    try {
      const { seconds, bytes } = await this.#borrow(c => awaitPosition(c, position, patienceMs))
      this.#set({ problem: null, reason: '', lagSeconds: seconds, lagBytes: bytes })
    } catch (error) {
      this.#noteFailure(error)
      if (isOverload(error)) this.#setAway(error)
    }
    const { problem, reason, ...lag } = this.#state
    if (problem === this.#watched && problem !== this.#said) {
      const about = problem === null ? {} : { problem, reason, ...lag }
      if (problem !== null) this.#log.warn(about, `the replica is not read: ${replicaProblemTexts[problem]}`)
      else this.#log.info(about, 'lists and exports are read from the replica')
      this.#said = problem
    }
    this.#watched = problem
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }

  /** Undefined while no mark was made in the present history of the primary. */
  async #findPosition(primary: Queryable): Promise<PrimaryPosition | undefined> {
    const { system, timeline, lsn } = (await readPosition(primary))!
    if (!this.#mark || timeline !== this.#mark.timeline) return undefined
    return { system: system!, lsn: lsn!, server: this.#server, mark: this.#mark.mark }
  }

  async #borrow<T>(work: (c: pg.PoolClient) => Promise<T>): Promise<T> {
    const c = await this.#pool.connect()
    let broken: Error | undefined
    try {
      return await work(c)
    } catch (error) {
      // A statement that may still run would hold up the next.
      if (isConnectionLost(error)) broken = error as Error
      throw error
    } finally {
      c.release(broken)
    }
  }

  /** Throws what is no failure of the replica, such as a refusal. */
  #noteFailure(error: unknown): void {
    if (error instanceof ReplicaUnfit) {
      const { seconds, bytes } = error.lag
      this.#set({ problem: error.problem, reason: error.message, lagSeconds: seconds, lagBytes: bytes })
    } else if (isConnectionLost(error)) this.#setAway(error)
    // Such as what PostgreSQL cancels because the primary has removed rows that it reads.
    else if (!isOverload(error) && !(error instanceof pg.DatabaseError)) throw error
  }

  #setAway(error: unknown): void {
    this.#set({ ...this.#state, problem: 'away', reason: (error as Error).message })
  }

  #set(state: ReplicaState): void {
    this.#state = state
    used.set(state.problem === null ? 1 : 0)
    lagSeconds.set(state.lagSeconds)
    lagBytes.set(state.lagBytes)
  }
}

/**
 * Gives `work` a connection in place of a pool: only what this connection leads to is known to have everything. Its
 * statements run one after the other, and none after the work has ended.
 */
async function runInTurn<T>(c: pg.PoolClient, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  let isOver = false
  let last: Promise<unknown> = Promise.resolve()
  const query = (...input: unknown[]): Promise<unknown> => {
    const next = last.then(() => {
      if (isOver) throw new Error('the read has ended')
      return (c.query as (...input: unknown[]) => Promise<unknown>)(...input)
    })
    last = next.catch(() => {})
    return next
  }
  try {
    return await work({ query, options: {} } as unknown as pg.Pool)
  } finally {
    isOver = true
    await last
  }
}
