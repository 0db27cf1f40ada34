import { defineDomain } from '../../domain.ts'
import { measureGas, send, watchWallets } from './jobs.ts'
import { updateWalletMetrics } from './metrics.ts'
import { watchStuck } from './watch-stuck.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal, owners) => [
    send(deps, owners, signal),
    measureGas(deps, signal),
    watchWallets(deps, signal),
    { name: 'watch stuck payouts', everyMs: 15_000, work: () => watchStuck(deps) },
  ],
  updateMetrics: updateWalletMetrics,
})
