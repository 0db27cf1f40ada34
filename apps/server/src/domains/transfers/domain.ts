import { transferRoutes } from '@coffer/contract/transfers.ts'
import { defineDomain } from '../../domain.ts'
import { transferHandlers } from './routes.ts'

export default defineDomain({
  routes: transferRoutes,
  handlers: transferHandlers,
})
