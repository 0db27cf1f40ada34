import { isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { loop } from '../../kit/loop.ts'
import { assetsOfChain, watchedAssets } from '../chains/assets.ts'
import { chainsToReread } from '../chains/store.ts'
import { AddressBook } from './address-book.ts'
import { rereadChain } from './reread-chain.ts'

/** Maximum blocks per range. */
const most = 64

/** Re-reads the blocks that the operator requested, on every chain. */
export const rereadAllChains = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loop({
    name: 'read again',
    everyMs: 5_000,
    log: deps.log,
    live: deps.live,
    signal,
    work: async () => {
      for (const id of await chainsToReread(deps.pool)) {
        const chain = deps.chains.get(id)
        if (!chain) continue
        const book = new AddressBook(deps, chain.definition.kind)
        await book.refresh()
        const filter = book.filter(...watchedAssets(await assetsOfChain(deps.pool, id)))
        // Halved after each failure: the range may be too large for the node.
        for (let size = most; size >= 1 && !signal.aborted; ) {
          try {
            if ((await rereadChain(deps, chain, { filter, most: size })) === 0) break
          } catch (error) {
            if (!isChainError(error)) throw error
            size >>= 1
          }
        }
      }
      return false
    },
  })
