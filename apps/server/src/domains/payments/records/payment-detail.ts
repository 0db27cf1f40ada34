import type { CallbackEvent, RouteData } from '@coffer/contract'
import type { Deps } from '../../../deps.ts'
import { all, first } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { PaymentScope } from '../../../kit/visible-to.ts'
import { listCallbacks } from '../../callbacks/store.ts'
import { presentRate } from '../present-order.ts'
import { readDeposits } from '../to-deposit-view.ts'
import { pagePayments } from './payment-list.ts'
import { paymentRecord } from './present.ts'

/** Reads what only the detail of a payment shows. */
const readExtras = first(
  'payment-extras',
  'select subject, attach, metadata, tolerance_permille, mixed_payment, fee_bps from payments where merchant_id = $1 and trade_no = $2',
)

/** Reads the history of a payment in sequence order. */
const readHistory = all(
  'payment-history',
  `select status, exception, event, reason, created_at from payment_history
   where merchant_id = $1 and trade_no = $2 order by seq`,
)

/** Maximum callbacks shown with a payment. */
const callbacksMax = 100

/**
 * Reads a payment that the caller may see, with its deposits, history and callbacks. Throws
 * Refusal('transaction_not_exist').
 */
export async function paymentDetail(
  deps: Pick<Deps, 'pool'>,
  scope: PaymentScope,
  trade_no: string,
): Promise<RouteData<'GET /api/v1/transactions/detail'>> {
  const { merchantId } = scope
  const { rows } = await pagePayments(deps.pool, scope, { trade_no }, { offset: 0, limit: 1 })
  const row = rows[0]
  if (!row) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  const [extras, deposits, history, callbacks] = await Promise.all([
    readExtras(deps.pool, merchantId, trade_no),
    readDeposits(deps.pool, [{ merchant_id: merchantId, trade_no }]),
    readHistory(deps.pool, merchantId, trade_no),
    listCallbacks(deps.pool, merchantId, { trade_no }, { limit: callbacksMax, offset: 0 }),
  ])
  return {
    ...paymentRecord(row, deposits.get(trade_no) ?? [], scope),
    ...extras!,
    rate: presentRate(row.price),
    history: history.map(({ created_at, ...step }) => ({ ...step, time: created_at })),
    callbacks: callbacks.rows.map(({ id, event, status, attempts, created_at }) => ({
      id,
      event: event as CallbackEvent,
      status,
      attempts,
      time: created_at,
    })),
  }
}
