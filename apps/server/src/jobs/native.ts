import { isTrouble } from '@coffer/chains'
import { findNative } from '../commands/find-native.ts'
import type { Deps } from '../deps.ts'
import { loop } from './loop.ts'

/** Looks for native coin that came in unseen, on every chain. */
export const native = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loop({
    name: 'find native coin',
    everyMs: deps.config.mode === 'sandbox' ? 2_000 : 20_000,
    log: deps.log,
    signal,
    work: async () => {
      for (const chain of deps.chains.values()) {
        try {
          await findNative(deps, chain)
        } catch (error) {
          // Nodes that fail are waited out by whoever follows the chain.
          if (!isTrouble(error)) throw error
        }
      }
      return false
    },
  })
