import { type ErrorName, paymentStatus } from '@coffer/contract'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { sumsByToken } from '@coffer/contract/kit/decimal.ts'
import {
  applyPaymentEvent,
  type Payment,
  type PaymentCallback,
  type PaymentEvent,
  type PaymentRefusal,
} from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { formatPaymentName } from '../../kit/format-payment-name.ts'
import { events, liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { encodeCallbackBody } from '../callbacks/encode-callback-body.ts'
import { callbackUrlForEvent, enqueueCallbacks, type NewCallback } from '../callbacks/enqueue.ts'
import { paymentStatusChanges, type StatisticsChange, statisticsChanges } from '../statistics/statistics-write.ts'
import { type Order, presentOrder } from './present-order.ts'
import { buildShopCallbackBody } from './shop-order.ts'
import {
  type HistoryRow,
  type PaymentUpdate,
  paymentHistory,
  paymentUpdates,
  type StoredPayment,
  toPayment,
} from './store.ts'
import { type DepositRow, mergeShownDeposits, readDeposits } from './to-deposit-view.ts'

/** Columns that commands may update directly because no decision depends on them. */
type Beside = Pick<
  StoredPayment,
  'asset_id' | 'chain_id' | 'address' | 'key_index' | 'token' | 'decimals' | 'definition'
>

/** A locked payment and the events applied to it, to be written by `savePaymentChanges`. */
export class PaymentChange {
  readonly row: StoredPayment
  /** Deposits of the payment changed in the same transaction, in their new state. */
  readonly deposits: DepositRow[] = []
  readonly steps: { event: string; payment: Payment; callbacks: PaymentCallback[] }[] = []
  payment: Payment
  beside: Partial<Beside> = {}
  /** Why the merchant marks the payment, for its history. */
  reason = ''
  /** Fees to add, in base units of the payment's asset. */
  fees = 0n
  /** The rate of the fee, in hundredths of a percent; null until a deposit is credited, and where it is not known. */
  feeBps: number | null
  /** Changes of the merchant's figures. */
  readonly figures: StatisticsChange[] = []

  constructor(row: StoredPayment, late?: bigint) {
    this.row = row
    this.payment = toPayment(row, late)
    this.feeBps = row.fee_bps
  }

  /**
   * Applies an event. Throws a Refusal and leaves the payment unchanged if the event is not accepted. `unreported`: the
   * event is neither in the history nor in callbacks unless it changes the payment's state, because a later one of the
   * same transaction says more.
   */
  apply(event: PaymentEvent, now: number, { unreported = false } = {}): void {
    const decision = applyPaymentEvent(this.payment, event, now)
    if ('refused' in decision) throw new Refusal(refusalOf[decision.refused])
    const isReported = !unreported || decision.payment.state !== this.payment.state
    this.payment = decision.payment
    if (isReported) this.steps.push({ event: event.type, ...decision })
  }

  /** Whether this change marks the payment as paid. */
  get becamePaid(): boolean {
    return this.row.paid_at === 0 && this.payment.paidAt > 0
  }
}

const refusalOf: Record<PaymentRefusal, ErrorName> = {
  payment_ended: 'transaction_ended',
  asset_locked: 'operation_failed',
  cannot_close: 'transaction_cannot_close',
  cannot_refund: 'cannot_refund',
  cannot_mark: 'transaction_cannot_mark',
  illegal_transition: 'operation_failed',
}

/** Notification for each callback. If several apply, only the last one in this list is sent. */
const notificationOf: [PaymentCallback, ListedEvent][] = [
  ['payment.partial', 'payment_partial'],
  ['payment.paid', 'payment_paid'],
  ['payment.over', 'payment_over'],
  ['payment.late', 'payment_late'],
  ['payment.chain_failure', 'payment_chain_failure'],
  ['payment.error', 'payment_error'],
]

/**
 * Adds the changes of locked payments to the unit of work: state, history, counts, statistics, callbacks, notifications
 * and hints. Reads the deposits for all callbacks in one statement. Returns the payments that have callbacks as orders,
 * by trade_no.
 */
export async function savePaymentChanges(
  deps: Deps,
  uow: UnitOfWork,
  changes: readonly PaymentChange[],
  now: number,
): Promise<ReadonlyMap<string, Order>> {
  const changed = changes
    .filter(({ steps, beside }) => steps.length > 0 || Object.keys(beside).length > 0)
    .map(change => ({ change, ...numbered(change, now) }))
  for (const { change, entries, update } of changed) {
    const { merchant_id, trade_no, appid, asset_id, created_at, status, collected_by: person } = change.row
    uow.add(paymentUpdates, [update])
    uow.add(paymentHistory, entries)
    uow.add(paymentStatusChanges, [{ merchant_id, appid, created_at, from: status, to: update.status }])
    uow.add(liveHints, [{ merchant_id, type: 'payment', id: trade_no, ...(person && { person }) }])
    uow.add(statisticsChanges, change.figures)
    if (change.becamePaid)
      uow.add(statisticsChanges, [{ merchant_id, appid, asset_id: asset_id ?? '', at: now, paid_num: 1n }])
  }
  const reported = changed.filter(each => each.callbacks.length > 0)
  const deposits = await depositsOf(
    uow.c,
    reported.map(each => each.change),
  )
  const orders = reported.map(({ change: { row, beside }, update }) =>
    presentOrder(deps.config.publicUrl, { ...row, ...beside, ...update }, deposits.get(row.trade_no) ?? []),
  )
  enqueueCallbacks(
    uow,
    reported.flatMap(({ change, callbacks }, index) => callbacksOf(change, orders[index]!, callbacks, now)),
  )
  for (const [index, { change, callbacks: events }] of reported.entries())
    notify(uow, change, orders[index]!, events, now)
  return new Map(orders.map(order => [order.trade_no, order]))
}

/** A callback with its sequence number within the payment. */
interface NumberedCallback {
  event: PaymentCallback
  seq: number
}

/** Assigns the payment's next sequence numbers to its history entries and callbacks. */
function numbered({ row, steps, payment, beside, fees, feeBps, reason }: PaymentChange, now: number) {
  const { merchant_id, trade_no } = row
  let events = row.events
  const entries: HistoryRow[] = []
  const callbacks: NumberedCallback[] = []
  for (const step of steps) {
    const { state, exception } = step.payment
    const status = paymentStatus[state]
    entries.push({
      merchant_id,
      trade_no,
      seq: ++events,
      status,
      exception,
      event: step.event,
      reason,
      created_at: now,
    })
    for (const event of step.callbacks) callbacks.push({ event, seq: ++events })
  }
  const update: PaymentUpdate = {
    merchant_id,
    trade_no,
    status: paymentStatus[payment.state],
    exception: payment.exception,
    amount: payment.requested,
    paid_amount: payment.paid,
    pending_amount: payment.pending,
    fees: row.fees + fees,
    fee_bps: feeBps,
    asset_id: beside.asset_id ?? row.asset_id,
    chain_id: beside.chain_id ?? row.chain_id,
    address: beside.address ?? row.address,
    key_index: beside.key_index ?? row.key_index,
    paid_at: payment.paidAt,
    closed_at: payment.closedAt,
    events,
  }
  return { entries, callbacks, update }
}

/** Returns the deposits to show in callbacks, in their new state, by trade_no. */
async function depositsOf(c: Queryable, changes: readonly PaymentChange[]): Promise<Map<string, DepositRow[]>> {
  if (changes.length === 0) return new Map()
  const changing = Math.max(...changes.map(each => each.deposits.length))
  const stored = await readDeposits(
    c,
    changes.map(each => each.row),
    changing,
    new Map(changes.flatMap(({ deposits }) => deposits.map(each => [each.chain_id, each.definition]))),
  )
  return new Map(
    changes.map(({ row, deposits }) => [row.trade_no, mergeShownDeposits(stored.get(row.trade_no) ?? [], deposits)]),
  )
}

function callbacksOf(
  { row, payment }: PaymentChange,
  order: Order,
  callbacks: readonly NumberedCallback[],
  now: number,
): NewCallback[] {
  const { merchant_id, appid, trade_no, url, callbacks_muted: muted, shop } = row
  return callbacks.flatMap(({ event, seq }) => {
    const body = encodeCallbackBody({ type: event, data: order }, now)
    // The amount paid, or the amount due if nothing has been paid.
    const amount = payment.paid > 0n ? order.paid_amount : order.amount
    const common = { merchant_id, appid, trade_no, event, seq, amount, token: order.token, created_at: now }
    if (!shop) return [{ ...common, body, url: callbackUrlForEvent(event, { url, muted }) }]
    const unsent = { ...common, body, url: '' }
    if (!url || !shop.events.includes(event)) return [unsent]
    return [unsent, { ...common, url, body: buildShopCallbackBody(event, order, shop), form: shop.form }]
  })
}

/**
 * Where the money of an order is: on the chosen network, unless it came on others; with its amount where it came in
 * another token.
 */
function networksOf({ chain, token, deposits }: Order, mixed: boolean): string {
  const credited = deposits.filter(({ state }) => state === 'credited')
  const sent = mixed ? sumsByToken(credited.filter(each => each.token !== token)) : []
  const chains = [...new Set(credited.map(deposit => deposit.chain))].join(', ') || chain
  return sent.length > 0 ? `${chains} (${sent.join(' + ')})` : chains
}

function notify(
  uow: UnitOfWork,
  change: PaymentChange,
  order: Order,
  callbacks: readonly NumberedCallback[],
  now: number,
): void {
  // What merchants do themselves is in the history, not in their notifications.
  if (change.reason) return
  const { row } = change
  const name = notificationOf.findLast(([event]) => callbacks.some(each => each.event === event))?.[1]
  if (!name) return
  // A deposit that does not count has a notification of its own.
  if (change.steps.at(-1)?.event === 'deposit_credited' && row.paid_amount === change.payment.paid) return
  const { merchant_id, trade_no } = row
  const out_trade_no = formatPaymentName(row)
  const { paid_amount: amount, amount: requested, token, fiat_name, fiat_amount } = order
  const chain = networksOf(order, row.mixed_payment)
  const params = {
    trade_no,
    out_trade_no,
    amount,
    asked: requested,
    token,
    chain,
    ...(fiat_name && { fiat_name, fiat_amount }),
  }
  uow.add(events, [{ merchant_id, name, params, created_at: now }])
}
