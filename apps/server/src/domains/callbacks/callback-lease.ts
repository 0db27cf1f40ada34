import { type CallbackState, callbackStatus, codeNameOf } from '@coffer/contract/codes.ts'
import { progressEvents } from '@coffer/core/callbacks/schedule.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const { pending, delivered, retrying, given_up } = callbackStatus
/** SQL condition: the event of a callback reports progress. */
const isProgress = (of: string) => `${of}.event in (${progressEvents.map(event => `'${event}'`).join(', ')})`

const lease = all(
  'callbacks-lease',
  `with due as (
     select d.*, row_number() over (partition by d.merchant_id order by d.next_at, d.id) as place_of_merchant,
       row_number() over (partition by d.host order by d.next_at, d.id) as place_of_host
     from (
       select c.merchant_id, c.id, c.next_at, u.url, h.host, coalesce(w.secret, a.webhook_secret) as webhook_secret,
         case when c.endpoint <> '' then coalesce(w.previous_secret, '') when a.previous_webhook_until > $1 then a.previous_webhook_secret
           else '' end as previous_secret
       from callbacks c
       -- A join may be planned from the applications, and then reads all their callbacks.
       cross join lateral (
         select * from applications where merchant_id = c.merchant_id and appid = c.appid limit 1
       ) a
       left join lateral (
         select url, secret, case when previous_until > $1 then previous_secret else '' end as previous_secret from webhook_endpoints
         where merchant_id = c.merchant_id and id = c.endpoint and enabled and removed_at is null limit 1
       ) w on c.endpoint <> ''
       -- It was queued with the URL of its endpoint, of its payment, if that has its own, or of the application.
       cross join lateral (
         select case when c.endpoint <> '' then coalesce(w.url, '') when c.form = '' and c.url = a.notify_url then c.url else coalesce(nullif((select p.notify_url from payments p
           where p.merchant_id = c.merchant_id and p.trade_no = c.trade_no), ''), a.notify_url) end as url
       ) u
       cross join lateral (select coalesce(lower(substring(u.url from '://([^/?#]+)')), '') as host) h
       where c.next_at <= $1 and c.leased_until <= $1
         and coalesce(($4::jsonb ->> ('merchant ' || c.merchant_id))::int, $5) > 0
         -- Where it goes now: a queue that waits for one receiver must not fill the list for all others.
         and coalesce(($4::jsonb ->> ('host ' || h.host))::int, $6) > 0
         -- Subqueries with a limit look up one payment each; not exists may be planned to read all callbacks.
         and (c.manual or c.trade_no = '' or (
           select true from callbacks e
           where e.merchant_id = c.merchant_id and e.trade_no = c.trade_no
             and /* guard: callback-order */ e.seq < c.seq /* end */ and (e.status = ${pending}) is true
             and e.next_at is not null
             and e.endpoint = c.endpoint and e.form = c.form limit 1) is null)
         and (c.manual or c.status <> ${retrying} or not ${isProgress('c')} or (
           select true from callbacks l
           where l.merchant_id = c.merchant_id and l.trade_no = c.trade_no and l.appid = c.appid and l.seq > c.seq
             and l.endpoint = c.endpoint and l.form = c.form and l.next_at <= $1 limit 1) is null)
       order by c.next_at, c.id
       limit 500
     ) d
   ),
   taken as (
     select c.merchant_id, c.id, due.url, due.host, due.webhook_secret, due.previous_secret
     from due join callbacks c on c.merchant_id = due.merchant_id and c.id = due.id
     where c.next_at <= $1 and c.leased_until <= $1
       and due.place_of_merchant <= coalesce(($4::jsonb ->> ('merchant ' || due.merchant_id))::int, $5)
       and due.place_of_host <= coalesce(($4::jsonb ->> ('host ' || due.host))::int, $6)
     order by due.next_at, due.id
     limit $3
     for update of c skip locked
   )
   update callbacks c set leased_until = $2, url = coalesce(nullif(taken.url, ''), c.url)
   from taken where c.merchant_id = taken.merchant_id and c.id = taken.id
   returning c.merchant_id, c.id, c.appid, c.trade_no, c.event, c.body, c.form, c.endpoint,
     coalesce(nullif(c.event_id, ''), c.id) as webhook_id, taken.url, taken.host, c.status, c.tries, c.manual, c.created_at,
     taken.webhook_secret, taken.previous_secret, c.leased_until`,
)

/**
 * A callback that this process may attempt until `leased_until` (unix seconds), which also identifies the lease. The
 * URL is '' when none is set; the secrets are sealed, the previous one is '' unless it signs too.
 */
export type LeasedCallback = Omit<Statements['callbacks-lease']['row'], 'status'> & { state: CallbackState }

export interface CallbackLeaseRequest {
  now: number
  /** End of the lease, unix seconds. */
  until: number
  /** Maximum callbacks to take. */
  limit: number
  /** Free attempts by merchant or host; unlisted keys get `perKey`. */
  free: Record<string, number>
  perKey: number
  /** Free attempts of an unlisted host; `perKey` when omitted. */
  perHost?: number
}

/**
 * Leases due callbacks, longest waiting first, so that no other process attempts them before `until`. The URL is the
 * current one, so that queued callbacks follow a corrected URL; it is '' when none is set, or the endpoint is off. The
 * first attempts at a payment's, withdrawal's or refund's callbacks are made in order, to each endpoint independently
 * of others. One that failed holds back none, and if it reports progress, later ones go first.
 */
export async function leaseCallbacks(c: Queryable, request: CallbackLeaseRequest): Promise<LeasedCallback[]> {
  const { now, until, limit, free, perKey, perHost = perKey } = request
  const rows = await lease(c, now, until, limit, JSON.stringify(free), perKey, perHost)
  return rows.map(({ status, ...row }) => ({ ...row, state: codeNameOf(callbackStatus, status)! }))
}

export interface CallbackAttempt {
  id: string
  httpStatus: number
  result: string
  answer: string
  /** What was sent in a shop's form; absent for the stored body. */
  sent?: string
  durationMs: number
  now: number
}

const insert = run(
  'callback-attempt-insert',
  `insert into callback_attempts (merchant_id, callback_id, id, http_status, result, answer, duration_ms, manual, created_at, sent)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

/** Records one attempt with its response. */
export const insertAttempt = (c: Queryable, { merchant_id, id, manual }: LeasedCallback, attempt: CallbackAttempt) => {
  const { httpStatus, result, answer, sent = '', durationMs, now } = attempt
  return insert(c, merchant_id, id, attempt.id, httpStatus, result, answer, durationMs, manual, now, sent)
}

const end = first(
  'callback-lease-end',
  `update callbacks set attempts = attempts + $8::int,
     status = case when mine then $3::int else status end, tries = case when mine then $4::int else tries end,
     next_at = case when mine then $5::bigint else next_at end, manual = manual and not mine,
     leased_until = case when leased_until = $7 then 0 else leased_until end, result = $6
   from (select leased_until = $7 and status <> ${delivered} or $3::int = ${delivered} as mine
     from callbacks where merchant_id = $1 and id = $2 for update) lease
   where merchant_id = $1 and id = $2
   returning mine`,
)

/**
 * Ends the lease with the outcome of the attempt, of which `recorded` is whether it is one more in the record. A
 * confirmation always counts. Returns false, and discards a failure, when the lease was lost or another attempt was
 * confirmed meanwhile.
 */
export async function endCallbackLease(
  c: Queryable,
  callback: LeasedCallback,
  after: { state: CallbackState; tries: number; nextAt: number | null; result: string; recorded?: boolean },
): Promise<boolean> {
  const { merchant_id, id, leased_until } = callback
  const { state, tries, nextAt, result, recorded = true } = after
  const row = await end(
    c,
    merchant_id,
    id,
    callbackStatus[state],
    tries,
    nextAt,
    result,
    leased_until,
    Number(recorded),
  )
  return row?.mine === true
}

/** Ends the retries of a payment's callbacks that report progress, once a later one was delivered. */
export const endSupersededCallbacks = run(
  'callbacks-supersede',
  `update callbacks c set status = ${given_up}, next_at = null, result = 'superseded'
   where c.merchant_id = $1 and c.trade_no = $2 and c.status = ${retrying} and ${isProgress('c')}
     and exists (select from callbacks l where l.merchant_id = c.merchant_id and l.trade_no = c.trade_no
       and l.appid = c.appid and l.endpoint = c.endpoint and l.form = c.form and l.seq > c.seq and l.status = ${delivered})`,
)
