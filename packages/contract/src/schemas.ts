import { z } from 'zod'
import type { ErrorName } from './errors.ts'
import { limits } from './limits.ts'
import {
  isAmount,
  isAreaCode,
  isCleanText,
  isCode,
  isEmail,
  isIpv4,
  isOutTradeNo,
  isPassword,
  isPhone,
  isText,
  isTradeNo,
  isUrl,
} from './validators.ts'

/** Wraps a validator as a schema whose issue names an entry of the error catalogue. */
export const text = (isValid: (text: string) => boolean, error: ErrorName) =>
  z.string({ error }).refine(isValid, { error })

export const email = text(isEmail, 'bad_email').transform(value => value.toLowerCase())
export const url = text(value => isUrl(value) && isCleanText(value), 'bad_url')
export const urlOrEmpty = text(value => value === '' || (isUrl(value) && isCleanText(value)), 'bad_url')
export const code = text(isCode, 'bad_code')
export const ipv4 = text(isIpv4, 'bad_ip')
export const tradeNo = text(isTradeNo, 'bad_trade_no').meta({ pattern: '^\\d{32}$' })
export const outTradeNo = text(isOutTradeNo, 'parameter_error').meta({ pattern: '^[A-Za-z0-9._:-]{1,64}$' })
export const amount = text(isAmount, 'bad_amount').meta({ pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d+)?$', maxLength: 40 })
/** Non-blank text of at most `max` characters. */
export const required = (max: number) =>
  text(value => isText(value) && value.length <= max, 'text_needed').meta({ minLength: 1, maxLength: max })
/** Possibly empty text of at most `max` characters. */
export const optionalText = (max: number) =>
  text(value => value.length <= max && isCleanText(value), 'parameter_error').meta({ maxLength: max })

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** A password, base64 of its UTF-8 bytes on the wire. Parses to the password as typed. */
export const encodedPassword = z
  .string()
  .max(400)
  .refine(value => base64.test(value), { error: 'password_error' satisfies ErrorName })
  .transform(value => new TextDecoder().decode(Uint8Array.from(atob(value), c => c.charCodeAt(0))))
/** The same for a new password, which must satisfy the password rule. */
export const newPassword = encodedPassword.refine(isPassword, { error: 'bad_password' satisfies ErrorName })

/**
 * Custom data of an order: an object of texts, numbers and booleans. As JSON it has at most 16 kB. Keys have no `=`, which
 * separates key and value in a search.
 */
export const metadata = z
  .record(
    z.string().regex(/^(?!__proto__$)[\p{L}\p{N}_.:-]{1,64}$/u, { error: 'parameter_error' satisfies ErrorName }),
    z.union([text(isCleanText, 'parameter_error'), z.number(), z.boolean()]),
  )
  .refine(
    value =>
      Object.keys(value).length <= limits.metadataKeysMax &&
      new TextEncoder().encode(JSON.stringify(value)).length <= limits.metadataBytesMax,
    { error: 'metadata_too_large' satisfies ErrorName },
  )
export type Metadata = z.output<typeof metadata>

/** An amount in a response, as a decimal string. */
export const money = z.string().meta({ format: 'decimal' })
export const unixSeconds = z.int().meta({ format: 'unixtime' })
export const id = z
  .string()
  .max(64)
  .refine(isCleanText, { error: 'parameter_error' satisfies ErrorName })

const count = (fallback: number, max: number) => z.coerce.number().int().min(1).max(max).default(fallback)
export const paging = { current: count(1, 10_000_000), pageSize: count(10, limits.pageSizeMax) }
export const timeRange = {
  start_time: z.coerce.number().int().min(0).max(10_000_000_000).optional().meta({ format: 'unixtime' }),
  end_time: z.coerce.number().int().min(0).max(10_000_000_000).optional().meta({ format: 'unixtime' }),
}
export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .transform(value => value === '1' || value === 'true')
  .optional()

/** A query parameter that filters by one of these codes. */
export const filterBy = (codes: Record<string, number>) =>
  z.coerce
    .number()
    .int()
    .min(Math.min(...Object.values(codes)))
    .max(Math.max(...Object.values(codes)))
    .optional()

/** The data of a list call: a page of rows, and the total number of rows. */
export const listOf = <T extends z.ZodType>(row: T) => z.object({ list: z.array(row), total: z.int() })
export const empty = z.strictObject({})

/**
 * A fresh proof of identity: a code from the authenticator, by e-mail or by text message, or a ticket from
 * `POST /api/v1/user/verification`. Required by every call that affects keys, factors, the mailbox or funds.
 */
export const proof = z.strictObject({
  method: z.enum(['google', 'email', 'phone', 'ticket']),
  code: z
    .string()
    .min(6)
    .max(128)
    .refine(isCleanText, { error: 'bad_code' satisfies ErrorName }),
})

export const phone = z.string().max(14).refine(isPhone, { error: 'bad_phone' })
export const areaCode = z
  .string()
  .max(5)
  .refine(value => value === '' || isAreaCode(value), { error: 'area_code_needed' })
