import { chainAdapters, explorerUrl } from '@coffer/chains'
import type { RouteData } from '@coffer/contract'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import type { RefundRow } from './list.ts'

/** A refund as its merchant sees it. */
export function presentRefund(row: RefundRow): RouteData<'GET /api/v1/transactions/refund-list'>['list'][number] {
  const { definition, decimals } = row
  const { address, showTxid } = chainAdapters[definition.kind]
  const inToken = (units: bigint) => formatDecimal(units, decimals)
  return {
    id: row.id,
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no,
    title: row.title ?? '',
    appid: row.appid,
    apply_name: row.apply_name ?? '',
    status: row.status,
    can_cancel: row.status === withdrawalStatus.transferring && row.out_nonce === null,
    kind: row.kind,
    gas_payer: row.gas_payer,
    fiat_name: row.fiat_name,
    fiat_amount: row.fiat_amount,
    token: row.token,
    chain: definition.name,
    address: address.show(row.to_address),
    amount: inToken(row.amount),
    gas: inToken(row.gas),
    receives: inToken(row.receives),
    total: inToken(row.total),
    usdt_value: usdtValueText(row.usdt_value),
    reason: row.reason,
    failure: row.failure,
    txid: row.txid && showTxid(row.txid),
    browser_url: (row.txid && explorerUrl(definition, 'tx', row.txid)) || '',
    created_time: row.created_at,
    updated_time: row.updated_at,
  }
}
