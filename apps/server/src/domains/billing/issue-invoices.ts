import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { formatUtcMonth, monthRange, readInvoiceLines } from './bill.ts'
import { insertInvoice, merchantsToBill, readMerchantBilling } from './store.ts'

/**
 * Seconds after the end of a month when no open transaction can still write an entry of it, and its counts are folded.
 */
const settledAfter = 7_200
/** Months that are looked back, after a time without a server. */
const monthsBack = 12

export const invoiceNumber = (mchid: string, month: string, version: number): string =>
  `INV-${month.replace('-', '')}-${mchid}${version > 1 ? `-${version}` : ''}`

/**
 * Issues the invoices of past months that are missing. A merchant that spent nothing in a month gets none. Safe to run
 * twice at once: the first invoice of a month stays.
 */
export async function issueInvoices(deps: Deps): Promise<boolean> {
  let { start } = monthRange(formatUtcMonth(deps.clock() - settledAfter))
  for (let back = 0; back < monthsBack; back++) {
    const month = formatUtcMonth(start - 1)
    const range = monthRange(month)
    start = range.start
    for (;;) {
      const due = await merchantsToBill(deps.pool, month, range.start, range.end)
      for (const { id } of due) await issueInvoice(deps, id, month)
      if (due.length < 100) break
    }
  }
  return false
}

const issueInvoice = (deps: Deps, merchantId: string, month: string): Promise<unknown> =>
  tx(deps.pool, async c => {
    const merchant = await readMerchantBilling(c, merchantId)
    const { mchid, billing = {}, fiat = 'USD' } = merchant ?? { mchid: merchantId }
    const lines = JSON.stringify(await readInvoiceLines(c, merchantId, month, fiat))
    const number = invoiceNumber(mchid, month, 1)
    await insertInvoice(c, merchantId, month, 1, number, fiat, billing, lines as never, deps.clock())
  })
