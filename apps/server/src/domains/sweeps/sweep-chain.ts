import { sweeperOf } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { Owners, Payout } from '../../owner.ts'
import { assetsOfChain, type ChainAsset, isWatched } from '../chains/assets.ts'
import { readStop } from '../chains/store.ts'
import { Alone } from '../outgoing/alone.ts'
import { allDue } from '../outgoing/pay-due.ts'
import { expires, type Sender } from '../outgoing/sender.ts'
import { choose } from './choose.ts'
import { evm } from './evm.ts'
import { isStoppedByIssuer } from './issuer-blocks.ts'
import { lacks, openPass, type Pass } from './pass.ts'
import { deleteRequests, fundedSweeps, readCandidates, readRequests } from './store.ts'
import type { Sweeping } from './sweeping.ts'
import { tron } from './tron.ts'

/**
 * Sweeps deposits of a chain to its treasury or hot wallet. Does nothing while withdrawals are stopped, the chain or
 * its hot wallet is halted, or the signer does not answer.
 */
export const sweepChain = (deps: Deps, chain: Sender, owners: Owners): Promise<void> =>
  expires(chain) ? sweepBy(tron, deps, chain, owners) : sweepBy(evm, deps, chain, owners)

async function sweepBy<Of extends Sender>(kind: Sweeping<Of>, deps: Deps, chain: Of, owners: Owners): Promise<void> {
  const { id } = chain.definition
  const started = deps.clock()
  const pass = await openPass(deps, chain, owners)
  if (!pass || (pass.isVault && !kind.hasVault)) return
  const requested = await readRequests(deps.pool, id)
  const alone = new Alone(deps, chain)
  await kind.help(pass, alone)
  let isDone = true
  for (const asset of (await assetsOfChain(deps.pool, id)).values())
    if (!(await alone.run(`sweeps of ${asset.id}`, () => sweepAsset(kind, pass, asset, started, alone)))) isDone = false
  const funded = await fundedSweeps(deps.pool, id)
  let read: Promise<Payout[]> | undefined
  const due = () => {
    read ??= allDue(deps, owners, id)
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
  await kind.takeBack(pass, alone)
  if (isDone) await deleteRequests(deps.pool, requested)
  alone.end()
}

/** Begins to sweep what addresses hold of an asset. Returns false where something is left for the next pass. */
async function sweepAsset<Of extends Sender>(
  kind: Sweeping<Of>,
  pass: Pass<Of>,
  asset: ChainAsset,
  started: number,
  alone: Alone,
): Promise<boolean> {
  const { deps, chain, hot, isVault, treasury } = pass
  const { id } = chain.definition
  if (!isWatched(asset) || (isVault && asset.contract === null)) return true
  if (await readStop(deps.pool, id, asset.id)) return true
  // guard: sweeps-ask-issuer
  if (await isStoppedByIssuer(pass, asset)) return false
  const sweeper = isVault ? sweeperOf(pass.to).address : ''
  const of = { chainId: id, assetId: asset.id, kind: chain.definition.kind, isVault, sweeper, now: started }
  const candidates = await readCandidates(deps.pool, of)
  if (candidates.length === 0) return true
  let isDone = true
  for (const way of await kind.ways(pass, asset)) {
    const own = candidates.filter(each => way.takes(each))
    if (own.length === 0) continue
    const given = { candidates: own, cost: await way.cost(), isNeeded: !treasury && lacks(hot, asset.symbol) }
    const chosen = await choose(deps, chain.definition, asset, given)
    const parts = Array.from({ length: Math.ceil(chosen.length / way.most) }, (_, i) =>
      chosen.slice(i * way.most, (i + 1) * way.most),
    )
    const nameOf = (part: typeof chosen) => `sweep of ${part[0]!.address}`
    for (const part of alone.failedLast(parts, nameOf)) {
      if (alone.isDown) return false
      if (!(await alone.run(nameOf(part), () => way.sweep(part)))) isDone = false
    }
  }
  return isDone
}
