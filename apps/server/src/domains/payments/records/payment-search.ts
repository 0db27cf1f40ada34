import { createHash } from 'node:crypto'
import { kindNames, kinds } from '@coffer/chains'
import { forms } from '@coffer/chains/forms.ts'
import type { Metadata } from '@coffer/contract'
import { endOfTime } from '@coffer/contract/limits.ts'
import { all, type Queryable, type Statements, variants } from '../../../kit/db.ts'
import type { Page } from '../../../kit/list.ts'
import { type PaymentFilter, type PaymentPage, type RecordRow, recordColumns, recordsOfPage } from './payment-record.ts'

/** What payments are searched by: words of their texts, and entries of their metadata. */

const wordMax = 64
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

const wordTerm = (word: string) => `w:${word.slice(0, wordMax)}`
const entryTerm = (key: string, value: string) =>
  `m:${createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('base64url')}`

/** Splits a text into words, in lower case. Knows where Chinese words end. */
const wordsOf = (text: string): string[] =>
  [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))

/** Returns the terms of a payment. The order number is one of them, so there is always one. */
export function termsOf(of: { out_trade_no: string; subject: string; attach: string; metadata: Metadata }): string[] {
  const words = [...wordsOf(of.subject), ...wordsOf(of.attach)].map(wordTerm)
  const entries = Object.entries(of.metadata).map(([key, value]) => entryTerm(key, String(value)))
  return [...new Set([wordTerm(of.out_trade_no.toLowerCase()), ...words, ...entries])]
}

/** Returns the term of a metadata filter such as `customer=42`. */
export function metadataTerm(filter: string): string {
  const at = filter.indexOf('=')
  return entryTerm(filter.slice(0, at), filter.slice(at + 1))
}

/** A range of terms, which begin with the same text. */
export type TermRange = [from: string, to: string]

const rangeOf = (start: string): TermRange => [wordTerm(start), `${wordTerm(start)}\u{10ffff}`]

/** Returns the range of order numbers that begin with a text, and the ranges of its words, all of which must match. */
export const textRanges = (text: string): { number: TermRange; words: TermRange[] } => ({
  number: rangeOf(text.toLowerCase()),
  words: [...new Set(wordsOf(text))].map(rangeOf),
})

/** What payments are searched by. Each has an index of its own. */
const searches = ['exception', 'text', 'address', 'txid', 'metadata'] as const
/** The searches of a statement. */
export type SearchKind = Record<(typeof searches)[number], boolean>

export const searchKind = (filter: PaymentFilter): SearchKind =>
  Object.fromEntries(searches.map(name => [name, filter[name] !== undefined])) as SearchKind

export const isSearch = (filter: PaymentFilter) => searches.some(name => filter[name] !== undefined)

/** Kinds that PostgreSQL describes: none, each alone, and all. */
export const describedSearches: SearchKind[] = [[], ...searches.map(name => [name]), searches].map(
  given => Object.fromEntries(searches.map(name => [name, given.some(each => each === name)])) as SearchKind,
)

const terms = (condition: string) => `select t.trade_no from payment_terms t where t.merchant_id = $1 and ${condition}`

/** SQL for the `trade_no` of the payments that a search finds, by the number of its first parameter. */
const finders: Record<
  Exclude<(typeof searches)[number], 'exception'>,
  { takes: number; of: (first: number) => string }
> = {
  // [start of the number, its end, first platform number, last one], starts of the words, their ends.
  text: {
    takes: 3,
    of: n => `${terms(`t.term >= ($${n}::text[])[1] and t.term < ($${n}::text[])[2]`)}
      union select q.trade_no from payments q where q.merchant_id = $1
        and q.trade_no >= ($${n}::text[])[3] and q.trade_no <= ($${n}::text[])[4]
      union select t.trade_no
        from unnest($${n + 1}::text[], $${n + 2}::text[]) with ordinality w (start, stop, place)
        join payment_terms t on t.merchant_id = $1 and t.term >= w.start and t.term < w.stop
        group by t.trade_no having count(distinct w.place) = cardinality($${n + 1}::text[])`,
  },
  address: {
    takes: 1,
    of: n =>
      ['address_leases', 'address_amounts']
        .map(
          table => `select l.trade_no from ${table} l where l.merchant_id = $1
          and l.chain_kind in (select kind from chains) and l.address = any ($${n}::text[])`,
        )
        .join(' union '),
  },
  txid: {
    takes: 1,
    of: n => `select d.trade_no from deposits d where d.merchant_id = $1 and not d.replaced
      and d.chain_id in (select id from chains) and d.txid = any ($${n}::text[])`,
  },
  metadata: { takes: 1, of: n => terms(`t.term = $${n}::text`) },
}

/**
 * Returns SQL for the payments `p` of a merchant that match the searches, with parameters from `first` on: what stands after `from`,
 * and a condition. What a search finds is read by primary key: otherwise PostgreSQL may plan to read all payments of the merchant.
 */
export function searchText(kind: SearchKind, first: number): { from: string; where: string } {
  let next = first
  const where = kind.exception ? ` and p.exception = $${next++}::text and p.exception <> 'none'` : ''
  const found = Object.entries(finders)
    .filter(([name]) => kind[name as keyof typeof finders])
    .map(([, { takes, of }]) => {
      next += takes
      return `(${of(next - takes)})`
    })
  if (found.length === 0) return { from: 'payments p', where }
  const from = `(${found.join(' intersect ')}) found cross join lateral (
      select * from payments where merchant_id = $1 and trade_no = found.trade_no limit 1
    ) p`
  return { from, where }
}

/** Returns the parameters of the searches, in the order of `searchText`. */
export function searchValues({ exception, text, address, txid, metadata }: PaymentFilter): (string | string[])[] {
  const values: (string | string[])[] = []
  if (exception !== undefined) values.push(exception)
  if (text !== undefined) values.push(...textValues(text))
  // An address has one stored form for each kind of chain that it is valid on.
  if (address !== undefined) values.push(Object.values(forms).flatMap(form => form.address.parse(address.trim()) ?? []))
  if (txid !== undefined) {
    const digits = txid.toLowerCase().replace(/^0x/, '')
    values.push([digits, `0x${digits}`])
  }
  if (metadata !== undefined) values.push(metadataTerm(metadata))
  return values
}

/** Digits of a platform order number from which on its start is searched for. */
const numberDigitsMin = 4

function textValues(text: string): string[][] {
  const { number, words } = textRanges(text.trim())
  const isNumber = /^\d{1,32}$/.test(text.trim()) && text.trim().length >= numberDigitsMin
  const [from, to] = isNumber ? [text.trim().padEnd(32, '0'), text.trim().padEnd(32, '9')] : ['1', '0']
  return [[...number, from, to], words.map(([start]) => start), words.map(([, stop]) => stop)]
}

const searched = variants(
  'payments-searched',
  (kind: SearchKind) => {
    const { from, where } = searchText(kind, 10)
    return `with found as materialized (
      select p.created_at, p.trade_no from ${from}
      where p.merchant_id = $1 and ($4::text is null or p.appid = $4) and ($5::int is null or p.status = $5)
        and ($6::text is null or p.out_trade_no = $6) and ($7::text is null or p.trade_no = $7)
        and p.created_at >= $8 and p.created_at <= $9${where}
    ), page as materialized (
      select trade_no from found order by created_at desc, trade_no desc limit $2 offset $3
    )
    select w.total, shown.* from (select count(*) as total from found) w left join (
      select ${recordColumns} from ${recordsOfPage}
    ) shown on true
    order by shown.created_at desc, shown.trade_no desc`
  },
  describedSearches.filter(kind => Object.values(kind).some(Boolean)),
)

type SearchedRow = Statements['payments-searched']['row']
/** An empty page is returned as one row with only the total set. */
const isFound = (row: SearchedRow): row is SearchedRow & RecordRow => row.trade_no !== null

/** Reads one page of the payments that match a search, newest first, with the exact total. */
export async function filterPayments(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  { limit, offset }: Page,
): Promise<PaymentPage> {
  const { appid = null, status = null, out_trade_no = null, trade_no = null } = filter
  const { start_time = 0, end_time = endOfTime } = filter
  const values = [merchantId, limit, offset, appid, status, out_trade_no, trade_no, start_time, end_time]
  const rows = await searched(c, searchKind(filter), ...values, ...searchValues(filter))
  return { total: rows[0]?.total ?? 0, rows: rows.filter(isFound) }
}

/** Payments found at most. Each way to find one reads a bounded number of rows, however many match. */
const most = 10
/** Newest payments that are read one by one. */
const newest = 200

const search = all(
  'payments-search',
  `with found as (
     (select trade_no from payments where merchant_id = $1 and trade_no between $3 and $4 order by trade_no desc limit ${most})
     union
     (select trade_no from payment_terms where merchant_id = $1 and term >= $5 and term < $6 order by term limit 100)
     union
     -- The newest first, where a short beginning matches more than were read above.
     select p.trade_no from (
       select trade_no from payments where merchant_id = $1 order by created_at desc, trade_no desc limit ${newest}
     ) n cross join lateral (
       select trade_no, out_trade_no from payments where merchant_id = $1 and trade_no = n.trade_no limit 1
     ) p where starts_with(lower(p.out_trade_no), lower($2))
     union
     (select trade_no from address_leases
       where chain_kind = any($7) and address between $8 and $9 and merchant_id = $1 limit ${most})
     union
     select d.trade_no from chains h cross join lateral (
       select trade_no from deposits where chain_id = h.id and txid between $10 and $11 and not replaced and merchant_id = $1
         and trade_no is not null order by txid limit ${most}
     ) d
   )
   select p.trade_no, p.out_trade_no, p.usdt_amount, p.status, p.created_at
   from found cross join lateral (
     select * from payments where merchant_id = $1 and trade_no = found.trade_no limit 1
   ) p
   order by $2 in (p.out_trade_no, p.trade_no) desc, p.created_at desc, p.trade_no desc limit ${most}`,
)

export type FoundPayment = Statements['payments-search']['row']

/** A range that contains nothing. */
const none = ['', ''] as const
/** Digits of a hash or address below which a search would match those of many merchants. */
const hexLeast = 8

/**
 * Finds the merchant's payments whose trade_no, out_trade_no, deposit address or transaction hash begins with a text; an exact
 * number first, then the newest.
 */
export function searchPayments(c: Queryable, merchantId: string, text: string): Promise<FoundPayment[]> {
  const [from, to] = textRanges(text).number
  const tradeNo = /^\d{1,32}$/.test(text) ? ([text.padEnd(32, '0'), text.padEnd(32, '9')] as const) : none
  const address = kindNames.map(kind => kinds[kind].address.parse(text)).find(stored => stored !== null)
  const addresses = address ? ([address, address] as const) : hexRange(text, ['0x', 40])
  const txids = text.startsWith('0x') ? hexRange(text, ['0x', 64]) : hexRange(text, ['', 64])
  return search(c, merchantId, text, ...tradeNo, from, to, kindNames, ...addresses, ...txids)
}

/** The range of hexadecimal texts with a prefix and this many digits that begin with a text. Empty if it has few digits. */
function hexRange(text: string, [prefix, digits]: [string, number]): readonly [string, string] {
  const start = text.toLowerCase()
  const given = start.slice(prefix.length)
  if (!start.startsWith(prefix) || !/^[0-9a-f]+$/.test(given) || given.length < hexLeast || given.length > digits)
    return none
  return [prefix + given.padEnd(digits, '0'), prefix + given.padEnd(digits, 'f')]
}
