import { parseStoredAddresses } from '@coffer/chains/forms.ts'
import { buildListCountSql } from '../../kit/counted-list.ts'
import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineExportedList } from '../../kit/define-list.ts'

export type AddressBookRow = Statements['address-book-list']['row']

/** Travel rule data about a beneficiary; absent where nothing was entered. */
export interface TravelRule {
  beneficiary?: string
  wallet?: 'hosted' | 'self_hosted'
  institution?: string
}

/** Entries, newest first. A text is an address or a part of one, of the label or of the beneficiary. */
export const { page: listEntries, file: entryFile } = defineExportedList({
  name: 'address-book',
  of: 'GET /api/v1/address',
  table: 'address_book',
  row: 'b',
  joins: 'join chains h on h.id = b.chain_id',
  columns: 'b.id, b.chain_id, b.address, b.label, b.memo, b.travel_rule, b.created_at, h.definition',
  where: 'b.deleted_at is null',
  counted: {
    counts: 'address book',
    ofGroup: 'r.deleted_at is null and r.chain_id = g.a',
    ofAll: 'r.deleted_at is null',
  },
  filters: {
    currency_id: { counted: 'a', column: 'b.chain_id' },
    text: {
      stored: text => [text.trim().toLowerCase(), ...parseStoredAddresses(text)],
      column: texts => `(b.address = any((${texts}::text[])[2:]) or exists (
        select from unnest(array[b.address, b.label, b.travel_rule ->> 'beneficiary']) field
        where position((${texts}::text[])[1] in lower(field)) > 0))`,
    },
  },
})

export const countAddressBookEntries = count('address-book-count', buildListCountSql('address book', 'true'))

/**
 * Reports for each address of a chain whether it is the contract of a token, one of ours, or already in the merchant's
 * book.
 */
export const readAddressFacts = all(
  'address-book-facts',
  `select a.address, exists (select from assets s where s.chain_id = $2 and s.contract = a.address) as is_token,
     exists (select from deposit_addresses d where d.chain_kind = $3 and d.address = a.address)
       or exists (select from house_addresses o where o.chain_kind = $3 and o.address = a.address) as is_ours,
     exists (select from address_book b where b.merchant_id = $1 and b.chain_id = $2 and b.address = a.address
       and b.deleted_at is null) as is_listed
   from unnest($4::text[]) as a (address)`,
)

export interface NewAddressBookEntry {
  id: string
  chain_id: string
  address: string
  label: string
  memo: string
  travel_rule: TravelRule
}

const insert = run(
  'address-book-insert',
  `insert into address_book (merchant_id, id, chain_id, address, label, memo, travel_rule, created_at, updated_at)
   select $1, id, chain_id, address, label, memo, travel_rule, $2, $2 from json_to_recordset($3::json) as r (id text,
     chain_id text, address text, label text, memo text, travel_rule jsonb)`,
)
export const insertAddressBookEntries = (
  c: Queryable,
  merchantId: string,
  now: number,
  rows: readonly NewAddressBookEntry[],
) => insert(c, merchantId, now, JSON.stringify(rows))

export const updateAddressBookEntry = first(
  'address-book-change',
  `update address_book set label = $3, travel_rule = $4, updated_at = $5
   where merchant_id = $1 and id = $2 and deleted_at is null returning address`,
)
export const removeAddressBookEntry = first(
  'address-book-remove',
  'update address_book set deleted_at = $3 where merchant_id = $1 and id = $2 and deleted_at is null returning address',
)
