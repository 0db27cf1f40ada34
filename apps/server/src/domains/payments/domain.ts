import { checkoutRoutes } from '@coffer/contract/payments/checkout.ts'
import { payRoutes } from '@coffer/contract/payments/key-routes.ts'
import { paymentRoutes } from '@coffer/contract/payments/routes.ts'
import { defineDomain } from '../../domain.ts'
import { checkoutHandlers } from './checkout/checkout-routes.ts'
import { payScript, serveScript } from './embed/embed.ts'
import { expirePayments } from './expire-payments.ts'
import { payHandlers } from './pay-routes.ts'
import { paymentHandlers } from './routes.ts'

export default defineDomain({
  routes: { ...checkoutRoutes, ...payRoutes, ...paymentRoutes },
  handlers: { ...checkoutHandlers, ...payHandlers, ...paymentHandlers },
  mount: app => void serveScript(app, '/pay.js', payScript),
  jobs: deps => [{ name: 'expire payments', everyMs: 1_000, work: async () => (await expirePayments(deps)) > 0 }],
})
