import type { Receipt } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { splitByWeight } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { toJson } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { events } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem, OutgoingOwner } from '../../owner.ts'
import { buildNativeAssetId } from '../outgoing/store.ts'
import {
  addSweepFees,
  insertExpenses,
  lockSweeps,
  markAddressesSwept,
  markSweepsFailed,
  type Sweep,
  type SweepStep,
  setLentEnergy,
  setSweepState,
} from './store.ts'
import { excludeDirectPayouts } from './straight.ts'

const prefix = /^(gas|burn|energy|back|pay):/
const sweepIds = (items: readonly OutgoingItem[]) => items.map(each => each.id.replace(prefix, ''))
const stepOf = (items: readonly OutgoingItem[]) => prefix.exec(items[0]!.id)?.[1] as SweepStep | undefined

/** Fails sweeps whose transaction does nothing for them. */
async function failSweeps(deps: Deps, uow: UnitOfWork, items: readonly OutgoingItem[]): Promise<void> {
  await lockSweeps(uow.c, sweepIds(items))
  // It is taken back in a later pass.
  if (stepOf(items) === 'back') return
  await markSweepsFailed(uow.c, sweepIds(items), '', deps.clock(), null)
}

/** Charges the fee of a transaction, split over the addresses, with what has prepared their sweeps. */
async function postExpenses(
  { chains, clock }: Deps,
  uow: UnitOfWork,
  sweeps: readonly Sweep[],
  fee: bigint,
  txid: string,
): Promise<void> {
  if (sweeps.length === 0) return
  const { definition } = chains.get(sweeps[0]!.chain_id)!
  const parts = splitByWeight(
    fee,
    sweeps.map(each => each.weight),
  )
  const spent = sweeps
    .map(({ merchant_id, spent }, i) => ({ merchant_id, amount: parts[i]! + spent }))
    .filter(each => each.amount > 0n)
  if (spent.length === 0) return
  const rows = spent.map(each => ({ ...each, id: newId() }))
  await insertExpenses(uow.c, toJson(rows), definition.id, buildNativeAssetId(definition), txid, clock())
  for (const [merchant_id, own] of Map.groupBy(spent, each => each.merchant_id)) {
    const total = own.reduce((sum, each) => sum + each.amount, 0n)
    const { symbol: token, decimals } = definition.native
    const params = { chain: definition.name, amount: formatDecimal(total, decimals), token }
    uow.add(events, [{ merchant_id, name: 'fund_aggregation', params, created_at: clock() }])
  }
}

/**
 * Records what left each address; where nothing did, the sweep has failed. Returns the ids of those that swept
 * something.
 */
async function recordSwept(
  { clock }: Deps,
  uow: UnitOfWork,
  items: readonly OutgoingItem[],
  receipt: Receipt,
  sweeps: readonly Sweep[],
): Promise<Set<string>> {
  const swept = sweeps.map(each => ({ id: each.id, amount: sweptBy(each, items, receipt) }))
  const done = swept.filter(each => each.amount > 0n)
  await markAddressesSwept(uow.c, toJson(done), receipt.txid, clock())
  const rest = swept.filter(each => each.amount === 0n).map(each => each.id)
  if (rest.length > 0) await markSweepsFailed(uow.c, rest, receipt.txid, clock(), null)
  return new Set(done.map(each => each.id))
}

/** Moves sweeps with a final transaction, and charges or notes its fee. */
async function settleFinal(
  deps: Deps,
  uow: UnitOfWork,
  items: readonly OutgoingItem[],
  receipt: Receipt,
): Promise<void> {
  const sweeps = await lockSweeps(uow.c, sweepIds(items))
  const step = stepOf(items)
  const { fee, txid } = receipt
  if (step === 'back') {
    const swept = sweeps.filter(each => each.state === 'swept').map(each => ({ ...each, spent: 0n }))
    await postExpenses(deps, uow, swept, fee, txid)
    await setLentEnergy(uow.c, sweepIds(items), 0n)
    return
  }
  if (step === 'energy') await setLentEnergy(uow.c, sweepIds(items), items[0]!.amount)
  if (step && step !== 'pay') {
    await addSweepFees(uow.c, sweepIds(items), fee)
    await setSweepState(uow.c, sweepIds(items), 'funded', deps.clock())
    return
  }
  const done = await recordSwept(deps, uow, items, receipt, sweeps)
  // The house bears what swept nothing, as when somebody else was faster. The gas of a payout is in its own price.
  const charged = sweeps.filter(each => done.has(each.id))
  await postExpenses(deps, uow, charged, step === 'pay' ? 0n : fee, txid)
}

/**
 * Moves sweeps with the transactions that carry them, and records the gas of what was swept as expenses of the
 * merchants.
 */
export function sweepOwner(deps: Deps): OutgoingOwner {
  const { clock } = deps
  return {
    due: async () => [],
    unassigned: async () => [],
    sent: async () => true,
    unsent: async () => false,
    withoutCarried: (chainId, payouts) => excludeDirectPayouts(deps, chainId, payouts),
    inBlock: async () => {},
    outOfBlock: async () => {},
    final: (uow, items, receipt) => settleFinal(deps, uow, items, receipt),
    failed: (uow, items) => failSweeps(deps, uow, items),
    async voided(uow, items) {
      if (stepOf(items) !== 'pay') return failSweeps(deps, uow, items)
      await setSweepState(uow.c, sweepIds(items), 'funded', clock())
    },
    takenBack: (uow, items) => failSweeps(deps, uow, items),
    // The fee that merchants were charged stays, also where it differs.
    async restored(uow, items, receipt) {
      const step = stepOf(items)
      if (step && step !== 'pay') return
      await recordSwept(deps, uow, items, receipt, await lockSweeps(uow.c, sweepIds(items)))
    },
    async undone(uow, items) {
      const step = stepOf(items)
      if (!step || step === 'pay') return failSweeps(deps, uow, items)
      await lockSweeps(uow.c, sweepIds(items))
      if (step === 'energy' || step === 'back')
        await setLentEnergy(uow.c, sweepIds(items), step === 'back' ? items[0]!.amount : 0n)
      // One that is sent ends by itself.
      else await markSweepsFailed(uow.c, sweepIds(items), '', clock(), 'funded')
    },
    async made(uow, items, receipt) {
      const step = stepOf(items)
      if (step === 'energy' || step === 'back') {
        await setLentEnergy(uow.c, sweepIds(items), step === 'back' ? 0n : items[0]!.amount)
        return
      }
      if (step && step !== 'pay') return
      await recordSwept(deps, uow, items, receipt, await lockSweeps(uow.c, sweepIds(items)))
    },
  }
}

/**
 * What left an address. Of a token, only what its own transfers say: calls within a sweep fail silently, and a call to
 * an address without a delegation succeeds and does nothing.
 */
function sweptBy({ address, contract, id }: Sweep, items: readonly OutgoingItem[], { transfers }: Receipt): bigint {
  if (contract === null) return items.find(each => each.id === id)!.amount
  const own = transfers.filter(each => each.from === address && each.token === contract)
  return own.reduce((sum, each) => sum + each.amount, 0n)
}
