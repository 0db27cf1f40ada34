import { type BlockId, type BlockRef, CallRefused, type ChainView, kinds, type Transfer } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { coolDownSeconds } from '../addresses/store.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { type ChainRow, incidents, lockChain, readChain, setSwitch, storedBlocks } from '../chains/store.ts'
import { balancesAt } from '../ledger/reconcile.ts'
import { foundPrefix } from '../payments/deposit-view.ts'
import { applyTransfers } from './apply-transfers.ts'
import { confirmedKey } from './confirmed.ts'
import { type NativeWatch, nativeReceivers, nativeWatches, writeNativeChecks } from './native-store.ts'

/** Balances of addresses at a block. */
export interface Reading {
  block: BlockId
  balances: Map<string, bigint>
}

/** Addresses whose settled balances are read at once. */
const batchSize = 20

/** Reads balances where the nodes consider them final; nothing on chains without settled balances. */
async function settledReadings(chain: ChainView, addresses: readonly string[]): Promise<Reading[]> {
  const readings: Reading[] = []
  for (let i = 0; i < addresses.length; i += batchSize) {
    const batch = addresses.slice(i, i + batchSize)
    const settled = await chain.settledBalances?.(batch)
    if (!settled) continue
    const { block, balances } = settled
    readings.push({ block, balances: new Map(batch.map((address, index) => [address, balances[index]!])) })
  }
  return readings
}

/** Blocks around a reading in which nothing may have been seen: nodes behind one address need not be at the same block. */
const quietBlocks = 2

/**
 * Finds native coin that came to us from inside a contract's call, which no block shows: what an address holds at the final
 * block beyond what it held at the last check and what was seen since. It is credited like any deposit, under the id
 * `reconciled:<block>:<the start of its hash>`: another block at the same height is another find. Gives how many were found.
 *
 * A chain that does not remember what an address held is asked for what its nodes call final, and that is kept in `readings`
 * until it is final here as well.
 */
export async function findNative(deps: Deps, chain: ChainView, readings: Reading[] = []): Promise<number> {
  const { id, kind } = chain.definition
  const row = await readChain(deps.pool, id)
  const native = [...(await assetsOfChain(deps.pool, id)).values()].find(each => each.contract === null && each.enabled)
  if (!row || row.halted || row.final_number < 0 || !native) return 0
  const block = await chain.blockAt(row.final_number)
  if (!block) return 0
  const of = { chainId: id, kind, assetId: native.id, since: deps.clock() - coolDownSeconds }
  const watches = await nativeWatches(deps.pool, { ...of, block: block.number })
  const addresses = watches.map(each => each.address)
  if (addresses.length === 0) return 0
  // A node on a fork of its own tells balances of its own: what they say is credited at once.
  // guard: balance-block-agreed
  if (!(await chain.agreesOn(block))) return 0
  const found = await balancesOf(chain, addresses, block)
  if (found) {
    const balances = new Map(addresses.map((address, i) => [address, found[i]!]))
    // One node alone may tell of coin that is not there, or of less.
    for (const { address } of watches.filter(each => gap(each, balances) !== 0n)) {
      const isSo = await (chain.agreesOnBalance?.(address, block, balances.get(address)!) ?? true)
      // guard: balance-agreed
      if (!isSo) balances.delete(address)
    }
    return credit(deps, of, block, balances)
  }

  let count = 0
  for (const reading of readings.filter(each => each.block.number + quietBlocks <= row.final_number)) {
    readings.splice(readings.indexOf(reading), 1)
    const { number, hash } = reading.block
    const then = await chain.blockAt(number)
    if (then?.hash !== hash || !(await chain.agreesOn(then))) continue
    const busy = await nativeReceivers(deps.pool, { ...of, from: number - quietBlocks, to: number + quietBlocks })
    for (const address of busy) reading.balances.delete(address)
    count += await credit(deps, of, then, reading.balances)
  }
  if (readings.length === 0) readings.push(...(await settledReadings(chain, addresses)))
  return count
}

/** Credits what addresses held at a final block beyond what is known. */
async function credit(
  deps: Deps,
  of: { chainId: string; kind: string; assetId: string; since: number },
  block: BlockRef,
  balances: ReadonlyMap<string, bigint>,
): Promise<number> {
  return tx(deps.pool, async (c, uow) => {
    const chainNow = (await lockChain(c, of.chainId))!
    if (chainNow.halted) return 0
    const ours = (await storedBlocks(c, of.chainId)).find(each => each.number === block.number)
    // The chain left our block, and whoever follows it does not know yet: what we have seen is of another branch.
    // guard: balance-block-ours
    if (ours && ours.hash !== block.hash) return 0
    // Asked now that nothing can change: what our own transactions touched meanwhile is left for the next time.
    const all = await nativeWatches(c, { ...of, block: block.number })
    const watches = all.filter(each => balances.has(each.address))
    const transfers = watches.flatMap(each => transferOf(of.chainId, block, each, gap(each, balances)))
    const less = watches.filter(each => gap(each, balances) < 0n)
    const confirmed = new Set(transfers.map(confirmedKey))
    const assets = await assetsOfChain(c, of.chainId)
    await applyTransfers(deps, uow, chainNow, { transfers, final: chainNow.final_number, assets, confirmed })
    await writeNativeChecks(
      c,
      of.chainId,
      block.number,
      watches.map(({ address }) => ({ address, balance: balances.get(address)! })),
    )
    if (less.length > 0) await tellMissing(deps, uow, chainNow, block, less)
    return transfers.length
  })
}

/** What the addresses hold at the block; null on a chain that does not remember. */
async function balancesOf(chain: ChainView, addresses: string[], block: BlockRef): Promise<bigint[] | null> {
  try {
    return await balancesAt(chain, null, addresses, block)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** What an address holds beyond what is known; nothing where our own transactions changed it. */
const gap = (watch: NativeWatch, balances: ReadonlyMap<string, bigint>) =>
  watch.stale
    ? 0n
    : balances.get(watch.address)! - BigInt(watch.balance) /* guard: seen-coin */ - BigInt(watch.seen) /* end */

/** Coin left addresses that only we can spend from, and we did not: nothing more leaves until a person has looked. */
async function tellMissing(deps: Deps, uow: UnitOfWork, chain: ChainRow, block: BlockRef, watches: NativeWatch[]) {
  const now = deps.clock()
  const addresses = watches.map(each => kinds[chain.kind].address.show(each.address))
  await setSwitch(uow.c, 'withdrawals_stopped', `${chain.id}: ${addresses[0]} holds less than came in`, now)
  const detail = { block: { number: block.number, hash: block.hash }, addresses }
  uow.add(incidents, [{ id: newId(), kind: 'native_missing', chain_id: chain.id, detail, created_at: now }])
  deps.log.error({ chain: chain.id, addresses }, 'native coin left addresses without us')
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
