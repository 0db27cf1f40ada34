import type { Metadata } from '@coffer/contract'
import { applicationStatus, merchantStatus, paymentMode, paymentStatus } from '@coffer/contract/codes.ts'
import { newOrder } from '@coffer/contract/payments/payment.ts'
import type { UsedKey } from '../../http/context.ts'
import { first, type Queryable, toJson } from '../../kit/db.ts'
import { leaseNewAddressSql } from '../addresses/store.ts'
import type { LockedRate } from '../prices/locked-rates.ts'
import { buildNewPaymentCountSql } from '../statistics/statistics-write.ts'
import { buildSearchTerms } from './records/payment-search.ts'
import type { ShopOrder } from './shop-order.ts'

type Requested = keyof typeof newOrder.shape

/** Fields of the request that are no texts, or not stored as they are. */
const others = [
  'amount',
  'currency',
  'chain',
  'token',
  'metadata',
  'auto_redirect',
  'tolerance_permille',
  'expires_in',
] as const satisfies readonly Requested[]

/** Texts of the request that are stored as they are; one that is absent is empty. */
export type Text = Exclude<Requested, (typeof others)[number]>
const isText = (name: Requested): name is Text => !(others as readonly Requested[]).includes(name)
export const storedTextFields = (Object.keys(newOrder.shape) as Requested[]).filter(isText)

/** A payment to insert. `tolerance_permille` null: the application's. `fiat_name` is '' for prices in USDT. */
export interface NewPayment extends Record<Text, string> {
  merchant_id: string
  trade_no: string
  appid: string
  body_hash: Buffer
  usdt_amount: bigint
  fiat_name: string
  fiat_amount: string
  price: LockedRate | null
  token_rates: Record<string, LockedRate>
  fixed_asset_id: string | null
  tolerance_permille: number | null
  metadata: Metadata
  auto_redirect: boolean
  shop: ShopOrder | null
  /** Id of the person who collects it; '' for nobody. */
  collected_by: string
  created_at: number
  expire_at: number
  /** Of the application, by whose rates it is priced. */
  rates_version: number
  /** The application's key that creates it; null where no key does. */
  key: UsedKey | null
}

/** The chosen asset of a new payment, with a new address for it, used unless the merchant has a free one. */
export interface NewLease {
  kind: string
  chain_id: string
  leased_for: 'native' | 'token'
  amount: bigint
  address: string
  index: number
  /** When the address is free again, in Unix seconds. */
  free_at: number
}

const { open } = paymentStatus

/** Columns that a payment is inserted with as they are given. */
const given = [
  ...storedTextFields,
  'trade_no',
  'body_hash',
  'usdt_amount',
  'fiat_name',
  'fiat_amount',
  'price',
  'token_rates',
  'fixed_asset_id',
  'metadata',
  'auto_redirect',
  'shop',
  'collected_by',
  'created_at',
  'expire_at',
] as const satisfies readonly (keyof NewPayment)[]

/**
 * The key may have been looked up seconds ago. The merchant is locked, so that it cannot be closed or frozen before the
 * payment is stored.
 */
const application = (more: string) =>
  `select a.merchant_id, a.appid, a.mixed_payment, a.payment_mode, a.tolerance_permille
   from applications a join merchants m on m.id = a.merchant_id
   where a.merchant_id = $1 and a.appid = $2 and a.status = ${applicationStatus.enabled} and a.deleted_at is null
     and m.status = ${merchantStatus.approved} and not m.frozen and m.deleted_at is null
     and coalesce($3::int, 0) <= a.tolerance_permille and a.rates_version = $7
     and ($8::bytea is null or a.orders_allowed and (a.key_hash = $8 or a.previous_key_hash = $8 and a.previous_key_until > $6)
       and (not a.ip_whitelist_enabled or a.ip_whitelist @> to_jsonb($9::text)))${more}
   for key share of m`

const columns = `merchant_id, appid, tolerance_permille, mixed_payment, payment_mode, ${given.join(', ')}, status, events`
const values = `app.merchant_id, app.appid, coalesce($3, app.tolerance_permille), app.mixed_payment, app.payment_mode,
  ${given.map(name => `given.${name}`).join(', ')}, ${open}`
const row = 'json_populate_record(null::payments, $4::json) given'

/**
 * What distinguishes orders of one number: the shop's connection, '' for those of the API, and how often it was opened,
 * as indexed.
 */
export const shopFieldSql = (name: 'connection' | 'attempt', usual: string) =>
  `coalesce(shop ->> '${name}', '${usual}')`

const once = `/* guard: order-key */ on conflict (merchant_id, out_trade_no, appid, ${shopFieldSql('connection', '')}, ${shopFieldSql('attempt', '1')}) do nothing /* end */
     returning merchant_id, appid, trade_no, created_at, tolerance_permille`
const terms = `terms as (
     insert into payment_terms (merchant_id, term, created_at, trade_no)
     select merchant_id, unnest($5::text[]), created_at, trade_no from inserted
   )`
const history = (events: string) => `history as (
     insert into payment_history (merchant_id, trade_no, seq, status, exception, event, created_at)
     select merchant_id, trade_no, seq, ${open}, 'none', event, created_at from inserted, (values ${events}) e (seq, event)
   )`

const insert = first(
  'payment-insert',
  `with app as materialized (${application('')}),
   inserted as (
     insert into payments (${columns}) select ${values}, 1 from app, ${row}
     ${once}
   ), ${terms}, ${history(`(1, 'created')`)}, ${buildNewPaymentCountSql(open)}
   select tolerance_permille from inserted`,
)

const usable = `
     and a.payment_mode <> ${paymentMode.address} and exists (
       select from assets s join chains h on h.id = s.chain_id
       where s.id = $17 and s.enabled and h.enabled and h.halted is null and h.last_number is not null)`
const { address, lease } = leaseNewAddressSql(
  { kind: '$10', leasedFor: '$11', now: '$6', freeAt: '$15', address: '$14::text', index: '$13::int' },
  'exists (select from app)',
)
const insertLeased = first(
  'payment-insert-leased',
  `with app as materialized (${application(usable)}),
   ${address},
   inserted as (
     insert into payments (${columns}, asset_id, chain_id, address, key_index, amount)
     select ${values}, 2, $17, $16::text, address.address, address.key_index, $12::numeric
     from app, address, ${row}
     ${once}
   ), ${terms}, ${history(`(1, 'created'), (2, 'asset_chosen')`)}, ${buildNewPaymentCountSql(open)}, ${lease}
   select tolerance_permille, address.address, address.key_index from inserted, address`,
)

const valuesOf = (payment: NewPayment) => {
  const row = { ...payment, body_hash: `\\x${payment.body_hash.toString('hex')}` }
  return [
    payment.merchant_id,
    payment.appid,
    payment.tolerance_permille,
    toJson(Object.fromEntries(given.map(name => [name, row[name]]))),
    buildSearchTerms(payment),
    payment.created_at,
    payment.rates_version,
    payment.key?.hash ?? null,
    payment.key?.listedAs ?? '',
  ] as const
}

/**
 * Inserts a payment with its terms, first history entry and counts. Returns undefined if the application has already
 * used this out_trade_no, or may not create the payment.
 */
export const insertPayment = (c: Queryable, payment: NewPayment) => insert(c, ...valuesOf(payment))

/**
 * Inserts a payment in an asset on a leased address. Also returns undefined if the asset cannot be received now, or the
 * application has fixed addresses.
 */
export const insertLeasedPayment = (c: Queryable, payment: NewPayment & { fixed_asset_id: string }, lease: NewLease) =>
  insertLeased(
    c,
    ...valuesOf(payment),
    lease.kind,
    lease.leased_for,
    lease.amount,
    lease.index,
    lease.address,
    lease.free_at,
    lease.chain_id,
    payment.fixed_asset_id,
  )
