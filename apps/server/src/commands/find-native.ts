import { type BlockRef, CallRefused, type ChainView, type Transfer } from '@coffer/chains'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { coolDownSeconds } from '../store/addresses.ts'
import { assetsOfChain } from '../store/assets.ts'
import { insertIncidents, lockChain, readChain } from '../store/chains.ts'
import { type Queryable, tx } from '../store/db.ts'
import { foundPrefix } from '../store/deposits.ts'
import { type NativeWatch, nativeWatches, writeNativeChecks } from '../store/reconcile.ts'
import { setSwitch } from '../store/switches.ts'
import { applyTransfers } from './apply-transfers.ts'
import { balancesAt } from './balances-at.ts'

/**
 * Finds native coin that came to us from inside a contract's call, which no block shows: what an address holds at the final
 * block beyond what it held at the last check and what was seen since. It is credited like any deposit, under the id
 * `reconciled:<block>:<the start of its hash>`: another block at the same height is another find. Gives how many were found.
 */
export async function findNative(deps: Deps, chain: ChainView): Promise<number> {
  const { id, kind } = chain.definition
  const row = await readChain(deps.pool, id)
  const native = [...(await assetsOfChain(deps.pool, id)).values()].find(each => each.contract === null && each.enabled)
  if (!row || row.halted || row.final_number < 0 || !native) return 0
  const block = await chain.blockAt(row.final_number)
  if (!block) return 0
  const of = { chainId: id, kind, assetId: native.id, block: block.number, since: deps.clock() - coolDownSeconds }
  const asked = await nativeWatches(deps.pool, of)
  if (asked.length === 0) return 0
  const found = await balancesAtBlock(chain, asked, block)
  if (!found) return 0
  const balances = new Map(asked.map(({ address }, index) => [address, found[index]!]))

  return tx(deps.pool, async c => {
    const chainNow = (await lockChain(c, id))!
    if (chainNow.halted) return 0
    // Asked again now that nothing can change: what our own transactions touched meanwhile is left for the next time.
    const watches = (await nativeWatches(c, of)).filter(each => balances.has(each.address))
    const transfers = watches.flatMap(each => transferOf(id, block, each, gap(each, balances)))
    const less = watches.filter(each => gap(each, balances) < 0n)
    await applyTransfers(deps, c, chainNow, { transfers, final: chainNow.final_number })
    await writeNativeChecks(
      c,
      id,
      block.number,
      watches.map(({ address }) => ({ address, balance: balances.get(address)! })),
    )
    if (less.length > 0) await tellMissing(deps, c, id, block, less)
    return transfers.length
  })
}

/** What the addresses hold at the block; null on a chain that does not remember. */
async function balancesAtBlock(chain: ChainView, watches: NativeWatch[], block: BlockRef): Promise<bigint[] | null> {
  const addresses = watches.map(each => each.address)
  try {
    return await balancesAt(chain, null, addresses, block)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** What an address holds beyond what is known; nothing where our own transactions changed it. */
const gap = (watch: NativeWatch, balances: ReadonlyMap<string, bigint>) =>
  watch.stale ? 0n : balances.get(watch.address)! - BigInt(watch.balance) - BigInt(watch.seen)

/** Coin left addresses that only we can spend from, and we did not: nothing more leaves until a person has looked. */
async function tellMissing(deps: Deps, c: Queryable, chainId: string, block: BlockRef, watches: NativeWatch[]) {
  const now = deps.clock()
  const addresses = watches.map(each => each.address)
  await setSwitch(c, 'withdrawals_stopped', `${chainId}: ${addresses[0]} holds less than came in`, now)
  const detail = { block: { number: block.number, hash: block.hash }, addresses }
  await insertIncidents(c, [{ id: newId(), kind: 'native_missing', chain_id: chainId, detail, created_at: now }])
  deps.log.error({ chain: chainId, addresses }, 'native coin left addresses without us')
}

/** A gap as a transfer. */
function transferOf(chainId: string, block: BlockRef, watch: NativeWatch, amount: bigint): Transfer[] {
  if (amount <= 0n) return []
  return [
    {
      chain: chainId,
      txid: `${foundPrefix}${block.number}:${block.hash.slice(2, 18)}`,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex: -1,
      // One address has one index, so that a block can hold one find for each.
      ordinal: watch.key_index,
      token: null,
      from: '',
      to: watch.address,
      amount,
    },
  ]
}
