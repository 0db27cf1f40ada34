import {
  type AccountChain,
  type BlockId,
  type BlockRef,
  CallRefused,
  type ChainView,
  chainAdapters,
  hasAccounts,
  isChainError,
  type Transfer,
} from '@coffer/chains'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { runJobLoop } from '../../kit/loop.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { latePaymentSeconds } from '../addresses/store.ts'
import { readChainAssets } from '../chains/assets.ts'
import { chainLoopPauseMs } from '../chains/loop-chains.ts'
import {
  type ChainRow,
  incidents,
  lockChain,
  payoutStopSwitchName,
  readChain,
  setBalancesComparedTime,
  setSwitch,
  storedBlocks,
} from '../chains/store.ts'
import { recordAbsentTransactions } from '../outgoing/record-absent-transactions.ts'
import { isPayable } from '../outgoing/sender.ts'
import { reconciledTxidPrefix } from '../payments/to-deposit-view.ts'
import { applyTransfers } from './apply-transfers.ts'
import { listChangedNativeAddresses, listNativeWatches, type NativeWatch, writeNativeChecks } from './native-store.ts'

/**
 * Balances of addresses at a block, as `recentBalances` returns them; an address on which nodes do not agree is absent.
 */
export interface BalanceReading {
  block: BlockId
  slack: number
  balances: Map<string, bigint>
  /**
   * Height of the oldest of the readings that were taken together; null once one of them turned out to be incomplete.
   */
  oldest: number | null
}

/** Addresses per recent-balance query. */
const batchSize = 20

/** Reads recent balances, to be compared once their blocks are final. */
async function recentReadings(chain: AccountChain, addresses: readonly string[]): Promise<BalanceReading[]> {
  const readings: BalanceReading[] = []
  let oldest: number | null = Number.MAX_SAFE_INTEGER
  for (let i = 0; i < addresses.length; i += batchSize) {
    const batch = addresses.slice(i, i + batchSize)
    const recent = await chain.recentBalances(batch)
    oldest = recent && oldest !== null && !recent.balances.includes(null) ? Math.min(oldest, recent.oldest) : null
    if (!recent) continue
    const { block, slack, balances } = recent
    readings.push({ block, slack, balances: known(batch, balances), oldest: null })
  }
  for (const each of readings) each.oldest = oldest
  return readings
}

/** The balances that are certain, by address. */
const known = (addresses: readonly string[], balances: readonly (bigint | null)[]) =>
  new Map(
    addresses.flatMap((address, i) => {
      const balance = balances[i] ?? null
      return balance === null ? [] : [[address, balance] as const]
    }),
  )

/**
 * Finds native coin transferred inside contract calls, which blocks do not list: the balance of an address at the
 * final block beyond its balance at the last check and the deposits seen since. It is credited like any deposit, with
 * the transaction id `reconciled:<block>:<start of the block hash>`, so a different block at the same height is a
 * different deposit. Returns the number of deposits found.
 *
 * Where too few nodes keep the state of the final block, recent balances are read instead. They are stored in
 * `readings` until their block is final here. A comparison counts, for payments that expire, only if every balance is
 * certain. On chains whose nodes know no balances nothing is hidden.
 */
export async function findNativeDeposits(
  deps: Deps,
  chain: ChainView,
  readings: BalanceReading[] = [],
): Promise<number> {
  const { id, kind } = chain.definition
  const row = await readChain(deps.pool, id)
  if (row && isPayable(chain)) await recordAbsentTransactions(deps, chain, row)
  const native = [...(await readChainAssets(deps.pool, id)).values()].find(
    each => each.contract === null && each.enabled,
  )
  if (!row || row.halted || row.final_number < 0 || !native) return 0
  const block = await chain.blockAt(row.final_number)
  if (!block) return 0
  const of = { chainId: id, kind, assetId: native.id, since: deps.clock() - latePaymentSeconds }
  const watches = await listNativeWatches(deps.pool, { ...of, block: block.number })
  const addresses = watches.map(each => each.address)
  const compared = (time: number) => setBalancesComparedTime(deps.pool, id, time)
  // A node on its own fork reports that fork's balances, and any excess is credited immediately.
  // guard: balance-block-agreed
  if (!(await chain.agreesOn(block))) return 0
  if (!hasAccounts(chain) || addresses.length === 0) {
    await compared(block.time)
    return 0
  }
  const found = await certainAt(chain, addresses, block)
  if (found) {
    const balances = known(addresses, found)
    const arrivals = new Map<string, BlockRef>()
    for (const watch of watches.filter(each => gap(each, balances) > 0n && gap(each, balances) >= native.minimum)) {
      const arrival = await arrivalOf(chain, watch, block, balances.get(watch.address)!)
      if (arrival) arrivals.set(watch.address, arrival)
      else balances.delete(watch.address)
    }
    const count = await credit(deps, of, block, balances, arrivals)
    // guard: compared-certain
    if (balances.size === addresses.length) await compared(block.time)
    return count
  }

  let count = 0
  for (const reading of readings.filter(each => each.block.number + each.slack <= row.final_number)) {
    readings.splice(readings.indexOf(reading), 1)
    const {
      block: { number, hash },
    } = reading
    const then = await chain.blockAt(number)
    const isThere = then?.hash === hash && (await chain.agreesOn(then))
    if (!isThere) for (const each of readings) each.oldest = null
    if (!isThere) continue
    // Nothing must have changed an address in the blocks of which its balance may be.
    // guard: slack-unchanged
    const busy = await changedWithin(deps, of, reading)
    for (const address of busy) reading.balances.delete(address)
    if (busy.length > 0) for (const each of [reading, ...readings]) each.oldest = null
    count += await credit(deps, of, then, reading.balances)
    const oldest = readings.length === 0 && reading.oldest !== null ? await chain.blockAt(reading.oldest) : null
    if (oldest) await compared(oldest.time)
  }
  if (readings.length === 0) readings.push(...(await recentReadings(chain, addresses)))
  return count
}

/** Looks for native coin that blocks do not list, on every chain. */
export const findAllNativeDeposits = (deps: Deps, signal: AbortSignal): Promise<void> => {
  const readings = new Map([...deps.chains.keys()].map(id => [id, [] as BalanceReading[]]))
  return runJobLoop({
    name: 'find native coin',
    everyMs: deps.config.mode === 'sandbox' ? 2_000 : 20_000,
    log: deps.log,
    live: deps.live,
    restingMs: chainLoopPauseMs,
    signal,
    work: async () => {
      for (const [id, chain] of deps.chains) {
        try {
          await findNativeDeposits(deps, chain, readings.get(id))
        } catch (error) {
          // The chain's follower reports node failures.
          if (!isChainError(error)) throw error
        }
      }
      return false
    },
  })
}

/** Blocks whose state most nodes keep at the most. */
const availableStates = 128

/**
 * Returns the block since which an address has had its balance, which decides whether the coin came in time: the
 * earliest one that most nodes confirm, above the last comparison. Balances only grow meanwhile, since only we can
 * spend. Blocks whose state nodes no longer have say nothing; later ones may. Null while nodes do not agree on one: it
 * is credited, and payments expire, once they do.
 */
async function arrivalOf(
  chain: AccountChain,
  watch: NativeWatch,
  block: BlockRef,
  balance: bigint,
): Promise<BlockRef | null> {
  let low = Math.max(watch.block_number ?? -1, block.number - availableStates)
  let found = block
  while (found.number - low > 1) {
    const middle = await chain.blockAt(Math.floor((low + found.number) / 2))
    // guard: arrival-pruned
    const then = middle && (await certainAt(chain, [watch.address], middle))
    if (!middle || then?.[0] === null) return null
    if (then?.[0] === balance) found = middle
    else low = middle.number
  }
  return found
}

/** The addresses of a reading that something changed in a block of which their balance may be. */
const changedWithin = async (
  { pool }: Deps,
  of: { chainId: string; assetId: string },
  { block: { number }, slack, balances }: BalanceReading,
) =>
  slack === 0
    ? []
    : listChangedNativeAddresses(pool, {
        ...of,
        from: number - slack,
        to: number + slack,
        addresses: [...balances.keys()],
      })

/** Credits the excess balances of addresses at a final block. */
async function credit(
  deps: Deps,
  of: { chainId: string; kind: string; assetId: string; since: number },
  block: BlockRef,
  balances: ReadonlyMap<string, bigint>,
  arrivals: ReadonlyMap<string, BlockRef> = new Map(),
): Promise<number> {
  return tx(deps.pool, async (c, uow) => {
    const chainNow = (await lockChain(c, of.chainId))!
    if (chainNow.halted) return 0
    const ours = (await storedBlocks(c, of.chainId)).find(each => each.number === block.number)
    // The chain has left our stored block, but the reorg is not applied yet: our deposits are from the old branch.
    // guard: balance-block-ours
    if (ours && ours.hash !== block.hash) return 0
    // Read again under the chain lock. Addresses that our own transactions touched meanwhile wait for the next run.
    const all = await listNativeWatches(c, { ...of, block: block.number })
    const watches = all.filter(each => balances.has(each.address))
    const transfers = watches.flatMap(each =>
      transferOf(of.chainId, arrivals.get(each.address) ?? block, each, gap(each, balances)),
    )
    const less = watches.filter(each => gap(each, balances) < 0n)
    const assets = await readChainAssets(c, of.chainId)
    const final = chainNow.final_number
    const aside = new Set<string>()
    const found = { aside, transfers: [], readFrom: 0, settled: transfers, settledFrom: final + 1, final }
    await applyTransfers(deps, uow, chainNow, { ...found, assets, repairs: false })
    await writeNativeChecks(
      c,
      of.chainId,
      block.number,
      // What is below the minimum stays beyond what is expected, until it is more.
      watches
        .filter(each => !aside.has(each.address))
        .map(({ address }) => ({ address, balance: balances.get(address)! })),
    )
    if (less.length > 0) await reportMissing(deps, uow, chainNow, block, less)
    return transfers.length - aside.size
  })
}

/** Reads the certain balances at the block; null where too few nodes keep its state. */
async function certainAt(chain: AccountChain, addresses: string[], block: BlockRef) {
  try {
    return await chain.certainBalances(null, addresses, block)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/**
 * The balance minus the expected balance. After our own transactions a smaller one is no alarm: a chain may charge more
 * than the fee in their receipts. A larger one is no deposit up to the part of their fees that is believed of most
 * nodes, and may be less.
 */
function gap(watch: NativeWatch, balances: ReadonlyMap<string, bigint>) {
  const { address, balance, seen, moved, surcharge, changed, unknown } = watch
  if (unknown) return 0n
  const expected = balance + moved + /* guard: seen-coin */ seen /* end */
  const more = (balances.get(address) ?? expected) - expected
  if (changed && more < 0n) return 0n
  // guard: surcharge-no-deposit
  if (more > 0n && more <= surcharge) return 0n
  return more
}

/**
 * Records missing coin and stops withdrawals of the chain until an operator has investigated: only we can spend from
 * these addresses.
 */
async function reportMissing(deps: Deps, uow: UnitOfWork, chain: ChainRow, block: BlockRef, watches: NativeWatch[]) {
  const now = deps.clock()
  const addresses = watches.map(each => chainAdapters[chain.kind].address.show(each.address))
  await setSwitch(
    uow.c,
    payoutStopSwitchName(chain.id),
    encodeHaltReason('less_than_received', chain.definition.name, addresses[0]!),
    now,
  )
  const detail = { block: { number: block.number, hash: block.hash }, addresses }
  uow.add(incidents, [{ id: newId(), kind: 'native_missing', chain_id: chain.id, detail, created_at: now }])
  deps.log.error({ chain: chain.id, addresses }, 'native coin left addresses without a transaction of ours')
}

/** Represents a positive gap as a transfer. */
function transferOf(chainId: string, block: BlockRef, watch: NativeWatch, amount: bigint): Transfer[] {
  if (amount <= 0n) return []
  return [
    {
      chain: chainId,
      txid: `${reconciledTxidPrefix}${block.number}:${block.hash.slice(2, 18)}`,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex: -1,
      // The key index of the address distinguishes deposits found in the same block.
      ordinal: watch.key_index,
      token: null,
      from: '',
      to: watch.address,
      amount,
    },
  ]
}
