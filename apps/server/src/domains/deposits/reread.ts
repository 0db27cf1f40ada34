import { isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { runJobLoop } from '../../kit/loop.ts'
import { readChainAssets, selectWatchedAssets } from '../chains/assets.ts'
import { chainsToReread } from '../chains/store.ts'
import { rereadChain } from './reread-chain.ts'
import { WatchedAddressSet } from './watched-address-set.ts'

/** Maximum blocks per range. */
const most = 64

/** Re-reads the blocks that the operator requested, on every chain. */
export const rereadAllChains = (deps: Deps, signal: AbortSignal): Promise<void> =>
  runJobLoop({
    name: 'read again',
    everyMs: 5_000,
    log: deps.log,
    live: deps.live,
    signal,
    work: async () => {
      for (const id of await chainsToReread(deps.pool)) {
        const chain = deps.chains.get(id)
        if (!chain) continue
        const book = new WatchedAddressSet(deps, chain.definition.kind)
        await book.refresh()
        const filter = book.filter(...selectWatchedAssets(await readChainAssets(deps.pool, id)))
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
