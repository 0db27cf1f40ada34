import { type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { type LoopOptions, loop } from '../../kit/loop.ts'

/** Pause of a resting job that takes several statements and calls of nodes for each chain. */
export const chainRestMs = 15_000

/** Runs a job for each chain in turn until `signal` aborts. A chain whose nodes fail is skipped until the next turn, and an error on one keeps the others from nothing. */
export const loopChains = (
  deps: Deps,
  signal: AbortSignal,
  {
    work,
    ...rest
  }: Pick<LoopOptions, 'name' | 'everyMs' | 'listen'> & { work: (chain: ChainView) => Promise<unknown> },
): Promise<void> =>
  loop({
    ...rest,
    log: deps.log,
    live: deps.live,
    restingMs: chainRestMs,
    signal,
    work: async () => {
      const errors: unknown[] = []
      for (const chain of deps.chains.values()) {
        try {
          await work(chain)
        } catch (error) {
          if (!isChainError(error)) errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
      return false
    },
  })
