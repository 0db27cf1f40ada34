import type pg from 'pg'

/** Thrown to every caller once the server process has been killed. */
export class Killed extends Error {
  override name = 'Killed'
}

/**
 * When to kill the process: `at` is the number of statements that still succeed, `carriedOut` whether the database executes
 * the fatal one, which can be a commit.
 */
export type Plan = { at: number; carriedOut: boolean }

/**
 * The connection pool of one server process, which can be killed between any two statements. Killing it closes its sockets
 * and fails every later statement. The database rolls back open transactions.
 */
export class MortalPool {
  readonly pool: pg.Pool
  #plan: Plan | null = null
  #dead = false
  readonly #open = new Set<pg.PoolClient>()

  constructor(pool: pg.Pool) {
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

  /** Schedules the kill, or cancels it with null. */
  plan(plan: Plan | null): void {
    this.#plan = plan
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
