import { notificationType } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { all, count, type Queryable, run, type Statements } from '../../kit/db.ts'
import { idsInOrder } from '../../kit/ids.ts'
import type { Page } from '../../kit/list.ts'
import { hints, notifications } from '../../kit/outbox.ts'
import type { Part, UnitOfWork } from '../../kit/unit-of-work.ts'
import { deviceName, plainIp, type Visitor, whereabouts } from '../../kit/visitor.ts'
import { messages } from '../notifications/messages.ts'

/** Event types of the account log. Some also send a notification, `account_<type>`. */
export type AccountEvent =
  | 'registered'
  | 'login'
  | 'logout'
  | 'password_changed'
  | 'password_reset'
  | 'authenticator_bound'
  | 'authenticator_removed'
  | 'mailbox_changed'
  | 'phone_bound'
  | 'profile_changed'
  | 'sessions_ended'
  | 'sign_in_linked'
  | 'opening_requested'
  | 'advanced'
  | 'approved'
  | 'refused'
  | 'frozen'
  | 'unfrozen'
  | 'closed'
  | 'application_created'
  | 'application_changed'
  | 'application_deleted'
  | 'secret_key_renewed'
  | 'webhook_secret_renewed'
  | 'notify_url_changed'

type Row = Omit<Statements['account-log-page']['row'], 'id'> & { merchant_id: string }

const insert = run(
  'account-log-insert',
  `insert into account_log (merchant_id, id, type, ip, device, address, created_at)
   select merchant_id, id, type, ip, device, address, created_at
   from json_to_recordset($1::json) as r (merchant_id text, id text, type text, ip text, device text, address text,
     created_at bigint)`,
)

const accountLog: Part<Row> = {
  name: 'account log',
  write(c, rows) {
    const nextId = idsInOrder()
    return insert(c, JSON.stringify(rows.map(row => ({ ...row, id: nextId() }))))
  },
}

const page = all(
  'account-log-page',
  `select id, type, ip, device, address, created_at from account_log where merchant_id = $1
   order by created_at desc, id desc limit $2 offset $3`,
)

/** Reads a page of the account log, newest first. */
export const accountLogPage = (c: Queryable, merchantId: string, { limit, offset }: Page) =>
  page(c, merchantId, limit, offset)

export const accountLogCount = count(
  'account-log-count',
  'select count(*) as n from account_log where merchant_id = $1',
)

/**
 * Adds an event to a merchant's account log, with its notification, if any, and a live event. `from` is null for actions of
 * the operator.
 */
export function recordEvent(
  deps: Deps,
  uow: UnitOfWork,
  event: { merchantId: string; type: AccountEvent; from: Visitor | null; params?: Record<string, string> },
): void {
  const { merchantId: merchant_id, type, from } = event
  const created_at = deps.clock()
  const origin = {
    ip: from ? plainIp(from.ip) : '',
    device: from ? deviceName(from.device) : '',
    address: from ? whereabouts(from.ip) : ('' as const),
  }
  uow.add(accountLog, [{ merchant_id, type, ...origin, created_at }])
  const message = `account_${type}`
  if (message in messages) {
    const types = type === 'login' ? notificationType.login : notificationType.account
    uow.add(notifications, [{ merchant_id, types, message, params: { ...origin, ...event.params }, created_at }])
    uow.add(hints, [{ merchant_id, type: 'notification', id: '' }])
  }
  if (type !== 'login') uow.add(hints, [{ merchant_id, type: 'account', id: '' }])
}
