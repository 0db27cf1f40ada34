import { askedAmount, countedAs, evened, usdtValue } from '../amounts.ts'

/** What of an asset its value depends on. */
export interface ValuedAsset {
  id: string
  symbol: string
  decimals: number
}

/** What of a payment the value of its deposits depends on. */
export interface ValuingPayment {
  /** The asset that is asked for and its symbol; null until one is chosen. */
  assetId: string | null
  token: string | null
  /** Base units of that asset. */
  asked: bigint
  /** micro-USDT. */
  usdt: bigint
  /** Whether other tokens count as well. */
  mixed: boolean
  /** What one unit of each symbol was worth in USDT when the payment was created. */
  rates: Readonly<Record<string, { price: string }>>
}

/** What an amount of an asset is worth to a payment. */
export interface Valued {
  /** Base units of the asset that the payment asks for. */
  counted: bigint
  /** micro-USDT. */
  usdt: bigint
}

/**
 * Values a deposit by the rates that were locked for its payment. The token that is asked for counts on whatever
 * network it came; another one counts where the application takes mixed payments. Without a payment, or a locked rate,
 * only USDT has a known value. `missing` is what the payment asks for beyond what was seen before.
 */
export function valueDeposit(
  amount: bigint,
  asset: ValuedAsset,
  payment: ValuingPayment | undefined,
  missing: bigint,
): Valued {
  const rate = payment?.rates[asset.symbol]?.price ?? (asset.symbol === 'USDT' ? '1' : undefined)
  const usdt = rate === undefined ? 0n : usdtValue(amount, asset.decimals, rate)
  if (!payment) return { counted: 0n, usdt }
  if (asset.id === payment.assetId) return { counted: amount, usdt }
  const counts = asset.symbol === payment.token || payment.mixed
  if (!counts || rate === undefined) return { counted: 0n, usdt }
  const { asked } = payment
  const counted = countedAs(amount, askedAmount(payment.usdt, asset.decimals, rate), asked)
  return { counted: missing > 0n ? evened(counted, missing, asked) : counted, usdt }
}
