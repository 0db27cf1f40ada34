import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant } from '../merchants/store.ts'
import { invoiceNumber } from './issue-invoices.ts'
import { completeBillingDetails, insertInvoice, readInvoice, readMerchantBilling } from './store.ts'

/**
 * Issues the invoice of a month again with the present billing details and the same lines. Returns its number. Refused
 * with `invoice_unchanged` when the latest version has these details, so that a second click changes nothing.
 */
export const correctInvoice = (deps: Deps, { merchantId, month }: { merchantId: string; month: string }) =>
  tx(deps.pool, async c => {
    requireActiveMerchant(await lockMerchant(c, merchantId))
    const invoice = await readInvoice(c, merchantId, month, null)
    const merchant = await readMerchantBilling(c, merchantId)
    if (!invoice || !merchant) throw new Refusal('not_found', { field: 'month' })
    if (isDeepStrictEqual(completeBillingDetails(invoice.details), completeBillingDetails(merchant.billing)))
      throw new Refusal('invoice_unchanged', { field: 'month' })
    const version = invoice.version + 1
    const number = invoiceNumber(merchant.mchid, month, version)
    const lines = JSON.stringify(invoice.lines)
    await insertInvoice(
      c,
      merchantId,
      month,
      version,
      number,
      invoice.fiat,
      merchant.billing,
      lines as never,
      deps.clock(),
    )
    return number
  })
