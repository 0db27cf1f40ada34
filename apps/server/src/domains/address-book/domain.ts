import { addressBookRoutes } from '@coffer/contract/address-book.ts'
import { defineDomain } from '../../domain.ts'
import { addressBookHandlers } from './routes.ts'

export default defineDomain({
  routes: addressBookRoutes,
  handlers: addressBookHandlers,
})
