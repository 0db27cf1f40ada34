import { webhookEndpointRoutes } from '@coffer/contract/callbacks/endpoints.ts'
import { callbackRoutes } from '@coffer/contract/callbacks/routes.ts'
import { defineDomain } from '../../domain.ts'
import { endpointHandlers, endpointKeyHandlers } from './endpoint-routes.ts'
import { deliver } from './jobs.ts'
import { callbackKeyHandlers, retentionSeconds } from './key-routes.ts'
import { updateCallbackMetrics } from './metrics.ts'
import { callbackHandlers } from './routes.ts'
import { deleteUnsent } from './store.ts'
import { watchLate } from './watch-late.ts'

export default defineDomain({
  routes: { ...callbackRoutes, ...webhookEndpointRoutes },
  handlers: { ...callbackHandlers, ...callbackKeyHandlers, ...endpointHandlers, ...endpointKeyHandlers },
  jobs: (deps, signal, _owners, forms) => [
    deliver(deps, signal, { forms }),
    { name: 'watch late callbacks', everyMs: 15_000, work: () => watchLate(deps) },
  ],
  deleteExpired: ({ pool, clock }) => deleteUnsent(pool, clock() - retentionSeconds),
  updateMetrics: ({ pool, clock }) => updateCallbackMetrics(pool, clock()),
})
