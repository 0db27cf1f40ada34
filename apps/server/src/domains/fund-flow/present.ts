import { chainForms } from '@coffer/chains/forms.ts'
import type { FundFlowCause, PaymentType } from '@coffer/contract/fund-flow/routes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { computeValueInUsdt, crossRate, powerOfTen, valueDecimals } from '@coffer/core'
import type { FlowAsset, FlowRow } from './store.ts'

/** How money moved, by the account on the other side. */
const paymentTypes: Record<string, PaymentType> = {
  chain: 'on_chain',
  suspense: 'internal',
  available: 'reserve',
  held: 'reserve',
  fees: 'platform',
  gas: 'platform',
}

/** Presents a posting as the list and the exports show it. */
export function presentFlow(row: FlowRow, asset: FlowAsset) {
  const { memo, account, direction } = row
  const { decimals, definition } = asset
  const { address, showTxid } = chainForms[definition.kind]
  const isIn = direction === 'in'
  const shown = (stored = '') => stored && address.show(stored)
  return {
    id: row.id,
    type: row.kind,
    payment_type: paymentTypes[isIn ? row.debit_part : row.credit_part] ?? ('platform' as const),
    account,
    direction,
    token: asset.token,
    chain: definition.name,
    amount: formatDecimal(row.amount, decimals),
    balance: formatDecimal((isIn ? row.credit_after : row.debit_after) ?? 0n, decimals),
    // Read by some formats only: a checksum costs as much as the rest of the row.
    get from_address() {
      return shown(memo.from_address)
    },
    get to_address() {
      return shown(memo.to_address)
    },
    trade_no: memo.trade_no ?? '',
    cause: causeOf(row),
    txid: showTxid(memo.txid ?? ''),
    value: fiatValue(row, asset),
    created_time: row.created_at,
  }
}
export type PresentedFlow = ReturnType<typeof presentFlow>

/** What posted it, from the name of its source, such as `withdrawal:<id>:reserve`. */
function causeOf({ source, memo }: Pick<FlowRow, 'source' | 'memo'>): { kind: FundFlowCause; id: string } {
  const [, kind, id = ''] = /^(?:reversal:)?(deposit|withdrawal|refund|transfer):([^:]+)/.exec(source) ?? []
  if (kind === 'deposit') return memo.trade_no ? { kind: 'payment', id: memo.trade_no } : { kind, id }
  return kind ? { kind: kind as FundFlowCause, id } : { kind: 'other', id: '' }
}

/**
 * The last cross rate of each token: prices are stored every five minutes, so that many postings in a row have the
 * same.
 */
const rates = new Map<string, { tokenPrice: string; fiatPrice: string; rate: string }>()

function rateOf(token: string, tokenPrice: string, fiatPrice: string): string {
  const last = rates.get(token)
  if (last?.tokenPrice === tokenPrice && last.fiatPrice === fiatPrice) return last.rate
  const rate = crossRate(tokenPrice, fiatPrice)
  rates.set(token, { tokenPrice, fiatPrice, rate })
  return rate
}

/** Decimals of a value in fiat. */
const fiatDecimals = 8
const beyondFiat = powerOfTen(valueDecimals - fiatDecimals)

/**
 * The value in the merchant's fiat at the time, rounded to nearest, with its rate, or null when there was no reliable
 * price. Invoices value by the same rule (`billing-lines`).
 */
function fiatValue({ fiat, amount, created_at, priceAt }: FlowRow, { price_of, decimals }: FlowAsset) {
  const tokenPrice = priceAt(price_of, created_at)
  const fiatPrice = fiat === 'USD' ? dollar : priceAt(fiat, created_at)
  if (!tokenPrice || !fiatPrice) return null
  const rate = rateOf(price_of, tokenPrice.price, fiatPrice.price)
  if (rate === '0') return null
  const units = (computeValueInUsdt(amount, decimals, rate) + beyondFiat / 2n) / beyondFiat
  return {
    fiat,
    amount: formatDecimal(units, fiatDecimals),
    rate,
    source: fiatPrice === dollar ? tokenPrice.source : `${tokenPrice.source} / ${fiatPrice.source}`,
    time: Math.min(tokenPrice.at, fiatPrice.at),
  }
}
const dollar = { price: '1', source: '', at: Number.POSITIVE_INFINITY }
