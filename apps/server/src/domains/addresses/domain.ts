import { addressRoutes } from '@coffer/contract/addresses.ts'
import { defineDomain } from '../../domain.ts'
import { forgetRanges } from './index-range.ts'
import { addressHandlers } from './routes.ts'

export default defineDomain({
  routes: addressRoutes,
  handlers: addressHandlers,
  deleteExpired: forgetRanges,
})
