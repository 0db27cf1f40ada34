import { transferRoutes } from '@coffer/contract/transfers/routes.ts'
import { defineDomain } from '../../domain.ts'
import { transferHandlers } from './routes.ts'

export default defineDomain({
  routes: transferRoutes,
  handlers: transferHandlers,
})
