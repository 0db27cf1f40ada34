import { createHash } from 'node:crypto'
import type { Metadata } from '@coffer/contract'

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
