import { createFieldRefusal } from '../../kit/refusal.ts'

/** Fields of a form or of a flat JSON object, each with one text. */
export type TextFields = Record<string, string>

export const fieldCharactersMax = 4_000

/**
 * Adds a field as it was received, which is what is verified and used. Names are words: signatures cover `name=value`
 * joined by `&`, so any other name could hold a field of its own. A title may hold every character; other texts have no
 * control characters.
 */
export function addField(fields: TextFields, name: string, value: string): void {
  if (/^\w{1,60}\[/.test(name)) throw createFieldRefusal('body', 'no lists', '不支持列表')
  if (!/^\w{1,60}$/.test(name))
    throw createFieldRefusal('body', 'names of letters, digits and _', '字段名只能含字母、数字与下划线')
  if (name in fields) throw createFieldRefusal(name, 'once only', '只能出现一次')
  if (value.length > fieldCharactersMax) throw createFieldRefusal(name, 'too long', '过长')
  if (/\p{Cs}/u.test(value) || (name !== 'name' && /[\p{Cc}\uFFFD]/u.test(value)))
    throw createFieldRefusal(name, 'UTF-8 without control characters', '须为 UTF-8 且不含控制字符')
  fields[name] = value
}

/** The texts of a shop that are URLs, which hold `&name=` rightly and are its own. */
const urls = ['notify_url', 'return_url', 'redirect_url']

/**
 * What every order has once. Who moves fields behind others needs it a second time, behind one that may hold `&name=`.
 */
const inEachOrder = 'notify_url'

/**
 * Refuses signed values behind which another field may hide: a text with `&name=` is signed as the text and the field
 * beside it, and who holds what was signed may cut it anew, also for a call that reads. URLs and titles hold such texts
 * rightly; they must not hide what every order has, and titles none of the fields that sort before it (`before`).
 */
export function refuseHiddenFields(fields: TextFields, before: readonly string[]): void {
  for (const [name, value] of Object.entries(fields)) {
    const hidden = Array.from(value.matchAll(/&([^&=]*)=/g), match => match[1]!)
    const barred = urls.includes(name) ? [inEachOrder] : name === 'name' ? [inEachOrder, ...before] : hidden
    if (hidden.some(each => barred.includes(each)))
      throw createFieldRefusal(name, 'text without & and =', '不能含有 & 与 = 组成的参数')
  }
}

/**
 * The most characters of a title that a callback repeats, as with other services of the protocol: servers bound the
 * line of a request.
 */
const repeatedMost = 127

/**
 * A title as signed callbacks repeat it: its beginning as it was received, but without what the store cannot hold,
 * without spaces around it, which frameworks of shops take away before they verify, and with a wide `＆` where a
 * `&name=` could be taken for another field of the callback.
 */
export const toCallbackTitle = (name: string): string =>
  bare([...bare(name.replaceAll('\0', ''))].slice(0, repeatedMost).join('')).replace(/&(?=[^&]*=)/g, '＆')

/** A text without invisible characters at its ends. The expression looks at each of them once. */
const bare = (text: string): string => text.replace(/^[\s\p{Cc}\p{Cf}]+|(?<![\s\p{Cc}\p{Cf}])[\s\p{Cc}\p{Cf}]+$/gu, '')

/** Any text as pages can show it: one line of at most as many characters. */
export const toDisplayLine = (text: string, most: number): string =>
  [...text.replace(/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, ' ').trim()].slice(0, most).join('')

/** A title as the checkout shows it. */
export const toDisplayTitle = (name: string): string => toDisplayLine(name, 60)
