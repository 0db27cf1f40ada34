/**
 * Conversions between amounts. All amounts are whole base units (bigint). A rate is a decimal string: the value of one
 * unit in USDT. Each function documents its rounding.
 */

/** Decimal places of a requested amount in USDT. */
export const usdtDecimals = 6

/**
 * Decimal places of the value of a deposit or a balance in USDT. As many as tokens have, so that sums agree: only what
 * is shown is cut.
 */
export const valueDecimals = 18

/** Maximum decimal places of a requested amount, so that a person can type it. */
export const requestedDecimals = 6

/** A decimal number as a fraction: `units / 10 ** scale`. */
export type Rate = { units: bigint; scale: number }

/**
 * Reads a positive decimal string ('0.9995').
 * Throws RangeError on any other input, because rates are internal values and never user input.
 */
export function parseRate(text: string): Rate {
  const match = /^(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text)
  const units = match ? BigInt(match[1]! + (match[2] ?? '')) : 0n
  if (units <= 0n) throw new RangeError(`not a rate: ${text}`)
  return { units, scale: match?.[2]?.length ?? 0 }
}

/** Reads base units that JSON holds as digits. Throws RangeError on any other text, where BigInt takes '' and '0x1'. */
export function parseBaseUnits(text: string): bigint {
  if (!/^\d+$/.test(text)) throw new RangeError(`not base units: ${text}`)
  return BigInt(text)
}

/** Decimal places of a cross rate. */
const rateDigits = 12

/** Returns the price of one `from` in `to`, given the price of each in a third unit, rounded to nearest. */
export function crossRate(from: string, to: string): string {
  const a = parseRate(from)
  const b = parseRate(to)
  const top = a.units * powerOfTen(b.scale + rateDigits)
  const bottom = b.units * powerOfTen(a.scale)
  const units = (top + bottom / 2n) / bottom
  const digits = units.toString().padStart(rateDigits + 1, '0')
  const fraction = digits.slice(-rateDigits).replace(/(?<!0)0+$/, '')
  return digits.slice(0, -rateDigits) + (fraction ? `.${fraction}` : '')
}

/**
 * Returns the token amount to request for a value in USDT, rounded up so that it never falls short of the value.
 * @param usdt micro-USDT
 * @param decimals of the token
 * @param rate USDT for one token
 */
export function computeRequestedAmount(usdt: bigint, decimals: number, rate: string): bigint {
  const { units, scale } = parseRate(rate)
  const places = Math.min(decimals, requestedDecimals)
  const requested = divideUp(usdt * powerOfTen(scale + places), units * powerOfTen(usdtDecimals))
  return requested * powerOfTen(decimals - places)
}

/**
 * Returns the value of a requested amount in micro-USDT, rounded up.
 * @param amount base units of the currency
 * @param decimals of the currency's base unit
 * @param rate USDT for one unit of the currency
 */
export function computeRequestedUsdt(amount: bigint, decimals: number, rate: string): bigint {
  const { units, scale } = parseRate(rate)
  return divideUp(amount * units * powerOfTen(usdtDecimals), powerOfTen(decimals + scale))
}

/**
 * Returns the value of a received amount in USDT with `valueDecimals`, rounded down. Takes the same arguments as
 * `computeRequestedUsdt`.
 */
export function computeValueInUsdt(amount: bigint, decimals: number, rate: string): bigint {
  const { units, scale } = parseRate(rate)
  return (amount * units * powerOfTen(valueDecimals)) / powerOfTen(decimals + scale)
}

/**
 * Converts a deposit from one asset to another in proportion to the amounts requested in each, rounded to nearest. A
 * deposit of exactly `requestedHere` converts to exactly `requestedThere`. Two deposits that sum to `requestedHere`
 * convert to `requestedThere`, plus at most one unit.
 */
export function convertDeposit(amount: bigint, requestedHere: bigint, requestedThere: bigint): bigint {
  return requestedHere === 0n ? 0n : (2n * amount * requestedThere + requestedHere) / (2n * requestedHere)
}

/** Decimal places in which an amount is requested: those that exchanges and wallets let a payer type, fewest first. */
const typedPlaces = [requestedDecimals, 8]
/** An amount is requested in units of at most this part (1/n) of it. */
const unitShare = 10_000n

const typedUnits = (decimals: number) => typedPlaces.map(places => powerOfTen(Math.max(0, decimals - places)))

/**
 * Returns the unit in which an amount is requested, in base units: six decimal places, eight where six would be a large
 * part of it, else one base unit. Less than a unit cannot be sent from everywhere, so it is neither due nor a surplus.
 * @param decimals of the token
 */
export const requestedUnitOf = (amount: bigint, decimals: number): bigint =>
  typedUnits(decimals).find(unit => amount % unit === 0n && amount >= unit * unitShare) ?? 1n

/**
 * Returns what was paid beyond the requested amount (base units), if it is at least the unit in which that amount is
 * requested.
 */
export function computeSurplus({
  requested,
  paid,
  decimals,
}: {
  requested: bigint
  paid: bigint
  decimals: number
}): bigint {
  const over = paid - requested
  return over >= requestedUnitOf(requested, decimals) ? over : 0n
}

/** Returns a converted amount in whole units of its size, as for `requestedUnitOf`, rounded up. */
export function roundUpToRequestedUnit(amount: bigint, decimals: number): bigint {
  const unit = typedUnits(decimals).find(each => amount >= each * unitShare) ?? 1n
  return divideUp(amount, unit) * unit
}

/** Maximum rounding error of several parts: in units of the requested amount, and as a fraction (1/n) of it. */
const roundingMost = 16n
const roundingShare = 10_000n

/**
 * Corrects rounding in a converted deposit: returns `missing` if `counted` differs from it by rounding only, otherwise
 * `counted`. Paying the exact amount in several parts then completes the payment, as in one part.
 */
export function correctRounding(counted: bigint, missing: bigint, requested: bigint, decimals: number): bigint {
  const off = counted > missing ? counted - missing : missing - counted
  return off <= roundingMost * requestedUnitOf(requested, decimals) && off * roundingShare <= requested
    ? missing
    : counted
}

/** Returns the given hundredths of a percent of an amount, rounded down. */
export function applyBasisPoints(amount: bigint, points: number): bigint {
  return (amount * BigInt(points)) / 10_000n
}

/** Returns the given thousandths of an amount, rounded down. */
export function applyPermille(amount: bigint, thousandths: number): bigint {
  return (amount * BigInt(thousandths)) / 1000n
}

const divideUp = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom
const powers = Array.from({ length: 64 }, (_, power) => 10n ** BigInt(power))

/** Returns a power of ten: the base units of one, for a currency with this many decimals. */
export const powerOfTen = (power: number): bigint => powers[power] ?? 10n ** BigInt(power)
