import { setTimeout as sleep } from 'node:timers/promises'
import type { BlockId, ChainView } from '@coffer/chains'
import { type ChainEvent, Follower, type Pause } from '@coffer/chains/follower.ts'
import { Counter, Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { registry } from '../../kit/metrics.ts'
import { assetsOfChain, type WatchedAssets, watchedAssets } from '../chains/assets.ts'
import { readChain, requestReread, rereadApplies, setSwitch, storedBlocks, touchChain } from '../chains/store.ts'
import { AddressBook } from './address-book.ts'
import { applyBlocks, OutOfOrder } from './apply-blocks.ts'
import { applyReorg } from './apply-reorg.ts'
import { haltChain } from './halt-chain.ts'
import { readGas } from './read-gas.ts'
import { lowestUnconfirmed } from './store.ts'

/** Longest pause (ms) between requests to failing nodes. */
const longestPause = 15_000
/** Failed attempts before a log line says that nodes lag or disagree, since short disagreements are common. */
const manyAttempts = 5
/** How often (ms) to check whether an operator has resumed a halted chain. */
const haltedPause = 2_000

const registers = [registry]
const labelNames = ['chain'] as const
const lastBlock = new Gauge({ name: 'coffer_chain_block', help: 'Last block applied', labelNames, registers })
const headBlock = new Gauge({ name: 'coffer_chain_head', help: 'Newest block of the nodes', labelNames, registers })
const halted = new Gauge({
  name: 'coffer_chain_halted',
  help: '1 while a chain waits for a person',
  labelNames,
  registers,
})
const troubles = new Counter({ name: 'coffer_chain_troubles', help: 'Failures of nodes', labelNames, registers })

/**
 * Follows one chain until `signal` aborts: reads and applies events, and restarts from the database after a failure.
 */
export async function follow(deps: Deps, chain: ChainView, signal: AbortSignal): Promise<void> {
  const { id, kind } = chain.definition
  // Kept when following starts again, with what it knows about the rate of new addresses.
  const book = new AddressBook(deps, kind)
  for (let failures = 0; !signal.aborted; ) {
    try {
      const pace: Pace = {
        wait: (why, attempt) => sleep(pauseOf(chain, why, attempt), undefined, { signal }),
        applied: () => {
          signal.throwIfAborted()
          failures = 0
        },
      }
      await followOnce(deps, chain, pace, book)
      await sleep(haltedPause, undefined, { signal })
    } catch (error) {
      if (signal.aborted) return
      failures++
      if (error instanceof OutOfOrder)
        deps.log.warn({ chain: id, reason: error.message }, 'restarting from the stored block')
      else deps.log.error({ err: error, chain: id }, 'following the chain failed; retrying')
      await sleep(Math.min(pollPause(chain) * 2 ** failures, longestPause), undefined, { signal }).catch(() => {})
    }
  }
}

/**
 * Hooks supplied by the caller: `wait` pauses before the next attempt, `applied` runs after each event. A throw from
 * either stops following.
 */
export interface Pace {
  wait: (why: Pause, attempt: number) => Promise<unknown>
  applied: () => void
}

/** Follows from the stored position until the chain is halted. Errors are thrown to the caller. */
export async function followOnce(
  deps: Deps,
  chain: ChainView,
  { wait, applied }: Pace,
  book = new AddressBook(deps, chain.definition.kind),
): Promise<void> {
  const { id, confirmations } = chain.definition
  const row = await readChain(deps.pool, id)
  if (!row) throw new Error(`no chain ${id} in the database`)
  halted.set({ chain: id }, row.halted ? 1 : 0)
  if (row.halted) return

  // Deposits that became final without being confirmed: an earlier version asked for them again and again.
  const left = await lowestUnconfirmed(deps.pool, id, row.final_number)
  if (left !== null && (await requestReread(deps.pool, id, left)))
    await setSwitch(deps.pool, rereadApplies(id), 'unconfirmed deposits', deps.clock())
  await book.refresh()
  const known = await knownBlocks(deps, id)
  const taken = watchedAssets(await assetsOfChain(deps.pool, id))
  const touch = toucher(deps, id)
  let gasIsDue = true
  const start = known.length > 0 ? 0 : Math.max(0, (await chain.head()).number - confirmations)
  const follower: Follower = new Follower({
    chain,
    filter: book.filter(...taken),
    asOf: () => book.upTo,
    start,
    known,
    final: row.final_number,
    wait: async (why, attempt) => {
      if (why === 'tip') {
        await touch(follower.head)
        // Only at the tip: catching up has priority.
        if (gasIsDue) gasIsDue = await readGas(deps, chain)
      }
      // Node failures are logged by onError.
      if ((why === 'behind' || why === 'no-quorum') && attempt === manyAttempts)
        deps.log.warn({ chain: id, why }, 'nodes lag behind or disagree')
      await wait(why, attempt)
      await book.refresh()
    },
    onError: error => {
      troubles.inc({ chain: id })
      deps.log.warn({ chain: id, reason: error.message }, 'reading the chain failed')
    },
  })
  for (;;) {
    const event = await follower.next()
    if (event.type === 'deep-reorg') {
      await haltChain(deps, { chainId: id, gone: event.block, ancestor: await stillThere(deps, chain, event.block) })
      return
    }
    await apply(deps, chain, event, taken)
    await touch(follower.head)
    gasIsDue = true
    await book.refresh()
    applied()
  }
}

async function apply(
  deps: Deps,
  chain: ChainView,
  event: Exclude<ChainEvent, { type: 'deep-reorg' }>,
  taken: WatchedAssets,
) {
  const chainId = chain.definition.id
  if (event.type === 'block') {
    await applyBlocks(deps, { chainId, event, taken })
    lastBlock.set({ chain: chainId }, event.block.number)
  } else {
    deps.log.warn({ chain: chainId, ancestor: event.ancestor.number, blocks: event.dropped.length }, 'reorg')
    await applyReorg(deps, { chainId, ancestor: event.ancestor, dropped: event.dropped })
  }
}

/** Records the chain's head and the time of the answer: at every new head, otherwise at most every two seconds. */
function toucher(deps: Deps, chainId: string) {
  let [number, at] = [-1, 0]
  return async (head: BlockId | null) => {
    const now = deps.clock()
    if (!head || (head.number === number && now < at + 2)) return
    number = head.number
    at = now
    headBlock.set({ chain: chainId }, number)
    await touchChain(deps.pool, chainId, number, now)
  }
}

/** The stored blocks to compare with, oldest first; the last one is our position. */
async function knownBlocks(deps: Deps, chainId: string): Promise<BlockId[]> {
  const blocks: BlockId[] = await storedBlocks(deps.pool, chainId)
  const row = await readChain(deps.pool, chainId)
  if (!row || row.last_number === null || row.last_hash === null) return []
  return blocks.at(-1)?.number === row.last_number ? blocks : [{ number: row.last_number, hash: row.last_hash }]
}

/**
 * The highest stored block below `gone` that is still on the chain; if there is none, the block below the lowest
 * stored one.
 */
async function stillThere(deps: Deps, chain: ChainView, gone: BlockId): Promise<BlockId> {
  const blocks = (await storedBlocks(deps.pool, chain.definition.id)).filter(each => each.number < gone.number)
  for (const { number, hash } of blocks.reverse()) {
    if ((await chain.blockAt(number))?.hash === hash) return { number, hash }
  }
  const lowest = (blocks.at(-1) ?? gone).number - 1
  const below = await chain.blockAt(lowest)
  if (!below) throw new Error(`${chain.definition.id} has no block ${lowest}`)
  return { number: below.number, hash: below.hash }
}

const pollPause = ({ definition: { net, blockTime } }: ChainView) =>
  net === 'sandbox' ? 50 : Math.min(Math.max(blockTime * 300, 400), 4_000)

const pauseOf = (chain: ChainView, why: Pause, attempt: number) =>
  why === 'tip' ? pollPause(chain) : Math.min(pollPause(chain) * 2 ** attempt, longestPause)
