import { isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { loop } from '../../kit/loop.ts'
import { assetsOfChain, watchedAssets } from '../chains/assets.ts'
import { rereadFrom } from '../chains/store.ts'
import { AddressBook } from './address-book.ts'
import { rereadChain } from './reread-chain.ts'

/** Maximum blocks per range. */
const most = 64

/** Re-reads the blocks that the operator requested, on every chain. */
export const reread = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loop({
    name: 'read again',
    everyMs: 5_000,
    log: deps.log,
    signal,
    work: async () => {
      for (const chain of deps.chains.values()) {
        const { id, kind } = chain.definition
        if ((await rereadFrom(deps.pool, id)) === null) continue
        const book = new AddressBook(deps, kind)
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
