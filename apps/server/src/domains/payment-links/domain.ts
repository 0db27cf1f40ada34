import { paymentLinkRoutes } from '@coffer/contract/payment-links.ts'
import { defineDomain } from '../../domain.ts'
import { paymentLinkHandlers } from './routes.ts'

export default defineDomain({
  routes: paymentLinkRoutes,
  handlers: paymentLinkHandlers,
})
