import { limits } from './limits.ts'
import { isCleanText } from './texts.ts'

/**
 * Validation rules shared by browser and server. Each returns whether the text is valid as typed. They use no schema
 * library, to keep it out of the pages.
 */
export const isEmail = (text: string) =>
  text.length <= 254 &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(
    text,
  )

/** An http or https URL without user name and password, of characters that can be stored and shown. */
export function isUrl(text: string): boolean {
  if (text.length > 500 || !/^https?:\/\//i.test(text) || /[\s\\]/.test(text) || !isCleanText(text)) return false
  try {
    const url = new URL(text)
    return url.hostname !== '' && url.username === '' && url.password === ''
  } catch {
    return false
  }
}

/**
 * An origin as browsers write it: https, or http for tests, a host without wildcard, and a port that is not the usual
 * one.
 */
export const isOrigin = (text: string) =>
  isUrl(text) && /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(text) && new URL(text).origin === text

/** Exactly six digits. */
export const isSixDigitCode = (text: string) => /^\d{6}$/.test(text)

/** Empty, or 5 to 14 digits. */
export const isPhone = (text: string) => text === '' || /^\d{5,14}$/.test(text)

/** A country calling code such as 44 or +44. */
export const isAreaCode = (text: string) => /^\+?[1-9]\d{0,3}$/.test(text)

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

/** A percentage with a sign and at most two decimal places, at most `spreadMax` either way. */
export const isSpread = (text: string) =>
  /^-?(?:0|[1-9]\d?)(?:\.\d{1,2})?$/.test(text) && Math.abs(Number(text)) <= limits.spreadMax

/** A place in a JSON document: names and positions joined by dots. */
export const isJsonPath = (text: string) => text.length <= 200 && /^[^\s.\p{C}]+(?:\.[^\s.\p{C}]+)*$/u.test(text)

/** The longest IPv6 range. */
const ipMost = 43
/** Shortest prefixes of ranges: a whitelist is not for whole registries. */
const prefixLeast4 = 8
const prefixLeast6 = 16

/** An IPv4 or IPv6 address, or a range of either in CIDR notation. IPv4 addresses written as IPv6 are none. */
export function isIpOrRange(text: string): boolean {
  if (text.length > ipMost) return false
  const [address = '', bits, ...more] = text.split('/')
  const is4 = isIpv4(address)
  if (more.length > 0 || !(is4 || isIpv6(address))) return false
  if (bits === undefined) return true
  const [least, most] = is4 ? [prefixLeast4, 32] : [prefixLeast6, 128]
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) >= least && Number(bits) <= most
}

/** Read as the host of a URL, as which browsers and Node know IPv6. */
const isIpv6 = (text: string) => /^[\da-f:]{2,39}$/i.test(text) && URL.canParse(`http://[${text}]`)

/** An IPv4 address in dotted-quad form. */
const isIpv4 = (text: string) => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)

/** A merchant ID: M and ten digits. */
export const isMchid = (text: string) => /^M\d{10}$/.test(text)

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif'] as const
/** An acceptable picture for upload: png, jpg, jpeg or gif, under 3M. */
export const isUploadableImage = (file: { type: string; size: number }) =>
  (imageTypes as readonly string[]).includes(file.type) && file.size > 0 && file.size < limits.imageBytesMax

/**
 * A reason that says something: at least 8 columns wide (a Chinese character has two), of at least 4 different
 * characters.
 */
export function isSubstantiveReason(text: string): boolean {
  const characters = [...text.trim()]
  const width = characters.reduce((sum, each) => sum + (each > '\u2e7f' ? 2 : 1), 0)
  return text.length <= 200 && width >= 8 && new Set(characters).size >= 4
}
