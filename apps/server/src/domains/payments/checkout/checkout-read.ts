import { first, type Statements } from '../../../kit/db.ts'
import { collectApplicationNamesSql } from '../../applications/store.ts'
import { columnsWithAsset, paymentTables } from '../present-order.ts'

/** SQL of the payee that customers see: the application or, of what is collected without a developer, the merchant. */
export const payeeNameSql = (application: string) =>
  `coalesce(case when ${application}.collects and ${application}.name in (${collectApplicationNamesSql}) then (select nullif(m.name, '') from merchants m where m.id = ${application}.merchant_id) end, ${application}.name)`

/** A payment with the payee's name, website and logo, and the token rates locked for it. */
export type CheckoutRow = Statements['checkout-read']['row']

export const readCheckout = first(
  'checkout-read',
  `select ${columnsWithAsset}, p.return_url, p.cancel_url, p.auto_redirect, p.fixed_asset_id, p.token_rates,
     p.mixed_payment, a.contract, h.halted, h.read_at, h.last_number, h.last_time, h.head_number, app.website,
     ${payeeNameSql('app')} as name,
     coalesce(nullif(app.payment_logo, ''), app.logo) as logo
   from ${paymentTables} join applications app on app.merchant_id = p.merchant_id and app.appid = p.appid
   where p.trade_no = $1`,
)
