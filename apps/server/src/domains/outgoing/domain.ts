import { defineDomain } from '../../domain.ts'
import { measureGas, send, watchWallets } from './jobs.ts'
import { updateWalletMetrics } from './metrics.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal, owners) => [send(deps, owners, signal), measureGas(deps, signal), watchWallets(deps, signal)],
  updateMetrics: updateWalletMetrics,
})
