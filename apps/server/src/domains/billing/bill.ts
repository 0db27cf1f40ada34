import { type InvoiceItem, isCharged } from '@coffer/contract/billing/items.ts'
import type { InvoiceLine } from '@coffer/contract/billing/routes.ts'
import { formatDecimal, parseDecimal, roundDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Queryable } from '../../kit/db.ts'
import { readMerchantSpending } from './store.ts'

/** Decimals of the value of an entry in fiat, and of invoices issued before their lines were rounded to cents. */
const fiatDecimals = 8

/**
 * The month of an instant, as in 2026-10. Invoices are by months of UTC, which never shift with a merchant's time zone.
 */
export const formatUtcMonth = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7)

/** The start of a month and of the next one, in Unix seconds. */
export function monthRange(month: string): { start: number; end: number } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return { start: Date.UTC(year, number - 1) / 1000, end: Date.UTC(year, number) / 1000 }
}

/** Reads what a merchant spent in a month so far. */
export async function readInvoiceLines(
  c: Queryable,
  merchantId: string,
  month: string,
  fiat: string,
): Promise<InvoiceLine[]> {
  const { start, end } = monthRange(month)
  const rows = await readMerchantSpending(c, merchantId, start, end, fiat)
  return rows.map(({ item, token, chain, count, amount, decimals, unvalued, value }) => ({
    item: item as InvoiceItem,
    token,
    chain: chain ?? '',
    count: Number(count),
    amount: formatDecimal(amount ?? 0n, decimals),
    // To cents, as it is shown, so that the lines of an invoice add up to its total.
    value: value === null ? null : roundDecimal(value, 2),
    unvalued: Number(unvalued),
  }))
}

/** Adds up the lines: the value of what was charged, null when none has a price, and the entries that it leaves out. */
export function sumInvoiceLines(lines: readonly InvoiceLine[]): { total: string | null; unvalued: number } {
  const charged = lines.filter(line => isCharged(line.item))
  const values = charged.flatMap(({ value }) => (value === null ? [] : (parseDecimal(value, fiatDecimals) ?? 0n)))
  const total = values.length === 0 && charged.length > 0 ? null : values.reduce((sum, value) => sum + value, 0n)
  const unvalued = charged.reduce((sum, line) => sum + line.unvalued, 0)
  return { total: total === null ? null : formatDecimal(total, fiatDecimals), unvalued }
}

/** Reads stored lines. Those of older invoices have a value only when all of their entries have a price. */
export const toInvoiceLines = (lines: readonly StoredInvoiceLine[]): InvoiceLine[] =>
  lines.map(line => ({ unvalued: line.value === null ? line.count : 0, ...line }))
export type StoredInvoiceLine = Omit<InvoiceLine, 'unvalued'> & { unvalued?: number }
