import { type BlockId, chainAdapters } from '@coffer/chains'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { readChainAssets } from '../chains/assets.ts'
import { type Ancestor, type ChainRow, haltOrResume, incidents, storedBlocks } from '../chains/store.ts'
import { countEndedTransactionsAbove } from '../outgoing/reopen.ts'
import { lockLeasedChain } from './chain-lease.ts'
import { DepositBatch } from './deposit-batch.ts'
import { OutOfOrder } from './out-of-order.ts'
import { depositsAbove, type StoredDeposit } from './store.ts'

/**
 * Halts a chain that left final blocks: records the incident with the deposits whose credit is in doubt, and how many
 * transactions of ours were lost, and holds their payments for an operator. Reverses no credit. Returns false when the
 * chain is already halted.
 * @param ancestor our highest block that is still on the chain, see `findCommonAncestor`
 * @param orphaned the block of ours that the chain left. If it is no longer stored, an operator has resumed the chain
 *   since the reorg was found: throws OutOfOrder.
 */
export async function haltChain(
  deps: Deps,
  {
    chainId,
    ancestor,
    orphaned,
    fence,
  }: { chainId: string; ancestor: Ancestor; orphaned?: BlockId; fence?: number | undefined },
): Promise<boolean> {
  return tx(deps.pool, async (c, uow) => {
    const chain = await lockLeasedChain(c, chainId, fence)
    if (chain.halted) return false
    const ours = [chain.last_hash, ...(await storedBlocks(c, chainId)).map(each => each.hash)]
    if (orphaned && !ours.includes(orphaned.hash))
      throw new OutOfOrder(`block ${orphaned.number} of ${chainId} was left before`)
    await haltLockedChain(deps, uow, chain, ancestor, await depositsAbove(c, chainId, ancestor.number))
    return true
  })
}

/** Halts a chain that the caller has locked. */
export async function haltLockedChain(
  deps: Deps,
  uow: UnitOfWork,
  chain: ChainRow,
  ancestor: Ancestor,
  above: readonly StoredDeposit[],
): Promise<void> {
  const { c } = uow
  const now = deps.clock()
  const lost = above.filter(each => each.state === 'credited')
  const batch = await DepositBatch.open(deps, uow, {
    chain,
    assets: await readChainAssets(c, chain.id),
    tradeNos: lost.map(each => each.trade_no),
    now,
  })
  for (const deposit of lost) if (!deposit.doubted) batch.doubt(deposit)
  await batch.save()
  const reason = ancestor.hash
    ? encodeHaltReason('deep_reorg', String(ancestor.number))
    : encodeHaltReason('deep_reorg_whole')
  await haltOrResume(uow, chain, reason, now)
  uow.add(incidents, [
    {
      id: newId(),
      kind: 'deep_reorg',
      chain_id: chain.id,
      detail: {
        ancestor,
        last: { number: chain.last_number, hash: chain.last_hash },
        transactions: await countEndedTransactionsAbove(c, chain.id, ancestor.number),
        deposits: lost.map(({ id, merchant_id, txid, asset_id, amount }) => ({
          id,
          merchant_id,
          txid: chainAdapters[chain.kind].showTxid(txid),
          asset_id,
          amount,
        })),
      },
      created_at: now,
    },
  ])
  deps.log.error({ chain: chain.id, ancestor, deposits: lost.length }, 'deep reorg: chain halted')
}
