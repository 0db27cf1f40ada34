import { parseStoredAddresses } from '@coffer/chains/forms.ts'
import { limits, paymentStatus } from '@coffer/contract'
import { all, count, first, type Queryable, run } from '../../kit/db.ts'
import { defineExportedList } from '../../kit/define-list.ts'

const { open, timed_out, in_doubt, dropped } = paymentStatus

/**
 * Seconds after the end of a payment before its address is leased again. A payer may pay an old order weeks late, from
 * a saved address or an exchange that withheld the withdrawal, and must not pay the next order at the address with it.
 */
export const addressCoolDownSeconds = 90 * 86_400

/**
 * Seconds after the end of a payment during which its amount stays reserved at a fixed address, and native coin from
 * within contract calls is searched for at its own address. Both cost something for every payment, and late deposits
 * usually arrive within hours.
 */
export const latePaymentSeconds = 7 * 86_400

/**
 * SQL that takes a free address of merchant $1 whose cool-down is over, of those for native coin or for tokens. Skips
 * those that are being taken. Swept ones come first: one unit of the token is left there, so a transfer costs its payer
 * less.
 */
function freeAddress(kind: string, now: string, leasedFor: string, condition = 'true'): string {
  const free = (isSwept: boolean) => `select d.address from deposit_addresses d
   where ${condition} and d.merchant_id = $1 and d.chain_kind = ${kind} and d.purpose = 'lease' and d.leased_for = ${leasedFor}
     and d.swept = ${isSwept} and /* guard: cool-down */ d.free_at <= ${now} /* end */
     and not exists (select from payments p where p.merchant_id = d.merchant_id and p.trade_no = d.trade_no
       and /* guard: address-in-use */ (p.status in (${open}, ${in_doubt}, ${dropped}) or p.pending_amount > 0
         or p.expire_at > ${now}) /* end */)
   order by d.free_at limit 1 for update of d skip locked`
  return `select a.address, a.key_index from (select coalesce((${free(true)}), (${free(false)})) as address) as f
   join deposit_addresses a on a.chain_kind = ${kind} and a.address = f.address`
}

export const takeFreeAddress = first('address-take-free', freeAddress('$2', '$3', '$4'))

/** Parameters of `leaseNewAddressSql`, such as `$2`. `free_at` is when the address is free again. */
interface LeaseParameters {
  kind: string
  leasedFor: string
  now: string
  freeAt: string
  /** A new address and its index, used unless the merchant has a free one. */
  address: string
  index: string
}

/**
 * SQL that leases an address of merchant $1 in the statement that inserts its payment. Only if `condition` holds,
 * `address` is a table with the address; `lease` follows the table `inserted` with the payment.
 */
export const leaseNewAddressSql = (
  { kind, leasedFor, now, freeAt, address, index }: LeaseParameters,
  condition: string,
) => ({
  address: `free as (${freeAddress(kind, now, leasedFor, condition)}),
   address as (select coalesce((select address from free), ${address}) as address,
     coalesce((select key_index from free), ${index}) as key_index where ${condition})`,
  lease: `made as (
     insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, leased_for, trade_no, free_at, created_at)
     select ${kind}, ${address}, ${index}, merchant_id, 'lease', ${leasedFor}, trade_no, ${freeAt}, ${now}
     from inserted where not exists (select from free)
   ), taken as (
     update deposit_addresses d set trade_no = inserted.trade_no, free_at = ${freeAt}
     from inserted, free where d.chain_kind = ${kind} and d.address = free.address
   ), leased as (
     insert into address_leases (chain_kind, address, since, merchant_id, trade_no)
     select ${kind}, address.address, ${now}, merchant_id, trade_no from inserted, address
   )`,
})

/**
 * Takes the next index of a chain kind. The counter stays locked until the end of the transaction, so that a reader of
 * the counter knows every address that was shown to anyone.
 */
export const takeNextKeyIndex = count(
  'address-index',
  `insert into address_counters as a (chain_kind, next_index) values ($1, 1)
   on conflict (chain_kind) do update set next_index = a.next_index + 1 returning next_index - 1 as n`,
)

/** Seconds for which a process uses a range of indexes. Those not given out by then are skipped. */
export const indexRangeSeconds = 3_600

/** Takes the next $2 indexes of a chain kind for one process. Returns the first. */
export const takeKeyIndexRange = count(
  'address-range',
  `with taken as (
     insert into address_counters as a (chain_kind, next_index) values ($1, $2)
     on conflict (chain_kind) do update set next_index = a.next_index + $2 returning chain_kind, next_index
   )
   insert into address_ranges (chain_kind, first_index, next_index, created_at)
   select chain_kind, next_index - $2, next_index, $3 from taken returning first_index as n`,
)

/** Reads the indexes of ranges taken since $2 that were not given out yet. */
export const listUnusedKeyIndexes = all(
  'address-range-unused',
  `select i as index from address_ranges r, generate_series(r.first_index, r.next_index - 1) i
   where r.chain_kind = $1 and r.created_at > $2 and not exists (
     select from deposit_addresses d where d.chain_kind = r.chain_kind and d.key_index = i)`,
)

export const deleteIndexRanges = run('address-ranges-forget', 'delete from address_ranges where created_at <= $1')

const readCounter = first('address-count', 'select next_index from address_counters where chain_kind = $1')

/** Counts the addresses of a chain kind that were derived or are being derived. */
export const countDerivedAddresses = async (c: Queryable, kind: string): Promise<number> =>
  (await readCounter(c, kind))?.next_index ?? 0

/** Reads addresses of a chain kind from an index on, ordered by index. */
export const listAddressesFromIndex = all(
  'addresses-from',
  `select address, key_index from deposit_addresses where chain_kind = $1 and key_index >= $2
   order by key_index limit $3`,
)

export const insertAddress = run(
  'address-insert',
  `insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, leased_for, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

/** Reads the address that a payment holds on chains of a kind for native coin or for tokens. */
export const readLeasedAddress = first(
  'address-of-payment',
  `select address, d.key_index from address_leases join deposit_addresses d using (chain_kind, address)
   where address_leases.merchant_id = $1 and address_leases.trade_no = $2 and chain_kind = $3 and d.leased_for = $4`,
)

/** Leases an address to a payment from $5 on, until the next lease of the address; it is free again at $6. */
export const insertLease = run(
  'address-lease',
  `with taken as (
     update deposit_addresses set trade_no = $4, free_at = $6 where chain_kind = $1 and address = $2
   )
   insert into address_leases (chain_kind, address, since, merchant_id, trade_no) values ($1, $2, $5, $3, $4)`,
)

/** Reads the fixed address of a merchant for a chain kind. */
export const readFixedDepositAddress = first(
  'address-fixed',
  `select address, key_index from deposit_addresses where merchant_id = $1 and chain_kind = $2 and purpose = 'fixed'`,
)

/** Serializes the assignment of fixed addresses and amounts of a merchant. */
export const lockMerchantAddresses = run(
  'address-merchant-lock',
  'select 1 from merchants where id = $1 for no key update',
)

/**
 * Reads addresses of a chain kind ($1) where an asset ($2) may have arrived without being seen: those of payments in it
 * without a deposit that end after $3, and fixed addresses.
 */
export const listAwaitingAddresses = all(
  'addresses-awaiting',
  `select p.address from payments p where p.created_at >= $3 - ${limits.paymentTtlSecondsMax} and p.expire_at >= $3
     and p.asset_id = $2 and p.status in (${open}, ${timed_out}, ${dropped}) and p.paid_amount = 0 and p.pending_amount = 0
   union select address from deposit_addresses where chain_kind = $1 and purpose = 'fixed'`,
)

/** Reads some addresses of a chain kind that are in one of so many parts of all. */
export const listAddressPartition = all(
  'addresses-in-part',
  `select address from deposit_addresses
   where chain_kind = $1 and mod(hashtext(address)::bigint + 2147483648, $3) = $2 order by address limit $4`,
)

/**
 * Inserts an address of a merchant on a chain, unless there is one with this application and reference. Both are empty
 * for the own.
 */
export const insertFixedAddress = run(
  'fixed-address-insert',
  `insert into fixed_addresses (merchant_id, appid, reference, chain_id, id, address, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (merchant_id, reference, appid, chain_id) do nothing`,
)
export const labelAddress = run(
  'fixed-address-label',
  'update fixed_addresses set label = $3 where merchant_id = $1 and id = $2',
)
/** Reads the addresses of a reference on all chains. */
export const listReferenceAddresses = all(
  'fixed-addresses-of-reference',
  `select f.id, f.address, f.chain_id, h.kind from fixed_addresses f join chains h on h.id = f.chain_id
   where f.merchant_id = $1 and f.reference = $2 and f.appid = $3`,
)
const columns = `f.id, f.appid, f.reference, f.label, f.chain_id, f.address, f.created_at, h.definition,
  (select key_index from deposit_addresses d where d.chain_kind = h.kind and d.address = f.address),
  array(select a.symbol from assets a where a.chain_id = f.chain_id and a.enabled
    and (a.contract is not null or f.appid = '') order by a.symbol) as tokens`
/** Reads an address of an application, or with '' for it one of the merchant's own. */
export const readFixedAddress = first(
  'fixed-address-read',
  `select ${columns} from fixed_addresses f join chains h on h.id = f.chain_id
   where f.merchant_id = $1 and f.appid = $2 and f.id = $3`,
)

/** A text that is a reference or an address, and the stored forms of the addresses that it can be. */
export const toReferenceOrAddressForms = (text: string): string[] => [text, ...parseStoredAddresses(text)]

/** Fixed addresses, newest first, with the value of the recharges of each. A text is a whole reference or address. */
export const { page: listFixedAddresses, file: addressFile } = defineExportedList({
  name: 'fixed-addresses',
  table: 'fixed_addresses',
  row: 'f',
  joins: `join chains h on h.id = f.chain_id left join applications p on p.merchant_id = f.merchant_id and p.appid = f.appid`,
  columns: `${columns}, coalesce(p.name, '') as apply_name,
    (select coalesce(sum(d.usdt_amount), 0) from deposits d where d.merchant_id = f.merchant_id
       and d.to_address = f.address and d.chain_id = f.chain_id and d.kind = 'recharge' and d.state = 'credited' and not d.returned) as received_usdt`,
  counted: { counts: 'fixed addresses', ofGroup: 'r.appid = g.a and r.chain_id = g.b' },
  filters: {
    appid: { counted: 'a', column: 'f.appid' },
    chain_id: { counted: 'b', column: 'f.chain_id' },
    text: {
      stored: toReferenceOrAddressForms,
      keys: texts => `select id from fixed_addresses where merchant_id = $1 and reference = (${texts}::text[])[1]
        union select id from fixed_addresses where merchant_id = $1 and address = any((${texts}::text[])[2:])`,
    },
  },
})

/** Reads amounts of an asset between $4 and $5 that are reserved at an address at $6, with their payments. */
export const reservedAmounts = all(
  'amounts-reserved',
  `select amount, trade_no from address_amounts where chain_kind = $1 and address = $2 and asset_id = $3
     and amount between $4 and $5 and until >= $6`,
)

export const insertReservedAmount = run(
  'amount-reserve',
  `insert into address_amounts (chain_kind, address, asset_id, amount, since, until, merchant_id, trade_no)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

const readWatched = first(
  'addresses-watched',
  `select (select next_index from address_counters where chain_kind = $1) as count,
     array(select address from house_addresses where chain_kind = $1) as house`,
)

/**
 * Reads how many addresses of a chain kind were given out, and those of the house: its wallets, and those that the
 * operator named.
 */
export async function readAddressSummary(c: Queryable, kind: string): Promise<{ count: number; house: string[] }> {
  const { count, house } = (await readWatched(c, kind))!
  return { count: count ?? 0, house: house ?? [] }
}
