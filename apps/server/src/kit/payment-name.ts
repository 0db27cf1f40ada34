import { linkMetadata } from '@coffer/contract/payment-links/metadata.ts'

/** Order numbers of payments at the counter begin with it, and a platform number follows. */
export const counterPrefix = 'counter-'
const counterNumber = /^counter-[0-9]{32}$/

/**
 * Selects what was sold by a payment link or at the counter, whose orders have made-up numbers; otherwise an empty
 * text.
 */
export const titleOf = (payment: string): string =>
  `case when ${payment}.metadata ? '${linkMetadata}' or ${payment}.out_trade_no ~ '${counterNumber.source}' then ${payment}.subject else '' end`

/** Selects what people call a payment: what was sold by a link or at the counter, otherwise its order number. */
export const paymentNameOf = (payment: string): string =>
  `case when ${titleOf(payment)} <> '' then '“' || ${payment}.subject || '”' else ${payment}.out_trade_no end`

/** Returns what people call a payment, as `paymentNameOf`. */
export const paymentName = (row: { out_trade_no: string; subject: string; metadata: object }): string =>
  row.subject !== '' && (linkMetadata in row.metadata || counterNumber.test(row.out_trade_no))
    ? `“${row.subject}”`
    : row.out_trade_no
