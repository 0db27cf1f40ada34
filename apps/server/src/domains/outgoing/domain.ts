import { defineDomain } from '../../domain.ts'
import { measureGas, sendOutgoing, watchWallets } from './jobs.ts'
import { updateWalletMetrics } from './metrics.ts'
import { type FirstSeenPayouts, watchStalledPayouts } from './watch-stalled-payouts.ts'
import { watchStuckTransactions } from './watch-stuck-transactions.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal, owners) => {
    const seen: FirstSeenPayouts = new Map()
    return [
      sendOutgoing(deps, owners, signal),
      measureGas(deps, signal),
      watchWallets(deps, signal),
      { name: 'watch stuck payouts', everyMs: 15_000, work: () => watchStuckTransactions(deps) },
      {
        name: 'watch frozen payouts',
        everyMs: 10_000,
        isEverywhere: true,
        work: () => watchStalledPayouts(deps, owners, seen),
      },
    ]
  },
  updateMetrics: updateWalletMetrics,
})
