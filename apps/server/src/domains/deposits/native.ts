import { isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { loop } from '../../kit/loop.ts'
import { chainRestMs } from '../chains/loop-chains.ts'
import { findNative, type Reading } from './find-native.ts'

/** Looks for native coin that blocks do not list, on every chain. */
export const native = (deps: Deps, signal: AbortSignal): Promise<void> => {
  const readings = new Map([...deps.chains.keys()].map(id => [id, [] as Reading[]]))
  return loop({
    name: 'find native coin',
    everyMs: deps.config.mode === 'sandbox' ? 2_000 : 20_000,
    log: deps.log,
    live: deps.live,
    restingMs: chainRestMs,
    signal,
    work: async () => {
      for (const [id, chain] of deps.chains) {
        try {
          await findNative(deps, chain, readings.get(id))
        } catch (error) {
          // The chain's follower reports node failures.
          if (!isChainError(error)) throw error
        }
      }
      return false
    },
  })
}
