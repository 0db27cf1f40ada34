import { one, type Queryable } from '../../kit/db.ts'
import { type PaymentRow, paymentColumns, paymentTables } from './present-order.ts'
import type { LockedRate } from './store.ts'

/** A payment with what its payer needs besides: whom it is for, and what each token is worth to it. */
export interface CheckoutRow extends PaymentRow {
  name: string
  website: string
  logo: string
  fixed_asset_id: string | null
  token_rates: Record<string, LockedRate>
  tolerance_permille: number
}

export const readCheckout = (c: Queryable, tradeNo: string): Promise<CheckoutRow | undefined> =>
  one(
    c,
    'checkout-read',
    `select ${paymentColumns}, p.fixed_asset_id, p.token_rates, p.tolerance_permille, app.name, app.website,
       coalesce(nullif(app.payment_logo, ''), app.logo) as logo
     from ${paymentTables} join applications app on app.merchant_id = p.merchant_id and app.appid = p.appid
     where p.trade_no = $1`,
    [tradeNo],
  )
