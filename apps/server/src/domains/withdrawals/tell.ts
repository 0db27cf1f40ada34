import { notificationType, type WithdrawalState } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import type { WithdrawalEvent } from '@coffer/core'
import { hints, notifications } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { MessageKey } from '../notifications/messages.ts'
import type { StoredWithdrawal } from './store.ts'

const messageOf: Partial<Record<WithdrawalState, MessageKey>> = {
  accomplished: 'withdrawal_accomplished',
  audit_rejected: 'withdrawal_rejected',
  abnormal: 'withdrawal_abnormal',
}

/** Reports a withdrawal in its new state to the merchant. What merchants do themselves is not notified. */
export function tell(
  uow: UnitOfWork,
  row: StoredWithdrawal,
  event: WithdrawalEvent,
  to: WithdrawalState,
  now: number,
): void {
  const message = event === 'voided' || event === 'released' ? 'withdrawal_returned' : messageOf[to]
  if (!message) return
  const amount = formatDecimal(BigInt(row.amount), row.decimals!)
  const params = { id: row.id, amount, token: row.token!, chain: row.definition!.name, reason: row.reason }
  uow.add(notifications, [
    { merchant_id: row.merchant_id, types: notificationType.payment, message, params, created_at: now },
  ])
  uow.add(hints, [{ merchant_id: row.merchant_id, type: 'notification', id: '' }])
}
