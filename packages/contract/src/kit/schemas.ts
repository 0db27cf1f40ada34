import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import type { Language } from '../languages.ts'
import { describeField } from './describe.ts'
import { limits, maxUnixSeconds } from './limits.ts'
import {
  isCleanText,
  isId,
  isNonBlankUpTo,
  isOutTradeNo,
  isSingleLine,
  isTextUpTo,
  isTimeZone,
  isTradeNo,
} from './texts.ts'
import {
  isAmount,
  isAreaCode,
  isEmail,
  isIpOrRange,
  isJsonPath,
  isOrigin,
  isPassword,
  isPhone,
  isSixDigitCode,
  isSpread,
  isSubstantiveReason,
  isUrl,
} from './validators.ts'

type Texts = Record<Language, string>

/**
 * Patterns in `meta` go into the OpenAPI document, and must mean the same in every engine for regular expressions: a
 * test holds them to the common subset. Where a validator is stricter, such as for characters of every script, its
 * pattern only excludes ASCII characters.
 */
const control = '\\x00-\\x1F\\x7F'
const visible = '[^\\x00-\\x20\\x7F]'

/** Adds to every refusal of a schema what it allows, in words that follow the name of the field. */
export const withAllowedHint = <T extends z.ZodType>(schema: T, allowed: Texts): T =>
  schema.refine(() => false, {
    error: 'parameter_error' satisfies ErrorName,
    params: { allowed },
    when: ({ issues }) => issues.length > 0,
  })

/**
 * Wraps a validator as a schema whose issue names an entry of the error catalogue, and optionally says what is allowed.
 */
export const validatedText = (isValid: (text: string) => boolean, error: ErrorName, allowed?: Texts) => {
  const schema = z.string({ error }).refine(isValid, { error })
  return allowed ? withAllowedHint(schema, allowed) : schema
}

/** A reason that others can judge by. */
export const substantiveReason = validatedText(
  value => isSubstantiveReason(value) && isCleanText(value),
  'reason_needed',
)

/** A whole number in a range. */
export const integerBetween = (min: number, max: number) =>
  withAllowedHint(z.int().min(min).max(max), inRange(min, max))
/** The same as text, in a query. */
/** A whole number written as text, as query parameters are. */
export const integerTextBetween = (min: number, max: number) =>
  withAllowedHint(z.coerce.number().int().min(min).max(max), inRange(min, max))
const inRange = (min: number, max: number): Texts => ({
  en: `a whole number from ${min} to ${max}`,
  'zh-CN': `${min} 至 ${max} 的整数`,
})

export const email = validatedText(isEmail, 'bad_email').transform(value => value.toLowerCase())
const webUrl: Texts = {
  en: 'an http or https URL of at most 500 characters, without user name and password',
  'zh-CN': 'http 或 https 网址，最多 500 个字符，不含用户名和密码',
}
export const url = validatedText(isUrl, 'bad_url', webUrl).meta({
  format: 'uri',
  maxLength: 500,
})

/** A browser's push subscription (W3C Push API). Its keys have 65 and 16 bytes, in base64url without padding. */
export const pushDevice = z.strictObject({
  endpoint: url.max(1000),
  p256dh: z.string().regex(/^[\w-]{87}$/),
  auth: z.string().regex(/^[\w-]{22}$/),
})
export const urlOrEmpty = validatedText(value => value === '' || isUrl(value), 'bad_url', {
  en: `empty, or ${webUrl.en}`,
  'zh-CN': `为空，或 ${webUrl['zh-CN']}`,
}).meta({ pattern: '^(?:https?://.*)?$', maxLength: 500 })
export const origin = validatedText(isOrigin, 'bad_url', {
  en: 'an origin such as https://shop.example, with scheme and host, without path and wildcard',
  'zh-CN': '来源，例如 https://shop.example，含协议和主机名，不含路径和通配符',
}).meta({ pattern: '^https?://[a-z0-9.-]+(?::[0-9]+)?$', maxLength: 500 })
export const sixDigitCode = validatedText(isSixDigitCode, 'bad_code')
export const ipOrRange = validatedText(isIpOrRange, 'bad_ip')
export const tradeNo = validatedText(isTradeNo, 'bad_trade_no', {
  en: 'the 32 digits of a trade_no',
  'zh-CN': 'trade_no，32 位数字',
}).meta({ pattern: '^[0-9]{32}$' })
export const outTradeNo = validatedText(isOutTradeNo, 'parameter_error', {
  en: 'a string of 1 to 64 printable characters, without spaces at its ends',
  'zh-CN': '1 至 64 个可打印字符的字符串，首尾不能为空格',
}).meta({ pattern: `^${visible}(?:[^${control}]*${visible})?$`, minLength: 1, maxLength: 64 })
/** A payment by its trade_no, or by the merchant's own number. */
export const orderRef = validatedText(
  value => isTradeNo(value) || (value.startsWith('out:') && isOutTradeNo(value.slice(4))),
  'bad_trade_no',
  {
    en: 'the 32 digits of a trade_no, or out: followed by your own order number',
    'zh-CN': 'trade_no（32 位数字），或 out: 加商户订单号',
  },
).meta({ pattern: '^(?:[0-9]{32}|out:.{1,64})$' })
export const amount = validatedText(isAmount, 'bad_amount', {
  en: 'a decimal string above 0 such as "19.90", without exponent, sign and leading zeros',
  'zh-CN': '大于 0 的十进制字符串，例如 "19.90"，不含指数、正负号和前导零',
}).meta({ pattern: '^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$', maxLength: 40 })
export const currencyCode = validatedText(value => /^[A-Z]{3,5}$/.test(value), 'parameter_error', {
  en: 'the code of a currency or token in capital letters, such as USDT, ETH or EUR',
  'zh-CN': '大写的货币或代币代码，例如 USDT、ETH 或 EUR',
}).meta({ pattern: '^[A-Z]{3,5}$' })
/** A signed percentage added to a price. */
export const spreadPercent = validatedText(isSpread, 'parameter_error', {
  en: `percent from -${limits.spreadMax} to ${limits.spreadMax} with at most 2 decimal places, such as "1.5"`,
  'zh-CN': `-${limits.spreadMax} 至 ${limits.spreadMax} 的百分比，最多 2 位小数，例如 "1.5"`,
}).meta({ pattern: '^-?[0-9]{1,2}(?:\\.[0-9]{1,2})?$' })
/** Where a value stands in a JSON document. */
const zoneName: Texts = {
  en: 'a time zone of the IANA database, such as Asia/Shanghai or UTC',
  'zh-CN': 'IANA 时区名称，例如 Asia/Shanghai 或 UTC',
}
export const timeZone = validatedText(isTimeZone, 'parameter_error', zoneName)
export const timeZoneOrEmpty = validatedText(value => value === '' || isTimeZone(value), 'parameter_error', {
  en: `empty, or ${zoneName.en}`,
  'zh-CN': `为空，或 ${zoneName['zh-CN']}`,
})
const hour = integerBetween(0, 23)
/** The hours of a day in which somebody wants quiet, by the own clock. */
export const quietHours = {
  quiet_from: hour.describe('The hour at which quiet hours begin'),
  quiet_until: hour.describe('The hour at which they end; the same as `quiet_from`: there are none'),
}
export const jsonPath = validatedText(isJsonPath, 'parameter_error', {
  en: 'names and positions joined by dots, such as data.0.price, at most 200 characters',
  'zh-CN': '以点号连接的字段名与序号，例如 data.0.price，最多 200 个字符',
}).meta({ minLength: 1, maxLength: 200 })
/** Non-blank text of at most `max` characters. */
export const requiredText = (max: number) =>
  validatedText(isNonBlankUpTo(max), 'text_needed', {
    en: `text of 1 to ${max} characters, without control characters`,
    'zh-CN': `1 至 ${max} 个字符的文本，不含控制字符`,
  }).meta({ minLength: 1, maxLength: max })
/** Possibly empty text of at most `max` characters. */
export const optionalText = (max: number) =>
  validatedText(isTextUpTo(max), 'parameter_error', {
    en: `text of at most ${max} characters, without control characters`,
    'zh-CN': `最多 ${max} 个字符的文本，不含控制字符`,
  }).meta({ maxLength: max })
/** Non-blank text in one line, such as a name that stands in a list. */
export const requiredLine = (max: number) =>
  validatedText(value => isNonBlankUpTo(max)(value) && isSingleLine(value), 'text_needed', {
    en: `text of 1 to ${max} characters, without line breaks and control characters`,
    'zh-CN': `1 至 ${max} 个字符的文本，不含换行和控制字符`,
  }).meta({ minLength: 1, maxLength: max })
/** The same, or empty text. */
export const optionalLine = (max: number) =>
  validatedText(value => isTextUpTo(max)(value) && isSingleLine(value), 'parameter_error', {
    en: `text of at most ${max} characters, without line breaks and control characters`,
    'zh-CN': `最多 ${max} 个字符的文本，不含换行和控制字符`,
  }).meta({ maxLength: max })

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** A password, base64 of its UTF-8 bytes on the wire. Parses to the password as typed. */
export const encodedPassword = z
  .string()
  .max(400)
  .refine(value => base64.test(value), { error: 'password_error' satisfies ErrorName })
  .transform(value => new TextDecoder().decode(Uint8Array.from(atob(value), c => c.charCodeAt(0))))
/** The same for a new password, which must satisfy the password rule. */
export const newPassword = encodedPassword.refine(isPassword, { error: 'bad_password' satisfies ErrorName })

const isMetadataKey = (key: string) => key !== '__proto__' && /^[\p{L}\p{N}_.:-]{1,64}$/u.test(key)
/** A number that stays what it is: a whole one of more digits than a double holds would come back as another. */
const exactNumber = z.number().refine(value => !Number.isInteger(value) || Number.isSafeInteger(value))

/**
 * Custom data of an order: an object of texts, numbers and booleans. As JSON it has at most 16 kB. Keys have no `=`,
 * which separates key and value in a search.
 */
export const metadata = withAllowedHint(
  z
    .record(
      validatedText(isMetadataKey, 'parameter_error').meta({
        pattern: '^[^\\x00-\\x2C\\x2F\\x3B-\\x40\\x5B-\\x5E\\x60\\x7B-\\x7F]{1,64}$',
      }),
      z.union([validatedText(isCleanText, 'parameter_error'), exactNumber, z.boolean()]),
    )
    .refine(
      value =>
        Object.keys(value).length <= limits.metadataKeysMax &&
        new TextEncoder().encode(JSON.stringify(value)).length <= limits.metadataBytesMax,
      { error: 'metadata_too_large' satisfies ErrorName },
    ),
  {
    en: `an object of at most ${limits.metadataKeysMax} texts, booleans and numbers, whole ones up to 2^53, under keys of 1 to 64 letters, digits, _ . : and -`,
    'zh-CN': `由文本、布尔值和数字（整数不超过 2^53）组成的对象，最多 ${limits.metadataKeysMax} 个键，键为 1 至 64 位字母、数字和 _ . : -`,
  },
)
export type Metadata = z.output<typeof metadata>

/** An amount in a response, as a decimal string. */
export const decimalAmount = z.string().meta({ format: 'decimal' })
/** The place of a deposit address below the operator's account: its key is 0/<index>. */
export const addressIndex = z
  .int()
  .nullable()
  .meta(
    describeField({
      en: 'Index of the address below the operator’s account, from which you can derive it: 0/<index>. Null without an address, and in orders of Coffer 0.1',
      'zh-CN': '地址在运营方账户下的序号，可据此推导地址：0/<序号>。没有地址时以及 Coffer 0.1 的订单为 null',
    }),
  )
export const unixSeconds = z.int().meta({ format: 'unixtime' })
export const id = validatedText(isId, 'parameter_error', {
  en: 'a string of at most 64 characters',
  'zh-CN': '最多 64 个字符的字符串',
}).meta({ maxLength: 64 })

export const paging = {
  current: integerTextBetween(1, 10_000_000)
    .default(1)
    .meta(describeField({ en: 'Page, counted from 1; by default 1', 'zh-CN': '页码，从 1 开始；默认 1' })),
  pageSize: integerTextBetween(1, limits.pageSizeMax)
    .default(10)
    .meta(describeField({ en: 'Entries per page; by default 10', 'zh-CN': '每页条数；默认 10' })),
}
/** The query of an export: the filters of its list. The page shown may be sent along, and is ignored. */
export const exportQuery = <T extends z.ZodRawShape>(filter: T) =>
  z.strictObject({ ...filter, current: paging.current.optional(), pageSize: paging.pageSize.optional() })
const time = integerTextBetween(0, maxUnixSeconds).optional().meta({ format: 'unixtime' })
export const timeRange = {
  start_time: time.meta(
    describeField({
      en: 'Created at or after this time, in Unix seconds',
      'zh-CN': '创建时间不早于该时间，Unix 秒；统计自该时间所在日开始，默认 30 天',
    }),
  ),
  end_time: time.meta(
    describeField({
      en: 'Created at or before this time, in Unix seconds',
      'zh-CN': '创建时间不晚于该时间，Unix 秒；统计至该时间所在日为止，默认今天',
    }),
  ),
}
export const booleanText = withAllowedHint(z.enum(['0', '1', 'true', 'false']), {
  en: '0, 1, true or false',
  'zh-CN': '0、1、true 或 false',
})
  .transform(value => value === '1' || value === 'true')
  .optional()

/** A query parameter that filters by one of these codes. */
export const codeFilter = (codes: Record<string, number>) =>
  integerTextBetween(Math.min(...Object.values(codes)), Math.max(...Object.values(codes))).optional()

/** The data of a list call: a page of rows, and the total number of rows. */
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({
    list: z.array(row).meta(describeField({ en: 'The page', 'zh-CN': '当前页' })),
    total: z.int().meta(describeField({ en: 'Number of entries on all pages', 'zh-CN': '所有页的总条数' })),
  })
/** Where a page of a list ended that is read on by cursor: time and ID of its last row. */
export const cursor = validatedText(value => /^[0-9]{1,10}-[0-9a-f-]{32,36}$/.test(value), 'parameter_error', {
  en: 'the `next_cursor` of an earlier answer',
  'zh-CN': '此前响应返回的 `next_cursor`',
}).optional()
export const nextCursor = z.string().meta(
  describeField({
    en: '`cursor` of the next page; empty on the last one',
    'zh-CN': '下一页的 `cursor`；最后一页为空',
  }),
)
/** The query of a list of the public API: by page, or on from a row. */
export const cursorPaging = {
  ...paging,
  cursor: cursor.meta(
    describeField({
      en: '`next_cursor` of the page before, instead of `current`: new entries do not shift the pages. Send the same filters',
      'zh-CN': '上一次响应的 `next_cursor`，代替 `current`：新数据不会使分页错位。请使用相同的筛选条件',
    }),
  ),
}
/** Its data: a page, the total, and where the next one begins. */
export const cursorListOf = <T extends z.ZodType>(row: T) => listOf(row).extend({ next_cursor: nextCursor })
export const emptyObject = z.strictObject({})

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'passkey_error' satisfies ErrorName })
const credentialId = base64url(1_400)

/** The answer of `navigator.credentials.get`, with binary values in base64url. */
export const passkeyAssertion = z.strictObject({
  id: credentialId,
  response: z.strictObject({
    authenticatorData: base64url(2_000),
    clientDataJSON: base64url(4_000),
    signature: base64url(2_000),
  }),
})
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

/** The answer of `navigator.credentials.create`, likewise. */
export const passkeyRegistration = z.strictObject({
  id: credentialId,
  response: z.strictObject({
    attestationObject: base64url(16_000),
    clientDataJSON: base64url(4_000),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
export type PasskeyRegistration = z.output<typeof passkeyRegistration>

/**
 * A fresh proof of identity: the signature of a passkey for this action, a code from the authenticator, by e-mail or by
 * text message, or a ticket from `POST /api/v1/user/verification`. Required by every call that affects keys, factors,
 * the mailbox or funds.
 */
export const proof = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.enum(['google', 'email', 'phone', 'recovery', 'ticket']),
    code: z
      .string()
      .min(6)
      .max(128)
      .refine(isCleanText, { error: 'bad_code' satisfies ErrorName }),
  }),
  z.strictObject({ method: z.literal('passkey'), assertion: passkeyAssertion }),
])

/** What `navigator.credentials` takes, as JSON; its challenge is for one action. */
export const passkeyOptions = z.looseObject({ challenge: z.string() })

/** The same at a sign-in. */
export const passkeySignInOptions = passkeyOptions.extend({
  moved: z.literal(true).optional().describe('Whether passkeys of another host exist, which do not work here'),
})

export const phone = z.string().max(14).refine(isPhone, { error: 'bad_phone' })
export const areaCode = z
  .string()
  .max(5)
  .refine(value => value === '' || isAreaCode(value), { error: 'area_code_needed' })
