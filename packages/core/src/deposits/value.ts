import {
  computeRequestedAmount,
  computeValueInUsdt,
  convertDeposit,
  correctRounding,
  roundUpToRequestedUnit,
  usdtDecimals,
  valueDecimals,
} from '../amounts.ts'

/** Asset fields used in valuation. */
export interface ValuedAsset {
  id: string
  symbol: string
  decimals: number
}

/** Payment fields used in the valuation of its deposits. */
export interface ValuationPayment {
  /** The chosen asset and its symbol; null until one is chosen. */
  assetId: string | null
  token: string | null
  /** Requested amount, in base units of the chosen asset. */
  requested: bigint
  /** Decimal places of the chosen asset; 0 until one is chosen. */
  decimals: number
  /** Value of the payment, in micro-USDT. */
  usdt: bigint
  /** Whether deposits in other tokens count. */
  mixed: boolean
  /** USDT rate of each symbol, locked when the payment was created. */
  rates: Readonly<Record<string, { price: string }>>
}

/** Value of a deposit. */
export interface DepositValue {
  /** Amount counted towards the payment, in base units of the chosen asset. */
  counted: bigint
  /** Value in USDT, with `valueDecimals`. */
  usdt: bigint
}

/**
 * Values a deposit at the rates locked for its payment. The chosen token counts on every network. Other tokens count
 * only with mixed payment, in units that a payer can be charged, rounded up. Without a payment or a locked rate, only
 * USDT has a known value. `missing` is the requested amount less the deposits seen before.
 */
export function valueDeposit(
  amount: bigint,
  asset: ValuedAsset,
  payment: ValuationPayment | undefined,
  missing: bigint,
): DepositValue {
  const rate = payment?.rates[asset.symbol]?.price ?? (asset.symbol === 'USDT' ? '1' : undefined)
  const usdt = rate === undefined ? 0n : computeValueInUsdt(amount, asset.decimals, rate)
  if (!payment) return { counted: 0n, usdt }
  if (asset.id === payment.assetId) return { counted: amount, usdt }
  const counts = asset.symbol === payment.token || payment.mixed
  if (!counts || rate === undefined) return { counted: 0n, usdt }
  const { requested, decimals } = payment
  const exact = convertDeposit(amount, computeRequestedAmount(payment.usdt, asset.decimals, rate), requested)
  const counted = roundUpToRequestedUnit(exact, decimals)
  return { counted: missing > 0n ? correctRounding(counted, missing, requested, decimals) : counted, usdt }
}

const microUsdt = 10n ** BigInt(valueDecimals - usdtDecimals)

/**
 * Returns what a value in USDT, with `valueDecimals`, is worth in the payment's asset, rounded up; null where it is
 * unknown (0).
 */
export function convertUsdtToAsset(value: bigint, { usdt, requested }: ValuationPayment): bigint | null {
  const whole = usdt * microUsdt
  return value === 0n || whole === 0n ? null : (value * requested + whole - 1n) / whole
}
