import { applicationRoutes } from '@coffer/contract/applications/routes.ts'
import { defineDomain } from '../../domain.ts'
import { applicationHandlers } from './routes.ts'

export default defineDomain({
  routes: applicationRoutes,
  handlers: applicationHandlers,
})
