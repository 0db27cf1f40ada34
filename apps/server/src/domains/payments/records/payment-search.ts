import { createHash } from 'node:crypto'
import { chainAdapters, chainKindNames } from '@coffer/chains'
import { parseStoredAddresses } from '@coffer/chains/forms.ts'
import type { Metadata } from '@coffer/contract'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { isTxid } from '@coffer/contract/kit/texts.ts'
import { usdtDecimals } from '@coffer/core'
import { all, type Queryable, type Statements } from '../../../kit/db.ts'
import type { ListFilter } from '../../../kit/define-list.ts'
import { buildPaymentTitleSql } from '../../../kit/format-payment-name.ts'
import { formatOrderNumberTime } from '../../../kit/ids.ts'

/** What payments are searched by: words of their texts, their prices, and entries of their metadata. */

const wordMax = 64
/** More than any price has. */
const priceDecimals = 18
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

const wordTerm = (word: string) => `w:${word.slice(0, wordMax)}`
const entryTerm = (key: string, value: string) =>
  `m:${createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('base64url')}`

/** Splits a text into words, in lower case. Knows where Chinese words end. */
const wordsOf = (text: string): string[] =>
  text === ''
    ? []
    : [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))

/** Returns the term of a price as a person writes it, such as 94.90, 94,90 or 1,234.50 EUR; '' for another text. */
export function priceTerm(text: string): string {
  const [, written = ''] = /^(?:[A-Z]{3,4}\s)?([\d.,]{1,40})\s?(?:[A-Z]{3,4})?$/.exec(text.trim()) ?? []
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(written)
  const units = parseDecimal(isGrouped ? written.replaceAll(',', '') : written.replace(',', '.'), priceDecimals)
  return units === null ? '' : `p:${formatDecimal(units, priceDecimals)}`
}

interface Searched {
  out_trade_no: string
  subject: string
  attach: string
  metadata: Metadata
  /** Empty for a price in USDT. */
  fiat_amount: string
  /** In micro-USDT. */
  usdt_amount: bigint
}

/** Returns the terms of a payment. The order number is one of them, so there is always one. */
export function buildSearchTerms(of: Searched): string[] {
  const words = [...wordsOf(of.subject), ...wordsOf(of.attach)].map(wordTerm)
  const entries = Object.entries(of.metadata).map(([key, value]) => entryTerm(key, String(value)))
  const price = priceTerm(of.fiat_amount || formatDecimal(of.usdt_amount, usdtDecimals))
  return [...new Set([wordTerm(of.out_trade_no.toLowerCase()), price, ...words, ...entries])]
}

/** Returns the term of a metadata filter such as `customer=42`. */
export function metadataTerm(filter: string): string {
  const at = filter.indexOf('=')
  return entryTerm(filter.slice(0, at), filter.slice(at + 1))
}

/** A range of terms, which begin with the same text. */
export type TermRange = [from: string, to: string]

const lastCharacter = 0x10ffff
const rangeOf = (start: string): TermRange => [
  wordTerm(start),
  `${wordTerm(start)}${String.fromCodePoint(lastCharacter)}`,
]

/** Returns the range of order numbers that begin with a text, and the ranges of its words, all of which must match. */
export const buildTermRanges = (text: string): { number: TermRange; words: TermRange[] } => ({
  number: rangeOf(text.toLowerCase()),
  words: [...new Set(wordsOf(text))].map(rangeOf),
})

/**
 * Payments of addresses, in an array of their stored forms. Each is looked up, else the merchant's whole index may be
 * read.
 */
export const selectByAddresses = (addresses: string) =>
  ['address_leases', 'address_amounts']
    .map(
      table => `select l.trade_no from unnest(${addresses}) a (address) cross join lateral (
          select trade_no from ${table} where merchant_id = $1 and chain_kind in (select kind from chains) and address = a.address
        ) l`,
    )
    .join(' union ')
/** Payments of transactions, in an array of stored hashes. */
export const selectByTxids = (
  txids: string,
) => `select d.trade_no from deposits d where d.merchant_id = $1 and not d.replaced
  and d.chain_id in (select id from chains) and d.txid = any (${txids})`

/** The two forms in which transaction hashes are stored. */
const txidForms = (txid: string): string[] => {
  const digits = txid.toLowerCase().replace(/^0x/, '')
  return [digits, `0x${digits}`]
}

const terms = (condition: string) => `select t.trade_no from payment_terms t where t.merchant_id = $1 and ${condition}`
/** Follows every character in the order of terms. */
export const lastTermCharacterSql = `chr(${lastCharacter})`

/** Filters that search payments. Each has an index of its own. */
export const searchFilters = {
  exception: { column: exception => `p.exception = ${exception}::text and p.exception <> 'none'` },
  // In place of a text: a search that is bounded takes more than a condition.
  found: { keys: numbers => `select unnest(${numbers}::text[])` },
  // An address has one stored form for each kind of chain that it is valid on.
  address: { stored: parseStoredAddresses, keys: addresses => selectByAddresses(`${addresses}::text[]`) },
  txid: { stored: txidForms, keys: txids => selectByTxids(`${txids}::text[]`) },
  metadata: { stored: metadataTerm, keys: (term, within) => terms(`t.term = ${term}::text${within('t.created_at')}`) },
} satisfies Record<string, ListFilter>

/** Digits of a platform order number: those from which on its beginning is searched for, those of its time, and all. */
const numberDigitsMin = 4
const timeDigits = 14
const numberDigits = 32
/** The last second with four digits of a year. */
const lastSecond = 253_402_300_799

/** Returns the first second (Unix) whose order numbers begin with at least these digits of a time. */
function secondFrom(digits: string): number {
  let low = 0
  let high = lastSecond + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (formatOrderNumberTime(middle) < digits) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the first and last second (Unix) of payments whose platform order number begins with a text: they begin with
 * their time. Undefined for a text that is no beginning of a time, or too short to be meant as one.
 */
export function parseTradeNoTimes(text: string): [from: number, to: number] | undefined {
  const digits = text.trim()
  if (!/^\d+$/.test(digits) || digits.length < numberDigitsMin || digits.length > timeDigits) return undefined
  // A colon follows the digits.
  const from = secondFrom(digits.padEnd(timeDigits, '0'))
  const to = secondFrom(`${digits.padEnd(timeDigits, '9')}:`) - 1
  return from <= to ? [from, to] : undefined
}

/**
 * Returns the range of an order number, the first and last platform number of a second, the term of a price, the stored
 * forms of an address and of a transaction hash, and the starts of words.
 */
export function buildTextSearchValues(given: string): string[] {
  const text = given.trim()
  const { number, words } = buildTermRanges(text)
  const isNumber = /^\d{15,32}$/.test(text)
  const [from, to] = isNumber ? [text.padEnd(numberDigits, '0'), text.padEnd(numberDigits, '9')] : ['1', '0']
  const txids = isTxid(text) ? txidForms(text) : []
  return [
    ...number,
    from,
    to,
    priceTerm(text),
    parseStoredAddresses(text).join(' '),
    txids.join(' '),
    ...words.map(([start]) => start),
  ]
}

/** Payments found at most. Each way to find one reads a bounded number of rows, however many match. */
export const searchMax = 10
/** Newest payments that are read one by one. */
const newest = 200

const search = all(
  'payments-search',
  `with found as (
     (select trade_no from payments where merchant_id = $1 and trade_no between $3 and $4 order by trade_no desc limit ${searchMax})
     union
     (select trade_no from payment_terms where merchant_id = $1 and term >= $5 and term < $6 order by term limit 100)
     union
     (select trade_no from payment_terms where merchant_id = $1 and term = $12 order by created_at desc, trade_no desc limit ${searchMax})
     union
     -- The newest first, where a short beginning matches more than were read above.
     select p.trade_no from (
       select trade_no from payments where merchant_id = $1 order by created_at desc, trade_no desc limit ${newest}
     ) n cross join lateral (
       select trade_no, out_trade_no from payments where merchant_id = $1 and trade_no = n.trade_no limit 1
     ) p where starts_with(lower(p.out_trade_no), lower($2))
     union
     (select trade_no from address_leases
       where chain_kind = any($7) and address between $8 and $9 and merchant_id = $1 limit ${searchMax})
     union
     select d.trade_no from chains h cross join lateral (
       select trade_no from deposits where chain_id = h.id and txid between $10 and $11 and not replaced and merchant_id = $1
         and trade_no is not null order by txid limit ${searchMax}
     ) d
   )
   select p.trade_no, p.out_trade_no, ${buildPaymentTitleSql('p')} as title, p.usdt_amount, p.fiat_name, p.fiat_amount, p.status, p.created_at
   from found cross join lateral (
     select * from payments where merchant_id = $1 and trade_no = found.trade_no limit 1
   ) p
   order by $2 in (p.out_trade_no, p.trade_no) desc, p.created_at desc, p.trade_no desc limit ${searchMax}`,
)

export type FoundPayment = Statements['payments-search']['row']

/** A range that contains nothing. */
const none = ['', ''] as const
/** Digits of a hash or address below which a search would match those of many merchants. */
const hexLeast = 8

/**
 * Finds the merchant's payments whose trade_no, out_trade_no, deposit address or transaction hash begins with a text,
 * or whose price it is; an exact number first, then the newest.
 */
export function searchPayments(c: Queryable, merchantId: string, text: string): Promise<FoundPayment[]> {
  const [from, to] = buildTermRanges(text).number
  const tradeNo = /^\d{1,32}$/.test(text) ? ([text.padEnd(32, '0'), text.padEnd(32, '9')] as const) : none
  const address = chainKindNames.map(kind => chainAdapters[kind].address.parse(text)).find(stored => stored !== null)
  const addresses = address ? ([address, address] as const) : hexRange(text, ['0x', 40])
  const txids = text.startsWith('0x') ? hexRange(text, ['0x', 64]) : hexRange(text, ['', 64])
  return search(c, merchantId, text, ...tradeNo, from, to, chainKindNames, ...addresses, ...txids, priceTerm(text))
}

/**
 * The range of hexadecimal texts with a prefix and this many digits that begin with a text. Empty if it has few digits.
 */
function hexRange(text: string, [prefix, digits]: [string, number]): readonly [string, string] {
  const start = text.toLowerCase()
  const given = start.slice(prefix.length)
  if (!start.startsWith(prefix) || !/^[0-9a-f]+$/.test(given) || given.length < hexLeast || given.length > digits)
    return none
  return [prefix + given.padEnd(digits, '0'), prefix + given.padEnd(digits, 'f')]
}
