import {
  type AccountChain,
  type BlockId,
  CallRefused,
  type ChainKind,
  type ChainView,
  chainAdapters,
  hasAccounts,
  isChainError,
} from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { registry } from '../../kit/metrics.ts'
import { listAddressPartition, listAwaitingAddresses } from '../addresses/store.ts'
import { type ChainAsset, readChainAssets } from '../chains/assets.ts'
import { loopChains } from '../chains/loop-chains.ts'
import { insertIncidents, lockChain, payoutStopSwitchName, readChain, setSwitch } from '../chains/store.ts'
import { endBalanceDisagreement, openBalanceDisagreement } from './report-unsure.ts'
import {
  findOpenIncident,
  holdingAddresses,
  ledgerTotals,
  readAgreedBlock,
  readUncomparedSince,
  storeComparison,
  sumAddressFlows,
} from './store.ts'
import {
  computeAddressPartition,
  findAddressesMissingDeposits,
  findExcess,
  getSurplusReading,
  type SurplusReading,
  type SurplusReadings,
  sampledAddressesMax,
} from './suspects.ts'

/** Seconds after the end of a payment without a deposit during which its address is still checked. */
const checkedFor = 3 * 3600
/** Maximum number of addresses that an incident names. */
const namedMax = 20

/** The comparison of one asset, in base units. */
export interface AssetReconciliation {
  asset_id: string
  symbol: string
  decimals: number
  /** The balance on the chain that the ledger expects. */
  chain: bigint
  /** Amounts that may have left the chain already: reserved by merchants, and fees in flight. */
  held: bigint
  /** Deposits that wait to be compared, or for a token on hold. */
  waiting: bigint
  /** Transfers below the minimum, which are set aside and are in no ledger. */
  aside: bigint
  /** What our addresses hold. */
  found: bigint
  /** Addresses with a balance but without a deposit, or with more than their deposits. */
  unseen: string[]
  verdict: 'agrees' | 'shortage' | 'surplus'
  /**
   * The block at which our addresses held exactly what the ledger has: no transfer before it is missing. Null if it is
   * not known.
   */
  equalAt: number | null
  /** The asset, or the chain of a native coin, that a shortage stops. */
  stops: string
}

const gauge = (name: string, help: string) =>
  new Gauge({ name, help, labelNames: ['asset'] as const, registers: [registry] })
const ledger = gauge('coffer_ledger_chain', 'What the chain should hold by the ledger')
const found = gauge('coffer_chain_found', 'What our addresses hold at finality')
const compared = gauge('coffer_chain_compared', 'Unix time of the last comparison by this process')
const missing = gauge('coffer_chain_missing', '1 while money is missing')

/** Compares the ledger with the chains every ten minutes, in the sandbox every half minute. */
export const reconcile = (deps: Deps, signal: AbortSignal): Promise<void> => {
  const suspects: SurplusReadings = new Map()
  return loopChains(deps, signal, {
    name: 'reconcile',
    everyMs: deps.config.mode === 'sandbox' ? 30_000 : 600_000,
    work: async chain => {
      for (const each of await reconcileChain(deps, chain, suspects)) {
        const asset = each.asset_id
        ledger.set({ asset }, Number(formatDecimal(each.chain, each.decimals)))
        found.set({ asset }, Number(formatDecimal(each.found, each.decimals)))
        compared.set({ asset }, deps.clock())
        missing.set({ asset }, each.verdict === 'shortage' ? 1 : 0)
      }
    },
  })
}

/**
 * Compares the ledger of each asset with the balances of our addresses at the chain's final block, and stores the
 * result. A shortage stops what leaves the asset, or the chain if it is its native coin, and records an incident; a
 * surplus, also at recently shown addresses without a deposit, only records one. Reserved amounts and fees may have
 * left the chain before the ledger knows, so a shortage is what is missing beyond them. Returns nothing while the chain
 * has no agreed final block, or where nodes know no balances, and skips assets whose balances are not certain, which is
 * an incident if it lasts. `suspects`: what the last reading found, changed by this one.
 */
export async function reconcileChain(
  deps: Deps,
  chain: ChainView,
  suspects: SurplusReadings = new Map(),
): Promise<AssetReconciliation[]> {
  if (!hasAccounts(chain)) return []
  const { kind } = chain.definition
  const snapshot = await snapshotOf(deps, chain, suspects)
  if (!snapshot) return []
  const block = await chain.blockAt(snapshot.final)
  if (!block || !(await chain.agreesOn(block))) return []
  const reconciled: AssetReconciliation[] = []
  for (const each of snapshot.assets) {
    const { asset } = each
    const before = getSurplusReading(suspects, asset.id)
    const reading = await readBalances(deps, chain, each, block, before).catch(error => {
      if (!isChainError(error)) throw error
      deps.log.warn(
        { chain: asset.chain_id, asset: asset.id, reason: error.message },
        'reconcile: no node returns balances',
      )
    })
    if (!reading) continue
    const { unsure, next } = reading
    const isUnsure = unsure.length > 0
    suspects.set(asset.id, isUnsure ? { ...before, isUnsure } : { ...next, isUnsure })
    if (isUnsure) await openBalanceDisagreement(deps, chain, asset, unsure, before.isUnsure)
    else await endBalanceDisagreement(deps, asset)
    // guard: reconcile-certain
    if (isUnsure) continue
    reconciled.push(compare(each, reading, block, kind))
  }
  // Money that left since the block is in no comparison yet. A sandbox's chain may stand still.
  const now = deps.clock()
  const at = chain.definition.net === 'sandbox' ? now : Math.min(now, block.time)
  for (const each of reconciled) {
    if (each.verdict !== 'agrees') await record(deps, chain, block, each)
    await storeComparison(deps.pool, each.asset_id, each.verdict, each.found, missingOf(each), at, each.equalAt)
  }
  return reconciled
}

/** Reads what the ledger has of each asset, and the addresses to compare; null if there is nothing to compare with. */
async function snapshotOf({ pool, clock }: Deps, { definition, isVerified }: ChainView, suspects: SurplusReadings) {
  const { id, kind } = definition
  return tx(pool, async c => {
    await c.query('set transaction isolation level repeatable read')
    const row = await readChain(c, id)
    if (!row || row.halted || row.final_number < 0) return null
    const now = clock()
    // Where blocks are verified, one honest node is enough to see every deposit.
    const sampled = isVerified
      ? []
      : await listAddressPartition(c, kind, ...computeAddressPartition(now), sampledAddressesMax)
    const assets: Snapshot[] = []
    for (const asset of (await readChainAssets(c, id)).values()) {
      const totals = await ledgerTotals(c, asset.id, now)
      const all = await holdingAddresses(c, id, kind, asset.id)
      const holding = all.map(each => each.address)
      const awaiting = asset.contract ? await listAwaitingAddresses(c, kind, asset.id, now - checkedFor) : []
      const others = new Set([...awaiting, ...(asset.contract ? sampled : [])].map(each => each.address))
      const again = new Set(getSurplusReading(suspects, asset.id).more.keys())
      assets.push({
        asset: { ...asset, chain_id: id },
        totals,
        holding,
        house: new Set(all.flatMap(each => (each.is_house ? [each.address] : []))),
        awaiting: [...others.union(again).difference(new Set(holding))],
      })
    }
    return { final: row.final_number, assets }
  })
}

/**
 * What the ledger has of an asset, the addresses that hold it, which of them are the house's, and others at which it
 * may have arrived without being seen.
 */
interface Snapshot {
  asset: ChainAsset & { chain_id: string }
  totals: Awaited<ReturnType<typeof ledgerTotals>>
  holding: string[]
  house: ReadonlySet<string>
  awaiting: string[]
}

/** Compares the balances of an asset with the ledger. */
function compare(
  { asset, totals }: Snapshot,
  { atBlock, found, unseen, ...reading }: Reading,
  { number }: BlockId,
  kind: ChainKind,
): AssetReconciliation {
  // The house may hold any amount of native coin for gas, and current balances may be ahead of the ledger.
  const isMore = atBlock ? found > totals.chain + totals.aside + totals.waiting : unseen.length > 0
  const verdict =
    found < totals.chain + totals.aside - totals.held
      ? 'shortage'
      : isMore && asset.contract !== null && asset.hold !== 'refused'
        ? 'surplus'
        : 'agrees'
  return {
    asset_id: asset.id,
    symbol: asset.symbol,
    decimals: asset.decimals,
    ...totals,
    found,
    unseen: unseen.map(chainAdapters[kind].address.show),
    verdict,
    equalAt: !atBlock ? reading.equalAt : found === totals.chain + totals.aside ? number : null,
    // Missing native coin is that of every payout of the chain.
    stops: asset.contract === null ? asset.chain_id : asset.id,
  }
}

/** What is missing for certain: beyond what may have left the chain already. */
const missingOf = ({ verdict, chain, aside, held, found }: AssetReconciliation): bigint =>
  verdict === 'shortage' ? chain + aside - held - found : 0n

/** Balances of an asset: what counts of them, the addresses of those on which nodes do not agree, and what may pass. */
interface Reading {
  atBlock: boolean
  found: bigint
  unseen: string[]
  unsure: string[]
  /** The last block up to which nothing was left out, where balances are current ones. */
  equalAt: number | null
  next: Omit<SurplusReading, 'isUnsure'>
}

/**
 * Reads balances at the block, of the holding addresses and of the awaiting ones. On a chain without past balances
 * reads current ones. A deposit may not have been seen yet, so what an address holds beyond its deposits counts once it
 * has outlasted finality.
 */
async function readBalances(
  deps: Deps,
  chain: AccountChain,
  snapshot: Snapshot,
  block: BlockId,
  before: SurplusReading,
): Promise<Reading> {
  const {
    asset: { contract },
    holding,
    awaiting,
  } = snapshot
  const sumOf = (balances: readonly (bigint | null)[]) => balances.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n)
  try {
    const all = [...holding, ...awaiting]
    const balances = await chain.certainBalances(contract, all, block)
    const unseen = awaiting.filter((_, i) => balances[holding.length + i])
    const unsure = all.filter((_, i) => balances[i] === null)
    return {
      atBlock: true,
      found: sumOf(balances),
      unseen,
      unsure,
      equalAt: null,
      next: getSurplusReading(new Map(), ''),
    }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
  }
  return currentBalances(deps, chain, snapshot, block, before)
}

/**
 * The same of current balances, which run ahead of the ledger: more is found by comparing each address with what this
 * reading and the last one know.
 */
async function currentBalances(
  { pool }: Deps,
  chain: AccountChain,
  { asset: { id, chain_id, contract }, holding, house, awaiting }: Snapshot,
  { number: final }: BlockId,
  before: SurplusReading,
): Promise<Reading> {
  // Before the balances: what left an address by then has left its balance, too.
  const rows = contract === null ? [] : await sumAddressFlows(pool, chain_id, id)
  const flows = new Map(rows.map(({ address, came, gone }) => [address, { came: came!, gone: gone! }]))
  const balances = await chain.certainBalances(contract, holding)
  // Those without a deposit keep nothing from being compared.
  const others = awaiting.length > 0 ? await chain.certainBalances(contract, awaiting).catch(noneIfChainFails) : []
  const { number: head } = await chain.head()
  const ofAddress = new Map<string, bigint>()
  for (const [i, address] of holding.entries()) if (!house.has(address)) ofAddress.set(address, balances[i] ?? 0n)
  for (const [i, address] of awaiting.entries()) ofAddress.set(address, others[i] ?? 0n)
  const more = contract === null ? new Map() : findExcess(ofAddress, flows)
  const leftOut = findAddressesMissingDeposits(before, final, flows)
  const unseen = (leftOut ?? []).filter(address => more.has(address))
  const extra = unseen.reduce((sum, address) => sum + (holding.includes(address) ? 0n : ofAddress.get(address)!), 0n)
  const found = balances.reduce<bigint>((sum, each) => sum + (each ?? 0n), extra)
  const unsure = holding.filter((_, i) => balances[i] === null)
  const isWhole = others.length === awaiting.length && !others.includes(null)
  const next = { more, head, final: isWhole ? final : null }
  return { atBlock: false, found, unseen, unsure, equalAt: leftOut?.length === 0 ? before.final : null, next }
}

function noneIfChainFails(error: unknown): null[] {
  if (isChainError(error)) return []
  throw error
}

async function record(
  deps: Deps,
  chain: ChainView,
  { number, hash }: BlockId,
  difference: AssetReconciliation,
): Promise<void> {
  const { id: chainId, name } = chain.definition
  const { asset_id, symbol, decimals, chain: ledger, held, found, unseen, verdict, stops } = difference
  const now = deps.clock()
  const [expected, present] = [ledger, found].map(units => `${formatDecimal(units, decimals)} ${symbol}`)
  const start = verdict === 'surplus' ? await startOf(deps, chain, difference, number) : null
  await tx(deps.pool, async c => {
    // Another process may be recording the same difference.
    await lockChain(c, chainId)
    if (verdict === 'shortage')
      await setSwitch(
        c,
        payoutStopSwitchName(stops),
        encodeHaltReason('less_than_ledger', name, expected!, present!),
        now,
      )
    if (await findOpenIncident(c, chainId, verdict, asset_id)) return
    const detail = {
      asset_id,
      block: { number, hash },
      ledger: String(ledger),
      held: String(held),
      found: String(found),
      unseen: unseen.slice(0, namedMax),
      ...start,
    }
    await insertIncidents(c, [{ id: newId(), kind: verdict, chain_id: chainId, detail, created_at: now }])
    deps.log.error({ chain: chainId, asset: asset_id, expected, present, block: number }, `reconcile: ${verdict}`)
  })
}

/**
 * From where what is more came in: after the block at which all was equal (`agreed`), or at the one (`start`) since
 * which an address of it exists that was in no comparison by then. Null if neither is known, or an incident is open.
 */
async function startOf(
  { pool }: Deps,
  chain: ChainView,
  { asset_id, unseen }: AssetReconciliation,
  number: number,
): Promise<{ agreed: number } | { start: number } | null> {
  const { id, kind } = chain.definition
  if (await findOpenIncident(pool, id, 'surplus', asset_id)) return null
  const agreed = (await readAgreedBlock(pool, asset_id, number))?.agreed_block ?? null
  if (chain.isVerified) return agreed === null ? null : { agreed }
  const addresses = unseen.map(each => chainAdapters[kind].address.parse(each)!)
  const since = (await readUncomparedSince(pool, id, asset_id, addresses, agreed ?? -1))?.since ?? null
  if (since === null) return agreed === null ? null : { agreed }
  return { start: await lastBefore(chain, since, number) }
}

/**
 * The last block before a time, of those up to `to`; the first one if there is none. Blocks that nodes do not keep any
 * more are before it.
 */
async function lastBefore(chain: ChainView, time: number, to: number): Promise<number> {
  let from = 0
  let end = to
  while (from < end) {
    const middle = Math.ceil((from + end) / 2)
    const block = await chain.blockAt(middle)
    if (block && block.time >= time) end = middle - 1
    else from = middle
  }
  return from
}
