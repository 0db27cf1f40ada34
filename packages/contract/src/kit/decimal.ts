/**
 * Decimal strings carry amounts on the wire, never floats: digits, an optional point, an optional minus, no exponent.
 */
const pattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Whether a text is a decimal string, without leading zeros, exponent or whitespace. */
export function isDecimal(text: string): boolean {
  return text.length <= 100 && pattern.test(text)
}

/**
 * Parses a decimal string to base units of an asset with this many decimals (USDT: 6). Returns null if the text is not
 * a decimal string or has a non-zero digit beyond `decimals`.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  if (!isDecimal(text)) return null
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  if (/[1-9]/.test(fraction.slice(decimals))) return null
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return negative ? -units : units
}

const zero = '0'.charCodeAt(0)

/** Formats base units as the shortest exact decimal string: formatDecimal(1500000n, 6) is '1.5'. */
export function formatDecimal(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === zero) end--
  const text = end > point ? `${digits.slice(0, point)}.${digits.slice(point, end)}` : digits.slice(0, point)
  return units < 0n ? `-${text}` : text
}

/** Digits in which decimal strings are added: more than any token has. */
const sumDigits = 30

/** Adds decimal strings exactly. Other text counts as 0. */
export const sumDecimals = (values: readonly string[]): string =>
  formatDecimal(
    values.reduce((sum, value) => sum + (parseDecimal(value, sumDigits) ?? 0n), 0n),
    sumDigits,
  )

/** Adds up amounts by token: texts such as `1.5 USDT`. */
export const sumsByToken = (amounts: readonly { token: string; amount: string }[], format = (sum: string) => sum) =>
  [...Map.groupBy(amounts, each => each.token)].map(
    ([token, of]) => `${format(sumDecimals(of.map(each => each.amount)))} ${token}`,
  )

/**
 * Rounds a decimal string to at most `places` digits after the point, half away from zero, and drops trailing zeros.
 */
export function roundDecimal(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const isUp = (fraction[places] ?? '0') >= '5'
  const units = BigInt(whole.replace('-', '') + fraction.slice(0, places).padEnd(places, '0')) + (isUp ? 1n : 0n)
  return formatDecimal(text.startsWith('-') ? -units : units, places)
}

/** Compares two decimal strings: negative, zero or positive. Throws RangeError if one is not a decimal string. */
export function compareDecimals(a: string, b: string): number {
  const places = Math.max(a.split('.')[1]?.length ?? 0, b.split('.')[1]?.length ?? 0)
  const x = parseDecimal(a, places)
  const y = parseDecimal(b, places)
  if (x === null || y === null) throw new RangeError(`not a decimal string: ${x === null ? a : b}`)
  return x < y ? -1 : x > y ? 1 : 0
}
