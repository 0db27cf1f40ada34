import type { InvoiceItem } from '../billing/items.ts'

export const invoiceItem: Record<InvoiceItem, string> = {
  payment_fee: '收款手续费',
  payout_fee: '提现手续费',
  payout_gas: '提现及退款矿工费',
  aggregation_gas: '归集矿工费',
}
