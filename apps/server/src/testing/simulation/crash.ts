import type pg from 'pg'

/** Thrown to every caller once the server process has been killed. */
export class Killed extends Error {
  override name = 'Killed'
}

/**
 * What happens at a statement: `at` is the number of statements that still succeed. The process is killed, where `carriedOut` tells
 * whether the database executes the fatal one, which can be a commit; or the database crashes, so that all connections end; or the
 * process freezes until it is thawed.
 */
export type Plan =
  | { at: number; what: 'killed'; carriedOut: boolean }
  | { at: number; what: 'crash' }
  | { at: number; what: 'frozen'; frozen: () => void; thawed: Promise<void> }

/** Reports whether an error results from a connection that has ended. */
export const isCut = (error: unknown) =>
  /Connection terminated|terminating connection|not queryable|EPIPE|ECONNRESET/.test(String((error as Error).message))

/**
 * The connection pool of one server process, which can be killed between any two statements. Killing it closes its sockets
 * and fails every later statement. The database rolls back open transactions.
 */
export class MortalPool {
  readonly pool: pg.Pool
  #plan: Plan | null = null
  #dead = false
  readonly #open = new Set<pg.PoolClient>()
  readonly #owner: pg.Pool

  constructor(pool: pg.Pool, owner: pg.Pool) {
    this.#owner = owner
    this.pool = new Proxy(pool, {
      get: (target, name) => {
        if (name === 'connect') return () => this.#connect(target)
        if (name === 'query')
          return (...args: [string | { name?: string }]) =>
            isHint(args[0]) ? nothing : this.#statement(() => target.query(...(args as [string])))
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  get dead(): boolean {
    return this.#dead
  }

  /** Schedules what happens, or cancels it with null. */
  plan(plan: Plan | null): void {
    this.#plan = plan
  }

  /** Ends the connections in use, as PostgreSQL does with idle transactions and when it crashes. */
  async cut(): Promise<void> {
    const pids = [...this.#open].map(client => (client as unknown as { processID: number }).processID)
    await this.#owner.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid', [pids])
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#dead) throw new Killed('no process')
    const client = await pool.connect()
    this.#open.add(client)
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return (...args: [string]) => this.#statement(() => target.query(...args))
        if (name === 'release') {
          return (error?: Error) => {
            this.#open.delete(client)
            target.release(this.#dead ? new Killed('no process') : error)
          }
        }
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  async #statement<T>(run: () => Promise<T>): Promise<T> {
    if (this.#dead) throw new Killed('no process')
    const plan = this.#plan
    if (!plan || plan.at-- > 0) return run()
    if (plan.what !== 'killed') {
      this.#plan = null
      if (plan.what === 'frozen') {
        plan.frozen()
        await plan.thawed
      } else await this.cut()
      return run()
    }
    if (plan.carriedOut) await run().catch(() => {})
    this.#dead = true
    for (const client of this.#open) socketOf(client).destroy()
    throw new Killed('killed here')
  }
}

/** Hints are sent in real time, beside the simulated process. Nobody listens. */
const isHint = (statement: string | { name?: string }) =>
  typeof statement !== 'string' && statement.name === 'hints-send'
const nothing = Promise.resolve({ rows: [], rowCount: 0 })

const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream
