import { chainAdapters } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import {
  type ActingOperator,
  readApproversBelow,
  readApproversBySubject,
  recordOperatorApproval,
  requireSecondPerson,
} from '../../kit/second-person.ts'
import { readChainAssets } from '../chains/assets.ts'
import { type FoundTransaction, findPayout, parseTransactionId } from '../outgoing/find-payout.ts'
import { countRequiredApprovers, lockOperatorApprovals } from './decide-withdrawal.ts'
import type { StoredWithdrawal } from './store.ts'

/**
 * What an operator says of a payout: that a transaction has paid it which this database did not send, as one of the
 * original since the backup that was restored. `seen`: when the payout had last changed as the operator read it.
 */
export interface PaidElsewhereClaim {
  id: string
  txid: string
  by: ActingOperator
  seen?: number | undefined
}

type PayoutRow = Pick<
  StoredWithdrawal,
  'merchant_id' | 'id' | 'asset_id' | 'to_address' | 'receives' | 'usdt_value' | 'created_at' | 'updated_at' | 'events'
> &
  Pick<StoredWithdrawal, 'definition'>

/** Finds the transaction that is said to have paid a payout. Throws Refusal unless it has. */
export async function findPaymentOf(deps: Deps, row: PayoutRow, txid: string): Promise<FoundTransaction> {
  const chainId = row.definition!.id
  const asset = (await readChainAssets(deps.pool, chainId)).get(row.asset_id)
  if (!asset) throw new Refusal('currency_not_supported')
  return findPayout(deps, parseTransactionId(txid), {
    chainId,
    token: asset.contract,
    symbol: asset.symbol,
    decimals: asset.decimals,
    to: row.to_address,
    amount: row.receives,
    since: row.created_at,
  })
}

/**
 * Records that an operator says what has paid a locked payout, and returns the names of all whose word counts; null
 * while another one must name the same transaction, as many people as approve such a payout.
 */
export async function agreeOnPayment(
  deps: Deps,
  c: Queryable,
  row: PayoutRow,
  { subject: of, txid, by }: { subject: string; txid: string; by: ActingOperator },
): Promise<string[] | null> {
  const now = deps.clock()
  await requireSecondPerson(c, { merchantId: row.merchant_id, step: 'approval', by, now })
  await lockOperatorApprovals(c)
  const subject = `${of} ${txid}`
  if (!(await recordOperatorApproval(c, { subject, by, people: await countRequiredApprovers(deps, c, row), now })))
    return null
  return (await readApproversBySubject(c, [subject])).get(subject)!.map(each => each.email)
}

/** Reads the transactions that operators have named for payouts which wait for another operator, by the payout's id. */
export async function readNamedPayments<Row extends Pick<PayoutRow, 'id' | 'updated_at' | 'events' | 'definition'>>(
  c: Queryable,
  rows: readonly Row[],
  subjectOf: (row: Row) => string,
) {
  const since = Math.min(...rows.map(each => each.updated_at))
  const ofSubject = await readApproversBelow(c, rows.map(subjectOf), Number.isFinite(since) ? since : 0)
  return (row: Row) =>
    [...ofSubject(subjectOf(row))].map(([txid, approvals]) => ({
      txid: chainAdapters[row.definition!.kind].showTxid(txid),
      approvals,
    }))
}
