import type { ChainView, TransferFilter } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { readChainAssets } from '../chains/assets.ts'
import {
  advanceReread,
  clearSwitch,
  insertIncidents,
  lockChain,
  readChain,
  readRereadStart,
  readSwitch,
  rereadApplySwitchName,
} from '../chains/store.ts'
import { applyTransfers, type DepositChange } from './apply-transfers.ts'

/**
 * Re-reads a range of the final blocks that the operator requested and makes the deposits in it those of the verified
 * blocks: token transfers that were left out are credited, deposits that differ are reversed and credited anew, and
 * credits that the chain does not have are in doubt. Native coin is skipped, since `findNative` has already found what
 * the blocks did not show. Unless the switch `rereadApplySwitchName` is set, nothing is changed, and what would be is
 * an
 * incident. Returns the number of blocks read, 0 when there is nothing to do or the nodes do not agree.
 * @param most maximum blocks to read at once
 */
export async function rereadChain(
  deps: Deps,
  chain: ChainView,
  { filter, most }: { filter: TransferFilter; most: number },
): Promise<number> {
  const { id } = chain.definition
  const row = await readChain(deps.pool, id)
  const from = await readRereadStart(deps.pool, id)
  if (!row || row.halted || from === null || from > row.final_number) return 0
  const to = Math.min(from + most - 1, row.final_number)
  const tokens = { ...filter, native: false }
  const { last, transfers } = await chain.transfersRange(from, to, tokens)
  if (!(await chain.agreesOn(last))) return 0
  // Deposits must not move to blocks of another branch before the follower has found that the chain left ours.
  // guard: reread-followed
  if ((await chain.blockAt(row.last_number!))?.hash !== row.last_hash) return 0
  const settled = chain.isVerified ? transfers : await chain.agreed(from, last, tokens)
  if (!settled) return 0
  return tx(deps.pool, async (c, uow) => {
    const now = (await lockChain(c, id))!
    if (now.halted || now.final_number < to) return 0
    // Read with the chain locked, as requests set it.
    const applies = await readSwitch(c, rereadApplySwitchName(id))
    const assets = await readChainAssets(c, id)
    const changes = await applyTransfers(deps, uow, now, {
      transfers: [],
      readFrom: from,
      settled,
      settledFrom: from,
      final: to,
      assets,
      repairs: true,
    })
    if (!applies && changes.length > 0) throw new Preview(changes)
    await advance(c, id, from, to < now.final_number ? to + 1 : null)
    return to - from + 1
  }).catch(async error => {
    if (!(error instanceof Preview)) throw error
    const detail = { from, to, changes: error.changes }
    await tx(deps.pool, async c => {
      await lockChain(c, id)
      // A repair was requested meanwhile: the range is read again.
      if (await readSwitch(c, rereadApplySwitchName(id))) return
      await insertIncidents(c, [
        { id: newId(), kind: 'reread_preview', chain_id: id, detail, created_at: deps.clock() },
      ])
      await advance(c, id, from, to < row.final_number ? to + 1 : null)
    })
    return to - from + 1
  })
}

/**
 * Moves on to the next block (null: none), where the request is over and no longer applies. The chain must be locked.
 */
async function advance(c: Queryable, chainId: string, from: number, next: number | null): Promise<void> {
  if ((await advanceReread(c, chainId, from, next)) > 0 && next === null)
    await clearSwitch(c, rereadApplySwitchName(chainId))
}

/** Rolls back what it lists. */
class Preview extends Error {
  readonly changes: DepositChange[]

  constructor(changes: DepositChange[]) {
    super('a preview changes nothing')
    this.changes = changes
  }
}
