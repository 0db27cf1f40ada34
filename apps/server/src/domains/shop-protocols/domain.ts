import { shopRoutes } from '@coffer/contract/shops/routes.ts'
import { defineDomain } from '../../domain.ts'
import { btcpayCallbackForm } from './btcpay/invoice.ts'
import { coinbaseCallbackForm } from './coinbase/charge.ts'
import { epayCallbackForm } from './epay/callback.ts'
import { epusdtCallbackForm } from './epusdt/order.ts'
import { computeRefusalsSince } from './record-shop-refusals.ts'
import { refusalForms } from './refusal-forms.ts'
import { shopHandlers } from './routes.ts'
import { mountShops } from './serve-shop.ts'
import { deleteRefusals } from './store.ts'

export default defineDomain({
  routes: shopRoutes,
  handlers: shopHandlers,
  callbackForms: {
    epay: epayCallbackForm,
    epusdt: epusdtCallbackForm,
    btcpay: btcpayCallbackForm,
    coinbase: coinbaseCallbackForm,
  },
  refusalForms,
  deleteExpired: deps => deleteRefusals(deps.pool, computeRefusalsSince(deps)),
  mount: mountShops,
})
