import { type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import {
  allowsWithdrawalTransition,
  type LedgerRefund,
  releaseRefund,
  reverseGroup,
  settleRefund,
  type WithdrawalEvent,
} from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { requirePayoutsDoubted } from '../../kit/copy-switch.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { postings } from '../ledger/store.ts'
import { PaymentChange, savePaymentChanges } from '../payments/payment-changes.ts'
import { lockMerchantPayment } from '../payments/store.ts'
import { statisticsChanges } from '../statistics/statistics-write.ts'
import { withdrawalStateOf } from '../withdrawals/steps.ts'
import { findOpenRefundLink } from './link-store.ts'
import { notifyOfRefund } from './notify.ts'
import { changeRefunds, readRefundedAmount, type StoredRefund, subtractRefundedAmount } from './store.ts'

/**
 * An event of a locked refund, which goes through the states of a withdrawal that needs no approval, with the state it
 * leads to and the columns it changes.
 */
export interface RefundStep {
  row: StoredRefund
  event: WithdrawalEvent
  to: WithdrawalState
  changes?: Partial<Pick<StoredRefund, 'failure' | 'txid' | 'out_chain' | 'out_from' | 'out_nonce'>>
}

const toLedger = (row: StoredRefund): LedgerRefund => ({
  id: row.id,
  merchantId: row.merchant_id,
  assetId: row.asset_id,
  amount: row.amount,
  gas: row.gas,
  receives: row.receives,
  total: row.total,
})

/**
 * Applies events to locked refunds, at most one each: state, postings, the payment, statistics, callbacks,
 * notifications and hints. Throws Refusal('withdrawal_cannot_change') for an event that is not legal in the state.
 */
export async function applyRefundSteps(
  deps: Deps,
  uow: UnitOfWork,
  steps: readonly RefundStep[],
  now: number,
): Promise<void> {
  if (steps.length === 0) return
  const changed: StoredRefund[] = []
  for (const { row, event, to, changes } of steps) {
    if (!allowsWithdrawalTransition(event, withdrawalStateOf(row), to))
      throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    if (event === 'canceled') await requirePayoutsDoubted(uow.c, row.definition!.id)
    const settled = to === 'accomplished' ? row.receives : 0n
    const released = to === 'canceled' ? row.total : 0n
    const events = row.events + 1
    const undone = row.undone + (event === 'undone' ? 1 : 0)
    const status = withdrawalStatus[to]
    changed.push({ ...row, ...changes, status, settled, released, undone, events, updated_at: now })
  }
  await changeRefunds(uow.c, changed)
  for (const [index, { event, to }] of steps.entries()) {
    const row = changed[index]!
    const { merchant_id, asset_id, trade_no } = row
    const memo = { trade_no, to_address: row.to_address, ...(row.txid && { txid: row.txid }) }
    const isUndone = event === 'undone'
    if (to === 'accomplished' || isUndone) {
      const settled = settleRefund(toLedger(row), steps[index]!.row.undone)
      uow.add(postings, [{ group: isUndone ? reverseGroup(settled) : settled, memo, at: now }])
      const refund_usdt = isUndone ? -row.usdt_value : row.usdt_value
      uow.add(statisticsChanges, [{ merchant_id, appid: row.appid, asset_id, at: now, refund_usdt }])
    }
    if (to === 'canceled') uow.add(postings, [{ group: releaseRefund(toLedger(row)), memo, at: now }])
    if (to === 'accomplished' || to === 'canceled') await endRefundOfPayment(deps, uow, row, to, now)
    if (isUndone) await takeFromPayment(deps, uow, row, now)
    uow.add(liveHints, [{ merchant_id, type: 'payment', id: trade_no }])
    notifyOfRefund(uow, row, event, to, now)
  }
}

/**
 * Moves the payment when its refund, or the link to one, has ended. One that a reorg put in doubt meanwhile stays so
 * until a person decides.
 */
export async function endRefundOfPayment(
  deps: Deps,
  uow: UnitOfWork,
  row: { id: string; merchant_id: string; trade_no: string; counted: bigint | null },
  to: WithdrawalState,
  now: number,
): Promise<void> {
  const payment = await lockMerchantPayment(uow.c, row.merchant_id, row.trade_no)
  if (!payment) throw new Error(`refund ${row.id} has no payment`)
  if (to === 'canceled') await subtractRefundedAmount(uow.c, row.merchant_id, row.trade_no, row.counted!)
  const { refunded } = (await readRefundedAmount(uow.c, row.merchant_id, row.trade_no))!
  const change = new PaymentChange(payment)
  if (change.payment.state !== 'refunding') return
  // What an open link for a part counts for has not been given back.
  const open = await findOpenRefundLink(uow.c, row.merchant_id, row.trade_no)
  const whole = refunded - (open?.amount ?? 0n) >= change.payment.paid
  change.apply(to === 'canceled' ? { type: 'refund_cancelled' } : { type: 'refund_finished', whole }, now)
  await savePaymentChanges(deps, uow, [change], now)
}

/** Puts a payment under refund again whose refund was undone. One in doubt stays so until a person decides. */
async function takeFromPayment(deps: Deps, uow: UnitOfWork, row: StoredRefund, now: number): Promise<void> {
  const payment = await lockMerchantPayment(uow.c, row.merchant_id, row.trade_no)
  if (!payment) throw new Error(`refund ${row.id} has no payment`)
  const change = new PaymentChange(payment)
  if (change.payment.state === 'in_doubt' || change.payment.state === 'refunding') return
  change.apply({ type: 'refund_undone' }, now)
  await savePaymentChanges(deps, uow, [change], now)
}
