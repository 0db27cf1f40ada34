import { addressRoutes } from '@coffer/contract/addresses/routes.ts'
import { defineDomain } from '../../domain.ts'
import { deleteExpiredIndexRanges } from './index-range.ts'
import { addressHandlers } from './routes.ts'

export default defineDomain({
  routes: addressRoutes,
  handlers: addressHandlers,
  deleteExpired: deleteExpiredIndexRanges,
})
