import { setTimeout as sleep } from 'node:timers/promises'
import { type BlockId, type ChainView, isChainError } from '@coffer/chains'
import { type ChainEvent, Follower, type FollowerOptions, type FollowerPause } from '@coffer/chains/follower.ts'
import { Counter } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { isConnectionLost } from '../../kit/database-problem.ts'
import { tx } from '../../kit/db.ts'
import { logLoss } from '../../kit/log-loss.ts'
import { registry } from '../../kit/metrics.ts'
import { readChainAssets, selectWatchedAssets, type WatchedAssets } from '../chains/assets.ts'
import {
  readChain,
  requestReread,
  rereadApplySwitchName,
  setSwitch,
  storedBlocks,
  touchChain,
} from '../chains/store.ts'
import { applyBlocks } from './apply-blocks.ts'
import { applyReorg } from './apply-reorg.ts'
import { declinedMs, followWork, lockLeasedChain, withChainLease } from './chain-lease.ts'
import { findCommonAncestor } from './find-common-ancestor.ts'
import { haltChain } from './halt-chain.ts'
import { OutOfOrder } from './out-of-order.ts'
import { GasReadSchedule, readDepositGas } from './read-deposit-gas.ts'
import { findLowestUnconfirmedBlock } from './store.ts'
import { WatchedAddressSet } from './watched-address-set.ts'

/** Longest pause (ms) between requests to failing nodes. */
const longestPause = 15_000
/** The same while the database fails over, until when no order has an address (ms). */
const failoverPause = 1_000
/**
 * Longest pause (ms) between polls of nodes that answer, also while too few agree. A node that hangs meanwhile is
 * noticed after it.
 */
export const pollPauseMaxMs = 4_000
/** How long (ms) nothing may happen to any merchant until chains are polled once a block. */
const idleAfter = 30_000
/** Failed attempts before a log line says that nodes lag or disagree, since short disagreements are common. */
const manyAttempts = 5
/**
 * How long (ms) nothing may move until the lease, which lasts six seconds, is no longer renewed: another process then
 * takes it.
 */
export const stuckAfterMs = 3_000
/**
 * How long (ms) a head is taken for the newest, so that nodes are not queried again as soon as its block is applied.
 */
const freshFor = 100
/** How often (ms) to refresh the addresses while no block is read. */
const refreshEvery = 5_000
/**
 * How often (ms) to refresh them between blocks that follow each other faster: more are watched than are given out
 * meanwhile.
 */
const refreshBetween = 1_000
/**
 * Blocks or ranges of all chains that are read at once until none is read ahead: more than are when no chain is behind.
 */
const mostReads = 16
/** How often (ms) to check whether an operator has resumed a halted chain. */
const haltedPause = 2_000
/** How often (ms) to check whether a chain that another process follows, or that was just halted, can be leased. */
export const leaseRetryPauseMs = 250

const registers = [registry]
const labelNames = ['chain'] as const
const troubles = new Counter({ name: 'coffer_chain_troubles_total', help: 'Failures of nodes', labelNames, registers })

/** Follows chains until `signal` aborts. */
export async function followChains(deps: Deps, chains: Iterable<ChainView>, signal: AbortSignal): Promise<void> {
  let hintAt = performance.now()
  const unlisten = deps.live.onAny(() => {
    hintAt = performance.now()
  })
  const isIdle = () => performance.now() - hintAt > idleAfter
  const reads = { count: 0, most: mostReads }
  await Promise.all([...chains].map(chain => followChain(deps, { chain, reads, isIdle }, signal)))
  unlisten()
  await deps.share.presence.end()
}

/**
 * Follows one chain: reads and applies events, and restarts from the database after a failure. Waits while another
 * process has the lease of the chain.
 */
async function followChain(
  deps: Deps,
  { chain, reads, isIdle }: { chain: ChainView; reads: Reads; isIdle: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  const { id: chainId, kind } = chain.definition
  // Kept when following starts again, with what it knows about the rate of new addresses.
  const book = new WatchedAddressSet(deps, kind)
  for (let failures = 0; !signal.aborted; ) {
    try {
      if ((await readChain(deps.pool, chainId))?.halted) {
        await sleep(haltedPause, undefined, { signal })
        continue
      }
      await withChainLease(deps, { chainId }, async lease => {
        const ends = AbortSignal.any([signal, lease.lost])
        // Reading and writing may hang without an error.
        let movedAt = performance.now()
        let isResting = false
        let isReading = true
        const appearance = new BlockAppearance()
        lease.isRenewed = () =>
          isResting ||
          performance.now() - movedAt < stuckAfterMs ||
          (isReading && (chain.silentMs ?? Number.POSITIVE_INFINITY) < stuckAfterMs)
        const pace: FollowHooks = {
          fence: lease.fence,
          freshMs: freshFor,
          reads,
          wait: async (why, attempt) => {
            isResting = why !== 'error'
            const now = performance.now()
            if (why === 'tip') appearance.awaited(now)
            const sinceMs = now - appearance.at
            await sleep(computePollPauseMs(chain, why, { attempt, isIdle: isIdle(), sinceMs }), undefined, {
              signal: ends,
            })
            if (isResting) movedAt = performance.now()
            isResting = false
          },
          reading: () => {
            isReading = true
          },
          read: () => {
            movedAt = performance.now()
            isReading = false
          },
          applied: () => {
            ends.throwIfAborted()
            movedAt = performance.now()
            appearance.applied()
            isReading = true
            failures = 0
          },
        }
        await followUntilHalted(deps, chain, pace, book)
      })
      await sleep(leaseRetryPauseMs, undefined, { signal })
    } catch (error) {
      if (signal.aborted) return
      failures++
      const most = reportFailure(deps, chainId, error)
      await sleep(Math.min(pollPause(chain) * 2 ** failures, most), undefined, { signal }).catch(() => {})
    }
  }
}

/** Logs why following failed, leaves the chain to others if its nodes did, and returns the longest pause (ms). */
function reportFailure({ log, share }: Pick<Deps, 'log' | 'share'>, chainId: string, error: unknown): number {
  if (error instanceof OutOfOrder)
    log.warn({ chain: chainId, reason: error.message }, 'restarting from the stored block')
  else if (isChainError(error) || !logLoss(log, error, { chain: chainId }))
    log.error({ err: error, chain: chainId }, 'following the chain failed; retrying')
  if (isChainError(error)) share.decline(followWork(chainId), declinedMs)
  return isChainError(error) || !isConnectionLost(error) ? longestPause : failoverPause
}

type Reads = NonNullable<FollowerOptions['reads']>

/**
 * Hooks supplied by the caller: `wait` pauses before the next attempt, `reading` runs before nodes are read again after
 * a pause, `read` after they were and before the database is used, `applied` once an event is applied. A throw stops
 * following.
 */
export interface FollowHooks {
  wait: (why: FollowerPause, attempt: number) => Promise<unknown>
  reading?: () => void
  read?: () => void
  applied: () => void
  /** How long (ms) a head is taken for the newest; not at all when omitted. */
  freshMs?: number
  /** See the options of the follower. */
  reads?: Reads
  /** The number of the lease, without which nothing is written; not checked when omitted. */
  fence?: number
}

/** Follows from the stored position until the chain is halted. Errors are thrown to the caller. */
export async function followUntilHalted(
  deps: Deps,
  chain: ChainView,
  pace: FollowHooks,
  book = new WatchedAddressSet(deps, chain.definition.kind),
): Promise<void> {
  const { read, applied, fence } = pace
  const { id } = chain.definition
  const row = await readChain(deps.pool, id)
  if (!row) throw new Error(`no chain ${id} in the database`)
  if (row.halted) return
  await rereadUnconfirmed(deps, row, fence)
  await book.refresh()
  const taken = selectWatchedAssets(await readChainAssets(deps.pool, id))
  const touch = toucher(deps, id, fence)
  const gas = new GasReadSchedule()
  const follower = await openFollower(deps, { chain, row, pace, book, taken, touch, gas })
  for (;;) {
    const event = await follower.next()
    read?.()
    if (event.type === 'deep-reorg') {
      const ancestor = await findCommonAncestor(deps, chain, event.block)
      await haltChain(deps, { chainId: id, orphaned: event.block, ancestor, fence })
      return
    }
    await apply(deps, chain, event, taken, fence)
    await touch(follower.head, event.type === 'block' ? event.block.number : -1)
    gas.applied(event)
    // Otherwise it is refreshed before the next read.
    if (follower.readsAhead && book.ageMs > refreshBetween) await book.refresh()
    applied()
  }
}

type ChainRow = NonNullable<Awaited<ReturnType<typeof readChain>>>

/**
 * Requests the blocks again of deposits that became final without being confirmed: an earlier version requested them
 * again and again.
 */
async function rereadUnconfirmed(deps: Deps, { id, final_number }: ChainRow, fence: number | undefined): Promise<void> {
  const left = await findLowestUnconfirmedBlock(deps.pool, id, final_number)
  if (left === null) return
  await tx(deps.pool, async c => {
    await lockLeasedChain(c, id, fence)
    if (await requestReread(c, id, left))
      await setSwitch(c, rereadApplySwitchName(id), 'unconfirmed deposits', deps.clock())
  })
}

interface Following {
  chain: ChainView
  row: ChainRow
  pace: FollowHooks
  book: WatchedAddressSet
  taken: WatchedAssets
  touch: ReturnType<typeof toucher>
  gas: GasReadSchedule
}

/** Opens the follower of a chain at its stored position, or at its newest final block where none is stored. */
async function openFollower(deps: Deps, { chain, row, pace, book, taken, touch, gas }: Following): Promise<Follower> {
  const { wait, reading, read, freshMs = 0, reads, fence } = pace
  const { id, confirmations } = chain.definition
  const known = await knownBlocks(deps, id)
  let headAt = 0
  const start =
    row.last_number === null ? Math.max(0, (await chain.head()).number - confirmations) : row.last_number + 1
  const follower: Follower = new Follower({
    chain,
    filter: book.filter(...taken),
    asOf: () => book.upTo,
    isFresh: () => performance.now() - headAt < freshMs,
    ...(reads && { reads }),
    // Before blocks that are new, so that a poll that finds none costs no statement.
    beforeRead: async () => {
      headAt = performance.now()
      if (book.ageMs < refreshBetween) return
      read?.()
      await book.refresh()
      reading?.()
    },
    start,
    known,
    final: row.final_number,
    wait: async (why, attempt) => {
      if (why !== 'error') read?.()
      if (why === 'tip') {
        await touch(follower.head)
        // Only at the tip: catching up has priority.
        if (gas.isDue) gas.done(await readDepositGas(deps, chain, fence))
      }
      // Node failures are logged by onError.
      if ((why === 'behind' || why === 'no-quorum') && attempt === manyAttempts)
        deps.log.warn({ chain: id, why }, 'nodes lag behind or disagree')
      await wait(why, attempt)
      // While there are no blocks, the look-ahead still grows with the rate of new addresses.
      if (book.ageMs > refreshEvery) await book.refresh()
      reading?.()
    },
    onError: error => {
      troubles.inc({ chain: id })
      deps.log.warn({ chain: id, reason: error.message }, 'reading the chain failed')
    },
  })
  return follower
}

async function apply(
  deps: Deps,
  chain: ChainView,
  event: Exclude<ChainEvent, { type: 'deep-reorg' }>,
  taken: WatchedAssets,
  fence: number | undefined,
) {
  const chainId = chain.definition.id
  if (event.type === 'block') {
    await applyBlocks(deps, { chainId, event, taken, fence })
  } else {
    deps.log.warn({ chain: chainId, ancestor: event.ancestor.number, blocks: event.dropped.length }, 'reorg')
    await applyReorg(deps, { chainId, ancestor: event.ancestor, dropped: event.dropped, fence })
  }
}

/**
 * Records the chain's head and the time of the answer: at every new head that is not stored with its block, otherwise
 * every five seconds.
 */
function toucher(deps: Deps, chainId: string, fence: number | undefined) {
  let number = -1
  let at = 0
  return async (head: BlockId | null, stored = -1) => {
    const now = deps.clock()
    if (head?.number === stored) number = stored
    if (!head || (head.number === number && now < at + 5)) return
    number = head.number
    at = now
    await touchChain(deps.pool, chainId, number, now, fence ?? null)
  }
}

/** The stored blocks to compare with, oldest first; the last one is our position. None when its hash is not known. */
async function knownBlocks(deps: Deps, chainId: string): Promise<BlockId[]> {
  const blocks: BlockId[] = await storedBlocks(deps.pool, chainId)
  const row = await readChain(deps.pool, chainId)
  if (!row || row.last_number === null || row.last_hash === null) return []
  return blocks.at(-1)?.number === row.last_number ? blocks : [{ number: row.last_number, hash: row.last_hash }]
}

const pollPause = ({ definition: { net, blockTime } }: Pick<ChainView, 'definition'>) =>
  net === 'sandbox' ? 50 : Math.min(Math.max(blockTime * 300, 400), pollPauseMaxMs)

/**
 * When the last block appeared, at the earliest: when a poll last found none. Counted from when it was applied, a block
 * that was late would make all that follow late.
 */
export class BlockAppearance {
  #awaitedAt = Number.NEGATIVE_INFINITY
  at = Number.NEGATIVE_INFINITY

  /** No newer block was there at this time (ms). */
  awaited(now: number): void {
    this.#awaitedAt = now
  }

  applied(): void {
    this.at = this.#awaitedAt
  }
}

/** Part of the time between two blocks after which the next one is due. */
const duePart = 0.9
/** Shortest time between two blocks (s) of which the next one is foreseen: others are polled all the time. */
const foreseenFrom = 2

/**
 * Returns the pause (ms) before the follower polls a chain again, for the `attempt`th time (from 0) for the same
 * reason. A chain is polled rarely until its next block is due, `sinceMs` being the time since the last one appeared,
 * and then often, so that neither polls nor what waits for a confirmation cost more than they must.
 */
export function computePollPauseMs(
  chain: Pick<ChainView, 'definition'>,
  why: FollowerPause,
  { attempt, isIdle, sinceMs }: { attempt: number; isIdle: boolean; sinceMs: number },
): number {
  const { net, blockTime } = chain.definition
  const blockMs = blockTime * 1_000
  // Nodes that answer, and too few the same, may do so at once.
  if (why !== 'tip') return Math.min(pollPause(chain) * 2 ** attempt, why === 'error' ? longestPause : pollPauseMaxMs)
  const isForeseen = net !== 'sandbox' && blockTime >= foreseenFrom && sinceMs < 2 * blockMs
  const dueMs = blockMs * duePart - sinceMs
  if (isForeseen && dueMs > 0) return Math.min(dueMs, pollPauseMaxMs)
  if (isIdle) return Math.min(Math.max(blockMs, pollPause(chain)), pollPauseMaxMs)
  if (isForeseen) return Math.min(Math.max(blockMs / 10, 400), 1_000)
  // A sandbox's chain has blocks only when somebody pays.
  return net === 'sandbox' && attempt >= 4 ? 200 : pollPause(chain)
}
