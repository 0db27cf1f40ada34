import type { ChainKind } from '@coffer/chains'
import { chainForms } from '@coffer/chains/forms.ts'
import { type AddressEnds, addressEndsOf } from '@coffer/core'
import { all, type Queryable, run } from '../../kit/db.ts'

/** Returns what people compare of a stored address. */
export function toVisibleAddressEnds(kind: ChainKind, address: string): AddressEnds {
  const { show, prefix } = chainForms[kind].address
  return addressEndsOf(show(address), prefix)
}

const insert = run(
  'known-addresses-insert',
  `insert into known_addresses (merchant_id, chain_id, address, payer, head, tail)
   select merchant_id, chain_id, address, payer, head, tail from json_to_recordset($1::json) as r (merchant_id text, chain_id text,
     address text, payer boolean, head text, tail text)
   on conflict do nothing`,
)

/**
 * A merchant's address in the stored form: `payer` if it has paid, otherwise it is paid or stands in the address book.
 */
export interface KnownAddress {
  merchant_id: string
  chain_id: string
  address: string
  payer: boolean
}

const kindsOf = all('known-addresses-kinds', 'select id, kind from chains where id = any($1)')
/** Kinds of chains by id, which never change, so that they are read once. */
const kinds = new Map<string, ChainKind>()
/** For the simulation, whose processes start within one. */
export const clearKindCache = (): void => kinds.clear()

/** Records addresses, so that those which look like them are found. Whoever stores such an address calls this, too. */
export async function recordKnownAddresses(c: Queryable, known: readonly KnownAddress[]): Promise<void> {
  if (known.length === 0) return
  const missing = new Set(known.map(each => each.chain_id).filter(id => !kinds.has(id)))
  if (missing.size > 0) for (const { id, kind } of await kindsOf(c, [...missing])) kinds.set(id, kind)
  const rows = known.flatMap(each => {
    const kind = kinds.get(each.chain_id)
    return kind === undefined ? [] : [{ ...each, ...toVisibleAddressEnds(kind, each.address) }]
  })
  // In one order, so that two transactions cannot wait for each other.
  rows.sort((a, b) => (a.merchant_id + a.address < b.merchant_id + b.address ? -1 : 1))
  await insert(c, JSON.stringify(rows))
}

const similar = all(
  'known-addresses-similar',
  `select distinct on (a.address) a.address as entered, k.address, k.payer
   from unnest($3::text[], $4::text[], $5::text[]) as a (address, head, tail)
   cross join lateral (
     select h.address, h.payer from known_addresses h
     where h.merchant_id = $1 and h.chain_id = $2 and left(h.head, 3) = left(a.head, 3) and (right(h.tail, 3) = right(a.tail, 3)
       or left(h.head, 4) = left(a.head, 4) and right(h.tail, 2) = right(a.tail, 2) or h.head = a.head)
     union all
     select t.address, t.payer from known_addresses t
     where t.merchant_id = $1 and t.chain_id = $2 and right(t.tail, 4) = right(a.tail, 4)
       and (left(t.head, 2) = left(a.head, 2) or t.tail = a.tail)
   ) k
   where k.address <> a.address and (k.payer
     or exists (select from address_book b where b.merchant_id = $1 and b.chain_id = $2 and b.address = k.address and b.deleted_at is null)
     -- 2 and 6 are audit rejected and canceled.
     or exists (select from withdrawals w where w.merchant_id = $1 and w.to_address = k.address and w.chain_id = $2 and w.status not in (2, 6) and w.origin <> 'return'))
   order by a.address, k.payer, k.address`,
)

/** A known address, in the stored form, that another could be mistaken for. `payer`: only payers are known by it. */
export type SimilarAddress = Pick<KnownAddress, 'address' | 'payer'>

/**
 * Returns for each address that could be mistaken for a known one which that is: one of the address book or of a payout
 * that was not refused or canceled, or else one of a payer.
 */
export async function findSimilarAddresses(
  c: Queryable,
  of: { merchantId: string; chainId: string; kind: ChainKind },
  addresses: readonly string[],
): Promise<Map<string, SimilarAddress>> {
  const ends = addresses.map(each => toVisibleAddressEnds(of.kind, each))
  const heads = ends.map(each => each.head)
  const tails = ends.map(each => each.tail)
  const rows = await similar(c, of.merchantId, of.chainId, addresses, heads, tails)
  return new Map(rows.map(({ entered, address, payer }) => [entered!, { address: address!, payer: payer! }]))
}
