import { notificationType } from '@coffer/contract'
import { decide, type Payment, type PaymentCallback, type PaymentEvent, type PaymentRefusal } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import type { LiveHint } from '../../kit/live.ts'
import { insertNotifications, type NewNotification, sendHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { callbackBody } from '../callbacks/callback-body.ts'
import { enqueueCallbacks, type NewCallback } from '../callbacks/enqueue.ts'
import type { MessageKey } from '../notifications/messages.ts'
import { addStatistics, type Gain, moveCounts } from '../statistics/statistics-write.ts'
import { type Order, ordersByTradeNo } from './order-view.ts'
import { type HistoryRow, insertHistory, type StoredPayment, toPayment, updatePayments } from './store.ts'

/** Columns that no decision depends on and a command may change beside it. */
type Beside = Partial<Pick<StoredPayment, 'asset_id' | 'chain_id' | 'address'>> & { fees?: bigint }

/** A locked payment with the events it meets; `saveChanges` writes what became of it. */
export class PaymentChange {
  readonly row: StoredPayment
  readonly steps: { event: string; payment: Payment; callbacks: PaymentCallback[] }[] = []
  payment: Payment
  beside: Beside = {}

  constructor(row: StoredPayment, late?: bigint) {
    this.row = row
    this.payment = toPayment(row, late)
  }

  /** Meets an event. Throws a Refusal, and changes nothing, when the payment does not accept it. */
  meet(event: PaymentEvent, now: number): void {
    const decision = decide(this.payment, event, now)
    if ('refused' in decision) throw new Refusal(refusalName(decision.refused))
    this.payment = decision.payment
    this.steps.push({ event: event.type, ...decision })
  }

  /** Whether this change is what made the payment paid. */
  get becamePaid(): boolean {
    return this.row.paid_at === 0 && this.payment.paidAt > 0
  }
}

const refusalName = (refused: PaymentRefusal) =>
  refused === 'asset_locked' || refused === 'illegal_transition' ? 'operation_failed' : refused

/** Which notification tells of a callback; the later one in this list tells it all. */
const notificationOf: [PaymentCallback, MessageKey][] = [
  ['payment.paid', 'payment_paid'],
  ['payment.partial', 'payment_partial'],
  ['payment.over', 'payment_over'],
  ['payment.late', 'payment_late'],
  ['payment.chain_failure', 'payment_chain_failure'],
  ['payment.error', 'payment_error'],
]

/**
 * Writes what became of payments, however many, in a constant number of statements: state, history, counts, statistics,
 * callbacks, notifications and hints. `gains` are further statistics of the same transaction.
 */
export async function saveChanges(
  deps: Deps,
  c: Queryable,
  changes: readonly PaymentChange[],
  now: number,
  gains: readonly Gain[] = [],
): Promise<void> {
  const changed = changes.filter(({ steps, beside }) => steps.length > 0 || Object.keys(beside).length > 0)
  const numbered = changed.map(change => number(change, now))
  await updatePayments(
    c,
    changed.map((change, index) => updateOf(change, numbered[index]!.events)),
  )
  await insertHistory(
    c,
    numbered.flatMap(each => each.history),
  )
  await tell(deps, c, changed, numbered, now)
  const paid = changed.filter(change => change.becamePaid)
  await addStatistics(c, [
    ...gains,
    ...paid.map(({ row }) => ({
      merchant_id: row.merchant_id,
      appid: row.appid,
      asset_id: row.asset_id ?? '',
      at: now,
      paid_num: 1,
    })),
  ])
  await moveCounts(
    c,
    changed.map(({ row, payment }) => ({
      merchant_id: row.merchant_id,
      appid: row.appid,
      created_at: row.created_at,
      from: row.status,
      to: payment.status,
    })),
  )
}

interface Numbered {
  history: HistoryRow[]
  callbacks: { event: PaymentCallback; seq: number }[]
  events: number
}

/** Gives each entry of the history and each callback the payment's next number. */
function number({ row, steps }: PaymentChange, now: number): Numbered {
  let events = row.events
  const history: HistoryRow[] = []
  const callbacks: Numbered['callbacks'] = []
  for (const { event, payment, callbacks: told } of steps) {
    const { merchant_id, trade_no } = row
    const { status, exception } = payment
    history.push({ merchant_id, trade_no, seq: ++events, status, exception, event, created_at: now })
    for (const each of told) callbacks.push({ event: each, seq: ++events })
  }
  return { history, callbacks, events }
}

const updateOf = ({ row, payment, beside }: PaymentChange, events: number) => ({
  merchant_id: row.merchant_id,
  trade_no: row.trade_no,
  status: payment.status,
  exception: payment.exception,
  amount: String(payment.asked),
  paid_amount: String(payment.paid),
  pending_amount: String(payment.pending),
  fees: String(BigInt(row.fees) + (beside.fees ?? 0n)),
  asset_id: beside.asset_id ?? row.asset_id,
  chain_id: beside.chain_id ?? row.chain_id,
  address: beside.address ?? row.address,
  paid_at: payment.paidAt,
  closed_at: payment.closedAt,
  events,
})

async function tell(
  deps: Deps,
  c: Queryable,
  changed: readonly PaymentChange[],
  numbered: readonly Numbered[],
  now: number,
): Promise<void> {
  const telling = changed.filter((_, index) => numbered[index]!.callbacks.length > 0)
  const orders = await ordersByTradeNo(
    c,
    deps.config.publicUrl,
    telling.map(each => each.row.trade_no),
  )
  const callbacks: NewCallback[] = []
  const notifications: NewNotification[] = []
  const hints: LiveHint[] = []
  for (const [index, { row, payment }] of changed.entries()) {
    hints.push({ merchant_id: row.merchant_id, type: 'payment', id: row.trade_no })
    const order = orders.get(row.trade_no)
    const events = numbered[index]!.callbacks
    if (!order || events.length === 0) continue
    if (row.url) callbacks.push(...events.map(each => callbackOf(row, order, payment, each, now)))
    const key = notificationOf.findLast(([event]) => events.some(each => each.event === event))?.[1]
    if (!key) continue
    const params = {
      trade_no: row.trade_no,
      out_trade_no: row.out_trade_no,
      amount: order.paid_amount,
      asked: order.amount,
      token: order.token,
      chain: order.chain,
    }
    const { merchant_id } = row
    notifications.push({ merchant_id, types: notificationType.payment, message: key, params, created_at: now })
    hints.push({ merchant_id, type: 'notification', id: '' })
  }
  const ids = await enqueueCallbacks(c, callbacks)
  await insertNotifications(c, notifications)
  await sendHints(c, [
    ...hints,
    ...callbacks.map(({ merchant_id }, index) => ({ merchant_id, type: 'callback' as const, id: ids[index]! })),
  ])
}

const callbackOf = (
  row: StoredPayment,
  order: Order,
  payment: Payment,
  { event, seq }: Numbered['callbacks'][number],
  now: number,
): NewCallback => ({
  merchant_id: row.merchant_id,
  appid: row.appid,
  trade_no: row.trade_no,
  event,
  seq,
  url: row.url,
  body: callbackBody({ type: event, data: order }, now),
  // What came, or what is asked while nothing did.
  amount: payment.paid > 0n ? order.paid_amount : order.amount,
  token: order.token,
  created_at: now,
})
