import { setTimeout as sleep } from 'node:timers/promises'
import type { BlockId, ChainView } from '@coffer/chains'
import { type ChainEvent, Follower, type Pause } from '@coffer/chains/follower.ts'
import { Counter, Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { registry } from '../../kit/metrics.ts'
import { assetsOfChain, type WatchedAssets, watchedAssets } from '../chains/assets.ts'
import { readChain, storedBlocks, touchChain } from '../chains/store.ts'
import { AddressBook } from './address-book.ts'
import { applyBlocks, OutOfOrder } from './apply-blocks.ts'
import { applyReorg } from './apply-reorg.ts'
import { confirmed } from './confirmed.ts'
import { haltChain } from './halt-chain.ts'
import { readGas } from './read-gas.ts'
import { unconfirmedDeposits } from './store.ts'

/** The longest wait (ms) between two questions to nodes that fail. */
const longestPause = 15_000
/** After how many questions in vain it is said that nodes are behind us or disagree, which they often are for a moment. */
const manyAttempts = 5
/** How often (ms) a halted chain is looked at, whether a person let it go on. */
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

/** Follows one chain until `signal` aborts: takes events, applies them, begins again from the database after a fault. */
export async function follow(deps: Deps, chain: ChainView, signal: AbortSignal): Promise<void> {
  const { id } = chain.definition
  for (let failures = 0; !signal.aborted; ) {
    try {
      await followOnce(deps, chain, {
        wait: (why, attempt) => sleep(pauseOf(chain, why, attempt), undefined, { signal }),
        applied: () => {
          signal.throwIfAborted()
          failures = 0
        },
      })
      await sleep(haltedPause, undefined, { signal })
    } catch (error) {
      if (signal.aborted) return
      failures++
      if (error instanceof OutOfOrder) deps.log.warn({ chain: id, reason: error.message }, 'reading a chain again')
      else deps.log.error({ err: error, chain: id }, 'following a chain failed, it is tried again')
      await sleep(Math.min(pollPause(chain) * 2 ** failures, longestPause), undefined, { signal }).catch(() => {})
    }
  }
}

/** What following leaves to others: when to ask again, and what to do after each event. A throw of either ends it. */
export interface Pace {
  wait: (why: Pause, attempt: number) => Promise<unknown>
  applied: () => void
}

/** Follows from where the database stands, until the chain is halted; throws what interrupts it. */
export async function followOnce(deps: Deps, chain: ChainView, { wait, applied }: Pace): Promise<void> {
  const { id, kind, confirmations } = chain.definition
  const row = await readChain(deps.pool, id)
  if (!row) throw new Error(`no chain ${id} in the database`)
  halted.set({ chain: id }, row.halted ? 1 : 0)
  if (row.halted) return

  const book = new AddressBook(deps, kind)
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
        // Not on the way there: whoever catches up has better things to ask.
        if (gasIsDue) gasIsDue = await readGas(deps, chain)
      }
      // Nodes that fail are told of by onError.
      if ((why === 'behind' || why === 'no-quorum') && attempt === manyAttempts)
        deps.log.warn({ chain: id, why }, 'nodes of a chain are behind us or disagree')
      await wait(why, attempt)
      await book.refresh()
    },
    onError: error => {
      troubles.inc({ chain: id })
      deps.log.warn({ chain: id, reason: error.message }, 'a chain is hard to read')
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
    // What may be credited with it: deposits seen before, and what it brings itself. Found coin is in no transaction.
    const { transfers, final } = event
    const seen = await unconfirmedDeposits(deps.pool, chainId, final)
    const ripe = [...seen, ...transfers.filter(each => each.blockNumber <= final)]
    const told = await confirmed(chain, ripe)
    if (told.size < ripe.length)
      deps.log.warn({ chain: chainId, deposits: ripe.length - told.size }, 'most nodes do not have what one told of')
    await applyBlocks(deps, { chainId, event, taken, confirmed: told })
    lastBlock.set({ chain: chainId }, event.block.number)
  } else {
    deps.log.warn({ chain: chainId, ancestor: event.ancestor.number, blocks: event.dropped.length }, 'reorg')
    await applyReorg(deps, { chainId, ancestor: event.ancestor, dropped: event.dropped })
  }
}

/** Notes how far the chain is and that it answered just now: at every new head, and else every two seconds. */
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

/** The blocks to compare with, oldest first; the last one is where we are. */
async function knownBlocks(deps: Deps, chainId: string): Promise<BlockId[]> {
  const blocks: BlockId[] = await storedBlocks(deps.pool, chainId)
  const row = await readChain(deps.pool, chainId)
  if (!row || row.last_number === null || row.last_hash === null) return []
  return blocks.at(-1)?.number === row.last_number ? blocks : [{ number: row.last_number, hash: row.last_hash }]
}

/** The highest remembered block, below one that is gone, that the chain still has; the one below all when none is left. */
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
