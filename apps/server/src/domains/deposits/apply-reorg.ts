import type { BlockId } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { readChainAssets } from '../chains/assets.ts'
import { type Ancestor, type ChainRow, deleteBlocksAbove, storedBlocks } from '../chains/store.ts'
import { markOwnTransactionsLost } from '../outgoing/own-store.ts'
import { lockLeasedChain } from './chain-lease.ts'
import { DepositBatch } from './deposit-batch.ts'
import { haltLockedChain } from './halt-chain.ts'
import { deleteNativeChecksAbove } from './native-store.ts'
import { OutOfOrder } from './out-of-order.ts'
import { depositsAbove, type StoredDeposit } from './store.ts'

/**
 * Drops the deposits seen in our blocks above `ancestor`, which the chain has left. If a deposit in them is credited
 * and not yet in doubt, nothing is unwound and the chain is halted for an operator. Returns false, and changes nothing,
 * when the reorg was already applied.
 * @param dropped the blocks that were left, highest first. If the first is no longer our last block, another process
 *   has advanced the chain and the reorg is stale: throws OutOfOrder.
 */
export async function applyReorg(
  deps: Deps,
  {
    chainId,
    ancestor,
    dropped,
    fence,
  }: { chainId: string; ancestor: BlockId; dropped: readonly BlockId[]; fence?: number | undefined },
): Promise<boolean> {
  return tx(deps.pool, async (c, uow) => {
    const chain = await lockLeasedChain(c, chainId, fence)
    if (chain.halted) throw new Refusal('chain_unavailable')
    const { last_number: last, last_hash: hash } = chain
    if (last === null || last < ancestor.number)
      throw new OutOfOrder(`${chainId} was not read up to ${ancestor.number}`)
    if (last === ancestor.number && hash === ancestor.hash) return false
    if (last !== dropped[0]?.number || hash !== dropped[0].hash)
      throw new OutOfOrder(`${chainId} has gone on since the reorg to ${ancestor.number} was found`)
    const known = (await storedBlocks(c, chainId)).findLast(each => each.number <= ancestor.number)
    if (known && known.hash !== ancestor.hash)
      throw new OutOfOrder(`block ${ancestor.number} of ${chainId} is not the one that was applied`)
    const deposits = await depositsAbove(c, chainId, ancestor.number)
    // guard: deep-reorg-stored
    const isDeep = deposits.some(each => each.state === 'credited' && !each.doubted)
    if (isDeep) await haltLockedChain(deps, uow, chain, ancestor, deposits)
    else await unwindToAncestor(deps, uow, chain, ancestor, deposits)
    return true
  })
}

/** Drops deposits seen above the ancestor and makes it our last block. The chain must be locked. */
export async function unwindToAncestor(
  deps: Deps,
  uow: UnitOfWork,
  chain: ChainRow,
  ancestor: Ancestor,
  above: readonly StoredDeposit[],
): Promise<void> {
  const { c } = uow
  const deposits = above.filter(each => each.state === 'seen')
  const batch = await DepositBatch.open(deps, uow, {
    chain,
    assets: await readChainAssets(c, chain.id),
    tradeNos: deposits.map(each => each.trade_no),
    now: deps.clock(),
  })
  // guard: drop-lost
  for (const deposit of deposits) batch.drop(deposit)
  await batch.save()
  // guard: forget-balances
  await deleteNativeChecksAbove(c, chain.id, ancestor.number)
  // guard: lose-own
  await markOwnTransactionsLost(c, chain.id, ancestor.number)
  await deleteBlocksAbove(c, chain.id, ancestor)
}
