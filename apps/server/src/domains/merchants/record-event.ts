import { notificationType } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { hints, notifications } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { deviceName, plainIp, type Visitor, whereabouts } from '../../kit/visitor.ts'
import { accountMessages } from '../notifications/account-messages.ts'
import type { MessageKey } from '../notifications/messages.ts'
import { type AccountEvent, accountLog } from './account-log.ts'

/** Events without a message are only written down: the merchant did them a moment ago and sees so. */
const messageOf = (type: AccountEvent): MessageKey | undefined => {
  const key = `account_${type}`
  return key in accountMessages ? (key as keyof typeof accountMessages) : undefined
}

/**
 * Writes down what happened to an account, tells the merchant by a notification where it matters, and hints at the
 * change to whoever is looking. `from` is null for what the operator did. Belongs into the transaction of the event.
 */
export function recordEvent(
  deps: Deps,
  uow: UnitOfWork,
  event: { merchantId: string; type: AccountEvent; from: Visitor | null; params?: Record<string, string> },
): void {
  const { merchantId, type, from } = event
  const created_at = deps.clock()
  const origin = {
    ip: from ? plainIp(from.ip) : '',
    device: from ? deviceName(from.device) : '',
    address: from ? whereabouts(from.ip) : ('' as const),
  }
  uow.add(accountLog, [{ merchant_id: merchantId, type, ...origin, created_at }])
  const message = messageOf(type)
  if (message) {
    uow.add(notifications, [
      {
        merchant_id: merchantId,
        types: type === 'login' ? notificationType.login : notificationType.account,
        message,
        params: { ...origin, ...event.params },
        created_at,
      },
    ])
    uow.add(hints, [{ merchant_id: merchantId, type: 'notification', id: '' }])
  }
  if (type !== 'login') uow.add(hints, [{ merchant_id: merchantId, type: 'account', id: '' }])
}
