import { callbackStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { buildPaymentTitleSql } from '../../kit/format-payment-name.ts'

export type CallbackRow = Statements['callbacks-list']['row']
export type AttemptRow = Statements['callback-attempts']['row']

const columns = `c.merchant_id, c.id, c.appid, a.name as apply_name, c.trade_no, p.out_trade_no, ${buildPaymentTitleSql('p')} as title, c.event, c.url, c.amount, c.token,
  c.status, c.attempts, c.result, case when c.status <> ${callbackStatus.withheld} then c.next_at end as next_at, c.created_at`
const joins = `join applications a on a.merchant_id = c.merchant_id and a.appid = c.appid
  left join payments p on p.merchant_id = c.merchant_id and p.trade_no = c.trade_no`

export const { page: listCallbacks } = defineList({
  name: 'callbacks',
  of: 'GET /api/v1/callback/list',
  table: 'callbacks',
  row: 'c',
  joins,
  columns,
  counted: { ofGroup: 'r.status = g.a::int and r.appid = g.b and r.event = g.c' },
  filters: {
    status: { counted: 'a', column: 'c.status' },
    appid: { counted: 'b', column: 'c.appid' },
    event: { counted: 'c', column: 'c.event' },
    events: {
      counted: names => `c = any(string_to_array(${names}, ','))`,
      column: names => `c.event = any(string_to_array(${names}, ','))`,
    },
    trade_no: { keys: number => `select id from callbacks where merchant_id = $1 and trade_no = ${number}` },
  },
})

export const readCallback = first(
  'callback-read',
  `select ${columns}, c.body from callbacks c ${joins} where c.merchant_id = $1 and c.id = $2`,
)

/** The callbacks to endpoints of an event, whose ids begin with its time. */
export const callbacksOfEvent = all(
  'callbacks-of-event',
  `select id from callbacks
   where merchant_id = $1 and appid = $2 and event_id = $3 and id >= left($3, 15) and id < left($3, 15) || 'g'
   order by id limit 100`,
)

/** Attempts at a callback, newest first. */
export const listAttempts = all(
  'callback-attempts',
  `select created_at, duration_ms, http_status, result, answer, sent, manual from callback_attempts
   where merchant_id = $1 and callback_id = $2 order by id desc limit 200`,
)

/**
 * Callbacks of an application before a place, newest first, in the standard form. A status of 0 and empty texts are no
 * filters.
 */
export const callbacksBefore = all(
  'callbacks-of-application',
  `select ${columns} from (
     select * from callbacks where merchant_id = $1 and appid = $2 and form = '' and (created_at, id) < ($3, $4) and created_at >= $5
       and ($6 = 0 or status = $6) and ($7 = '' or event || '' = $7) and ($8 = '' or trade_no = $8)
     order by created_at desc, id desc limit $9
   ) c ${joins} order by c.created_at desc, c.id desc`,
)

/** Events of an application after a place, oldest first, as they are sent in the standard form. */
export const eventsAfter = all(
  'callback-events',
  `select id, body, created_at from (
     (select id, body, created_at from callbacks
       where merchant_id = $1 and appid = $2 and form = '' and endpoint = '' and (created_at, id) > ($3, $4) order by created_at, id limit $5)
     union all
     (select id, body, created_at from unsent_events
       where merchant_id = $1 and appid = $2 and (created_at, id) > ($3, $4) order by created_at, id limit $5)
   ) events order by created_at, id limit $5`,
)

/** Deletes events that were not sent and are older than a time, in Unix seconds. */
export const deleteUnsentEvents = run('unsent-events-delete', 'delete from unsent_events where created_at < $1')

/**
 * SQL: the payment of a callback `c`, and what people call it; empty where `trade_no` names a withdrawal or a refund.
 */
const paymentOf = 'left join payments p on p.merchant_id = c.merchant_id and p.trade_no = c.trade_no'
const namesOf = `coalesce(p.out_trade_no, '') as out_trade_no, coalesce(${buildPaymentTitleSql('p')}, '') as title`

/**
 * Reads the 200 newest callbacks of all merchants that were given up, for the operator; those of which a later event
 * was delivered are none.
 */
export const listAbandonedCallbacks = all(
  'callbacks-given-up',
  `select m.mchid, m.name as merchant, c.merchant_id, c.id, c.trade_no, ${namesOf}, c.event, c.status, c.url, c.attempts, c.result, c.created_at
   from (select * from callbacks where status = ${callbackStatus.given_up} and result <> 'superseded' order by created_at desc limit 200) c
   join merchants m on m.id = c.merchant_id ${paymentOf} order by c.created_at desc`,
)
/** Reads the 20 newest callbacks of a merchant that were given up. */
export const listMerchantAbandonedCallbacks = all(
  'callbacks-given-up-of',
  `select c.id, c.trade_no, ${namesOf}, c.event, c.status, c.url, c.attempts, c.result, c.created_at
   from (select * from callbacks where merchant_id = $1 and status = ${callbackStatus.given_up} and result <> 'superseded'
     order by created_at desc limit 20) c ${paymentOf} order by c.created_at desc`,
)
/** Finds whose callback it is. Only merchant by merchant does every supported PostgreSQL find it in the index. */
export const findCallbackOwner = first(
  'callback-owner',
  `select c.merchant_id, c.status, c.attempts, c.result from merchants m cross join lateral (
     select merchant_id, status, attempts, result from callbacks where merchant_id = m.id and id = $1 limit 1
   ) c`,
)
/** Counts callbacks that are due, with the time since which the first is. */
export const countDueCallbacks = first(
  'callbacks-due',
  'select count(*) as n, min(next_at) as since from (select next_at from callbacks where next_at <= $1 limit 1000) due',
)

const requeue = run(
  'callback-queue-again',
  `update callbacks set manual = manual or leased_until <= $3, next_at = case when leased_until <= $3 then $3 else next_at end
   where merchant_id = $1 and id = $2 returning 1`,
)

/**
 * Makes a callback due now, as a manual resend. One that is being attempted stays as it is. Returns false when it
 * does not exist.
 */
export const requeueCallback = async (c: Queryable, merchantId: string, id: string, now: number): Promise<boolean> =>
  (await requeue(c, merchantId, id, now)) > 0

export interface NewTestCallback {
  merchantId: string
  id: string
  appid: string
  url: string
  /** The webhook endpoint to test; '' for the notify URL. */
  endpoint: string
  body: string
  now: number
}

const insertOne = run(
  'callback-insert-test',
  `insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, next_at, created_at, endpoint)
   select $1, $2, $3, 'test.ping', 0, $4, $5, ${callbackStatus.pending}, $6, $6, $8
   where (
     select count(*) from callbacks where merchant_id = $1 and status in (1, 2, 3, 4)
       and appid = any(array(select appid from applications where merchant_id = $1))
       and event = 'test.ping' and created_at > $6::bigint - 60
   ) < $7
   returning 1`,
)

/** Queues a test. Returns false when `max` tests of this merchant were queued within the last minute. */
export const insertTestCallback = async (c: Queryable, max: number, test: NewTestCallback): Promise<boolean> =>
  (await insertOne(c, test.merchantId, test.id, test.appid, test.url, test.body, test.now, max, test.endpoint)) > 0
