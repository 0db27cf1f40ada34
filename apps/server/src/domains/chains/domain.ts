import { chainRoutes } from '@coffer/contract/chains/routes.ts'
import type { Deps } from '../../deps.ts'
import { defineDomain } from '../../domain.ts'
import { watchForks } from '../../outside/open-chain.ts'
import { loopChains } from './loop-chains.ts'
import { currencyHandlers } from './routes.ts'
import { syncChains } from './sync-chains.ts'
import { updateMetrics } from './update-metrics.ts'
import { type ChainDelays, watchChains } from './watch-chains.ts'

/** Nodes announce forks weeks before. */
const forksEveryMs = 6 * 3_600_000

/** How often a block of each node is compared with that of most nodes. */
const compareEveryMs = 60_000

const watchDelays = (deps: Deps) => {
  const delays: ChainDelays = new Map()
  return { name: 'watch chains', everyMs: 15_000, work: () => watchChains(deps, delays) }
}

export default defineDomain({
  routes: chainRoutes,
  handlers: currencyHandlers,
  updateMetrics,
  jobs: (deps, signal) => [
    watchDelays(deps),
    loopChains(deps, signal, {
      name: 'forks',
      everyMs: forksEveryMs,
      work: chain => watchForks(chain, deps.clock(), deps.log),
    }),
    loopChains(deps, signal, {
      name: 'compare nodes',
      everyMs: compareEveryMs,
      work: async chain => chain.compareNodes?.(),
    }),
  ],
  prepare: syncChains,
})
