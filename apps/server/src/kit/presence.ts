import { randomInt } from 'node:crypto'
import pg from 'pg'
import { run } from './db.ts'
import { keepAlive } from './keep-alive.ts'

const holdLock = run('presence-lock', 'select 1 as held from pg_advisory_lock($1)')

/**
 * An advisory lock on a connection of its own. It ends with the process, so that leases of a process that was killed
 * need not run out. A frozen process keeps it.
 */
export class PresenceLock {
  readonly #pool: pg.Pool
  #held: Promise<{ client: pg.Client; key: number }> | undefined

  constructor({ pool }: { pool: pg.Pool }) {
    this.#pool = pool
  }

  /** Returns the key of the lock, a new one if its connection was lost. */
  async key(): Promise<number> {
    if (!this.#held) {
      const held = this.#hold(() => {
        if (this.#held === held) this.#held = undefined
      })
      this.#held = held
    }
    return (await this.#held).key
  }

  async #hold(lost: () => void) {
    const client = new pg.Client({ ...this.#pool.options, keepAlive: true, application_name: 'coffer presence' })
    client.on('error', () => {}).on('end', lost)
    try {
      await client.connect()
      await this.#pool.options.onConnect?.(client)
      const key = randomInt(2 ** 47)
      await holdLock(client, key)
      keepAlive(client)
      return { client, key }
    } catch (error) {
      lost()
      await client.end().catch(() => {})
      throw error
    }
  }

  async end(): Promise<void> {
    const held = await this.#held?.catch(() => undefined)
    await held?.client.end().catch(() => {})
  }
}
