import { kinds } from '@coffer/chains'
import type { Data } from '@coffer/contract'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { tokenLogo } from '../../../http/logos.ts'
import { usdt } from '../../../kit/amounts.ts'
import { type DepositRow, depositView } from '../deposit-view.ts'
import type { RecordRow } from './payment-list.ts'

type PaymentRecord = Data<'GET /api/v1/transactions/list'>['list'][number]

/** Formats a payment for the merchant's records. Token amounts are empty until the payer chooses an asset. */
export function paymentRecord(row: RecordRow, deposits: DepositRow[]): PaymentRecord {
  const inToken = (units: bigint) => (row.decimals === null ? '' : formatDecimal(units, row.decimals))
  const shown = (address: string | null) => (row.kind && address ? kinds[row.kind].address.show(address) : '')
  return {
    apply_name: row.apply_name,
    appid: row.appid,
    out_trade_no: row.out_trade_no,
    title: row.title ?? '',
    trade_no: row.trade_no,
    amount: inToken(row.amount),
    token: row.token ?? '',
    usdt_amount: usdt(row.usdt_amount),
    fiat_name: row.fiat_name,
    fiat_amount: row.fiat_amount,
    chain: row.chain ?? '',
    contract: shown(row.contract),
    fees: inToken(row.fees),
    status: row.status,
    exception: row.exception,
    paid_amount: inToken(row.paid_amount),
    address: shown(row.address),
    created_time: row.created_at,
    expire_time: row.expire_at,
    paid_time: row.paid_at,
    logo: row.token === null ? '' : tokenLogo(row.token),
    chain_confirmation_information: deposits.map(depositView),
  }
}
