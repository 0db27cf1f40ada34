import type { TimeRange } from '../../../kit/counted-list.ts'
import { first, type Queryable } from '../../../kit/db.ts'
import {
  buildTermRanges,
  buildTextSearchValues,
  lastTermCharacterSql,
  selectByAddresses,
  selectByTxids,
} from './payment-search.ts'

/** Payments that a text finds at most by its number or words, and by its price: the newest. */
export const textMatchesMax = 2_000

const at = (index: number) => `($2::text[])[${index}]`
const inTime = (time: string) => `${time} between $5::bigint and $6::bigint`
const terms = (condition: string, limit: string) => `select t.trade_no, t.created_at from payment_terms t
  where t.merchant_id = $1 and ${condition} and ${inTime('t.created_at')} ${limit}`
const ofStart = `t.term >= s.start and t.term < s.start || ${lastTermCharacterSql}`
/** Counted up to one more than are found, so that a word of every payment costs no more than another. */
const sizeOf = `select s.start, (select count(*) from (${terms(ofStart, `limit ${textMatchesMax + 1}`)}) counted) as size`
const newest = `order by created_at desc, trade_no desc limit ${textMatchesMax}`

/**
 * The words of a text must all stand in a payment, so the rarest of them finds it. Where more terms begin with a text
 * than are found, they are not in the order of time: found are the newest payments with exactly that term, and those
 * that match among the newest of all.
 */
const match = first(
  'payments-match',
  `with starts as materialized (
     select * from (${sizeOf} from (values (${at(1)})) s (start)) number
     union
     select * from (${sizeOf} from unnest($3::text[]) s (start) order by size limit 1) rarest
   ), candidates as (
     select t.trade_no from starts s cross join lateral (${terms(ofStart, `limit ${textMatchesMax}`)}) t where s.size <= ${textMatchesMax}
     union
     select t.trade_no from starts s cross join lateral (${terms('t.term = s.start', newest)}) t where s.size > ${textMatchesMax}
     union
     select n.trade_no from (
       select trade_no from payments where merchant_id = $1 and ${inTime('created_at')} ${newest}
     ) n where (select bool_or(size > ${textMatchesMax}) from starts)
   ), found as (
     select p.trade_no from candidates c cross join lateral (
       select trade_no, lower(out_trade_no) as number, lower(subject || ' ' || attach) as texts
       from payments where merchant_id = $1 and trade_no = c.trade_no limit 1
     ) p where starts_with(p.number, substr(${at(1)}, 3)) or coalesce((
       select bool_and(p.texts ~ w.pattern or starts_with(p.number, substr(w.start, 3)))
       from unnest($3::text[], $4::text[]) w (start, pattern)
     ), false)
   ), priced as materialized (${terms(`t.term = ${at(5)}`, newest)})
   select array(
       select trade_no from found
       union select trade_no from priced
       union select trade_no from payments where merchant_id = $1 and trade_no >= ${at(3)} and trade_no <= ${at(4)}
       union ${selectByAddresses(`string_to_array(${at(6)}, ' ')`)}
       union ${selectByTxids(`string_to_array(${at(7)}, ' ')`)}
     ) as ids,
     (select bool_or(size > ${textMatchesMax}) from starts) or (select count(*) = ${textMatchesMax} from priced) as truncated`,
)

/** Of what one person collected, the newest are compared one by one. Found is nothing of anybody else. */
const matchCollected = first(
  'payments-match-collected',
  `with newest as materialized (
     select trade_no, created_at, lower(out_trade_no) as number, lower(subject || ' ' || attach) as texts
     from payments where merchant_id = $1 and collected_by <> '' and collected_by = $7 and ${inTime('created_at')} ${newest}
   )
   select array(
       select n.trade_no from newest n where starts_with(n.number, substr(${at(1)}, 3)) or coalesce((
           select bool_and(n.texts ~ w.pattern or starts_with(n.number, substr(w.start, 3)))
           from unnest($3::text[], $4::text[]) w (start, pattern)
         ), false)
         or n.trade_no >= ${at(3)} and n.trade_no <= ${at(4)}
         or (select true from payment_terms t where t.merchant_id = $1 and t.term = ${at(5)}
           and t.created_at = n.created_at and t.trade_no = n.trade_no limit 1)
         or n.trade_no in (${selectByAddresses(`string_to_array(${at(6)}, ' ')`)})
         or n.trade_no in (${selectByTxids(`string_to_array(${at(7)}, ' ')`)})
     ) as ids, (select count(*) = ${textMatchesMax} from newest) as truncated`,
)

const lowerForms: Record<string, string> = { 'i\u0307': '(i\u0307?|İ)', σ: '[σς]', ς: '[σς]' }

/** A regular expression of a word at its start; words of other scripts than Latin are not separated by spaces. */
const patternOf = (word: string): string => {
  // PostgreSQL writes these otherwise in lower case than JavaScript, by which words are split.
  const exact = word.replace(/i\u0307|[σς]|[^\p{L}\p{N}]/gu, part => lowerForms[part] ?? `\\${part}`)
  return /^[\x20-\x7e]/.test(word) ? `(^|[^[:alnum:]])${exact}` : exact
}

const lastTime = 253_402_300_799

/**
 * Finds payments by a text: the beginning of a number, words of the title and the custom data, a price, an address or a
 * transaction; only among those that a person collected, if one is given. A text that finds more than
 * `textMatchesMax` finds the newest, and is `truncated`.
 */
export async function findPaymentsByText(
  c: Queryable,
  merchantId: string,
  text: string,
  { start_time = 0, end_time = lastTime, collected_by }: TimeRange & { collected_by?: string | undefined },
): Promise<{ ids: string[]; truncated: boolean }> {
  const starts = buildTermRanges(text.trim()).words.map(([start]) => start)
  const patterns = starts.map(start => patternOf(start.slice(2)))
  const values = [merchantId, buildTextSearchValues(text), starts, patterns, start_time, end_time] as const
  const found = await (collected_by === undefined ? match(c, ...values) : matchCollected(c, ...values, collected_by))
  return { ids: found!.ids ?? [], truncated: found!.truncated ?? false }
}
