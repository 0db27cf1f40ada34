import type { Socket } from 'node:net'
import pg from 'pg'

/** Undoes what a session may have set, and says whether it has prepared statements besides those of `pg`. */
const resetSession = `set session authorization default; reset role; reset all; discard temp; unlisten *;
  select pg_advisory_unlock_all(); select exists (select from pg_prepared_statements where from_sql) as "isUsed"`

/** The socket of a connected client. One without a reference lets the process end. */
export const socketOf = (client: pg.Client) => client.connection.stream as Socket

/**
 * A client that outlives its pool: when that ends, the session is reset and kept for another pool, which connects it
 * for nothing. A new session would read the catalogs and plan each statement again.
 */
export class LastingClient extends pg.Client {
  /** The pool that uses it. */
  pool: pg.Pool
  readonly #keep: (reset: Promise<LastingClient | undefined>) => void
  #state: 'new' | 'open' | 'lost' = 'new'

  /** @param keep receives the client when its pool ends, or undefined when its session could not be reset */
  constructor(config: pg.ClientConfig, pool: pg.Pool, keep: (reset: Promise<LastingClient | undefined>) => void) {
    super(config)
    this.pool = pool
    this.#keep = keep
    this.#watch()
  }

  get isLost(): boolean {
    return this.#state === 'lost'
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void) {
    if (this.#state !== 'new') {
      socketOf(this).ref()
      process.nextTick(() => callback?.(undefined as unknown as Error))
      return
    }
    this.#state = 'open'
    return callback ? super.connect(callback) : super.connect()
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void) {
    const lasts = this.pool.ending && this.#state === 'open' && this.getTransactionStatus() === 'I' && !this.#isBusy()
    if (lasts) this.#keep(this.#reset())
    else if (!callback) return super.end()
    else return super.end(callback)
    if (callback) process.nextTick(callback)
  }

  async #reset(): Promise<LastingClient | undefined> {
    this.removeAllListeners()
    this.#watch()
    try {
      const results = (await this.query(resetSession)) as unknown as pg.QueryResult[]
      if (!results.at(-1)!.rows[0].isUsed) {
        socketOf(this).unref()
        return this
      }
    } catch {
      // The connection is lost.
    }
    await super.end()
    return undefined
  }

  #watch(): void {
    this.on('error', () => {})
    this.on('end', () => {
      this.#state = 'lost'
    })
  }

  /** Whether a query is under way, which the end of a connection interrupts. */
  #isBusy(): boolean {
    return (this as unknown as { _getActiveQuery: () => unknown })._getActiveQuery() !== null
  }
}
