import { first, type Statements } from '../../kit/db.ts'
import { collectName } from '../applications/store.ts'
import { paymentColumns, paymentTables } from './present-order.ts'

/** A payment with the payee's name, website and logo, and the token rates locked for it. */
export type CheckoutRow = Statements['checkout-read']['row']

export const readCheckout = first(
  'checkout-read',
  `select ${paymentColumns}, p.fixed_asset_id, p.token_rates, p.mixed_payment, app.website,
     -- Payments without a developer belong to an application that is called so.
     coalesce(case when app.name = '${collectName}' then (select nullif(name, '') from merchants where id = p.merchant_id) end, app.name) as name,
     coalesce(nullif(app.payment_logo, ''), app.logo) as logo
   from ${paymentTables} join applications app on app.merchant_id = p.merchant_id and app.appid = p.appid
   where p.trade_no = $1`,
)
