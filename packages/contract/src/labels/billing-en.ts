import type { InvoiceItem } from '../billing/items.ts'

export const invoiceItem: Record<InvoiceItem, string> = {
  payment_fee: 'Fees on payments',
  payout_fee: 'Fees on withdrawals',
  payout_gas: 'Gas of withdrawals and refunds',
  aggregation_gas: 'Gas of fund aggregation',
}
