import { limits, paymentStatus } from '@coffer/contract'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const { open, timed_out, in_doubt, dropped } = paymentStatus

/**
 * Seconds after the end of a payment before its address may be leased again. Late money usually comes within hours; later
 * money still goes to the payment whose lease covered the block, to the same merchant.
 */
export const coolDownSeconds = 7 * 86_400

const takeFree = first(
  'address-take-free',
  `select d.address from deposit_addresses d
   where d.merchant_id = $1 and d.chain_kind = $2 and d.purpose = 'lease'
     and /* guard: cool-down */ d.free_at <= $3 /* end */
     and not exists (select from payments p where p.merchant_id = d.merchant_id and p.trade_no = d.trade_no
       and /* guard: address-in-use */ (p.status in (${open}, ${in_doubt}, ${dropped}) or p.pending_amount > 0
         or p.expire_at > $3) /* end */)
   order by d.free_at limit 1 for update of d skip locked`,
)

/** Takes a free address of the merchant out of its cool-down, or gives undefined. Skips those being taken. */
export const takeFreeAddress = async (c: Queryable, merchantId: string, kind: string, now: number) =>
  (await takeFree(c, merchantId, kind, now))?.address

const nextIndex = first(
  'address-index',
  `insert into address_counters as a (chain_kind, next_index) values ($1, 1)
   on conflict (chain_kind) do update set next_index = a.next_index + 1 returning next_index - 1 as index`,
)

/**
 * Takes the next index of a kind of chain. The counter stays locked until the end of the transaction, so that whoever
 * reads it knows every address that somebody may have been shown.
 */
export const takeIndex = async (c: Queryable, kind: string): Promise<number> => (await nextIndex(c, kind))!.index

const readCounter = first('address-count', 'select next_index from address_counters where chain_kind = $1')

/** How many addresses of a kind were given out, or are being given out and shown to nobody yet. */
export const addressCount = async (c: Queryable, kind: string): Promise<number> =>
  (await readCounter(c, kind))?.next_index ?? 0

/** Addresses of a kind from an index on, in the order of their indexes. */
export const addressesFrom = all(
  'addresses-from',
  `select address, key_index from deposit_addresses where chain_kind = $1 and key_index >= $2
   order by key_index limit $3`,
)

/** An address of ours as it is given out. */
export interface NewAddress {
  chain_kind: string
  address: string
  key_index: number
  merchant_id: string
  purpose: 'lease' | 'fixed'
  created_at: number
}

const insert = run(
  'address-insert',
  `insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
)

/** Writes down a new address. */
export const insertAddress = (c: Queryable, address: NewAddress) => {
  const { chain_kind, key_index, merchant_id, purpose, created_at } = address
  return insert(c, chain_kind, address.address, key_index, merchant_id, purpose, created_at)
}

const ofPayment = first(
  'address-of-payment',
  'select address from address_leases where merchant_id = $1 and trade_no = $2 and chain_kind = $3',
)

/** The address a payment already has on chains of a kind. */
export const leasedAddress = async (c: Queryable, merchantId: string, tradeNo: string, kind: string) =>
  (await ofPayment(c, merchantId, tradeNo, kind))?.address

const insertLease = run(
  'address-lease',
  `with taken as (
     update deposit_addresses set trade_no = $4, free_at = $6 where chain_kind = $1 and address = $2
   )
   insert into address_leases (chain_kind, address, since, merchant_id, trade_no) values ($1, $2, $5, $3, $4)`,
)

/** Gives an address to a payment from `since` on, until somebody else's lease of it begins. */
export const lease = (
  c: Queryable,
  of: { kind: string; address: string; merchantId: string; tradeNo: string; since: number; freeAt: number },
) => insertLease(c, of.kind, of.address, of.merchantId, of.tradeNo, of.since, of.freeAt)

const fixed = first(
  'address-fixed',
  `select address from deposit_addresses where merchant_id = $1 and chain_kind = $2 and purpose = 'fixed'`,
)

/** The fixed address of a merchant for a kind of chain, whichever chain it was made for. */
export const fixedAddress = async (c: Queryable, merchantId: string, kind: string) =>
  (await fixed(c, merchantId, kind))?.address

/** Lets one transaction at a time give a merchant a fixed address. */
export const lockMerchantsAddresses = run(
  'address-merchant-lock',
  'select 1 from merchants where id = $1 for no key update',
)

const awaiting = all(
  'addresses-awaiting',
  `select p.address from payments p where p.created_at >= $3 - ${limits.paymentTtlSecondsMax} and p.expire_at >= $3
     and p.asset_id = $2 and p.status in (${open}, ${timed_out}, ${dropped}) and p.paid_amount = 0 and p.pending_amount = 0
   union select address from deposit_addresses where chain_kind = $1 and purpose = 'fixed'`,
)

/**
 * Addresses at which an asset may come in unseen: those of payments in it that nothing came for and whose time ended after
 * `since` or has not ended, and the fixed ones.
 */
export const awaitingAddresses = async (c: Queryable, of: { kind: string; assetId: string; since: number }) =>
  (await awaiting(c, of.kind, of.assetId, of.since)).map(row => row.address)

/** The fixed address of a merchant as one chain knows it. */
export type FixedAddress = Statements['fixed-address-read']['row']

const insertFixed = run(
  'fixed-address-insert',
  `insert into fixed_addresses (merchant_id, chain_id, id, address, created_at) values ($1, $2, $3, $4, $5)
   on conflict (merchant_id, chain_id) do nothing`,
)
const readFixed = first(
  'fixed-address-read',
  'select id, merchant_id, chain_id, address, created_at from fixed_addresses where merchant_id = $1 and chain_id = $2',
)

/** Writes down that a merchant has a fixed address on a chain; gives the first one when it was written before. */
export async function insertFixedAddress(c: Queryable, row: FixedAddress): Promise<FixedAddress> {
  await insertFixed(c, row.merchant_id, row.chain_id, row.id, row.address, row.created_at)
  return (await readFixed(c, row.merchant_id, row.chain_id))!
}

/** An amount at a fixed address that is one payment's for a time. */
export interface ReservedAmount {
  chain_kind: string
  address: string
  asset_id: string
  amount: bigint
  since: number
  until: number
  merchant_id: string
  trade_no: string
}

const reserved = all(
  'amounts-reserved',
  `select amount, trade_no from address_amounts where chain_kind = $1 and address = $2 and asset_id = $3
     and amount between $4 and $5 and until >= $6`,
)

/** Amounts of an asset between two that are reserved at an address now, with the payment that each is for. */
export async function reservedAmounts(
  c: Queryable,
  at: Pick<ReservedAmount, 'chain_kind' | 'address' | 'asset_id'>,
  range: { from: bigint; to: bigint; now: number },
): Promise<Map<bigint, string>> {
  const rows = await reserved(c, at.chain_kind, at.address, at.asset_id, range.from, range.to, range.now)
  return new Map(rows.map(row => [BigInt(row.amount), row.trade_no]))
}

const reserve = run(
  'amount-reserve',
  `insert into address_amounts (chain_kind, address, asset_id, amount, since, until, merchant_id, trade_no)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** Reserves an amount that is free. */
export const reserveAmount = (c: Queryable, of: ReservedAmount) =>
  reserve(c, of.chain_kind, of.address, of.asset_id, of.amount, of.since, of.until, of.merchant_id, of.trade_no)
