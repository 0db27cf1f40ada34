import { inspect } from 'node:util'
import type pg from 'pg'
import type { Turns } from './turns.ts'

/** Thrown to every caller once the server process has been killed. */
export class Killed extends Error {
  override name = 'Killed'
}

/**
 * What happens at a statement: `at` is the number of statements that still succeed. The process is killed, where
 * `carriedOut` says whether the database executes the fatal one, which can be a commit; or the database crashes, so
 * that all connections end; or the process freezes until it is thawed.
 */
export type Plan =
  | { at: number; what: 'killed'; carriedOut: boolean }
  | { at: number; what: 'crash' }
  | { at: number; what: 'frozen'; frozen: () => void; thawed: Promise<void> }

/** Reports whether an error results from a connection that has ended. */
export const isCut = (error: unknown) =>
  /Connection terminated|terminating connection|not queryable|EPIPE|ECONNRESET/.test(String((error as Error).message))

/**
 * The connection pool of one server process, which can be killed between any two statements. Killing it closes its
 * sockets and fails every later statement. The database rolls back open transactions.
 */
export class MortalPool {
  readonly pool: pg.Pool
  #plan: Plan | null = null
  #dead = false
  readonly #open = new Set<pg.PoolClient>()
  readonly #owner: pg.Pool
  readonly #turns: Turns
  readonly #note: (what: string) => void

  constructor({
    pool,
    owner,
    turns,
    note,
  }: { pool: pg.Pool; owner: pg.Pool; turns: Turns; note: (what: string) => void }) {
    this.#owner = owner
    this.#turns = turns
    this.#note = note
    this.pool = new Proxy(pool, {
      get: (target, name) => {
        if (name === 'connect') return () => this.#connect(target)
        if (name === 'query') return (...args: [Statement]) => (isHint(args[0]) ? nothing : this.#alone(target, args))
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
    const cut = [...this.#open]
    const pids = cut.map(client => (client as unknown as { processID: number }).processID)
    await this.#owner.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid', [pids])
    // A connection that ends later would be given to somebody else.
    while (!cut.every(client => socketOf(client).destroyed)) await new Promise(resolve => setImmediate(resolve))
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    if (this.#dead) throw new Killed('no process')
    await this.#turns.reserve()
    const connecting = this.#turns.take(
      () => pool.connect(),
      () => null,
    )
    const client = await connecting.catch(error => {
      this.#turns.release()
      throw error
    })
    this.#open.add(client)
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return (...args: [Statement]) => this.#statement(target, args)
        if (name === 'release') {
          return (error?: Error) => {
            this.#open.delete(client)
            target.release(this.#dead ? new Killed('no process') : error)
            this.#turns.release()
          }
        }
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** Runs a statement on a connection of its own. */
  async #alone(pool: pg.Pool, args: [Statement]) {
    const client = (await this.#connect(pool)) as pg.PoolClient
    let error: Error | undefined
    try {
      return await client.query(...(args as [string]))
    } catch (cause) {
      if (isCut(cause)) error = cause as Error
      throw cause
    } finally {
      client.release(error)
    }
  }

  async #statement(client: pg.PoolClient, args: [Statement]): Promise<unknown> {
    if (this.#dead) throw new Killed('no process')
    this.#note(inspect(args, { depth: null, maxStringLength: null, maxArrayLength: null }))
    const run = () =>
      this.#turns.take(
        () => client.query(...(args as [string])),
        () => (client as unknown as { processID: number }).processID,
      )
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
type Statement = string | { name?: string }
const isHint = (statement: Statement) => typeof statement !== 'string' && statement.name === 'hints-send'
const nothing = Promise.resolve({ rows: [], rowCount: 0 })

const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy: () => void; destroyed: boolean } } }).connection.stream
