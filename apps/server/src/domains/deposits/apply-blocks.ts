import type { BlockEvent } from '@coffer/chains/follower.ts'
import type { Deps } from '../../deps.ts'
import { first, type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { countDerivedAddresses } from '../addresses/store.ts'
import { readChainAssets, selectWatchedAssets, type WatchedAssets } from '../chains/assets.ts'
import { appendBlock, appendEmptyBlocks, type ChainRow } from '../chains/store.ts'
import { applyTransfers } from './apply-transfers.ts'
import { lockLeasedChain } from './chain-lease.ts'
import { OutOfOrder } from './out-of-order.ts'

export interface ApplyBlocksInput {
  chainId: string
  /** `asOf` is the index below which the filter held all addresses. */
  event: BlockEvent
  /** The assets that the filter covered, see `selectWatchedAssets`; not checked when omitted. */
  taken?: WatchedAssets
  /** The number of the follower's lease, see `lockLeasedChain`. */
  fence?: number | undefined
}

/**
 * Applies one block, or a range of them, in one transaction: its deposits, the credits that reached confirmation
 * depth, ledger, statistics and outbox. Returns false, and changes nothing, when it was already applied.
 * Throws OutOfOrder when it is not the next one, and Refusal('chain_unavailable') when the chain is halted.
 */
export async function applyBlocks(deps: Deps, { chainId, event, taken, fence }: ApplyBlocksInput): Promise<boolean> {
  if (taken && (await isAppended(deps, { chainId, event, taken, fence }))) return true
  return tx(deps.pool, async (c, uow) => {
    const chain = await lockLeasedChain(c, chainId, fence)
    if (chain.halted) throw new Refusal('chain_unavailable')
    if (!(await isNext(c, chain, event))) return false
    // guard: all-addresses
    if ((await countDerivedAddresses(c, chain.kind)) > (event.asOf ?? 0))
      throw new OutOfOrder(`${chainId} was read without all addresses`)
    const assets = await readChainAssets(c, chainId)
    // A process started since may have enabled a token that the filter did not cover.
    if (taken && String(taken) !== String(selectWatchedAssets(assets)))
      throw new OutOfOrder(`${chainId} was read for other tokens`)
    await applyTransfers(deps, uow, chain, { ...event, readFrom: event.from, assets, repairs: false })
    await appendBlock(c, chainId, event.block, event.final)
    return true
  })
}

/**
 * Applies what nothing is in and what changes nothing, which most blocks do not. Returns false where it cannot, or may
 * not, be applied so.
 */
async function isAppended(
  { pool }: Deps,
  { chainId, event, taken, fence }: ApplyBlocksInput & { taken: WatchedAssets },
): Promise<boolean> {
  const { transfers, settled, asOf } = event
  if (transfers.length > 0 || settled.length > 0) return false
  return appendEmptyBlocks(pool, chainId, event.block, {
    ...event,
    fence: fence ?? null,
    addresses: asOf ?? 0,
    watched: taken,
  })
}

const blockAt = first('chain-block-known', 'select hash from chain_blocks where chain_id = $1 and number = $2')

async function isNext(c: Queryable, chain: ChainRow, { from, parentHash, block }: BlockEvent): Promise<boolean> {
  const { id, last_number: last, last_hash: hash } = chain
  if (last === null) return true
  if (block.number <= last) {
    const known = await blockAt(c, id, block.number)
    if (known?.hash === block.hash) return false
    throw new OutOfOrder(`block ${block.number} of ${id} is not the one that was applied`)
  }
  if (from !== last + 1) throw new OutOfOrder(`block ${from} of ${id} does not follow ${last}`)
  // guard: parent-stored
  if (hash !== null && parentHash !== hash) throw new OutOfOrder(`block ${from} of ${id} has another parent`)
  return true
}
