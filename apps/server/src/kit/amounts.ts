import { formatDecimal } from '@coffer/contract/decimal.ts'
import { usdtDecimals } from '@coffer/core'

/** Formats micro-USDT as a decimal string. */
export const usdt = (units: bigint) => formatDecimal(units, usdtDecimals)
