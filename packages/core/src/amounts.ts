/**
 * Conversions between amounts. All amounts are whole base units (bigint); a rate is a decimal string that says how many
 * USDT one unit is worth. Rounding is always named by the function.
 */

/** USDT values are kept with this many digits after the point. */
export const usdtDecimals = 6

/** An asked amount is rounded up to at most this many digits, so that a person can type it. */
export const askedDecimals = 6

/** A decimal number as a fraction: `units / 10 ** scale`. */
export type Rate = { units: bigint; scale: number }

/**
 * Reads a positive decimal string ('0.9995').
 * Throws RangeError on anything else: a rate comes from us, never from a caller.
 */
export function parseRate(text: string): Rate {
  const match = /^(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text)
  const units = match ? BigInt(match[1]! + (match[2] ?? '')) : 0n
  if (units <= 0n) throw new RangeError(`not a rate: ${text}`)
  return { units, scale: match?.[2]?.length ?? 0 }
}

/** Digits after the point of a rate that was divided. */
const rateDigits = 12

/** How many `to` one `from` is worth when both are priced in a third unit, as a decimal string rounded to nearest. */
export function crossRate(from: string, to: string): string {
  const [a, b] = [parseRate(from), parseRate(to)]
  const top = a.units * tenTo(b.scale + rateDigits)
  const bottom = b.units * tenTo(a.scale)
  const units = (top + bottom / 2n) / bottom
  const digits = units.toString().padStart(rateDigits + 1, '0')
  const fraction = digits.slice(-rateDigits).replace(/0+$/, '')
  return digits.slice(0, -rateDigits) + (fraction ? `.${fraction}` : '')
}

/**
 * What must be asked in a token for a value in USDT: rounded up, so that who pays it never pays too little.
 * @param usdt micro-USDT
 * @param decimals of the token
 * @param rate USDT for one token
 */
export function askedAmount(usdt: bigint, decimals: number, rate: string): bigint {
  const { units, scale } = parseRate(rate)
  const places = Math.min(decimals, askedDecimals)
  const asked = divideUp(usdt * tenTo(scale + places), units * tenTo(usdtDecimals))
  return asked * tenTo(decimals - places)
}

/**
 * The value in micro-USDT of an amount in a currency, rounded up.
 * @param amount base units of the currency
 * @param decimals of the currency's base unit
 * @param rate USDT for one unit of the currency
 */
export function usdtAsked(amount: bigint, decimals: number, rate: string): bigint {
  const { units, scale } = parseRate(rate)
  return divideUp(amount * units * tenTo(usdtDecimals), tenTo(decimals + scale))
}

/** The value in micro-USDT of what came in, rounded down. Same arguments as `usdtAsked`. */
export function usdtValue(amount: bigint, decimals: number, rate: string): bigint {
  const { units, scale } = parseRate(rate)
  return (amount * units * tenTo(usdtDecimals)) / tenTo(decimals + scale)
}

/**
 * What a deposit in one asset counts for in another: in proportion to what is asked in each, so that paying exactly
 * what was asked in either counts as exactly what was asked, in two parts as well. Rounded to nearest.
 */
export function countedAs(amount: bigint, askedHere: bigint, askedThere: bigint): bigint {
  return askedHere === 0n ? 0n : (2n * amount * askedThere + askedHere) / (2n * askedHere)
}

/** Units, and share of what is asked, by which the rounding of several parts may miss what is asked. */
const roundingMost = 16n
const roundingShare = 10_000n

/**
 * What a deposit in another asset counts for, or what was still missing where only the rounding of it and of the parts
 * before keeps the two apart: what pays exactly in one part pays exactly in several.
 */
export function evened(counted: bigint, missing: bigint, asked: bigint): bigint {
  const off = counted > missing ? counted - missing : missing - counted
  return off <= roundingMost && off * roundingShare <= asked ? missing : counted
}

/** A share in thousandths, rounded down. */
export function permille(amount: bigint, thousandths: number): bigint {
  return (amount * BigInt(thousandths)) / 1000n
}

const divideUp = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom
const tenTo = (power: number) => 10n ** BigInt(power)
