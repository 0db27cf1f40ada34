import { type CallbackState, callbackStatus, nameOf } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const lease = all(
  'callbacks-lease',
  `with due as (
     select d.*, row_number() over (partition by d.merchant_id order by d.next_at, d.id) as place_of_merchant,
       row_number() over (partition by d.host order by d.next_at, d.id) as place_of_host
     from (
       select c.merchant_id, c.id, c.next_at, u.url, h.host, a.webhook_secret from callbacks c
       join applications a on a.merchant_id = c.merchant_id and a.appid = c.appid
       -- It was queued with the URL of its payment, if that has its own, or of the application.
       cross join lateral (
         select case when c.url = a.notify_url then c.url else coalesce(nullif((select p.notify_url from payments p
           where p.merchant_id = c.merchant_id and p.trade_no = c.trade_no), ''), a.notify_url) end as url
       ) u
       cross join lateral (select coalesce(lower(substring(u.url from '://([^/?#]+)')), '') as host) h
       where c.next_at <= $1 and c.leased_until <= $1
         and coalesce(($4::jsonb ->> ('merchant ' || c.merchant_id))::int, $5) > 0
         -- Where it goes now: a queue that waits for one receiver must not fill the list for all others.
         and coalesce(($4::jsonb ->> ('host ' || h.host))::int, $7) > 0
         and (c.manual or c.trade_no = '' or not exists (
           select 1 from callbacks e
           where e.merchant_id = c.merchant_id and e.trade_no = c.trade_no
             and /* guard: callback-order */ e.seq < c.seq /* end */ and e.next_at <= $1 + $6))
       order by c.next_at, c.id
       limit 500
     ) d
   ),
   taken as (
     select c.merchant_id, c.id, due.url, due.host, due.webhook_secret
     from due join callbacks c on c.merchant_id = due.merchant_id and c.id = due.id
     where c.next_at <= $1 and c.leased_until <= $1
       and due.place_of_merchant <= coalesce(($4::jsonb ->> ('merchant ' || due.merchant_id))::int, $5)
       and due.place_of_host <= coalesce(($4::jsonb ->> ('host ' || due.host))::int, $7)
     order by due.next_at, due.id
     limit $3
     for update of c skip locked
   )
   update callbacks c set leased_until = $2, url = coalesce(nullif(taken.url, ''), c.url)
   from taken where c.merchant_id = taken.merchant_id and c.id = taken.id
   returning c.merchant_id, c.id, c.trade_no, c.event, c.body, taken.url, taken.host, c.status, c.tries, c.manual,
     taken.webhook_secret, c.leased_until`,
)

/**
 * A callback that this process may attempt until `leased_until` (unix seconds), which also identifies the lease. The
 * URL is '' when none is set; the secret is sealed.
 */
export type LeasedCallback = Omit<Statements['callbacks-lease']['row'], 'status'> & { state: CallbackState }

export interface LeaseRequest {
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
  /** A callback waits behind an earlier one of the same payment that is due within this many seconds. */
  patience: number
}

/**
 * Leases due callbacks, longest waiting first, so that no other process attempts them before `until`. The URL is the
 * current one, so that queued callbacks follow a corrected URL; it is '' when none is set. A payment's callbacks are
 * sent in order, unless one was resent by hand or the earlier one is delayed beyond `patience`.
 */
export async function leaseCallbacks(c: Queryable, request: LeaseRequest): Promise<LeasedCallback[]> {
  const { now, until, limit, free, perKey, patience, perHost = perKey } = request
  const rows = await lease(c, now, until, limit, JSON.stringify(free), perKey, patience, perHost)
  return rows.map(({ status, ...row }) => ({ ...row, state: nameOf(callbackStatus, status)! }))
}

export interface Attempt {
  id: string
  httpStatus: number
  result: string
  answer: string
  durationMs: number
  now: number
}

const insert = run(
  'callback-attempt-insert',
  `insert into callback_attempts (merchant_id, callback_id, id, http_status, result, answer, duration_ms, manual, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** Records one attempt with its response. */
export const insertAttempt = (c: Queryable, { merchant_id, id, manual }: LeasedCallback, attempt: Attempt) => {
  const { httpStatus, result, answer, durationMs, now } = attempt
  return insert(c, merchant_id, id, attempt.id, httpStatus, result, answer, durationMs, manual, now)
}

const { delivered } = callbackStatus
const end = first(
  'callback-lease-end',
  `update callbacks set attempts = attempts + 1,
     status = case when mine then $3::int else status end, tries = case when mine then $4::int else tries end,
     next_at = case when mine then $5::bigint else next_at end, manual = manual and not mine,
     leased_until = case when leased_until = $7 then 0 else leased_until end, result = $6
   from (select leased_until = $7 and status <> ${delivered} or $3::int = ${delivered} as mine
     from callbacks where merchant_id = $1 and id = $2 for update) lease
   where merchant_id = $1 and id = $2
   returning mine`,
)

/**
 * Ends the lease with the outcome of the attempt. A confirmation always counts. Returns false, and discards a
 * failure, when the lease was lost or another attempt was confirmed meanwhile.
 */
export async function endLease(
  c: Queryable,
  callback: LeasedCallback,
  after: { state: CallbackState; tries: number; nextAt: number | null; result: string },
): Promise<boolean> {
  const { merchant_id, id, leased_until } = callback
  const { state, tries, nextAt, result } = after
  const row = await end(c, merchant_id, id, callbackStatus[state], tries, nextAt, result, leased_until)
  return row?.mine === true
}
