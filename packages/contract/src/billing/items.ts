/**
 * What an invoice counts: fees on payments, fees and gas of payouts (withdrawals and refunds), and the gas of fund
 * aggregation, which the operator pays. Apart from the schemas, which pages must not load.
 */
export const invoiceItems = ['payment_fee', 'payout_fee', 'payout_gas', 'aggregation_gas'] as const
export type InvoiceItem = (typeof invoiceItems)[number]

/** Whether an item is charged to the merchant. */
export const isCharged = (item: InvoiceItem) => item !== 'aggregation_gas'
