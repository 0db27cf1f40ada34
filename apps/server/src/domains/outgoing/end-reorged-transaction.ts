import type { Receipt } from '@coffer/chains'
import { groupPostings, houseAccount, makePosting } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem, OutgoingOwners } from '../../owner.ts'
import { incidents } from '../chains/store.ts'
import { postings } from '../ledger/store.ts'
import { forEachOwner, type LockedOutgoing } from './for-each-owner.ts'

/**
 * Posts what a transaction cost: the house pays it, whatever became of the payout. Of one that had ended before a deep
 * reorg, only what it cost more or less than the first time.
 */
export function postFee(
  uow: UnitOfWork,
  native: string,
  now: LockedOutgoing,
  { fee, txid, at }: { fee: bigint; txid: string | null; at: number },
): void {
  const gas = houseAccount('gas', native)
  const chain = houseAccount('chain', native)
  const first = now.ended === null
  const more = fee - /* guard: fee-again */ (first ? 0n : now.fee) /* end */
  if (more === 0n) return
  const source = `outgoing:${now.chain_id}:${now.from_address}:${now.nonce}${first ? '' : `:${now.reopened_at}`}`
  const paid = more > 0n ? makePosting('gas', gas, chain, more) : makePosting('gas', chain, gas, -more)
  uow.add(postings, [
    { group: groupPostings(/* guard: gas-source */ source /* end */, [paid]), memo: txid === null ? {} : { txid }, at },
  ])
}

/** How a transaction ended anew: with a receipt that paid, or without having paid, and why. */
type Effect = { receipt: Receipt } | { problem: string; txid: string | null }

/**
 * Reports how a transaction ended that had ended before, in a block that a deep reorg took away. Where payouts are
 * concerned, another effect than before is an incident: a person decides what becomes of them.
 */
export async function endReorgedTransaction(
  { deps, owners }: { deps: Pick<Deps, 'clock' | 'log'>; owners: OutgoingOwners },
  uow: UnitOfWork,
  now: LockedOutgoing,
  effect: Effect,
): Promise<void> {
  const wasPaid = now.ended === 'success'
  const isPaid = 'receipt' in effect
  const changed: OutgoingItem[] = []
  await forEachOwner(owners, uow, now, async (owner, items, kind) => {
    if (!isPaid && !wasPaid) return
    if (isPaid && wasPaid) return owner.restored(uow, items, effect.receipt)
    if (isPaid) await owner.made(uow, items, effect.receipt)
    else await owner.undone(uow, items, effect.problem)
    if (kind !== 'sweep') changed.push(...items)
  })
  if (changed.length === 0) return
  const { chain_id, from_address: wallet, nonce } = now
  const kind = isPaid ? 'payout_made' : 'payout_undone'
  const txid = isPaid ? effect.receipt.txid : effect.txid
  const payouts = changed.map(each => each.id)
  const detail = { wallet, nonce, payouts, ...(txid && { txid }), ...(!isPaid && { reason: effect.problem }) }
  uow.add(incidents, [{ id: newId(), kind, chain_id, detail, created_at: deps.clock() }])
  deps.log.error({ chain: chain_id, kind, ...detail }, 'a deep reorg changed what became of a payout')
}
