import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorProblem } from '@coffer/local/problem.ts'
import pg from 'pg'
import { schemaLock } from './migrate.ts'

/** How long a held connection may be silent: PostgreSQL releases the lock of a host that vanished. */
const keepAlive = `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false)`

/** Waits while a migration has the lock alone. Not in a statement, for whose snapshot a new index would wait. */
async function shareSchema(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as ok', [schemaLock])
    if (rows[0].ok) return
    await sleep(200)
  }
}

export interface Hold {
  options: pg.ClientConfig & Pick<pg.PoolConfig, 'onConnect'>
  /** Throws a Problem when this version does not fit the database. */
  check: () => Promise<void>
  /** Called once, when the database was migrated while the connection was lost. The process must stop. */
  onProblem: (problem: OperatorProblem) => void
}

/**
 * Keeps migrations from changing the schema under this process: shares an advisory lock, which they take alone, on a
 * connection of its own. Resolves once the lock is held and the schema fits. A lost connection is opened again, and the
 * schema checked again.
 * @returns a function that lets migrations run
 */
export async function holdSchema({ options, check, onProblem }: Hold): Promise<() => Promise<void>> {
  let client: pg.Client | undefined
  let isEnded = false
  const open = async () => {
    const next = new pg.Client({
      ...options,
      keepAlive: true,
      application_name: 'coffer schema',
    })
    let isLost = false
    next.on('error', () => {})
    next.on('end', () => {
      isLost = true
      if (client === next) void again()
    })
    try {
      await next.connect()
      await options.onConnect?.(next)
      await next.query(keepAlive)
      await shareSchema(next)
      await check()
      if (isLost) throw new Error('the connection was lost while the schema was checked')
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    client = next
  }
  const again = async () => {
    while (!isEnded) {
      try {
        return await open()
      } catch (error) {
        if ((error as Error).name === 'OperatorProblem') return onProblem(error as OperatorProblem)
        await sleep(500)
      }
    }
  }
  await open()
  return async () => {
    isEnded = true
    await client?.end()
  }
}
