import { crossRate, parseRate, powerOfTen, usdtDecimals } from '../amounts.ts'

/** Where the rate of an order's currency, or of a token, comes from. */
export type RateSource = 'fixed' | 'own' | 'market'

/**
 * The price of a currency: USDT for one unit or, where `perUsdt`, units for one USDT, as merchants state rates of fiat
 * currencies.
 */
export interface QuotedRate {
  rate: string
  perUsdt: boolean
}

/**
 * What sources give for one currency now: null where one has nothing, undefined where the merchant has not set it up.
 */
export interface RatesBySource<R extends QuotedRate> {
  fixed?: R | null | undefined
  own?: R | null | undefined
  market: R | null
}

/**
 * Returns the rate of the first source in `order` that has one. A currency for which none of them is set up has the
 * market price. Null when no source has a rate.
 */
export function chooseRate<R extends QuotedRate>(order: readonly RateSource[], given: RatesBySource<R>): R | null {
  const setUp = order.filter(source => given[source] !== undefined)
  for (const source of setUp.length > 0 ? setUp : (['market'] as const)) {
    const rate = given[source]
    if (rate) return rate
  }
  return null
}

/** Hundredths of a percent in the whole. */
const whole = 10_000n

/**
 * Returns the value of an amount with a spread in micro-USDT, rounded up: amount × (1 + spread) × rate, or ÷ rate where
 * it is stated per USDT, rounded once.
 * @param amount base units of the currency
 * @param decimals of the currency's base unit
 * @param spreadBps hundredths of a percent, above -10,000
 */
export function computeUsdtWithSpread(
  amount: bigint,
  decimals: number,
  { rate, perUsdt }: QuotedRate,
  spreadBps: bigint,
): bigint {
  const { units, scale } = parseRate(rate)
  const one = powerOfTen(scale)
  const top = amount * (whole + spreadBps) * powerOfTen(usdtDecimals) * (perUsdt ? one : units)
  const bottom = whole * powerOfTen(decimals) * (perUsdt ? units : one)
  return (top + bottom - 1n) / bottom
}

/**
 * Returns USDT for one unit, with the spread, rounded to the nearest 12 decimal places where it is not a decimal number
 * of fewer.
 */
export function computePriceWithSpread({ rate, perUsdt }: QuotedRate, spreadBps: bigint): string {
  if (!perUsdt && spreadBps === 0n) return rate
  const share = String(whole + spreadBps)
  return perUsdt ? crossRate(share, times(rate, whole)) : crossRate(times(rate, whole + spreadBps), String(whole))
}

function times(rate: string, factor: bigint): string {
  const { units, scale } = parseRate(rate)
  const digits = String(units * factor).padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Whether a stated rate is at most `factor` times, and at least one `factor`th of, a price in USDT. */
export function isNearPrice({ rate, perUsdt }: QuotedRate, price: string, factor: readonly [bigint, bigint]): boolean {
  const own = parseRate(rate)
  const market = parseRate(price)
  // The ratio of both prices, as a fraction.
  const top = perUsdt ? powerOfTen(own.scale + market.scale) : own.units * powerOfTen(market.scale)
  const bottom = perUsdt ? own.units * market.units : market.units * powerOfTen(own.scale)
  const [more, less] = factor
  return top * less <= bottom * more && top * more >= bottom * less
}
