import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { readProofAmount } from '@coffer/core/proof/format.ts'
import { language } from '../i18n/language.ts'

/** Formats an amount in smallest units, which may have a minus sign, without it. */
export function formatUnits(units: string, { decimals, symbol }: { decimals: number; symbol: string }): string {
  const amount = readProofAmount(units.replace('-', '')) ?? 0n
  return `${formatExactAmount(formatDecimal(amount, decimals), language.get())} ${symbol}`
}
