import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'

/** Order numbers of payments at the counter begin with it, and a platform number follows. */
export const counterOrderNumberPrefix = 'counter-'
const counterNumber = /^counter-[0-9]{32}$/

/**
 * Selects what was sold by a payment link or at the counter, whose orders have made-up numbers; otherwise an empty
 * text.
 */
export const buildPaymentTitleSql = (payment: string): string =>
  `case when ${payment}.metadata ? '${paymentLinkMetadataKey}' or ${payment}.out_trade_no ~ '${counterNumber.source}' then ${payment}.subject else '' end`

/** Selects what people call a payment: what was sold by a link or at the counter, otherwise its order number. */
export const buildPaymentNameSql = (payment: string): string =>
  `case when ${buildPaymentTitleSql(payment)} <> '' then '“' || ${payment}.subject || '”' else ${payment}.out_trade_no end`

/** Returns what people call a payment, as `buildPaymentNameSql`. */
export const formatPaymentName = (row: { out_trade_no: string; subject: string; metadata: object }): string =>
  row.subject !== '' && (paymentLinkMetadataKey in row.metadata || counterNumber.test(row.out_trade_no))
    ? `“${row.subject}”`
    : row.out_trade_no
