import { chainAdapters } from '@coffer/chains'
import { type WithdrawalCallbackEvent, type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import type { ListedEvent } from '@coffer/contract/events.ts'
import type { RouteData } from '@coffer/contract/index.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { WithdrawalEvent } from '@coffer/core'
import { usdtValueText } from '../../kit/amounts.ts'
import { events } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { enqueuePayoutEvent } from '../callbacks/enqueue.ts'
import { dayApprovalReason } from '../policies/format-policy-report.ts'
import type { WithdrawalRow } from './list.ts'
import type { StoredWithdrawal } from './store.ts'

type Wire = RouteData<'POST /api/v1/pay/withdrawals'>

const messageOf: Partial<Record<WithdrawalState, ListedEvent>> = {
  accomplished: 'withdrawal_accomplished',
  audit_rejected: 'withdrawal_rejected',
  abnormal: 'withdrawal_abnormal',
}

/** Events that applications receive; a wait, and leaving a block or a batch, are followed by another event. */
const callbackOf: Record<WithdrawalEvent, WithdrawalCallbackEvent | null> = {
  requested: 'withdrawal.created',
  approved: 'withdrawal.approved',
  paid_again: 'withdrawal.approved',
  rejected: 'withdrawal.rejected',
  canceled: 'withdrawal.canceled',
  waits: null,
  sent: 'withdrawal.sent',
  in_block: 'withdrawal.confirming',
  out_of_block: null,
  taken_back: null,
  final: 'withdrawal.completed',
  failed: 'withdrawal.abnormal',
  voided: 'withdrawal.canceled',
  undone: 'withdrawal.abnormal',
  made: 'withdrawal.completed',
  released: 'withdrawal.canceled',
  found_paid: 'withdrawal.completed',
}

/** Why a withdrawal was rejected, failed or waits. */
export const describeWithdrawalReason = ({
  status,
  reason,
  policy,
  usdt_value,
}: StoredWithdrawal | WithdrawalRow): string =>
  status === withdrawalStatus.auditing ? dayApprovalReason(policy, usdt_value) : reason

type Stored = StoredWithdrawal | WithdrawalRow
type Payout = Pick<
  Stored,
  | ('id' | 'out_no' | 'appid' | 'status' | 'definition' | 'decimals' | 'token' | 'to_address' | 'usdt_value' | 'gas')
  | ('receives' | 'warnings' | 'txid' | 'created_at' | 'updated_at')
>

/** What the merchant's server sees of a withdrawal and of a refund. */
export function serializePayout(row: Payout) {
  const definition = row.definition!
  const { address, showTxid } = chainAdapters[definition.kind]
  return {
    id: row.id,
    out_no: row.out_no ?? '',
    appid: row.appid,
    status: row.status,
    chain_id: definition.id,
    chain: definition.name,
    token: row.token!,
    address: address.show(row.to_address),
    usdt_value: usdtValueText(row.usdt_value),
    gas: formatDecimal(row.gas, row.decimals!),
    receives: formatDecimal(row.receives, row.decimals!),
    warnings: row.warnings,
    txid: row.txid && showTxid(row.txid),
    created_time: row.created_at,
    updated_time: row.updated_at,
  }
}

/** A withdrawal as the merchant's server sees it. */
export const serializeWithdrawal = (row: Stored): Wire => ({
  ...serializePayout(row),
  amount: formatDecimal(row.amount, row.decimals!),
  fee: formatDecimal(row.fee, row.decimals!),
  reason: describeWithdrawalReason(row),
  remark: row.remark,
})

/** Queues the event of a withdrawal in its new state for the applications that receive it. */
export function enqueueWithdrawalEvent(
  uow: UnitOfWork,
  row: StoredWithdrawal,
  event: WithdrawalCallbackEvent,
  now: number,
): void {
  const data = serializeWithdrawal(row)
  enqueuePayoutEvent(uow, row, { type: event, data }, data.amount, now)
}

/**
 * Reports a withdrawal in its new state: to applications, and to the merchant. What merchants do themselves is not
 * notified.
 */
export function notifyOfWithdrawal(
  uow: UnitOfWork,
  row: StoredWithdrawal,
  event: WithdrawalEvent,
  to: WithdrawalState,
  now: number,
): void {
  const callback = callbackOf[event]
  if (callback) enqueueWithdrawalEvent(uow, row, callback, now)
  const message = event === 'voided' || event === 'released' ? 'withdrawal_returned' : messageOf[to]
  if (!message) return
  addNotification(uow, row, message, now)
}

/** Notifies of a withdrawal that waits for members who may decide about it. */
export const notifyOfWait = (uow: UnitOfWork, row: StoredWithdrawal, now: number): void =>
  addNotification(uow, row, 'withdrawal_waits', now)

/** Notifies who asked that a member has approved a withdrawal. */
export const notifyOfApproval = (uow: UnitOfWork, row: StoredWithdrawal, by: string, now: number): void =>
  addNotification(uow, row, 'withdrawal_approved', now, { by })

function addNotification(uow: UnitOfWork, row: StoredWithdrawal, name: ListedEvent, now: number, more = {}): void {
  const amount = formatDecimal(row.amount, row.decimals!)
  const { kind, name: chain } = row.definition!
  const to_address = chainAdapters[kind].address.show(row.to_address)
  const about = { id: row.id, ...(row.out_no && { out_no: row.out_no }), to: to_address }
  const params = { ...about, amount, token: row.token!, chain, reason: row.reason, ...more }
  uow.add(events, [{ merchant_id: row.merchant_id, name, params, created_at: now }])
}
