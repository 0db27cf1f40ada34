import { type InvoiceItem, type InvoiceLine, isCharged } from '@coffer/contract/billing.ts'
import { formatDecimal, parseDecimal } from '@coffer/contract/decimal.ts'
import type { Queryable } from '../../kit/db.ts'
import { readSpent } from './store.ts'

/** Decimals of a value in fiat. */
const fiatDecimals = 8

/** The month of an instant, as in 2026-10. Invoices are by months of UTC, which never shift with a merchant's time zone. */
export const monthOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7)

/** The start of a month and of the next one, in Unix seconds. */
export function monthRange(month: string): { start: number; end: number } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return { start: Date.UTC(year, number - 1) / 1000, end: Date.UTC(year, number) / 1000 }
}

/** Reads what a merchant spent in a month so far. */
export async function readLines(c: Queryable, merchantId: string, month: string, fiat: string): Promise<InvoiceLine[]> {
  const { start, end } = monthRange(month)
  const rows = await readSpent(c, merchantId, start, end, fiat)
  return rows.map(({ item, token, chain, count, amount, decimals, valued, value }) => ({
    item: item as InvoiceItem,
    token,
    chain: chain ?? '',
    count: Number(count),
    amount: formatDecimal(BigInt(amount ?? 0), decimals),
    value: valued && value !== null ? formatDecimal(parseDecimal(value, fiatDecimals) ?? 0n, fiatDecimals) : null,
  }))
}

/** Adds up what was charged; null when the value of a line is unknown. */
export function totalOf(lines: readonly InvoiceLine[]): string | null {
  let sum = 0n
  for (const { item, value } of lines) {
    if (!isCharged(item)) continue
    const units = value === null ? null : parseDecimal(value, fiatDecimals)
    if (units === null) return null
    sum += units
  }
  return formatDecimal(sum, fiatDecimals)
}
