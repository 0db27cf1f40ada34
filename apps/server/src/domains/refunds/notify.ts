import type { RefundCallbackEvent, WithdrawalState } from '@coffer/contract/codes.ts'
import type { RouteData } from '@coffer/contract/index.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { WithdrawalEvent } from '@coffer/core'
import { events } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { enqueuePayoutEvent } from '../callbacks/enqueue.ts'
import { serializePayout } from '../withdrawals/notify.ts'
import type { RefundRow } from './list.ts'
import type { StoredRefund } from './store.ts'

/** Events that the payment's application receives; a refund needs no approval. */
const callbackOf: Partial<Record<WithdrawalEvent, RefundCallbackEvent>> = {
  canceled: 'refund.canceled',
  sent: 'refund.sent',
  in_block: 'refund.confirming',
  final: 'refund.completed',
  failed: 'refund.abnormal',
  voided: 'refund.canceled',
  undone: 'refund.abnormal',
  made: 'refund.completed',
  released: 'refund.canceled',
  found_paid: 'refund.completed',
}

/** A refund as the merchant's server sees it. */
export function serializeRefund(row: StoredRefund | RefundRow): RouteData<'POST /api/v1/pay/refunds'> {
  return {
    ...serializePayout(row),
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no ?? '',
    kind: row.kind,
    gas_payer: row.gas_payer,
    amount: formatDecimal(row.amount, row.decimals!),
    total: formatDecimal(row.total, row.decimals!),
    reason: row.reason,
    failure: row.failure,
  }
}

/** Queues the event of a refund in its new state for the payment's application. */
export function enqueueRefundEvent(uow: UnitOfWork, row: StoredRefund, event: RefundCallbackEvent, now: number): void {
  const data = serializeRefund(row)
  enqueuePayoutEvent(uow, row, { type: event, data }, data.receives, now)
}

/**
 * Reports a refund in its new state: to the application, and to the merchant. What merchants do themselves is not
 * notified.
 */
export function notifyOfRefund(
  uow: UnitOfWork,
  row: StoredRefund,
  event: WithdrawalEvent,
  to: WithdrawalState,
  now: number,
): void {
  const callback = callbackOf[event]
  if (callback) enqueueRefundEvent(uow, row, callback, now)
  const name =
    to === 'accomplished'
      ? 'refund_accomplished'
      : to === 'abnormal'
        ? 'refund_abnormal'
        : event === 'voided' || event === 'released'
          ? 'refund_returned'
          : undefined
  if (!name) return
  const { merchant_id, trade_no, failure: reason } = row
  const params = { trade_no, amount: formatDecimal(row.receives, row.decimals!), token: row.token!, reason }
  uow.add(events, [{ merchant_id, name, params, created_at: now }])
}
