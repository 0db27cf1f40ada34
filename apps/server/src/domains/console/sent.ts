import { type ChainDefinition, chainAdapters, explorerUrl } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { OwnerKind } from '../../owner.ts'
import { listPayoutTransactions } from '../outgoing/carried.ts'

const states = {
  assigned: 'assigned',
  sent: 'sent',
  in_block: 'in_block',
  success: 'paid',
  reverted: 'reverted',
  void: 'void',
} as const

/**
 * Reads the transactions that carried a payout, lost ones too. Nothing is known of a fee before its transaction is
 * final.
 */
export async function readPayoutTransactions(
  { pool }: Pick<Deps, 'pool'>,
  definition: ChainDefinition,
  ...[owner, merchantId, id]: [owner: OwnerKind, merchantId: string, id: string]
) {
  const { kind, native } = definition
  const rows = await listPayoutTransactions(pool, owner, merchantId, id)
  return {
    transactions: rows.map(({ txid, state, outcome, fee, updated_at }) => ({
      txid: txid === null ? '' : chainAdapters[kind].showTxid(txid),
      explorer: (txid !== null && explorerUrl(definition, 'tx', txid)) || '',
      state: states[(outcome ?? state) as keyof typeof states],
      fee: fee > 0n ? formatDecimal(fee, native.decimals) : '',
      updated_time: updated_at,
    })),
    fee_token: native.symbol,
  }
}
