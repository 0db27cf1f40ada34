import { limits } from './limits.ts'

/**
 * Rules and forms of texts, shared by browser and server like those of `validators.ts`. They stand apart because every
 * page of the back-office needs them as it starts, for its address and its values, and only forms need the others.
 */

/** A name in the IANA time zone database, such as Asia/Shanghai or UTC. */
export function isTimeZone(text: string): boolean {
  if (text.length > 64 || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A platform order number: 32 digits. */
export const isTradeNo = (text: string) => /^\d{32}$/.test(text)

/**
 * A merchant's own order number: 1 to 64 printable characters of any script (letters, marks, digits, punctuation marks
 * and symbols, but no invisible one), with spaces only between others.
 */
export const isOutTradeNo = (text: string) =>
  /^(?=.{1,64}$)[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: +[\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(text)

/** Non-blank text without control and bidirectional control characters. */
export const isNonBlankText = (text: string) => text.trim() !== '' && isCleanText(text)

/** Text without control characters (except line breaks and tabs), bidirectional controls and unpaired surrogates. */
export const isCleanText = (text: string) => !/[^\P{Cc}\t\n\r]|\p{Bidi_Control}|\p{Cs}/u.test(text)

/** A transaction hash: 64 hexadecimal digits, with or without 0x. */
export const isTxid = (text: string) => /^(?:0x)?[0-9a-fA-F]{64}$/.test(text)

/** A filter by an entry of metadata, such as `customer=42`. */
export const isMetadataFilter = (text: string) => text.length <= 1_000 && /^[^=]{1,64}=/.test(text) && isCleanText(text)

/** An id, such as an application's: at most 64 characters. */
export const isId = (text: string) => text.length <= 64 && isCleanText(text)

/** Text in one line. */
export const isSingleLine = (text: string) => !/[\t\n\r\u2028\u2029]/.test(text)

/** Possibly empty text of at most `max` characters. */
export const isTextUpTo = (max: number) => (text: string) => text.length <= max && isCleanText(text)

/** Non-blank text of at most `max` characters. */
export const isNonBlankUpTo = (max: number) => (text: string) => text.length <= max && isNonBlankText(text)

/** A text to search for: at most 64 characters. */
export const isSearchText = isNonBlankUpTo(64)
/** A text that payment records are searched by. */
export const isPaymentSearchText = isNonBlankUpTo(limits.recordTextMax)

/** Shortens a value for display to its first 5 and last 4 characters. */
export const mask = (text: string) =>
  text.length <= limits.maskHead + limits.maskTail + 1
    ? text
    : `${text.slice(0, limits.maskHead)}...${text.slice(-limits.maskTail)}`

/** Keeps the first character and the domain of an email: `j***@example.com`. */
export const maskEmail = (email: string): string => email.replace(/^(.).*@/, '$1***@')
