import { codeNameOf, paymentStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import {
  hasTimedOut,
  lastFullyReadSecondOf,
  type Payment,
  type PaymentDeviation,
  type ValuationPayment,
} from '@coffer/core'
import { all, count, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWorkPart } from '../../kit/unit-of-work.ts'
import { isSiblingSql } from '../chains/assets.ts'
import type { ChainRow } from '../chains/store.ts'
import { orderColumns } from './columns.ts'

/**
 * A payment locked until the end of the transaction, with all columns an order shows. For payments priced in USDT,
 * `fiat_name` is '' and `price` is null. `usdt_amount` is in micro-USDT, other amounts are in base units of the asset.
 * `events` is the total number of history entries and callbacks. `token`, `decimals` and `definition` describe the
 * chosen asset and its chain. `url` receives callbacks except `callbacks_muted`; '' disables them. `fee_bps` is in
 * hundredths of a percent; null selects the configured fee.
 */
export type StoredPayment = Statements['payment-lock-of']['row']

// The asset is read in a subquery: after waiting for a row lock, PostgreSQL rereads the payment but not the joined
// rows.
const columnsOf = (chains: string) => `${orderColumns}, p.fixed_asset_id, p.chain_id, p.token_rates, p.mixed_payment,
  p.payment_mode, p.closed_at, p.events, p.collected_by,
  (select symbol from assets where id = p.asset_id) as token, (select decimals from assets where id = p.asset_id),
  (select definition from chains where id = p.chain_id${chains}),
  coalesce(nullif(p.notify_url, ''), a.notify_url) as url, p.shop, a.callbacks_muted, m.fee_bps as merchant_fee_bps`

const columns = columnsOf('')

// Lateral with a limit: a join may be planned from the applications, and then reads all their payments.
const tables = `payments p cross join lateral (
    select fee_bps from merchants where id = p.merchant_id limit 1
  ) m cross join lateral (
    select notify_url, callbacks_muted from applications where merchant_id = p.merchant_id and appid = p.appid limit 1
  ) a`

const { open, dropped } = paymentStatus
const { accomplished, canceled, audit_rejected } = withdrawalStatus

const lock = all(
  'payments-lock',
  `select ${columnsOf(' and id is distinct from $2')} from ${tables} where p.trade_no = any($1) /* guard: payments-order */ order by p.trade_no /* end */
   /* guard: payments-lock */ for no key update of p /* end */`,
)

/**
 * Locks payments by trade_no. All callers lock in the same order, which prevents deadlocks. The definition of `chain`
 * is not read again for each of its payments.
 */
export async function lockPayments(
  c: Queryable,
  tradeNos: readonly string[],
  chain?: Pick<ChainRow, 'id' | 'definition'>,
): Promise<StoredPayment[]> {
  const rows = await lock(c, tradeNos, chain?.id ?? null)
  if (chain) for (const row of rows) if (row.chain_id === chain.id) row.definition = chain.definition
  return rows
}

/** Locks one payment of a merchant. Returns undefined if the merchant has no payment with this trade_no. */
export const lockMerchantPayment = first(
  'payment-lock-of',
  `select ${columns} from ${tables} where p.merchant_id = $1 and p.trade_no = $2
   /* guard: payment-lock */ for no key update of p /* end */`,
)

/** Reads one payment of a merchant without locking it. */
export const readMerchantPayment = first(
  'payment-read-of',
  `select ${columns} from ${tables} where p.merchant_id = $1 and p.trade_no = $2`,
)

/** SQL for the `ChainReading` of a chain. */
const reading = (native: string) => `json_build_object('enabled', h.enabled, 'halted', h.halted is not null, 'sandbox',
  h.definition ->> 'net' = 'sandbox', 'lastTime', /* guard: verified-through */ case when h.definition ->> 'roots' = 'false' then coalesce((
    select time from chain_blocks b where b.chain_id = h.id and b.number <= h.final_number order by b.number desc limit 1), 0)
  else h.last_time end /* end */, 'native', ${native}, 'comparedTime', h.compared_time, 'readAt', h.read_at, 'atTip',
  coalesce(h.head_number <= h.last_number, false))`

/** SQL condition: the payment asks for the native coin of the chain. */
const isNative = `exists (select from assets n where n.id = p.asset_id and n.chain_id = h.id and n.contract is null and n.enabled)`

/**
 * SQL condition: the payment has an unconfirmed deposit that is not late, other than of a sibling of a token, which
 * never counts.
 */
const seenInTime = `exists (select from deposits d
  where d.merchant_id = p.merchant_id and d.trade_no = p.trade_no
    and /* guard: money-under-way */ d.state = 'seen' and not d.late /* end */
    and not exists (select from assets s where s.id = d.asset_id and ${isSiblingSql('s')}))`

const readReadings = all('chains-readings', `select h.id, ${reading('false')} as reading from chains h order by h.id`)
const lockExpired = all(
  'payments-lock-expired',
  `select ${columns}, ${seenInTime} as seen_in_time,
     (select coalesce(sum(d.counted), 0) from deposits d
       where d.merchant_id = p.merchant_id and d.trade_no = p.trade_no and d.state = 'seen') as seen,
     (select coalesce(json_agg(${reading(isNative)}), '[]') from chains h where h.id = p.chain_id or h.id in (
       select l.chain_id from payment_chains_left l
       where l.merchant_id = p.merchant_id and l.trade_no = p.trade_no)) as chains
   from ${tables}
   where p.status in (${open}, ${dropped}) and p.expire_at <= $1 and not ${seenInTime}
     and not exists (select from json_to_recordset($2::json) as r (id text, through bigint)
       where r.through < p.expire_at and (r.id = p.chain_id or exists (select from payment_chains_left l
         where l.merchant_id = p.merchant_id and l.trade_no = p.trade_no and l.chain_id = r.id)))
   order by p.expire_at limit $3 for no key update of p skip locked`,
)

/**
 * Locks at most `limit` payments that have timed out and skips those locked by other processes. Chain progress read
 * beforehand filters the candidates, so that payments waiting for a chain do not fill the batch. The decision uses only
 * values read by the locking statement, because a reorg may happen between the two statements.
 */
export async function lockExpiredPayments(c: Queryable, now: number, limit: number): Promise<StoredPayment[]> {
  const chains = await readReadings(c)
  const ends = chains.map(({ id, reading }) => ({ id, through: lastFullyReadSecondOf(reading, now) }))
  const found = await lockExpired(c, now, JSON.stringify(ends), limit)
  return found.filter(({ expire_at: expireAt, pending_amount, seen, seen_in_time: seenInTime, chains }) =>
    hasTimedOut({ expireAt, pending: pending_amount, seen, seenInTime, chains }, now),
  )
}

/** Records a chain that the payer had chosen before switching to another one. */
export const recordAbandonedChain = run(
  'payment-leave-chain',
  'insert into payment_chains_left (merchant_id, trade_no, chain_id) values ($1, $2, $3) on conflict do nothing',
)

const lateOf = all(
  'payments-credited-late',
  `select p.trade_no, d.late, d.deposits,
     coalesce((select refunded from payment_refunds r where r.merchant_id = p.merchant_id and r.trade_no = p.trade_no), 0) as refunded,
     exists (select from refunds r where r.merchant_id = p.merchant_id and r.trade_no = p.trade_no
       and r.status not in (${accomplished}, ${canceled}, ${audit_rejected})) as refunding
   from unnest($1::text[], $2::text[]) as p (merchant_id, trade_no)
   cross join lateral (
     select coalesce(sum(counted), 0) as late, count(*) as deposits from deposits
     where merchant_id = p.merchant_id and trade_no = p.trade_no and late and state = 'credited' and not returned
   ) d`,
)

/**
 * What a payment was credited late: the amount and the number of deposits. What was refunded of the payment or is being
 * refunded, late or not, and whether a refund is under way.
 */
export interface LateCredits {
  late: bigint
  deposits: number
  refunded: bigint
  refunding: boolean
}

/**
 * Returns what each payment was credited late, by trade_no. The payments must be locked, so that no further deposits
 * are credited.
 */
export async function readCreditedLate(
  c: Queryable,
  rows: readonly StoredPayment[],
): Promise<Map<string, LateCredits>> {
  if (rows.length === 0) return new Map()
  const found = await lateOf(
    c,
    rows.map(each => each.merchant_id),
    rows.map(each => each.trade_no),
  )
  return new Map(found.map(({ trade_no, ...late }) => [trade_no, late]))
}

/** Converts a row to the input of `decide`. `late` is the late credited amount; required when deposits change. */
export const toPayment = (row: StoredPayment, late = 0n): Payment => ({
  state: codeNameOf(paymentStatus, row.status)!,
  exception: row.exception,
  requested: row.amount,
  decimals: row.decimals ?? 0,
  paid: row.paid_amount,
  late,
  pending: row.pending_amount,
  tolerancePermille: row.tolerance_permille,
  expireAt: row.expire_at,
  paidAt: row.paid_at,
  closedAt: row.closed_at,
})

/** Converts a row to the input of `valueDeposit`. */
export const toValuingPayment = (row: StoredPayment): ValuationPayment => ({
  assetId: row.asset_id,
  token: row.token,
  requested: row.amount,
  decimals: row.decimals ?? 0,
  usdt: row.usdt_amount,
  mixed: row.mixed_payment,
  rates: row.token_rates,
})

const update = run(
  'payments-update',
  `update payments p set status = r.status, exception = r.exception, amount = r.amount, paid_amount = r.paid_amount,
     pending_amount = r.pending_amount, fees = r.fees, fee_bps = r.fee_bps, asset_id = r.asset_id, chain_id = r.chain_id,
     address = r.address, key_index = r.key_index, paid_at = r.paid_at, closed_at = r.closed_at, events = r.events
   from json_to_recordset($1::json) as r (merchant_id text, trade_no text, status int, exception text, amount numeric,
     paid_amount numeric, pending_amount numeric, fees numeric, fee_bps int, asset_id text, chain_id text, address text, key_index int,
     paid_at bigint, closed_at bigint, events int)
   where p.merchant_id = r.merchant_id and p.trade_no = r.trade_no`,
)

/** Columns that events change. */
export type PaymentUpdate = Pick<
  StoredPayment,
  | 'merchant_id'
  | 'trade_no'
  | 'status'
  | 'exception'
  | 'amount'
  | 'paid_amount'
  | 'pending_amount'
  | 'fees'
  | 'fee_bps'
  | 'asset_id'
  | 'chain_id'
  | 'address'
  | 'key_index'
  | 'paid_at'
  | 'closed_at'
  | 'events'
>

/** Updates of locked payments. */
export const paymentUpdates: UnitOfWorkPart<PaymentUpdate> = {
  name: 'payments',
  write: (c, rows) => update(c, toJson(rows)),
}

/** One entry of a payment's history. */
export interface HistoryRow {
  merchant_id: string
  trade_no: string
  seq: number
  status: number
  exception: PaymentDeviation
  event: string
  /** Why the merchant marked the payment; omitted for other events. */
  reason?: string
  created_at: number
}

const insertLines = run(
  'payment-history-insert',
  `insert into payment_history (merchant_id, trade_no, seq, status, exception, event, reason, created_at)
   select merchant_id, trade_no, seq, status, exception, event, coalesce(reason, ''), created_at
   from json_to_recordset($1::json) as r (merchant_id text, trade_no text, seq int, status int, exception text,
     event text, reason text, created_at bigint)`,
)

/** Inserts history entries of payments. */
export async function insertHistory(c: Queryable, rows: readonly HistoryRow[]): Promise<void> {
  if (rows.length > 0) await insertLines(c, JSON.stringify(rows))
}

export const paymentHistory: UnitOfWorkPart<HistoryRow> = { name: 'history', write: insertHistory }

const doubted = count(
  'payment-doubts',
  'select count(*) as n from deposits where trade_no = $1 and doubted and not returned',
)

/** Counts deposits of a payment, whatever became of them. Under the payment's lock none is added. */
export const countDeposits = count('payment-deposits-count', 'select count(*) as n from deposits where trade_no = $1')

/**
 * Refuses to act on a payment with a deposit in doubt. The payment leaves that status once the operator has decided on
 * all of them.
 */
export async function assertNoDepositsInDoubt(c: Queryable, tradeNo: string): Promise<void> {
  // guard: doubts-settled
  if ((await doubted(c, tradeNo)) > 0) throw new Refusal('payment_in_doubt', { field: 'trade_no' })
}
