import { type BlockId, CallRefused, type ChainView, isChainError, kinds } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { awaitingAddresses } from '../addresses/store.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { insertIncidents, lockChain, readChain, setSwitch } from '../chains/store.ts'
import { balancesAt } from './balances-at.ts'
import { addressesHolding, type LedgerTotals, ledgerTotals, openIncident } from './reconcile.ts'

/** Seconds for which the address of a payment that nothing came for is still looked at after its time. */
const lookedAtFor = 3 * 3600
/** How many addresses an incident names. */
const namedMost = 20

/** What one asset was found to be, in base units. */
export interface Reconciled extends LedgerTotals {
  asset_id: string
  decimals: number
  /** What our addresses hold. */
  found: bigint
  /** Addresses that hold some of it although nothing was seen to come. */
  unseen: string[]
  verdict: 'agrees' | 'shortage' | 'surplus'
}

/**
 * Compares the ledger with what our addresses hold at the chain's final block, asset by asset. Money that is missing stops
 * withdrawals and tells the operator; money that nobody was credited for tells the operator, also at an address that was
 * lately shown and that nothing was seen to come to. What merchants have reserved may have left the chain before the ledger
 * knows, so only what is missing beyond it is missing. Gives nothing while the chain cannot be judged, and leaves out an
 * asset whose balances no node tells.
 */
export async function reconcileChain(deps: Deps, chain: ChainView): Promise<Reconciled[]> {
  const { id, kind } = chain.definition
  const snapshot = await tx(deps.pool, async c => {
    await c.query('set transaction isolation level repeatable read')
    const row = await readChain(c, id)
    if (!row || row.halted || row.final_number < 0) return null
    const assets = [...(await assetsOfChain(c, id)).values()]
    const ledger = []
    for (const asset of assets) {
      const totals = await ledgerTotals(c, asset.id, deps.clock())
      const holding = await addressesHolding(c, id, kind, asset.id)
      const awaiting = asset.contract
        ? (await awaitingAddresses(c, kind, asset.id, deps.clock() - lookedAtFor)).map(row => row.address)
        : []
      ledger.push({ asset, totals, holding, awaiting: [...new Set(awaiting).difference(new Set(holding))] })
    }
    return { final: row.final_number, ledger }
  })
  if (!snapshot) return []
  const block = await chain.blockAt(snapshot.final)
  if (!block || !(await chain.agreesOn(block))) return []
  const reconciled: Reconciled[] = []
  for (const { asset, totals, holding, awaiting } of snapshot.ledger) {
    const told = await balancesAtOrNow(chain, asset.contract, holding, awaiting, block).catch(error => {
      if (!isChainError(error)) throw error
      deps.log.warn({ chain: id, asset: asset.id, reason: error.message }, 'reconciler: no node tells the balances')
    })
    // The other assets are looked at all the same.
    if (!told) continue
    const { at, balances } = told
    const found = balances.reduce((sum, each) => sum + each, 0n)
    const unseen = awaiting.filter((_, index) => balances[holding.length + index]).map(kinds[kind].address.show)
    const verdict =
      found < totals.chain - totals.held
        ? 'shortage'
        : // Of the native coin the house may keep any amount for gas, and "now" may be ahead of the ledger.
          found > totals.chain && asset.contract !== null && at
          ? 'surplus'
          : 'agrees'
    reconciled.push({ asset_id: asset.id, decimals: asset.decimals, ...totals, found, unseen, verdict })
  }
  await record(deps, id, block, reconciled)
  return reconciled
}

/**
 * Balances as of the block, first of the addresses that hold, then of those that await; or as of now on a chain that does
 * not remember, of the former only: what came to the others may be on its way to being seen.
 */
async function balancesAtOrNow(
  chain: ChainView,
  contract: string | null,
  holding: string[],
  awaiting: string[],
  block: BlockId,
) {
  try {
    return { at: true, balances: await balancesAt(chain, contract, [...holding, ...awaiting], block) }
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    return { at: false, balances: await balancesAt(chain, contract, holding) }
  }
}

async function record(deps: Deps, chainId: string, { number, hash }: BlockId, reconciled: Reconciled[]): Promise<void> {
  const now = deps.clock()
  for (const { asset_id, decimals, chain, held, found, unseen, verdict } of reconciled) {
    if (verdict === 'agrees') continue
    const [expected, present] = [chain, found].map(units => formatDecimal(units, decimals))
    await tx(deps.pool, async c => {
      // Another process may have found the same.
      await lockChain(c, chainId)
      if (verdict === 'shortage') {
        await setSwitch(c, 'withdrawals_stopped', `${asset_id}: the ledger has ${expected}, the chain ${present}`, now)
      }
      if (await openIncident(c, chainId, verdict, asset_id)) return
      const detail = {
        asset_id,
        block: { number, hash },
        ledger: String(chain),
        held: String(held),
        found: String(found),
        unseen: unseen.slice(0, namedMost),
      }
      await insertIncidents(c, [{ id: newId(), kind: verdict, chain_id: chainId, detail, created_at: now }])
      deps.log.error({ chain: chainId, asset: asset_id, expected, present, block: number }, `reconciler: ${verdict}`)
    })
  }
}
