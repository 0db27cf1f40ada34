import { type ChainKind, chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { usdtText } from '../../kit/amounts.ts'
import type { Statements } from '../../kit/db.ts'

/** The columns of `paymentColumns`, with the token of the chosen asset. */
type PaymentRow = Pick<
  Statements['order-by-trade-no']['row'],
  keyof Statements['order-by-trade-no']['row'] & keyof Statements['payments-list']['row']
>

/**
 * Formats what both wire shapes of a payment show otherwise than it is stored; their other fields are columns. `chain`:
 * of the chosen asset, null until one is chosen; amounts in the token are `unknown` until then.
 */
export function presentPayment(row: PaymentRow, chain: { name: string; kind: ChainKind } | null, unknown: '' | '0') {
  const inToken = (units: bigint) => (row.decimals === null ? unknown : formatDecimal(units, row.decimals))
  return {
    usdt_amount: usdtText(row.usdt_amount),
    token: row.token ?? '',
    chain: chain?.name ?? '',
    amount: inToken(row.amount),
    paid_amount: inToken(row.paid_amount),
    fees: inToken(row.fees),
    address: chain && row.address ? chainAdapters[chain.kind].address.show(row.address) : '',
    created_time: row.created_at,
    expire_time: row.expire_at,
    paid_time: row.paid_at,
  }
}

/** Returns a function that selects the fields of a wire shape, in the sequence of the contract. */
export function selectFields<Shape>(shape: Record<keyof Shape, unknown>): (value: Shape) => Shape {
  const names = Object.keys(shape) as (keyof Shape)[]
  return value => Object.fromEntries(names.map(name => [name, value[name]])) as Shape
}
