import { sweeperOf } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { Owners, Payout } from '../../owner.ts'
import { assetsOfChain, type ChainAsset, isWatched } from '../chains/assets.ts'
import { readStop } from '../chains/store.ts'
import { Alone } from '../outgoing/alone.ts'
import { readDue } from '../outgoing/pay-due.ts'
import type { Sender } from '../outgoing/sender.ts'
import { type Chosen, choose } from './choose.ts'
import { isStoppedByIssuer } from './issuer-blocks.ts'
import { sweepingOn } from './kinds.ts'
import { isWaitingFor, openPass, type Pass } from './pass.ts'
import { deleteRequests, readCandidates, readFundedSweeps, readRequests } from './store.ts'

/** Most addresses of one transaction. */
const batchMax = 50

/**
 * Sweeps deposits of a chain to its treasury or hot wallet. Does nothing while withdrawals are stopped, the chain or
 * its hot wallet is halted, or the signer does not answer.
 */
export async function sweepChain(deps: Deps, chain: Sender, owners: Owners): Promise<void> {
  const { id } = chain.definition
  const kind = sweepingOn(chain)
  const started = deps.clock()
  const pass = await openPass(deps, chain, owners)
  if (!pass || (pass.isVault && !kind.hasVault)) return
  const requested = await readRequests(deps.pool, id)
  const alone = new Alone(deps, chain)
  await kind.help(pass, alone)
  let isDone = true
  for (const asset of (await assetsOfChain(deps.pool, id)).values())
    if (!(await alone.run(`sweeps of ${asset.id}`, () => sweepAsset(pass, asset, started, alone)))) isDone = false
  const funded = await readFundedSweeps(deps.pool, id)
  let read: Promise<Payout[]> | undefined
  const due = () => {
    read ??= readDue(deps, owners, id)
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
async function sweepAsset(pass: Pass, asset: ChainAsset, started: number, alone: Alone): Promise<boolean> {
  const { deps, chain, hot, terms, isVault, treasury, to } = pass
  const { id, kind } = chain.definition
  const isToken = asset.contract !== null
  if (!isWatched(asset) || (isVault && !isToken)) return true
  if (await readStop(deps.pool, id, asset.id)) return true
  // guard: sweeps-ask-issuer
  if (await isStoppedByIssuer(pass, asset)) return false
  const sweeper = isVault ? sweeperOf(to).address : ''
  const of = { chainId: id, assetId: asset.id, kind, isVault, sweeper, now: started }
  const candidates = await readCandidates(deps.pool, of)
  if (candidates.length === 0) return true
  const sweeping = sweepingOn(chain)
  const canBatch = isToken && ((await sweeping.canBatch?.(chain, to)) ?? false)
  const ways = Map.groupBy(candidates, each => canBatch && each.leased_for === 'token')
  let isDone = true
  // Vault mode has no keys for what is swept alone.
  for (const isBatched of isVault ? [true] : [true, false]) {
    const own = ways.get(isBatched)
    if (!own) continue
    const { gas, beyond } = await sweeping.costOf(chain, isToken, isBatched)
    const isNeeded = !treasury && isWaitingFor(hot, asset.symbol)
    const given = { candidates: own, cost: terms.most(gas) + beyond, isNeeded }
    const chosen = await choose(deps, chain.definition, asset, given)
    const most = isBatched ? batchMax : 1
    const parts = Array.from({ length: Math.ceil(chosen.length / most) }, (_, i) =>
      chosen.slice(i * most, (i + 1) * most),
    )
    const nameOf = (part: Chosen[]) => `sweep of ${part[0]!.address}`
    for (const part of alone.failedLast(parts, nameOf)) {
      if (alone.isDown) return false
      if (!(await alone.run(nameOf(part), () => sweeping.sweep(pass, asset, part, isBatched)))) isDone = false
    }
  }
  return isDone
}
