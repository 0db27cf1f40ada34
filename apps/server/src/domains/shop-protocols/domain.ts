import { shopRoutes } from '@coffer/contract/shops/routes.ts'
import { defineDomain } from '../../domain.ts'
import { btcpayForm } from './btcpay/invoice.ts'
import { coinbaseForm } from './coinbase/charge.ts'
import { epayForm } from './epay/callback.ts'
import { epusdtForm } from './epusdt/order.ts'
import { refusalsSince } from './note-refusals.ts'
import { refusalForms } from './refusal-forms.ts'
import { shopHandlers } from './routes.ts'
import { mountShops } from './serve-shop.ts'
import { deleteRefusals } from './store.ts'

export default defineDomain({
  routes: shopRoutes,
  handlers: shopHandlers,
  callbackForms: { epay: epayForm, epusdt: epusdtForm, btcpay: btcpayForm, coinbase: coinbaseForm },
  refusalForms,
  deleteExpired: deps => deleteRefusals(deps.pool, refusalsSince(deps)),
  mount: mountShops,
})
