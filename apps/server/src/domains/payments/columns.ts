/** SQL: the columns of a payment `p` that its wire shapes and the export show. */
export const shownColumns = `p.trade_no, p.out_trade_no, p.appid, p.status, p.exception, p.usdt_amount, p.fiat_name,
  p.fiat_amount, p.amount, p.paid_amount, p.fees, p.address, p.created_at, p.paid_at`

/**
 * SQL: these and the others that both wire shapes need, an order of the merchant API and a record of the back-office.
 * Fields of the contract that `presentPayment` does not format are columns of the same name.
 */
export const paymentColumns = `${shownColumns}, p.merchant_id, p.price, p.expire_at`

/** SQL: these and the columns that only an order shows. */
export const orderColumns = `${paymentColumns}, p.asset_id, p.pending_amount, p.key_index, p.fee_bps, p.subject, p.attach,
  p.metadata, p.tolerance_permille`
