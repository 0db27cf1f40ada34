import { chainAdapters, explorerUrl } from '@coffer/chains'
import type { RouteData } from '@coffer/contract'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { tokenLogo } from '../../http/logos.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import type { WithdrawalRow } from './list.ts'
import { describeWithdrawalReason } from './notify.ts'

const { auditing, transferring } = withdrawalStatus

/** Formats a withdrawal for the merchant's records. */
export function presentWithdrawal(row: WithdrawalRow): RouteData<'POST /api/v1/account/withdrawal'> {
  const { definition, decimals } = row
  const { address, showTxid } = chainAdapters[definition.kind]
  const inToken = (units: bigint) => formatDecimal(units, decimals)
  return {
    id: row.id,
    out_no: row.out_no ?? '',
    appid: row.appid,
    apply_name: row.apply_name ?? '',
    status: row.status,
    can_cancel:
      row.origin !== 'return' && (row.status === auditing || (row.status === transferring && row.out_nonce === null)),
    token_id: row.asset_id,
    token: row.token,
    logo: tokenLogo(row.token),
    network_id: definition.id,
    chain: definition.name,
    net_work: definition.network,
    address: address.show(row.to_address),
    amount: inToken(row.amount),
    fee: inToken(row.fee),
    gas: inToken(row.gas),
    receives: inToken(row.receives),
    usdt_value: usdtValueText(row.usdt_value),
    txid: row.txid && showTxid(row.txid),
    browser_url: (row.txid && explorerUrl(definition, 'tx', row.txid)) || '',
    reason: describeWithdrawalReason(row),
    remark: row.remark,
    created_time: row.created_at,
    updated_time: row.updated_at,
  }
}
