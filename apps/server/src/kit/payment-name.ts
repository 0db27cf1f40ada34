import { linkMetadata } from '@coffer/contract/payment-links.ts'

/** Selects what was sold by a payment, if it was by a payment link, whose orders have made-up numbers; otherwise an empty text. */
export const titleOf = (payment: string): string =>
  `case when ${payment}.metadata ? '${linkMetadata}' then ${payment}.subject else '' end`

/** Selects what people call a payment: what was sold by a link, otherwise its order number. */
export const paymentNameOf = (payment: string): string =>
  `case when ${titleOf(payment)} <> '' then '“' || ${payment}.subject || '”' else ${payment}.out_trade_no end`

/** Returns what people call a payment, as `paymentNameOf`. */
export const paymentName = (row: { out_trade_no: string; subject: string; metadata: object }): string =>
  linkMetadata in row.metadata && row.subject !== '' ? `“${row.subject}”` : row.out_trade_no
