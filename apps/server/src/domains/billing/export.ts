import type { InvoiceLine } from '@coffer/contract/billing/routes.ts'
import { invoiceItemLabels } from '@coffer/contract/labels.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { toInvoiceLines } from './bill.ts'
import { type Invoice, listInvoices } from './store.ts'

type Row = Omit<Invoice, 'versions'> & { line: InvoiceLine }

/** A merchant has one invoice a month. */
const all = { limit: 10_000, offset: 0 }
const rowsOf = (invoices: Omit<Invoice, 'versions'>[]): Row[] =>
  invoices.flatMap(invoice => toInvoiceLines(invoice.lines).map(line => ({ ...invoice, line })))

/** The export of the lines of all invoices in their latest versions, newest first. */
export default defineExport<object, Row, object>({
  module: import.meta.url,
  fileName: 'Invoices',
  sheet: { en: 'Invoices', 'zh-CN': '账单' },
  zone: readMerchantTimeZone,
  count: async (c, { merchantId }) => rowsOf(await listInvoices(c, merchantId, all)).length,
  next: async (c, { merchantId }, after) => (after ? [] : rowsOf(await listInvoices(c, merchantId, all))),
  columns: [
    { en: 'Number', 'zh-CN': '账单编号', width: 28, cell: row => row.number },
    { en: 'Month (UTC)', 'zh-CN': '月份（UTC）', width: 12, cell: row => row.month },
    { en: 'Item', 'zh-CN': '项目', width: 24, cell: (row, { language }) => invoiceItemLabels[language][row.line.item] },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: row => row.line.token },
    { en: 'Chain', 'zh-CN': '链', width: 18, cell: row => row.line.chain },
    { en: 'Count', 'zh-CN': '笔数', width: 10, count: row => row.line.count },
    { en: 'Amount', 'zh-CN': '金额', width: 18, amount: row => row.line.amount },
    { en: 'Value', 'zh-CN': '法币估值', width: 18, amount: row => row.line.value ?? '' },
    { en: 'Fiat', 'zh-CN': '法币', width: 8, cell: row => row.fiat },
    { en: 'Entries without a price', 'zh-CN': '无价格笔数', width: 20, count: row => row.line.unvalued },
    { en: 'Issued', 'zh-CN': '出具时间', width: 32, time: row => row.issued_at },
  ],
})
