import { type ChainKind, kinds } from '@coffer/chains'
import type { Data } from '@coffer/contract'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { usdtText } from '../../kit/amounts.ts'
import type { Statements } from '../../kit/db.ts'

type Order = Data<'GET /api/v1/pay/orders/:trade_no'>
type PaymentRecord = Data<'GET /api/v1/transactions/list'>['list'][number]

/** The fields that an order and a record share. */
type Payment = Pick<Order, keyof Order & keyof PaymentRecord>

/** The columns of `paymentColumns`, with the token of the chosen asset. */
type PaymentRow = Pick<
  Statements['order-by-trade-no']['row'],
  keyof Statements['order-by-trade-no']['row'] & keyof Statements['payments-list']['row']
>

/**
 * Formats the fields of a payment that both its wire shapes show. `chain`: of the chosen asset, null until one is
 * chosen; amounts in the token are `unknown` until then.
 */
export function presentPayment(
  row: PaymentRow,
  chain: { name: string; kind: ChainKind } | null,
  unknown: '' | '0',
): Payment {
  const inToken = (units: bigint) => (row.decimals === null ? unknown : formatDecimal(units, row.decimals))
  return {
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no,
    appid: row.appid,
    status: row.status,
    exception: row.exception,
    usdt_amount: usdtText(row.usdt_amount),
    fiat_name: row.fiat_name,
    fiat_amount: row.fiat_amount,
    token: row.token ?? '',
    chain: chain?.name ?? '',
    amount: inToken(row.amount),
    paid_amount: inToken(row.paid_amount),
    fees: inToken(row.fees),
    address: chain && row.address ? kinds[chain.kind].address.show(row.address) : '',
    created_time: row.created_at,
    expire_time: row.expire_at,
    paid_time: row.paid_at,
  }
}
