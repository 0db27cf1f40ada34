import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { idsInOrder } from '../../kit/ids.ts'
import type { Page } from '../../kit/list.ts'
import type { Part } from '../../kit/unit-of-work.ts'

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

export type AccountLogRow = Statements['account-log-page']['row']

type Entry = Omit<AccountLogRow, 'id'> & { merchant_id: string }

const insert = run(
  'account-log-insert',
  `insert into account_log (merchant_id, id, type, ip, device, address, created_at)
   select merchant_id, id, type, ip, device, address, created_at
   from json_to_recordset($1::json) as r (merchant_id text, id text, type text, ip text, device text, address text,
     created_at bigint)`,
)

export const accountLog: Part<Entry> = {
  name: 'account log',
  write(c, entries) {
    const nextId = idsInOrder()
    return insert(c, JSON.stringify(entries.map(entry => ({ ...entry, id: nextId() }))))
  },
}

const page = all(
  'account-log-page',
  `select id, type, ip, device, address, created_at from account_log where merchant_id = $1
   order by created_at desc, id desc limit $2 offset $3`,
)

/** A page of the log, newest first. */
export const accountLogPage = (c: Queryable, merchantId: string, { limit, offset }: Page) =>
  page(c, merchantId, limit, offset)

const count = first('account-log-count', 'select count(*) as n from account_log where merchant_id = $1')

export const accountLogCount = async (c: Queryable, merchantId: string): Promise<number> =>
  (await count(c, merchantId))!.n
