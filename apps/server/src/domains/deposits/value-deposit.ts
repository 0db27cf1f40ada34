import { askedAmount, countedAs, evened, usdtValue } from '@coffer/core'
import type { StoredPayment } from '../payments/store.ts'

/** What of an asset its value depends on. */
export interface ValuedAsset {
  id: string
  symbol: string
  decimals: number
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
  payment: StoredPayment | undefined,
  missing: bigint,
): Valued {
  const rate = payment?.token_rates[asset.symbol]?.price ?? (asset.symbol === 'USDT' ? '1' : undefined)
  const usdt = rate === undefined ? 0n : usdtValue(amount, asset.decimals, rate)
  if (!payment) return { counted: 0n, usdt }
  if (asset.id === payment.asset_id) return { counted: amount, usdt }
  const counts = asset.symbol === payment.token || payment.mixed_payment
  if (!counts || rate === undefined) return { counted: 0n, usdt }
  const askedHere = askedAmount(BigInt(payment.usdt_amount), asset.decimals, rate)
  const asked = BigInt(payment.amount)
  const counted = countedAs(amount, askedHere, asked)
  return { counted: missing > 0n ? evened(counted, missing, asked) : counted, usdt }
}
