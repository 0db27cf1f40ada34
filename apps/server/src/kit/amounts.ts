import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { usdtDecimals, valueDecimals } from '@coffer/core'

/** Formats micro-USDT, the unit of requested amounts, as a decimal string. */
export const usdtText = (units: bigint) => formatDecimal(units, usdtDecimals)

/** Formats a value in USDT as an exact decimal string. Pages cut it when they show it. */
export const usdtValueText = (units: bigint) => formatDecimal(units, valueDecimals)

/** The same; empty when the value is not known. */
export const formatOptionalUsdtValue = (units: bigint | null) => (units === null ? '' : usdtValueText(units))
