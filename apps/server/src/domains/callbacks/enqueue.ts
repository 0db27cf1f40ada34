import type { RefundWebhook, WithdrawalWebhook } from '@coffer/contract/callbacks/webhooks.ts'
import type { CallbackEvent, SelectableEvent } from '@coffer/contract/codes.ts'
import { run } from '../../kit/db.ts'
import { makeOrderedIdGenerator } from '../../kit/ids.ts'
import { liveHints } from '../../kit/outbox.ts'
import type { UnitOfWork, UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { encodeCallbackBody } from './encode-callback-body.ts'

/** One event for a merchant's server, with the body exactly as it will be signed. */
export interface NewCallback {
  merchant_id: string
  appid: string
  trade_no: string
  event: string
  /** Increases with each callback of a payment, withdrawal or refund, whose number is `trade_no`. */
  seq: number
  /** Where it is sent; '' only records the event. */
  url: string
  body: string
  /** Decimal amount in `token`, a symbol. */
  amount: string
  token: string
  created_at: number
  /** Name of a shop's form, in which it is sent to exactly `url`; by default the standard way. */
  form?: string
}

/**
 * SQL: the id of the callback of an event `r` to an endpoint `e`: it has the time of the event and its place among
 * others of the transaction.
 */
const idAt = `left(r.id, 15) || left(h, 3) || substr(r.id, 19, 2) || substr(h, 4, 3) || '-' || substr(h, 7, 5) || right(r.id, 7)
  from (select md5(e.id || left(r.id, 29)) as h) hashed`

const insert = run(
  'callbacks-enqueue',
  `with r as materialized (
     select * from json_to_recordset($1::json) as r (merchant_id text, id text, appid text, trade_no text, event text, seq int,
       url text, body text, amount text, token text, form text, created_at bigint)
   ), unsent as (
     insert into unsent_events (merchant_id, appid, id, body, created_at)
     select merchant_id, appid, id, body, created_at from r where url = ''
   )
   insert into callbacks (merchant_id, id, appid, trade_no, event, seq, url, body, amount, token, form, status, next_at, created_at, endpoint, event_id)
   select merchant_id, id, appid, trade_no, event, seq, url, body, amount, token, coalesce(form, ''), 1, created_at, created_at, '', ''
   from r where url <> ''
   union all
   select r.merchant_id, (select ${idAt}), r.appid, r.trade_no, r.event, r.seq, e.url, r.body, r.amount, r.token, '', 1, r.created_at,
     r.created_at, e.id, r.id
   from r
   -- With a limit: a join may be planned to read all endpoints.
   cross join lateral (
     select id, url from webhook_endpoints where merchant_id = r.merchant_id and appid = r.appid and removed_at is null
       and enabled and not muted ? r.event limit 100
   ) e
   where r.form is null`,
)

const callbacks: UnitOfWorkPart<NewCallback & { id: string }> = {
  name: 'callbacks',
  write: (c, rows) => insert(c, JSON.stringify(rows)),
}

/**
 * Records events, and queues callbacks of them to their URLs and to the endpoints of their applications, due
 * immediately, in the transaction of what they report. A callback in a shop's form is no event. Adds hints for them and
 * returns their ids.
 */
export function enqueueCallbacks(uow: UnitOfWork, rows: readonly NewCallback[]): string[] {
  // Ascending ids list a payment's callbacks with the same timestamp in event order.
  const nextId = makeOrderedIdGenerator()
  const list = rows.map(row => ({ ...row, id: nextId() }))
  uow.add(callbacks, list)
  uow.add(
    liveHints,
    list.map(({ merchant_id, id }) => ({ merchant_id, type: 'callback', id })),
  )
  return list.map(row => row.id)
}

/** An application that can receive events. */
export interface CallbackReceiver {
  appid: string
  url: string
  muted: SelectableEvent[]
}

/** SQL: the applications that have the events of a row of `of`: its own or, without one, every enabled one. */
export const callbackReceiversSql = (of: string) => `(
  select coalesce(json_agg(json_build_object('appid', a.appid, 'url', a.notify_url, 'muted', a.callbacks_muted) order by a.appid), '[]')
  from applications a where a.merchant_id = ${of}.merchant_id
    and (a.appid = ${of}.appid or (${of}.appid = '' and a.deleted_at is null and a.status = 1)))`

/** The URL for an event, which is '' where the application has not chosen it. */
export const callbackUrlForEvent = (
  event: CallbackEvent,
  { url, muted }: Pick<CallbackReceiver, 'url' | 'muted'>,
): string => ((muted as CallbackEvent[]).includes(event) ? '' : url)

/** Records an event for each of the receivers, and queues it for those that have chosen it. */
export const enqueueForReceivers = (
  uow: UnitOfWork,
  receivers: readonly CallbackReceiver[],
  callback: Omit<NewCallback, 'appid' | 'url' | 'event'> & { event: CallbackEvent },
): void =>
  void enqueueCallbacks(
    uow,
    receivers.map(receiver => ({
      ...callback,
      appid: receiver.appid,
      url: callbackUrlForEvent(callback.event, receiver),
    })),
  )

/** A withdrawal or refund in its new state. */
interface Payout {
  merchant_id: string
  id: string
  receivers: readonly CallbackReceiver[]
  /** The number of its events, with this one. */
  events: number
}

/** Queues an event of a payout for the applications that receive it, with a decimal `amount` to list it by. */
export const enqueuePayoutEvent = (
  uow: UnitOfWork,
  { merchant_id, id: trade_no, receivers, events: seq }: Payout,
  event: Omit<WithdrawalWebhook, 'timestamp'> | Omit<RefundWebhook, 'timestamp'>,
  amount: string,
  now: number,
): void =>
  enqueueForReceivers(uow, receivers, {
    merchant_id,
    trade_no,
    seq,
    amount,
    event: event.type,
    body: encodeCallbackBody(event, now),
    token: event.data.token,
    created_at: now,
  })
