import { one, type Queryable, q } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'

/** What is written down about an account. The texts for people are in messages. */
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

export interface AccountLogRow {
  id: string
  type: AccountEvent
  ip: string
  device: string
  address: 'private' | 'unknown' | ''
  created_at: number
}

type Entry = Omit<AccountLogRow, 'id'> & { merchant_id: string }

export const insertAccountLog = (c: Queryable, entry: Entry) =>
  q(
    c,
    'account-log-insert',
    `insert into account_log (merchant_id, id, type, ip, device, address, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [entry.merchant_id, newId(), entry.type, entry.ip, entry.device, entry.address, entry.created_at],
  )

/** A page of the log, newest first. */
export const accountLogPage = (c: Queryable, merchantId: string, limit: number, offset: number) =>
  q<AccountLogRow>(
    c,
    'account-log-page',
    `select id, type, ip, device, address, created_at from account_log where merchant_id = $1
     order by created_at desc, id desc limit $2 offset $3`,
    [merchantId, limit, offset],
  )

export const accountLogCount = async (c: Queryable, merchantId: string): Promise<number> =>
  (await one<{ n: number }>(c, 'account-log-count', 'select count(*) as n from account_log where merchant_id = $1', [
    merchantId,
  ]))!.n
