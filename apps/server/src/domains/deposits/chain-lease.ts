import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { Deps } from '../../deps.ts'
import { type Queryable, run } from '../../kit/db.ts'
import { keepAlive } from '../../kit/keep-alive.ts'
import { type ChainRow, leaseChain, lockChain, releaseChainLease, renewChainLease } from '../chains/store.ts'
import { OutOfOrder } from './out-of-order.ts'

/** How often a lease is renewed (ms); it lasts six seconds. */
export const leaseRenewalMs = 2_000

const holdLock = run('presence-lock', 'select 1 as held from pg_advisory_lock($1)')

/**
 * An advisory lock on a connection of its own. It ends with the process, so that leases of a process that was killed
 * need not run out. A frozen process keeps it.
 */
export class PresenceLock {
  readonly #options: pg.PoolOptions
  #held: Promise<{ client: pg.Client; key: number }> | undefined

  constructor({ pool }: Pick<Deps, 'pool'>) {
    this.#options = pool.options
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
    const client = new pg.Client({ ...this.#options, keepAlive: true, application_name: 'coffer presence' })
    client.on('error', () => {}).on('end', lost)
    try {
      await client.connect()
      await this.#options.onConnect?.(client)
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

/** A lease of a chain. */
export interface ChainLease {
  fence: number
  /** Aborts when another process has taken the lease. */
  lost: AbortSignal
  /**
   * Whether to renew: not while nodes fail or nothing moves, so that a process that reaches them can take the lease.
   */
  isRenewed: () => boolean
}

/**
 * Runs `work` while this process has the lease of a chain. Resolves to false, and runs nothing, while another process
 * has it. Throws OutOfOrder when the lease was lost.
 */
export async function withChainLease(
  { pool }: Pick<Deps, 'pool'>,
  { chainId, presence }: { chainId: string; presence: PresenceLock },
  work: (lease: ChainLease) => Promise<void>,
): Promise<boolean> {
  const row = await leaseChain(pool, chainId, await presence.key())
  if (!row) return false
  const lost = new AbortController()
  const lease: ChainLease = { fence: row.fence, lost: lost.signal, isRenewed: () => true }
  let isRenewing = false
  const renew = async () => {
    if (isRenewing || !lease.isRenewed()) return
    isRenewing = true
    try {
      if ((await renewChainLease(pool, chainId, lease.fence, await presence.key())) === 0) lost.abort()
    } catch {
      // A failure is temporary, or the lease ends: either shows at the next renewal.
    } finally {
      isRenewing = false
    }
  }
  const timer = setInterval(renew, leaseRenewalMs)
  try {
    await work(lease)
  } catch (error) {
    throw lost.signal.aborted ? followedElsewhere(chainId) : error
  } finally {
    clearInterval(timer)
    await releaseChainLease(pool, chainId, lease.fence).catch(() => {})
  }
  return true
}

/**
 * Locks a chain for a write of its follower. Throws OutOfOrder when another process has leased the chain since.
 * @param fence the number of the follower's lease; not checked when omitted
 */
export async function lockLeasedChain(c: Queryable, chainId: string, fence?: number): Promise<ChainRow> {
  const chain = await lockChain(c, chainId)
  if (!chain) throw new Error(`no chain ${chainId}`)
  // guard: fence
  if (fence !== undefined && chain.fence !== fence) throw followedElsewhere(chainId)
  return chain
}

const followedElsewhere = (chainId: string) => new OutOfOrder(`${chainId} is followed by another process`)
