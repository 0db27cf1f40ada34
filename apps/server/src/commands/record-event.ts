import { notificationType } from '@coffer/contract/codes.ts'
import type { Deps } from '../deps.ts'
import { type AccountEvent, insertAccountLog } from '../store/account-log.ts'
import type { Queryable } from '../store/db.ts'
import { insertNotifications, sendHints } from '../store/outbox.ts'
import { deviceName, plainIp, type Visitor, whereabouts } from '../visitor.ts'

/** Events that are only written down: the merchant did them a moment ago and sees so, or will not sign in again. */
const quiet: ReadonlySet<AccountEvent> = new Set([
  'registered',
  'logout',
  'profile_changed',
  'sessions_ended',
  'opening_requested',
  'application_created',
  'application_changed',
  'application_deleted',
  'closed',
])

/**
 * Writes down what happened to an account, tells the merchant by a notification where it matters, and hints at the
 * change to whoever is looking. `from` is null for what the operator did. Belongs into the transaction of the event.
 */
export async function recordEvent(
  deps: Deps,
  c: Queryable,
  event: { merchantId: string; type: AccountEvent; from: Visitor | null; params?: Record<string, string> },
): Promise<void> {
  const { merchantId, type, from } = event
  const created_at = deps.clock()
  const origin = {
    ip: from ? plainIp(from.ip) : '',
    device: from ? deviceName(from.device) : '',
    address: from ? whereabouts(from.ip) : ('' as const),
  }
  await insertAccountLog(c, { merchant_id: merchantId, type, ...origin, created_at })
  if (!quiet.has(type)) {
    await insertNotifications(c, [
      {
        merchant_id: merchantId,
        types: type === 'login' ? notificationType.login : notificationType.account,
        message: `account_${type}`,
        params: { ...origin, ...event.params },
        created_at,
      },
    ])
    await sendHints(c, [{ merchant_id: merchantId, type: 'notification', id: '' }])
  }
  if (type !== 'login') await sendHints(c, [{ merchant_id: merchantId, type: 'account', id: '' }])
}
