import type pg from 'pg'
import type { LiveHint } from './live.ts'

/**
 * The order in which parts are written. Postings come late, because they lock balances until the commit. Any part may
 * add hints.
 */
const order = [
  'deposits',
  'comparisons',
  'sweeps',
  'payments',
  'history',
  'callbacks',
  'events',
  'statistics',
  'counts',
  'audit log',
  'incidents',
  'postings',
  'hints',
] as const

type Name = (typeof order)[number]

/** One kind of row. `write` receives all its rows of a transaction, at least one. */
export interface UnitOfWorkPart<T> {
  name: Name
  write: (c: pg.PoolClient, rows: readonly T[], uow: UnitOfWork) => Promise<unknown>
}

/** Rows that a command collects during its transaction. `tx` writes them before the commit, each part once. */
export class UnitOfWork {
  /** The connection of the transaction. */
  readonly c: pg.PoolClient
  /** Hints to send once the transaction is committed. */
  readonly hints: LiveHint[] = []
  /** What this process counts once the transaction is committed. It must not throw. */
  readonly afterCommit: (() => void)[] = []
  readonly #parts = new Map<Name, { part: UnitOfWorkPart<never>; rows: unknown[] }>()

  constructor(c: pg.PoolClient) {
    this.c = c
  }

  /** Collects rows: `uow.add(hints, [{ merchant_id, type: 'account', id: '' }])`. */
  add<T>(part: UnitOfWorkPart<T>, rows: readonly T[]): void {
    const collected = this.#parts.get(part.name)
    if (!collected) this.#parts.set(part.name, { part, rows: [...rows] })
    else for (const row of rows) collected.rows.push(row)
  }

  /** Writes the collected rows. Commands call it only to read their own changes, after their last `add`. */
  async flush(): Promise<void> {
    for (const name of order) {
      const { part, rows } = this.#parts.get(name) ?? {}
      if (!part || rows?.length === 0) continue
      // guard: one-flush
      await part.write(this.c, rows as never[], this)
    }
    this.#parts.clear()
  }
}
