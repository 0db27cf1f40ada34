import type { CallbackEvent, ChosenEvent } from '@coffer/contract/codes.ts'
import type { RefundWebhook, WithdrawalWebhook } from '@coffer/contract/webhooks.ts'
import { run } from '../../kit/db.ts'
import { idsInOrder } from '../../kit/ids.ts'
import { hints } from '../../kit/outbox.ts'
import type { Part, UnitOfWork } from '../../kit/unit-of-work.ts'
import { callbackBody } from './callback-body.ts'

/** One event for a merchant's server, with the body exactly as it will be signed. */
export interface NewCallback {
  merchant_id: string
  appid: string
  trade_no: string
  event: string
  /** Increases with each callback of a payment, withdrawal or refund, whose number is `trade_no`. */
  seq: number
  url: string
  body: string
  /** Decimal amount in `token`, a symbol. */
  amount: string
  token: string
  created_at: number
  /** Name of a shop's form, in which it is sent to exactly `url`; by default the standard way. */
  form?: string
}

const insert = run(
  'callbacks-enqueue',
  `insert into callbacks (merchant_id, id, appid, trade_no, event, seq, url, body, amount, token, form, status, next_at, created_at)
   select merchant_id, id, appid, trade_no, event, seq, url, body, amount, token, coalesce(form, ''), 1, created_at, created_at
   from json_to_recordset($1::json) as r (merchant_id text, id text, appid text, trade_no text, event text, seq int,
     url text, body text, amount text, token text, form text, created_at bigint)`,
)

const callbacks: Part<NewCallback & { id: string }> = {
  name: 'callbacks',
  write: (c, rows) => insert(c, JSON.stringify(rows)),
}

/**
 * Queues callbacks, due immediately, in the transaction of the events they report, and adds hints for them. Returns
 * their ids.
 */
export function enqueueCallbacks(uow: UnitOfWork, rows: readonly NewCallback[]): string[] {
  // Ascending ids list a payment's callbacks with the same timestamp in event order.
  const nextId = idsInOrder()
  const list = rows.map(row => ({ ...row, id: nextId() }))
  uow.add(callbacks, list)
  uow.add(
    hints,
    list.map(({ merchant_id, id }) => ({ merchant_id, type: 'callback', id })),
  )
  return list.map(row => row.id)
}

/** An application that can receive events. */
export interface Receiver {
  appid: string
  url: string
  muted: ChosenEvent[]
}

/** SQL: the applications that receive the events of a row of `of`: its own or, without one, every enabled one. */
export const receiversOf = (of: string) => `(
  select coalesce(json_agg(json_build_object('appid', a.appid, 'url', a.notify_url, 'muted', a.callbacks_muted) order by a.appid), '[]')
  from applications a where a.merchant_id = ${of}.merchant_id and a.notify_url <> ''
    and (a.appid = ${of}.appid or (${of}.appid = '' and a.deleted_at is null and a.status = 1)))`

/** Queues an event for each of the receivers that has chosen it. */
export const enqueueFor = (
  uow: UnitOfWork,
  receivers: readonly Receiver[],
  callback: Omit<NewCallback, 'appid' | 'url' | 'event'> & { event: CallbackEvent },
): void =>
  void enqueueCallbacks(
    uow,
    receivers
      .filter(({ muted }) => !(muted as CallbackEvent[]).includes(callback.event))
      .map(({ appid, url }) => ({ ...callback, appid, url })),
  )

/** A withdrawal or refund in its new state. */
interface Payout {
  merchant_id: string
  id: string
  receivers: readonly Receiver[]
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
  enqueueFor(uow, receivers, {
    ...{ merchant_id, trade_no, seq, amount },
    event: event.type,
    body: callbackBody(event, now),
    token: event.data.token,
    created_at: now,
  })
