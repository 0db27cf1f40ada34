import { type ChainDefinition, chainAdapters, explorerUrl } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { OwnerKind } from '../../owner.ts'
import { listFoundTransactions, listPayoutTransactions } from '../outgoing/carried.ts'

const states = {
  assigned: 'assigned',
  sent: 'sent',
  in_block: 'in_block',
  success: 'paid',
  reverted: 'reverted',
  void: 'void',
} as const

/**
 * Reads the transactions that carried a payout, lost ones too, and those that paid it from elsewhere. Nothing is known
 * of a fee before its transaction is final.
 */
export async function readPayoutTransactions(
  { pool }: Pick<Deps, 'pool'>,
  definition: ChainDefinition,
  ...[owner, merchantId, id]: [owner: Exclude<OwnerKind, 'sweep'>, merchantId: string, id: string]
) {
  const { kind, native } = definition
  const [rows, found] = await Promise.all([
    listPayoutTransactions(pool, owner, merchantId, id),
    listFoundTransactions(pool, owner, merchantId, id),
  ])
  const present = (row: { txid: string | null; fee: bigint; updated_at: number }, state: keyof typeof states) => ({
    txid: row.txid === null ? '' : chainAdapters[kind].showTxid(row.txid),
    explorer: (row.txid !== null && explorerUrl(definition, 'tx', row.txid)) || '',
    state: states[state],
    fee: row.fee > 0n ? formatDecimal(row.fee, native.decimals) : '',
    updated_time: row.updated_at,
  })
  return {
    transactions: [
      ...rows.map(row => present(row, (row.outcome ?? row.state) as keyof typeof states)),
      ...found.map(row => present(row, row.undone ? 'void' : 'success')),
    ],
    fee_token: native.symbol,
  }
}
