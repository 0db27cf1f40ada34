import { kinds } from '@coffer/chains'
import type { Data } from '@coffer/contract'
import { paymentRecord as wireRecord } from '@coffer/contract/payments/payment.ts'
import { tokenLogo } from '../../../http/logos.ts'
import { type DepositRow, depositView } from '../deposit-view.ts'
import { presentPayment, selectFields } from '../present-payment.ts'
import type { RecordRow } from './payment-list.ts'

type PaymentRecord = Data<'GET /api/v1/transactions/list'>['list'][number]

const selectRecord = selectFields<PaymentRecord>(wireRecord.shape)

/** Formats a payment for the merchant's records. Token amounts are empty until the payer chooses an asset. */
export function paymentRecord(row: RecordRow, deposits: DepositRow[]): PaymentRecord {
  const { chain: name, kind } = row
  return selectRecord({
    ...row,
    ...presentPayment(row, name !== null && kind !== null ? { name, kind } : null, ''),
    title: row.title ?? '',
    contract: kind && row.contract ? kinds[kind].address.show(row.contract) : '',
    logo: row.token === null ? '' : tokenLogo(row.token),
    chain_confirmation_information: deposits.map(depositView),
  })
}
