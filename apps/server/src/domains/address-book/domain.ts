import { addressBookRoutes } from '@coffer/contract/address-book/routes.ts'
import { defineDomain } from '../../domain.ts'
import { addressBookHandlers } from './routes.ts'

export default defineDomain({
  routes: addressBookRoutes,
  handlers: addressBookHandlers,
})
