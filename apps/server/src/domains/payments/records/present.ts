import { chainAdapters } from '@coffer/chains'
import type { RouteData } from '@coffer/contract'
import { paymentRecord as wireRecord } from '@coffer/contract/payments/payment.ts'
import { tokenLogo } from '../../../http/logos.ts'
import type { PaymentScope } from '../../../kit/visible-to.ts'
import { presentPayment, selectFields } from '../present-payment.ts'
import { type DepositRow, toDepositView } from '../to-deposit-view.ts'
import type { PaymentRecordRow } from './payment-list.ts'

type PaymentRecord = RouteData<'GET /api/v1/transactions/list'>['list'][number]

const { collected_by: _, ...shape } = wireRecord.shape
const selectRecord = selectFields<Omit<PaymentRecord, 'collected_by'>>(shape)

/**
 * Formats a payment for the merchant's records. Token amounts are empty until the payer chooses an asset. Who sees own
 * payments only knows who collected them.
 */
export function paymentRecord(
  row: PaymentRecordRow,
  deposits: DepositRow[],
  { collectedBy }: PaymentScope,
): PaymentRecord {
  const { chain: name, kind, collected_by: id, collector: email } = row
  const record = selectRecord({
    ...row,
    ...presentPayment(row, name !== null && kind !== null ? { name, kind } : null, ''),
    title: row.title ?? '',
    contract: kind && row.contract ? chainAdapters[kind].address.show(row.contract) : '',
    logo: row.token === null ? '' : tokenLogo(row.token),
    chain_confirmation_information: deposits.map(toDepositView),
  })
  return email === null || collectedBy !== null ? record : { ...record, collected_by: { id, email } }
}
