import { defineDomain } from '../../domain.ts'
import { measureGas, send, watchWallets } from './jobs.ts'
import { updateWalletMetrics } from './metrics.ts'
import { type Seen, watchFrozen } from './watch-frozen.ts'
import { watchStuck } from './watch-stuck.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal, owners) => {
    const seen: Seen = new Map()
    return [
      send(deps, owners, signal),
      measureGas(deps, signal),
      watchWallets(deps, signal),
      { name: 'watch stuck payouts', everyMs: 15_000, work: () => watchStuck(deps) },
      { name: 'watch frozen payouts', everyMs: 10_000, work: () => watchFrozen(deps, owners, seen) },
    ]
  },
  updateMetrics: updateWalletMetrics,
})
