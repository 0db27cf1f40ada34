import { chainRoutes } from '@coffer/contract/chains.ts'
import { defineDomain } from '../../domain.ts'
import { currencyHandlers } from './routes.ts'
import { syncChains } from './sync-chains.ts'
import { updateMetrics } from './update-metrics.ts'

export default defineDomain({
  routes: chainRoutes,
  handlers: currencyHandlers,
  updateMetrics,
  prepare: syncChains,
})
