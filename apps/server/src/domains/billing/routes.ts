import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { tx } from '../../kit/db.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { getMerchantTerms } from '../merchants/terms.ts'
import { formatUtcMonth, monthRange, readInvoiceLines, sumInvoiceLines, toInvoiceLines } from './bill.ts'
import { correctInvoice } from './correct-invoice.ts'
import invoiceExport from './export.ts'
import { invoiceNumber } from './issue-invoices.ts'
import {
  completeBillingDetails,
  countInvoices,
  listInvoices,
  readInvoice,
  readMerchantBilling,
  setBilling,
} from './store.ts'

export const billingHandlers = defineHandlers({
  'GET /api/v1/account/billing': async ({ deps, session: { merchantId } }) => {
    const merchant = await readMerchantBilling(deps.pool, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    const { billing, fiat } = merchant
    const { fee_bps, withdraw_fee_bps } = getMerchantTerms(deps, merchant)
    const month = formatUtcMonth(deps.clock())
    const lines = await readInvoiceLines(deps.pool, merchantId, month, fiat)
    const { start, end } = monthRange(month)
    return {
      plan: {
        fee_bps,
        withdraw_fee_bps,
        own: merchant.fee_bps !== null || merchant.withdraw_fee_bps !== null,
      },
      details: { ...completeBillingDetails(billing), fiat },
      current: { month, start_time: start, end_time: end, fiat, lines, ...sumInvoiceLines(lines) },
    }
  },

  'PUT /api/v1/account/billing': async ({ deps, session: { merchantId }, body: { fiat, ...details } }) => {
    const { name, address, tax_number } = details
    const billing = { name: name.trim(), address: address.trim(), tax_number: tax_number.trim() }
    await tx(deps.pool, async c => {
      await lockActiveMerchant(c, merchantId)
      await setBilling(c, merchantId, billing, fiat)
    })
    return {}
  },

  'GET /api/v1/account/invoices': ({ deps: { pool }, session: { merchantId }, query }) =>
    listAnswer(listInvoices(pool, merchantId, pageOf(query)), countInvoices(pool, merchantId), row => ({
      number: row.number,
      version: row.version,
      issued_time: row.issued_at,
      month: row.month,
      fiat: row.fiat,
      count: row.lines.reduce((sum, line) => sum + line.count, 0),
      ...sumInvoiceLines(toInvoiceLines(row.lines)),
    })),

  'GET /api/v1/account/invoices/export': exportHandler(invoiceExport),

  'GET /api/v1/account/invoice': async ({ deps: { pool }, session: { merchantId }, query: { month, version } }) => {
    const [invoice, merchant] = await Promise.all([
      readInvoice(pool, merchantId, month, version ?? null),
      readMerchantBilling(pool, merchantId),
    ])
    if (!invoice || !merchant) throw new Refusal('not_found', { field: 'month' })
    const { start, end } = monthRange(month)
    const numberOf = (other: number) => invoiceNumber(merchant.mchid, month, other)
    const { version: shown, versions } = invoice
    const lines = toInvoiceLines(invoice.lines)
    return {
      number: invoice.number,
      version: shown,
      issued_time: invoice.issued_at,
      month,
      start_time: start,
      end_time: end,
      fiat: invoice.fiat,
      lines,
      ...sumInvoiceLines(lines),
      mchid: merchant.mchid,
      details: completeBillingDetails(invoice.details),
      corrects: shown > 1 ? numberOf(shown - 1) : '',
      corrected_by: versions !== null && shown < versions ? numberOf(shown + 1) : '',
    }
  },

  'POST /api/v1/account/invoice/correct': async ({ deps, session: { merchantId }, body: { month } }) => ({
    number: await correctInvoice(deps, { merchantId, month }),
  }),
})
