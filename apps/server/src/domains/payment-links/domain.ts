import { paymentLinkKeyRoutes, paymentLinkRoutes } from '@coffer/contract/payment-links/routes.ts'
import { defineDomain } from '../../domain.ts'
import { linkKeyHandlers } from './key-routes.ts'
import { paymentLinkHandlers } from './routes.ts'

export default defineDomain({
  routes: { ...paymentLinkRoutes, ...paymentLinkKeyRoutes },
  handlers: { ...paymentLinkHandlers, ...linkKeyHandlers },
})
