import { type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { type LoopOptions, runJobLoop } from '../../kit/loop.ts'

/** Pause of a resting job that takes several statements and calls of nodes for each chain. */
export const chainLoopPauseMs = 15_000
/** How long (ms) a chain is left to others whose nodes fail. */
const declinedMs = 60_000

/**
 * Runs a job for each chain in turn, or for those that have something for it (`due`), until `signal` aborts. Servers
 * share the chains. One whose nodes fail is skipped until the next turn and left to others for a while, and an error on
 * one keeps the others from nothing.
 */
export const loopChains = (
  deps: Deps,
  signal: AbortSignal,
  {
    work,
    due,
    isEverywhere = false,
    ...rest
  }: Pick<LoopOptions, 'name' | 'everyMs' | 'listen'> & {
    work: (chain: ChainView) => Promise<unknown>
    /** Whether every server does it for itself. */
    isEverywhere?: boolean
    /** Returns the ids of the chains to work on. */
    due?: () => Promise<ReadonlySet<string>>
  },
): Promise<void> =>
  runJobLoop({
    ...rest,
    log: deps.log,
    live: deps.live,
    restingMs: chainLoopPauseMs,
    signal,
    work: async () => {
      const errors: unknown[] = []
      const ids = await due?.()
      for (const chain of deps.chains.values()) {
        if (ids && !ids.has(chain.definition.id)) continue
        const own = `${rest.name} ${chain.definition.id}`
        try {
          if (isEverywhere) await work(chain)
          else await deps.share.run(own, () => work(chain))
        } catch (error) {
          if (!isChainError(error)) errors.push(error)
          // Others may reach its nodes.
          else if (!isEverywhere) deps.share.decline(own, declinedMs)
        }
      }
      if (errors.length > 0) throw errors[0]
      return false
    },
  })
