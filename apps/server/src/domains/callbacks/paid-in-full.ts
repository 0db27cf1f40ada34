import { paymentStatus } from '@coffer/contract/codes.ts'
import { first } from '../../kit/db.ts'

const { paid, refunding, in_doubt } = paymentStatus

/**
 * SQL condition: the payment `p` is paid in full and none of its price went back or is on its way back. What was paid
 * beyond the price may. Only then may anything that a shop's protocol signs say so.
 */
export const isPaidInFullSql = `(p.paid_at > 0 and p.status in (${paid}, ${refunding}) and p.exception <> 'marked_invalid'
  and coalesce((select refunded from payment_refunds where merchant_id = p.merchant_id and trade_no = p.trade_no), 0)
    <= greatest(p.paid_amount - p.amount, 0))`

/** Events that say that their order is paid. */
export const paidEvents: readonly string[] = ['payment.paid', 'payment.over']

/**
 * Finds a callback that says that its order is paid in full, as any in the form of a shop's protocol does, when it is
 * not, or no longer, and whether that may still change by itself: a reorganization or a refund is undecided.
 */
export const findWithheldCallback = first(
  'callback-withheld',
  `select c.id, p.status in (${refunding}, ${in_doubt}) as is_open from callbacks c join payments p on p.merchant_id = c.merchant_id and p.trade_no = c.trade_no
   where c.merchant_id = $1 and c.id = $2 and (c.form <> '' or c.event in (${paidEvents.map(event => `'${event}'`).join(', ')})) and not ${isPaidInFullSql}`,
)
