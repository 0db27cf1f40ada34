import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { type ChainRow, leaseChain, lockChain, releaseChainLease, renewChainLease } from '../chains/store.ts'
import { OutOfOrder } from './out-of-order.ts'

/** How often a lease is renewed (ms); it lasts six seconds. */
export const leaseRenewalMs = 2_000

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

/** How long (ms) a chain is left to other servers after this one failed to follow it. */
export const declinedMs = 60_000

/** The name of following a chain among the work that servers share. */
export const followWork = (chainId: string): string => `follow ${chainId}`

/**
 * Runs `work` while this process has the lease of a chain. Resolves to false, and runs nothing, while another process
 * has it, or should have it and has a moment to take it. Throws OutOfOrder when the lease was lost, or left to the
 * process that should have it.
 */
export async function withChainLease(
  { pool, share }: Pick<Deps, 'pool' | 'share'>,
  { chainId }: { chainId: string },
  work: (lease: ChainLease) => Promise<void>,
): Promise<boolean> {
  const { presence } = share
  const isPreferred = () => share.isPreferred(followWork(chainId))
  const row = await leaseChain(pool, chainId, await presence.key(), isPreferred())
  if (!row) return false
  let isLeft = false
  const lost = new AbortController()
  const lease: ChainLease = { fence: row.fence, lost: lost.signal, isRenewed: () => true }
  let isRenewing = false
  const renew = async () => {
    if (isRenewing) return
    if (!lease.isRenewed()) return share.decline(followWork(chainId), declinedMs)
    if (!isPreferred()) {
      isLeft = true
      return lost.abort()
    }
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
    await releaseChainLease(pool, chainId, lease.fence, isLeft).catch(() => {})
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
