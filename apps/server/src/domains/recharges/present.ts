import { type DepositRow, toDepositView } from '../payments/to-deposit-view.ts'

interface Place {
  address_id: string
  reference: string
  appid: string
  chain_id: string
}

/** Formats a deposit without a payment for the merchant's server. */
export function presentDeposit(row: DepositRow & Place) {
  const { late: _late, ...view } = toDepositView(row)
  const { id, address_id, reference, appid, chain_id } = row
  return { id, address_id, reference, appid, chain_id, ...view }
}
