import type { ChainView } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { readChainAssets } from '../../domains/chains/assets.ts'
import { touchChain } from '../../domains/chains/store.ts'
import { applyBlocks } from '../../domains/deposits/apply-blocks.ts'
import { decideHeldDeposits } from '../../domains/deposits/decide-held-deposits.ts'
import { WatchedAddressSet } from '../../domains/deposits/watched-address-set.ts'

export interface ChainReader {
  /** Reads all blocks that are not read yet. */
  catchUp: () => Promise<void>
}

/**
 * Opens a reader that applies new blocks as one range, as the follower does when catching up, with the clock at the
 * time of the last one (Unix seconds). No block of the demo is reorganised, so none waits for confirmations: each block
 * mined for them would cost the node the root of its whole state.
 */
export async function openChainReader(
  deps: Deps,
  chain: ChainView,
  setClock: (time: number) => void,
): Promise<ChainReader> {
  const { id, kind } = chain.definition
  const book = new WatchedAddressSet(deps, kind)
  const contracts = [...(await readChainAssets(deps.pool, id)).values()].flatMap(each => each.contract ?? [])
  const filter = book.filter(contracts, true)
  let next = 0
  return {
    async catchUp() {
      await book.refresh()
      const { number: to } = await chain.head()
      if (to < next) return
      const asOf = book.upTo
      const { first, last: block, transfers } = await chain.transfersRange(next, to, filter)
      const settled = chain.isVerified ? transfers : await chain.agreed(next, block, filter)
      if (!settled) throw new Error(`the nodes of ${id} do not agree`)
      setClock(block.time)
      const read = { from: next, parentHash: first.parentHash, block, transfers, asOf }
      const event = { type: 'block', ...read, final: to, settled, settledFrom: next } as const
      await applyBlocks(deps, { chainId: id, event })
      next = to + 1
      await decideHeldDeposits(deps, chain)
      await touchChain(deps.pool, id, to, deps.clock(), null)
    },
  }
}
