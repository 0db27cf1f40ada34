import { type AccountEvent, notificationType } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { auditEntries, auditOriginOf } from '../../kit/audit.ts'
import { liveHints, notifications } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { notificationMessages } from '../notifications/messages.ts'

/**
 * Adds an event of a merchant to the audit log, with its notification, if any, and a live event. `from` is null for
 * actions of the operator.
 */
export function recordEvent(
  deps: Deps,
  uow: UnitOfWork,
  event: { merchantId: string; type: AccountEvent; from: Visitor | null; params?: Record<string, string> },
): void {
  const { merchantId: merchant_id, type, from } = event
  const created_at = deps.clock()
  const { factor, session, ...origin } = auditOriginOf(deps, from)
  const subject = Object.values(event.params ?? {}).join(' ')
  uow.add(auditEntries, [
    { merchant_id, type, outcome: 'done', reason: '', factor, subject, ...origin, created_at, session },
  ])
  const message = `account_${type}`
  if (message in notificationMessages) {
    const types = ['login', 'new_device', 'not_me', 'password_guessed'].includes(type)
      ? notificationType.login
      : notificationType.account
    uow.add(notifications, [{ merchant_id, types, message, params: { ...origin, ...event.params }, created_at }])
  }
  if (type !== 'login') uow.add(liveHints, [{ merchant_id, type: 'account', id: '' }])
}
