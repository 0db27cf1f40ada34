import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'

export type EntryRow = Statements['address-book-page']['row']

/** Travel rule data about a beneficiary; absent where nothing was entered. */
export interface TravelRule {
  beneficiary?: string
  wallet?: 'hosted' | 'self_hosted'
  institution?: string
}

export interface EntryFilter {
  currency_id?: string | undefined
  text?: string | undefined
}

/** Entries of merchant $1, by network ($2) and by a text ($3) or the addresses that it can be ($4). */
const listed = `b.merchant_id = $1 and b.deleted_at is null and ($2::text is null or b.chain_id = $2)
  and ($3::text is null or b.address = any($4::text[]) or position(lower($3) in lower(b.address)) > 0
    or position(lower($3) in lower(b.label)) > 0 or position(lower($3) in lower(b.travel_rule ->> 'beneficiary')) > 0)`
const columns = 'b.id, b.chain_id, b.address, b.label, b.memo, b.travel_rule, b.created_at, h.definition'

const page = all(
  'address-book-page',
  `select ${columns} from address_book b join chains h on h.id = b.chain_id where ${listed}
   order by b.created_at desc, b.id desc limit $5 offset $6`,
)
const next = all(
  'address-book-next',
  `select ${columns} from address_book b join chains h on h.id = b.chain_id
   where ${listed} and ($5::bigint is null or (b.created_at, b.id) < ($5, $6)) order by b.created_at desc, b.id desc limit $7`,
)
const counted = count('address-book-count', `select count(*) as n from address_book b where ${listed}`)

type Filter = readonly [merchantId: string, chainId: string | null, text: string | null, addresses: string[]]

export const listEntries = (c: Queryable, filter: Filter, limit: number, offset: number) =>
  page(c, ...filter, limit, offset)
export const countEntries = (c: Queryable, filter: Filter) => counted(c, ...filter)
/** Reads entries after one, in the order of the list. */
export const nextEntries = (c: Queryable, filter: Filter, after: EntryRow | undefined, limit: number) =>
  next(c, ...filter, after?.created_at ?? null, after?.id ?? '', limit)

/** Reports for each address of a chain whether it is the contract of a token, one of ours, or already in the merchant's book. */
export const factsOf = all(
  'address-book-facts',
  `select a.address, exists (select from assets s where s.chain_id = $2 and s.contract = a.address) as is_token,
     exists (select from deposit_addresses d where d.chain_kind = $3 and d.address = a.address)
       or exists (select from house_addresses o where o.chain_kind = $3 and o.address = a.address) as is_ours,
     exists (select from address_book b where b.merchant_id = $1 and b.chain_id = $2 and b.address = a.address
       and b.deleted_at is null) as is_listed
   from unnest($4::text[]) as a (address)`,
)

export interface NewEntry {
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
export const insertEntries = (c: Queryable, merchantId: string, now: number, rows: readonly NewEntry[]) =>
  insert(c, merchantId, now, JSON.stringify(rows))

export const changeEntry = first(
  'address-book-change',
  `update address_book set label = $3, travel_rule = $4, updated_at = $5
   where merchant_id = $1 and id = $2 and deleted_at is null returning address`,
)
export const removeEntry = first(
  'address-book-remove',
  'update address_book set deleted_at = $3 where merchant_id = $1 and id = $2 and deleted_at is null returning address',
)
