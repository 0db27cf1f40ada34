import {
  type AccountChain,
  type BlockId,
  CallRefused,
  type ChainView,
  hasAccounts,
  isChainError,
  kinds,
} from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { haltReason } from '@coffer/contract/operator/reasons.ts'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { registry } from '../../kit/metrics.ts'
import { awaitingAddresses } from '../addresses/store.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { loopChains } from '../chains/loop-chains.ts'
import { insertIncidents, lockChain, readChain, setSwitch, stopOf } from '../chains/store.ts'
import { agreedBlock, holdingAddresses, ledgerTotals, openIncident, storeComparison } from './store.ts'

/** Seconds after the end of a payment without a deposit during which its address is still checked. */
const checkedFor = 3 * 3600
/** Maximum number of addresses that an incident names. */
const namedMax = 20

/** The comparison of one asset, in base units. */
export interface Reconciled {
  asset_id: string
  symbol: string
  decimals: number
  /** The balance on the chain that the ledger expects. */
  chain: bigint
  /** Amounts that may have left the chain already: reserved by merchants, and fees in flight. */
  held: bigint
  /** Deposits that wait to be compared, or for a token on hold. */
  waiting: bigint
  /** Transfers below the minimum, which are kept aside and are in no ledger. */
  aside: bigint
  /** What our addresses hold. */
  found: bigint
  /** Addresses with a balance but without a deposit. */
  unseen: string[]
  verdict: 'agrees' | 'shortage' | 'surplus'
  /** Whether our addresses held at the block exactly what the ledger has: no transfer before it is missing. */
  isEqual: boolean
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
export const reconcile = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loopChains(deps, signal, {
    name: 'reconcile',
    everyMs: deps.config.mode === 'sandbox' ? 30_000 : 600_000,
    work: async chain => {
      for (const each of await reconcileChain(deps, chain)) {
        const asset = each.asset_id
        ledger.set({ asset }, Number(formatDecimal(each.chain, each.decimals)))
        found.set({ asset }, Number(formatDecimal(each.found, each.decimals)))
        compared.set({ asset }, deps.clock())
        missing.set({ asset }, each.verdict === 'shortage' ? 1 : 0)
      }
    },
  })

/**
 * Compares the ledger of each asset with the balances of our addresses at the chain's final block, and stores the result. A shortage stops
 * what leaves the asset, or the chain if it is its native coin, and records an incident; a surplus, also at recently shown addresses without a deposit, only records one.
 * Reserved amounts and fees may have left the chain before the ledger knows, so a shortage is what is missing beyond them. Returns
 * nothing while the chain has no agreed final block, or where nodes know no balances, and skips assets whose balances are not certain.
 */
export async function reconcileChain(deps: Deps, chain: ChainView): Promise<Reconciled[]> {
  if (!hasAccounts(chain)) return []
  const { id, kind } = chain.definition
  const snapshot = await tx(deps.pool, async c => {
    await c.query('set transaction isolation level repeatable read')
    const row = await readChain(c, id)
    if (!row || row.halted || row.final_number < 0) return null
    const assets = []
    for (const asset of (await assetsOfChain(c, id)).values()) {
      const totals = await ledgerTotals(c, asset.id, deps.clock())
      const holding = (await holdingAddresses(c, id, kind, asset.id)).map(each => each.address)
      const awaiting = asset.contract ? await awaitingAddresses(c, kind, asset.id, deps.clock() - checkedFor) : []
      const others = new Set(awaiting.map(each => each.address)).difference(new Set(holding))
      assets.push({ asset, totals, holding, awaiting: [...others] })
    }
    return { final: row.final_number, assets }
  })
  if (!snapshot) return []
  const block = await chain.blockAt(snapshot.final)
  if (!block || !(await chain.agreesOn(block))) return []
  const reconciled: Reconciled[] = []
  for (const { asset, totals, holding, awaiting } of snapshot.assets) {
    const reading = await readBalances(chain, asset.contract, holding, awaiting, block).catch(error => {
      if (!isChainError(error)) throw error
      deps.log.warn({ chain: id, asset: asset.id, reason: error.message }, 'reconcile: no node returns balances')
    })
    if (!reading) continue
    const { atBlock } = reading
    const balances = reading.balances.filter(balance => balance !== null)
    // guard: reconcile-certain
    if (balances.length < reading.balances.length) {
      const addresses = reading.balances.length - balances.length
      deps.log.warn({ chain: id, asset: asset.id, addresses }, 'reconcile: nodes do not agree on balances')
      continue
    }
    const found = balances.reduce((sum, each) => sum + each, 0n)
    const unseen = awaiting.filter((_, index) => balances[holding.length + index]).map(kinds[kind].address.show)
    const verdict =
      found < totals.chain + totals.aside - totals.held
        ? 'shortage'
        : // The house may hold any amount of native coin for gas, and current balances may be ahead of the ledger.
          found > totals.chain + totals.aside + totals.waiting &&
            asset.contract !== null &&
            asset.hold !== 'refused' &&
            atBlock
          ? 'surplus'
          : 'agrees'
    // Missing native coin is that of every payout of the chain.
    const stops = asset.contract === null ? id : asset.id
    const { symbol, decimals } = asset
    const isEqual = atBlock && found === totals.chain + totals.aside
    reconciled.push({ asset_id: asset.id, symbol, decimals, ...totals, found, unseen, verdict, isEqual, stops })
  }
  // Money that left since the block is in no comparison yet. A sandbox's chain may stand still.
  const now = deps.clock()
  const at = chain.definition.net === 'sandbox' ? now : Math.min(now, block.time)
  for (const each of reconciled) {
    if (each.verdict !== 'agrees') await record(deps, chain.definition, block, each)
    const agreed = each.isEqual ? block.number : null
    await storeComparison(deps.pool, each.asset_id, each.verdict, each.found, missingOf(each), at, agreed)
  }
  return reconciled
}

/** What is missing for certain: beyond what may have left the chain already. */
const missingOf = ({ verdict, chain, aside, held, found }: Reconciled): bigint =>
  verdict === 'shortage' ? chain + aside - held - found : 0n

/**
 * Reads balances at the block, of the holding addresses and then of the awaiting ones. On a chain without past balances
 * reads current ones, of the holding addresses only: a deposit at the others may not have been seen yet.
 */
async function readBalances(
  chain: AccountChain,
  contract: string | null,
  holding: string[],
  awaiting: string[],
  block: BlockId,
) {
  try {
    return { atBlock: true, balances: await chain.certainBalances(contract, [...holding, ...awaiting], block) }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    return { atBlock: false, balances: await chain.certainBalances(contract, holding) }
  }
}

async function record(
  deps: Deps,
  { id: chainId, name }: ChainView['definition'],
  { number, hash }: BlockId,
  difference: Reconciled,
): Promise<void> {
  const { asset_id, symbol, decimals, chain, held, found, unseen, verdict, stops } = difference
  const now = deps.clock()
  const [expected, present] = [chain, found].map(units => `${formatDecimal(units, decimals)} ${symbol}`)
  await tx(deps.pool, async c => {
    // Another process may be recording the same difference.
    await lockChain(c, chainId)
    if (verdict === 'shortage')
      await setSwitch(c, stopOf(stops), haltReason('less_than_ledger', name, expected!, present!), now)
    if (await openIncident(c, chainId, verdict, asset_id)) return
    const agreed = await agreedBlock(c, asset_id, number)
    const detail = {
      asset_id,
      block: { number, hash },
      ledger: String(chain),
      held: String(held),
      found: String(found),
      unseen: unseen.slice(0, namedMax),
      ...(agreed && { agreed: agreed.agreed_block }),
    }
    await insertIncidents(c, [{ id: newId(), kind: verdict, chain_id: chainId, detail, created_at: now }])
    deps.log.error({ chain: chainId, asset: asset_id, expected, present, block: number }, `reconcile: ${verdict}`)
  })
}
