import { sweeperOf } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { OutgoingOwners, Payout } from '../../owner.ts'
import { type ChainAsset, isWatched, readChainAssets } from '../chains/assets.ts'
import { readPayoutStop } from '../chains/store.ts'
import { IsolatedRunner } from '../outgoing/alone.ts'
import { readDuePayouts } from '../outgoing/pay-due.ts'
import type { PayableChain } from '../outgoing/sender.ts'
import { type ChosenSweepCandidate, chooseSweepCandidates } from './choose.ts'
import { isStoppedByIssuer } from './issuer-blocks.ts'
import { getSweepStrategy } from './kinds.ts'
import { isWalletWaitingForAsset, openSweepPass, type SweepPass } from './pass.ts'
import { deleteRequests, readCandidates, readFundedSweeps, readSweepRequests } from './store.ts'

/** Most addresses of one transaction. */
const batchMax = 50

/**
 * Sweeps deposits of a chain to its treasury or hot wallet. Does nothing while withdrawals are stopped, the chain or
 * its hot wallet is halted, or the signer does not answer.
 */
export async function sweepChain(deps: Deps, chain: PayableChain, owners: OutgoingOwners): Promise<void> {
  const { id } = chain.definition
  const kind = getSweepStrategy(chain)
  const started = deps.clock()
  const pass = await openSweepPass(deps, chain, owners)
  if (!pass || (pass.isVault && !kind.hasVault)) return
  const requested = await readSweepRequests(deps.pool, id)
  const alone = new IsolatedRunner(deps, chain)
  await kind.help(pass, alone)
  let isDone = true
  for (const asset of (await readChainAssets(deps.pool, id)).values())
    if (!(await alone.run(`sweeps of ${asset.id}`, () => sweepAsset(pass, asset, started, alone)))) isDone = false
  const funded = await readFundedSweeps(deps.pool, id)
  let read: Promise<Payout[]> | undefined
  const due = () => {
    read ??= readDuePayouts(deps, owners, id)
    return read
  }
  // Coin of an address pays for one transaction at a time.
  const busy = new Set(funded.filter(each => each.is_busy).map(each => each.address))
  for (const sweep of alone.failedLast(funded, each => `sweep ${each.id}`)) {
    if (busy.has(sweep.address)) continue
    busy.add(sweep.address)
    if (alone.isDown) break
    await alone.run(`sweep ${sweep.id}`, () => kind.goOn(pass, sweep, due))
  }
  await kind.takeBack?.(pass, alone)
  if (isDone) await deleteRequests(deps.pool, requested)
  alone.end()
}

/** Begins to sweep what addresses hold of an asset. Returns false where something is left for the next pass. */
async function sweepAsset(
  pass: SweepPass,
  asset: ChainAsset,
  started: number,
  alone: IsolatedRunner,
): Promise<boolean> {
  const { deps, chain, hot, terms, isVault, treasury, to } = pass
  const { id, kind } = chain.definition
  const isToken = asset.contract !== null
  if (!isWatched(asset) || (isVault && !isToken)) return true
  if (await readPayoutStop(deps.pool, id, asset.id)) return true
  // guard: sweeps-ask-issuer
  if (await isStoppedByIssuer(pass, asset)) return false
  const sweeper = isVault ? sweeperOf(to).address : ''
  const of = { chainId: id, assetId: asset.id, kind, isVault, sweeper, now: started }
  const candidates = await readCandidates(deps.pool, of)
  if (candidates.length === 0) return true
  const sweeping = getSweepStrategy(chain)
  const canBatch = isToken && ((await sweeping.canBatch?.(chain, to)) ?? false)
  const ways = Map.groupBy(candidates, each => canBatch && each.leased_for === 'token')
  let isDone = true
  // Vault mode has no keys for what is swept alone.
  for (const isBatched of isVault ? [true] : [true, false]) {
    const own = ways.get(isBatched)
    if (!own) continue
    const { gas, beyond } = await sweeping.costOf(chain, isToken, isBatched)
    const isNeeded = !treasury && isWalletWaitingForAsset(hot, asset.symbol)
    const given = { candidates: own, cost: terms.most(gas) + beyond, isNeeded }
    const chosen = await chooseSweepCandidates(deps, chain.definition, asset, given)
    const most = isBatched ? batchMax : 1
    const parts = Array.from({ length: Math.ceil(chosen.length / most) }, (_, i) =>
      chosen.slice(i * most, (i + 1) * most),
    )
    const nameOf = (part: ChosenSweepCandidate[]) => `sweep of ${part[0]!.address}`
    for (const part of alone.failedLast(parts, nameOf)) {
      if (alone.isDown) return false
      if (!(await alone.run(nameOf(part), () => sweeping.sweep(pass, asset, part, isBatched)))) isDone = false
    }
  }
  return isDone
}
