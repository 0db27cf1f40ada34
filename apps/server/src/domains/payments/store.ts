import type { Exception, Payment, Status } from '@coffer/core'
import { type Queryable, q } from '../../kit/db.ts'

/** A price in USDT of one unit, as it was locked for a payment. */
export interface LockedRate {
  price: string
  source: string
  /** Unix seconds. */
  time: number
}

/** A payment as commands work with it, locked until the end of the transaction. */
export interface StoredPayment {
  merchant_id: string
  trade_no: string
  appid: string
  out_trade_no: string
  status: Status
  exception: Exception
  /** micro-USDT, decimal digits; as are the following in base units of the asset. */
  usdt_amount: string
  amount: string
  paid_amount: string
  pending_amount: string
  fees: string
  fixed_asset_id: string | null
  asset_id: string | null
  chain_id: string | null
  address: string | null
  token_rates: Record<string, LockedRate>
  tolerance_permille: number
  mixed_payment: boolean
  /** See `paymentMode` of the contract. */
  payment_mode: number
  created_at: number
  expire_at: number
  paid_at: number
  closed_at: number
  /** How many entries its history and its callbacks have. */
  events: number
  /** Of the chosen asset. */
  token: string | null
  decimals: number | null
  /** Where callbacks go now; '' for nowhere. */
  url: string
  /** Thousandths; null for the fee of the configuration. */
  fee_permille: number | null
}

const columns = `p.merchant_id, p.trade_no, p.appid, p.out_trade_no, p.status, p.exception, p.usdt_amount, p.amount,
  p.paid_amount, p.pending_amount, p.fees, p.fixed_asset_id, p.asset_id, p.chain_id, p.address, p.token_rates,
  p.tolerance_permille, p.mixed_payment, p.payment_mode, p.created_at, p.expire_at, p.paid_at, p.closed_at, p.events,
  s.symbol as token, s.decimals, coalesce(nullif(p.notify_url, ''), a.notify_url) as url, m.fee_permille`

const tables = `payments p join merchants m on m.id = p.merchant_id
  join applications a on a.merchant_id = p.merchant_id and a.appid = p.appid left join assets s on s.id = p.asset_id`

/** Locks payments by their numbers, in one order, whoever locks them. */
export const lockPayments = (c: Queryable, tradeNos: readonly string[]) =>
  q<StoredPayment>(
    c,
    'payments-lock',
    `select ${columns} from ${tables} where p.trade_no = any($1) order by p.trade_no for no key update of p`,
    [tradeNos],
  )

/** Locks one payment of a merchant; undefined when the merchant has none of that number. */
export async function lockPaymentOf(c: Queryable, merchantId: string, tradeNo: string) {
  const [row] = await q<StoredPayment>(
    c,
    'payment-lock-of',
    `select ${columns} from ${tables} where p.merchant_id = $1 and p.trade_no = $2 for no key update of p`,
    [merchantId, tradeNo],
  )
  return row
}

/** How long a chain that is configured no more keeps its payments open: it may have been left out by mistake. */
const unwatchedSeconds = 86_400

/**
 * Whether a chain was read beyond the end of a payment's time (as SQL): several blocks may be of that last second. A
 * sandbox chain stands still, so there being at its tip is enough.
 */
const isReadToEnd = (h: string) => `((not ${h}.enabled and p.expire_at <= $1 - ${unwatchedSeconds})
  or (${h}.halted is null and (${h}.last_time > p.expire_at or (${h}.definition ->> 'net' = 'sandbox'
    and (${h}.last_time = p.expire_at or (${h}.read_at >= p.expire_at and ${h}.head_number <= ${h}.last_number))))))`

/**
 * Locks payments whose time is over and for which nothing in time is on its way, at most `limit`, leaving those that
 * another process has. Chains that were chosen for them keep them open until they are read: what was sent in time may be
 * in the blocks that are still unread.
 */
export const lockExpiredPayments = (c: Queryable, now: number, limit: number) =>
  q<StoredPayment>(
    c,
    'payments-lock-expired',
    `select ${columns} from ${tables} left join chains h on h.id = p.chain_id
     where p.status in (1, 8) and p.expire_at <= $1 and (h.id is null or ${isReadToEnd('h')})
       and not exists (select from payment_chains_left l join chains e on e.id = l.chain_id
         where l.merchant_id = p.merchant_id and l.trade_no = p.trade_no and not ${isReadToEnd('e')})
       and not exists (select from deposits d where d.merchant_id = p.merchant_id and d.trade_no = p.trade_no
         and d.state = 'seen' and not d.late)
       -- A payment that changes while this looks is looked at again as it is then, its deposits are not.
       and p.pending_amount <= (select coalesce(sum(d.counted), 0) from deposits d
         where d.merchant_id = p.merchant_id and d.trade_no = p.trade_no and d.state = 'seen')
     order by p.expire_at limit $2 for no key update of p skip locked`,
    [now, limit],
  )

/** Remembers a chain that a payment was to be paid on, before its payer chose another one. */
export const leaveChain = (c: Queryable, { merchant_id, trade_no, chain_id }: StoredPayment) =>
  q(
    c,
    'payment-leave-chain',
    'insert into payment_chains_left (merchant_id, trade_no, chain_id) values ($1, $2, $3) on conflict do nothing',
    [merchant_id, trade_no, chain_id],
  )

/**
 * What of payments was credited and came late, by trade_no. Asked once they are locked, so that nothing more is credited
 * meanwhile.
 */
export async function creditedLate(c: Queryable, rows: readonly StoredPayment[]): Promise<Map<string, bigint>> {
  if (rows.length === 0) return new Map()
  const found = await q<{ trade_no: string; late: string }>(
    c,
    'payments-credited-late',
    `select p.trade_no, d.late from unnest($1::text[], $2::text[]) as p (merchant_id, trade_no)
     cross join lateral (
       select coalesce(sum(counted), 0) as late from deposits
       where merchant_id = p.merchant_id and trade_no = p.trade_no and late and state = 'credited'
     ) d`,
    [rows.map(each => each.merchant_id), rows.map(each => each.trade_no)],
  )
  return new Map(found.map(each => [each.trade_no, BigInt(each.late)]))
}

/** What decisions are made from. `late` is what was credited and came late: needed where deposits change. */
export const toPayment = (row: StoredPayment, late = 0n): Payment => ({
  status: row.status,
  exception: row.exception,
  asked: BigInt(row.amount),
  paid: BigInt(row.paid_amount),
  late,
  pending: BigInt(row.pending_amount),
  tolerancePermille: row.tolerance_permille,
  expireAt: row.expire_at,
  paidAt: row.paid_at,
  closedAt: row.closed_at,
})

/** The columns that events change. */
export interface PaymentUpdate {
  merchant_id: string
  trade_no: string
  status: Status
  exception: Exception
  amount: string
  paid_amount: string
  pending_amount: string
  fees: string
  asset_id: string | null
  chain_id: string | null
  address: string | null
  paid_at: number
  closed_at: number
  events: number
}

/** Writes what became of locked payments, in one statement. */
export async function updatePayments(c: Queryable, rows: readonly PaymentUpdate[]): Promise<void> {
  if (rows.length === 0) return
  await q(
    c,
    'payments-update',
    `update payments p set status = r.status, exception = r.exception, amount = r.amount, paid_amount = r.paid_amount,
       pending_amount = r.pending_amount, fees = r.fees, asset_id = r.asset_id, chain_id = r.chain_id,
       address = r.address, paid_at = r.paid_at, closed_at = r.closed_at, events = r.events
     from json_to_recordset($1::json) as r (merchant_id text, trade_no text, status int, exception text, amount numeric,
       paid_amount numeric, pending_amount numeric, fees numeric, asset_id text, chain_id text, address text,
       paid_at bigint, closed_at bigint, events int)
     where p.merchant_id = r.merchant_id and p.trade_no = r.trade_no`,
    [JSON.stringify(rows)],
  )
}

/** One line of a payment's history. */
export interface HistoryRow {
  merchant_id: string
  trade_no: string
  seq: number
  status: Status
  exception: Exception
  event: string
  created_at: number
}

/** Keeps what happened to payments. */
export async function insertHistory(c: Queryable, rows: readonly HistoryRow[]): Promise<void> {
  if (rows.length === 0) return
  await q(
    c,
    'payment-history-insert',
    `insert into payment_history (merchant_id, trade_no, seq, status, exception, event, created_at)
     select merchant_id, trade_no, seq, status, exception, event, created_at
     from json_to_recordset($1::json) as r (merchant_id text, trade_no text, seq int, status int, exception text,
       event text, created_at bigint)`,
    [JSON.stringify(rows)],
  )
}

/** A payment as it is made. */
export interface NewPayment {
  merchant_id: string
  trade_no: string
  appid: string
  out_trade_no: string
  body_hash: Buffer
  usdt_amount: bigint
  fiat_name: string
  fiat_amount: string
  price: LockedRate | null
  token_rates: Record<string, LockedRate>
  fixed_asset_id: string | null
  tolerance_permille: number
  mixed_payment: boolean
  payment_mode: number
  subject: string
  attach: string
  return_url: string
  notify_url: string
  created_at: number
  expire_at: number
}

/** Inserts a payment; false when the application used that out_trade_no before. */
export async function insertPayment(c: Queryable, payment: NewPayment): Promise<boolean> {
  const rows = await q(
    c,
    'payment-insert',
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, fiat_name,
       fiat_amount, price, token_rates, fixed_asset_id, tolerance_permille, mixed_payment, payment_mode, subject, attach,
       return_url, notify_url, created_at, expire_at, events)
     values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, 1)
     on conflict (merchant_id, appid, out_trade_no) do nothing returning 1`,
    [
      payment.merchant_id,
      payment.trade_no,
      payment.appid,
      payment.out_trade_no,
      payment.body_hash,
      payment.usdt_amount,
      payment.fiat_name,
      payment.fiat_amount,
      payment.price,
      payment.token_rates,
      payment.fixed_asset_id,
      payment.tolerance_permille,
      payment.mixed_payment,
      payment.payment_mode,
      payment.subject,
      payment.attach,
      payment.return_url,
      payment.notify_url,
      payment.created_at,
      payment.expire_at,
    ],
  )
  return rows.length === 1
}
