import { webhookEndpointRoutes } from '@coffer/contract/callbacks/endpoints.ts'
import { callbackRoutes } from '@coffer/contract/callbacks/routes.ts'
import { defineDomain } from '../../domain.ts'
import { endpointHandlers, endpointKeyHandlers } from './endpoint-routes.ts'
import { deliverCallbacks } from './jobs.ts'
import { callbackKeyHandlers, eventRetentionSeconds } from './key-routes.ts'
import { updateCallbackMetrics } from './metrics.ts'
import { callbackHandlers } from './routes.ts'
import { deleteUnsentEvents } from './store.ts'
import { watchLateCallbacks } from './watch-late-callbacks.ts'

export default defineDomain({
  routes: { ...callbackRoutes, ...webhookEndpointRoutes },
  handlers: { ...callbackHandlers, ...callbackKeyHandlers, ...endpointHandlers, ...endpointKeyHandlers },
  jobs: (deps, signal, _owners, forms) => [
    deliverCallbacks(deps, signal, { forms }),
    { name: 'watch late callbacks', everyMs: 15_000, work: () => watchLateCallbacks(deps) },
  ],
  deleteExpired: ({ pool, clock }) => deleteUnsentEvents(pool, clock() - eventRetentionSeconds),
  updateMetrics: ({ pool, clock }) => updateCallbackMetrics(pool, clock()),
})
