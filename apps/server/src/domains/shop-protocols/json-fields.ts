import { fiats } from '@coffer/contract/codes.ts'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { powerOfTen } from '@coffer/core'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createFieldRefusal, Refusal } from '../../kit/refusal.ts'
import { isTooDeep, maxNestingDepth } from '../../kit/too-deep.ts'
import { minorUnitDecimalsOf } from '../payments/create-payment.ts'
import { addField, type TextFields } from './fields.ts'
import { bodyText } from './form-fields.ts'

const refuse = (field: string, en: string, zh: string) => createFieldRefusal(field.slice(0, 40), en, zh)
const notJson = () => refuse('body', 'a JSON object', '须为 JSON 对象')

/**
 * Reads the fields of a flat JSON object as the texts that PHP makes of them: `10.0` is "10", true is "1", null and
 * false are empty. A number that a double cannot hold exactly, lists, objects, repeated names and names that are no
 * words are refused. `words` leaves true and false as the words that Go signs.
 */
export function parseJsonFields(request: Pick<FastifyRequest, 'body'>, { words = false } = {}): TextFields {
  const text = bodyText(request)
  const fields: TextFields = Object.create(null)
  let parsed: unknown
  try {
    parsed = JSON.parse(text, (name, value, context?: { source?: string }) => {
      if (typeof value === 'number') mustBeExact(name, value, context?.source ?? '')
      return value
    })
  } catch (error) {
    throw error instanceof Refusal ? error : notJson()
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw notJson()
  const names = (text.match(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)\s*:?/g) ?? []).filter(token => token.endsWith(':'))
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value === 'object' && value !== null) throw refuse(name, 'a text or number', '须为文本或数字')
    const isWord = words && typeof value === 'boolean'
    const plain = isWord ? String(value) : value === null || value === false ? '' : value === true ? '1' : String(value)
    addField(fields, name, plain)
  }
  if (names.length !== Object.keys(fields).length) throw refuse('body', 'each name once', '字段名不能重复')
  return fields
}

/** No number that a double holds exactly is written with more characters, but for needless zeros. */
const numberMax = 40

function mustBeExact(name: string, value: number, source: string): void {
  if (source.length > numberMax || trimZeros(source) !== String(value))
    throw refuse(name, 'a number of at most 15 digits, or a text', '须为最多 15 位的数字或文本')
}

/**
 * A decimal number without needless zeros at its end. The expression looks at each zero once: it begins at the first of
 * several only.
 */
export const trimZeros = (number: string): string =>
  number.includes('.') ? number.replace(/(?:\.|(?<!0))0+$/, '') : number

/** An amount as clients send it: a text or a number. */
export const amountTextSchema = z.union([z.string(), z.number().transform(String)])

/** The same of an order: a number may come from a calculation with floating point, see `formatOrderAmount`. */
export const orderAmountSchema = z.union([z.string(), z.number()])

/**
 * The text of an amount in a currency. A number such as 20.895000000000003 is rounded to the smallest coin, a text
 * stays what it is.
 */
export function formatOrderAmount(currency: string, amount: string | number): string {
  if (typeof amount === 'string') return amount
  const most = (fiats as readonly string[]).includes(currency) ? minorUnitDecimalsOf(currency) : 6
  const plain = String(amount)
  const [, fraction = ''] = /^\d+\.(\d+)$/.exec(plain) ?? []
  if (fraction.length <= most) return plain
  const units = parseDecimal(plain, fraction.length)
  const step = powerOfTen(fraction.length - most)
  return units === null ? plain : formatDecimal((units + step / 2n) / step, most)
}

/**
 * A number that a double cannot hold, as the text that JSON has for it (ECMAScript, JSON.rawJSON). TypeScript does not
 * know it yet.
 */
interface RawNumber {
  rawJSON: string
}
const raw = JSON as unknown as { rawJSON: (text: string) => RawNumber; isRawJSON: (value: unknown) => boolean }

/**
 * Reads JSON that a shop gets back as it was sent: a whole number of more digits than a double holds, as many shops
 * number their orders, stays the same where the value is written again. Throws SyntaxError.
 */
export const parseJsonExactly = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? raw.rawJSON(context?.source ?? String(value)) : value,
  )

/** The digits of a number that `parseJsonExactly` keeps; undefined for any other value. */
export const readExactDigits = (value: unknown): string | undefined =>
  raw.isRawJSON(value) ? (value as RawNumber).rawJSON : undefined

/** Reads the JSON of a body, see `parseJsonExactly`. */
export function parseJsonBody(request: FastifyRequest): unknown {
  const text = bodyText(request)
  let parsed: unknown
  try {
    parsed = parseJsonExactly(text)
  } catch {
    throw notJson()
  }
  if (isTooDeep(parsed)) throw refuse('body', `at most ${maxNestingDepth} levels`, `最多 ${maxNestingDepth} 层`)
  return parsed
}
