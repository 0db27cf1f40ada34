import { limits } from './limits.ts'

/**
 * Validation rules shared by browser and server. Each returns whether the text is valid as typed. They use no schema library, to
 * keep it out of the pages.
 */
export const isEmail = (text: string) =>
  text.length <= 254 &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(
    text,
  )

/** An http or https URL without user name and password. */
export function isUrl(text: string): boolean {
  if (text.length > 500 || !/^https?:\/\//i.test(text) || /[\s\\]/.test(text)) return false
  try {
    const url = new URL(text)
    return url.hostname !== '' && url.username === '' && url.password === ''
  } catch {
    return false
  }
}

/** Exactly six digits. */
export const isCode = (text: string) => /^\d{6}$/.test(text)

/** Empty, or 5 to 14 digits. */
export const isPhone = (text: string) => text === '' || /^\d{5,14}$/.test(text)

/** A country calling code such as 44 or +44. */
export const isAreaCode = (text: string) => /^\+?[1-9]\d{0,3}$/.test(text)

/** A name in the IANA time zone database, such as Asia/Shanghai or UTC. */
export function isTimeZone(text: string): boolean {
  if (text.length > 64 || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** At least 8 letters and digits, with at least one digit, one lowercase and one uppercase letter. */
export const isPassword = (text: string) =>
  text.length >= limits.passwordMin &&
  text.length <= limits.passwordMax &&
  /^[A-Za-z0-9]+$/.test(text) &&
  /\d/.test(text) &&
  /[a-z]/.test(text) &&
  /[A-Z]/.test(text)

/** A positive decimal number without superfluous leading zeros. */
export const isAmount = (text: string) =>
  text.length <= 40 && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && /[1-9]/.test(text)

/** An IPv4 address in dotted-quad form. */
export const isIpv4 = (text: string) => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)

/** A merchant ID: M and ten digits. */
export const isMchid = (text: string) => /^M\d{10}$/.test(text)

/** A platform order number: 32 digits. */
export const isTradeNo = (text: string) => /^\d{32}$/.test(text)

/** A printable character of any script: a letter, mark, digit, punctuation mark or symbol, but no invisible one. */
const printable = '[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]'
/** A merchant's own order number: 1 to 64 printable characters, with spaces only between others. */
export const outTradeNoPattern = `^(?=.{1,64}$)${printable}+(?: +${printable}+)*$`
const outTradeNo = new RegExp(outTradeNoPattern, 'u')
export const isOutTradeNo = (text: string) => outTradeNo.test(text)

/** Non-blank text without control and bidirectional control characters. */
export const isText = (text: string) => text.trim() !== '' && isCleanText(text)

/** Text without control characters (except line breaks and tabs), bidirectional controls and unpaired surrogates. */
export const isCleanText = (text: string) => !/[^\P{Cc}\t\n\r]|\p{Bidi_Control}|\p{Cs}/u.test(text)

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif'] as const
/** An acceptable picture for upload: png, jpg, jpeg or gif, under 3M. */
export const isImage = (file: { type: string; size: number }) =>
  (imageTypes as readonly string[]).includes(file.type) && file.size > 0 && file.size < limits.imageBytesMax

/** Shortens a value for display to its first 5 and last 4 characters. */
export const mask = (text: string) =>
  text.length <= limits.maskHead + limits.maskTail + 1
    ? text
    : `${text.slice(0, limits.maskHead)}...${text.slice(-limits.maskTail)}`

/** A transaction hash: 64 hexadecimal digits, with or without 0x. */
export const isTxid = (text: string) => /^(?:0x)?[0-9a-fA-F]{64}$/.test(text)

/** A filter by an entry of metadata, such as `customer=42`. */
export const isMetadataFilter = (text: string) => text.length <= 1_000 && /^[^=]{1,64}=/.test(text) && isCleanText(text)

/** An id, such as an application's: at most 64 characters. */
export const isId = (text: string) => text.length <= 64 && isCleanText(text)

/** Possibly empty text of at most `max` characters. */
export const isTextUpTo = (max: number) => (text: string) => text.length <= max && isCleanText(text)

/** Non-blank text of at most `max` characters. */
export const isNonBlankUpTo = (max: number) => (text: string) => text.length <= max && isText(text)

/** A text to search for: at most 64 characters. */
export const isSearchText = isNonBlankUpTo(64)
