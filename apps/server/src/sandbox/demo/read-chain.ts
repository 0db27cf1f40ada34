import type { ChainView } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { assetsOfChain } from '../../domains/chains/assets.ts'
import { touchChain } from '../../domains/chains/store.ts'
import { AddressBook } from '../../domains/deposits/address-book.ts'
import { applyBlocks } from '../../domains/deposits/apply-blocks.ts'
import { decideHeld } from '../../domains/deposits/decide-held.ts'

export interface ChainReader {
  /** Reads all blocks that are confirmed and not read yet. */
  catchUp: () => Promise<void>
}

/**
 * Opens a reader that applies confirmed blocks as one range, as the follower does when catching up, with the clock at the time of the
 * last one (Unix seconds). Blocks above stay unread for the server's follower, which can still see them reorganised.
 */
export async function readChain(deps: Deps, chain: ChainView, setClock: (time: number) => void): Promise<ChainReader> {
  const { id, kind, confirmations } = chain.definition
  const book = new AddressBook(deps, kind)
  const contracts = [...(await assetsOfChain(deps.pool, id)).values()].flatMap(each => each.contract ?? [])
  const filter = book.filter(contracts, true)
  let next = 0
  return {
    async catchUp() {
      await book.refresh()
      const head = await chain.head()
      const to = head.number - confirmations + 1
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
      await decideHeld(deps, chain)
      await touchChain(deps.pool, id, head.number, deps.clock(), null)
    },
  }
}
