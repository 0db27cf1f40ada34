import { kinds } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { rentEnergy } from '../../outside/energy.ts'
import type { OutgoingId, Owners, Payout } from '../../owner.ts'
import { assetsOfChain, type ChainAsset, isWatched } from '../chains/assets.ts'
import { readStop } from '../chains/store.ts'
import { Alone } from '../outgoing/alone.ts'
import { Funds } from '../outgoing/funds.ts'
import { allDue } from '../outgoing/pay-due.ts'
import { withReleases } from '../outgoing/release-payout.ts'
import { type ExpiringChain, heldBy, limitOrRefused } from '../outgoing/sender.ts'
import { type Intent, takeNonce } from '../outgoing/store.ts'
import { takeNonceFor } from '../outgoing/take-nonce.ts'
import { cancelAbsent } from './cancel-absent.ts'
import { type Chosen, choose } from './choose.ts'
import { isStoppedByIssuer } from './issuer-blocks.ts'
import { type Step, stepId } from './owner.ts'
import {
  deleteRequests,
  fundedSweeps,
  insertSweeps,
  lentSweeps,
  moveFunded,
  otherOpen,
  readCandidates,
  readRequests,
  setFailed,
  setRented,
  stepsTaken,
} from './store.ts'
import { isDust, tokenSweepFee } from './straight.ts'
import {
  at,
  hotFunds,
  lacks,
  once,
  openDeposit,
  openPass,
  type Pass,
  type SweptAsset,
  sweepRow,
} from './sweep-chain.ts'

/** Seconds after which energy that was rented and has not come is burned for. */
const rentFor = 600

type Funded = Awaited<ReturnType<typeof fundedSweeps>>[number]
type PayingPass = Pass<ExpiringChain> & { owners: Owners }

/**
 * Sweeps deposits of a chain without nonces, one by one. An address needs the native coin for bandwidth, which also
 * makes it exist, and energy for a token: lent by the hot wallet, rented, or paid for by burning the native coin, which
 * is also done when the others fail. Does nothing while withdrawals are stopped, the chain or its hot wallet is halted,
 * or in vault mode.
 */
export async function sweepExpiring(deps: Deps, chain: ExpiringChain, owners: Owners): Promise<void> {
  const { id } = chain.definition
  const started = deps.clock()
  const pass = await openPass(deps, chain)
  if (!pass || pass.isVault) return
  const requested = await readRequests(deps.pool, id)
  const alone = new Alone(deps, chain)
  await cancelAbsent(deps, chain, alone)
  for (const asset of (await assetsOfChain(deps.pool, id)).values())
    await alone.run(`sweeps of ${asset.id}`, () => beginAsset(pass, asset, started, alone))
  const funded = await fundedSweeps(deps.pool, id)
  const due = funded.length > 0 ? await allDue(deps, owners, id) : []
  // Coin of an address pays for one transaction at a time.
  const busy = new Set(funded.filter(each => each.is_busy).map(each => each.address))
  for (const sweep of alone.failedLast(funded, each => `sweep ${each.id}`)) {
    if (busy.has(sweep.address)) continue
    busy.add(sweep.address)
    if (alone.isDown) break
    await alone.run(`sweep ${sweep.id}`, () => advance({ ...pass, owners }, sweep, due))
  }
  for (const sweep of await lentSweeps(deps.pool, id))
    await alone.run(`energy of ${sweep.id}`, () =>
      step(pass, sweep, 'back', { kind: 'undelegate', amount: sweep.lent }),
    )
  if (!alone.hasFailed) await deleteRequests(deps.pool, requested)
  alone.end()
}

/** Begins to sweep what addresses hold of an asset. */
async function beginAsset(pass: Pass<ExpiringChain>, asset: ChainAsset, started: number, alone: Alone): Promise<void> {
  const { deps, chain } = pass
  const { id, kind } = chain.definition
  if (!isWatched(asset) || (await readStop(deps.pool, id, asset.id))) return
  if (await isStoppedByIssuer(pass, asset)) return
  const candidates = await readCandidates(deps.pool, {
    chainId: id,
    assetId: asset.id,
    kind,
    isVault: false,
    sweeper: '',
    now: started,
  })
  if (candidates.length === 0) return
  const given = {
    candidates,
    cost: await sweepFee(chain, asset.contract !== null),
    isNeeded: !pass.treasury && lacks(pass.hot, asset.symbol),
  }
  for (const each of await choose(deps, chain.definition, asset, given))
    await alone.run(`sweep of ${each.address}`, async () => {
      await (asset.contract === null ? sweepCoin : begin)(pass, asset, each)
    })
}

/** What a sweep costs at most; of the native coin, its bandwidth. */
export const sweepFee = (chain: ExpiringChain, isToken: boolean): Promise<bigint> =>
  isToken ? tokenSweepFee(chain) : chain.expiring.usualFee(false)

const begin = ({ deps, hot }: Pass<ExpiringChain>, asset: SweptAsset, chosen: Chosen) =>
  once(deps, c => insertSweeps(c, { ...at(hot, asset, deps), state: 'funded' }, [sweepRow(chosen)]).then(() => {}))

/** Whether an address sends nothing else: another process may have been faster, and the coin suffices for one. */
const isAlone = async (c: Queryable, { chain_id, from_address, nonce }: OutgoingId) =>
  (await otherOpen(c, chain_id, from_address, nonce))!.n === 0

/**
 * The native coin that an address has both in final blocks and with what nodes have not mined yet; null where it is not
 * certain.
 */
async function coinOf(chain: ExpiringChain, address: string): Promise<bigint | null> {
  const settled = (await chain.recentBalances([address]))?.balances[0] ?? null
  const current = await heldBy(chain, null, address)
  if (settled === null || current === null) return null
  const isPending = current > settled
  return isPending ? settled : current
}

/** Sends the native coin of an address, which pays for the bandwidth itself. */
async function sweepCoin({ deps, chain, hot }: Pass<ExpiringChain>, asset: SweptAsset, chosen: Chosen): Promise<void> {
  const amount = ((await coinOf(chain, chosen.address)) ?? 0n) - chain.expiring.bandwidthFee
  if (amount <= 0n) return
  const row = sweepRow(chosen)
  await openDeposit(deps, chain, chosen.address, chosen.key_index)
  const intent = { kind: 'sweep', token: null, to: null, index: chosen.key_index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id: row.merchant_id, id: row.id, amount }]
  const { chainId, now } = at(hot, asset, deps)
  const of = { chainId, address: chosen.address, intent, gas: chain.expiring.beyondLimit, items, now }
  await once(deps, async c => {
    if (await takeNonce(c, of, id => isAlone(c, id)))
      await insertSweeps(c, { ...at(hot, asset, deps), state: 'sent' }, [row])
  })
}

/**
 * Takes the next step of a sweep: gas, energy, and at last the transfer of all but one unit, or of one of the payouts
 * that are due and fit. Without `due` nothing is paid.
 */
async function advance(pass: PayingPass, sweep: Funded, due: readonly Payout[]): Promise<void> {
  const { deps, chain, hot } = pass
  const { address, contract, merchant_id, id } = sweep
  const { bandwidthFee, beyondLimit } = chain.expiring
  const held = await heldBy(chain, contract, address)
  if (held === null) return
  const most = held - 1n
  // With a treasury, payouts come from the hot wallet only.
  const payout = pass.treasury ? null : await fitting(pass, sweep, due, most)
  const { to, amount } = payout ?? { to: pass.to, amount: most }
  const gas = amount > 0n ? await limitOrRefused(pass.sending, { from: address, token: contract, to, amount }) : null
  if (gas === null) {
    if (payout) return advance(pass, sweep, [])
    return void (await setFailed(deps.pool, [id], '', deps.clock(), 'funded'))
  }
  const limit = gas - beyondLimit
  const coins = await heldBy(chain, null, address)
  const energy = await chain.expiring.energyOf(address)
  if (coins === null) return
  const burned = energy < limit ? limit - energy : 0n
  if (coins >= burned + bandwidthFee) return payout ? pay(pass, sweep, payout, gas) : send(pass, sweep, amount, gas)
  const steps = (['gas', 'energy', 'burn'] as const).map(step => stepId(step, id))
  const taken = new Set((await stepsTaken(deps.pool, merchant_id, steps)).map(each => each.owner_id))
  const isOpen = (step: Step) => !taken.has(stepId(step, id))
  const { tronEnergy } = deps.config
  if (tronEnergy !== 'burn' && burned > 0n) {
    if (coins < bandwidthFee && isOpen('gas')) return fund(pass, sweep, 'gas', bandwidthFee - coins)
    if (tronEnergy === 'staked') {
      const stake = isOpen('energy') ? await chain.expiring.stakeFor(hot.address, burned) : null
      if (stake !== null) return step(pass, sweep, 'energy', { kind: 'delegate', amount: stake })
    } else if (await isRenting(pass, sweep, burned)) return
  }
  if (isOpen('burn')) return fund(pass, sweep, 'burn', burned + bandwidthFee - coins)
  // What was sent may suffice for a sweep.
  if (payout) return advance(pass, sweep, [])
  // Prices rose beyond what was sent: it is tried again in a day.
  await setFailed(deps.pool, [id], '', deps.clock(), 'funded')
}

/** The oldest payout of the merchant that takes all of an address but dust. */
async function fitting({ deps, chain }: PayingPass, sweep: Funded, due: readonly Payout[], most: bigint) {
  for (const each of due) {
    if (each.merchant_id !== sweep.merchant_id || each.asset_id !== sweep.asset_id) continue
    if (deps.sanctioned(kinds[chain.definition.kind].address.show(each.to))) continue
    if (await isDust(deps, chain, sweep, most - each.amount)) return each
  }
  return null
}

/** Pays a payout in place of the sweep, if the signer would sign it; otherwise the wallet's queue deals with it. */
async function pay(pass: PayingPass, sweep: Funded, payout: Payout, gas: bigint): Promise<void> {
  const { deps, chain, hot, owners } = pass
  const { merchant_id, id, address, contract, key_index: index } = sweep
  const [{ release, to, amount } = payout] = await withReleases(deps.pool, [payout])
  const paid = { token: contract, to, amount: String(amount), ...(release && { release }) }
  const intent = { kind: 'transfer', index, ...paid } as const
  const { nonces } = await hotFunds(pass)
  const refusals = await nonces.dryRun(intent, gas)
  if (!refusals) return
  if (refusals[0]) return advance(pass, sweep, [])
  await openDeposit(deps, chain, address, index)
  const items = [{ owner: 'sweep' as const, merchant_id, id: stepId('pay', id), amount }, payout]
  const of = { chainId: hot.chain_id, address, intent, gas, items }
  await takeNonceFor(
    deps,
    owners,
    of,
    async (c, taken) => (await isAlone(c, taken)) && moveFunded(c, id, 'sent', deps.clock()),
  )
}

async function send(
  { deps, chain, hot }: Pass<ExpiringChain>,
  { merchant_id, id, address, contract, key_index: index }: Funded,
  amount: bigint,
  gas: bigint,
): Promise<void> {
  await openDeposit(deps, chain, address, index)
  const intent = { kind: 'sweep', token: contract, to: null, index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id, id, amount }]
  const of = { chainId: hot.chain_id, address, intent, gas, items, now: deps.clock() }
  await once(deps, async c => {
    await takeNonce(c, of, async taken => (await isAlone(c, taken)) && moveFunded(c, id, 'sent', deps.clock()))
  })
}

/**
 * Requests energy from the provider, again in each pass until it has arrived. Returns false once that has lasted too
 * long.
 */
async function isRenting({ deps, chain }: Pass<ExpiringChain>, sweep: Funded, fee: bigint): Promise<boolean> {
  const now = deps.clock()
  if (sweep.rented_at !== null && now - sweep.rented_at >= rentFor) return false
  await setRented(deps.pool, sweep.id, now)
  const energy = String(await chain.expiring.energyFor(fee))
  const address = kinds[chain.definition.kind].address.show(sweep.address)
  try {
    await rentEnergy(deps.config.tronEnergy, { id: sweep.id, address, energy })
  } catch (error) {
    deps.log.warn({ chain: sweep.chain_id, sweep: sweep.id, reason: String(error) }, 'no energy was rented')
  }
  return true
}

/** Sends an address native coin from the hot wallet. Waits while that lacks it. */
async function fund(pass: Pass<ExpiringChain>, sweep: Funded, name: Step, amount: bigint): Promise<void> {
  const { funds } = await Funds.read(pass.deps, pass.chain, pass.hot.address, pass.terms)
  if (await funds.take(null, amount, pass.chain.expiring.beyondLimit))
    await step(pass, sweep, name, { kind: 'gas', amount })
}

/** Has the hot wallet take a step for a sweep, which goes on once that is final. */
async function step(
  pass: Pass<ExpiringChain>,
  { merchant_id, id, key_index: index }: Pick<Funded, 'merchant_id' | 'id' | 'key_index'>,
  name: Step,
  { kind, amount }: { kind: 'gas' | 'delegate' | 'undelegate'; amount: bigint },
): Promise<void> {
  const { deps, chain, hot } = pass
  const intent = { kind, token: null, to: null, index, amount: String(amount) } as Intent
  const { nonces } = await hotFunds(pass)
  if (!(await nonces.allows(intent, chain.expiring.beyondLimit))) return
  const items = [{ owner: 'sweep' as const, merchant_id, id: stepId(name, id), amount }]
  const gas = chain.expiring.beyondLimit
  const of = { chainId: hot.chain_id, address: hot.address, intent, gas, items, now: deps.clock() }
  await once(deps, async c => {
    await takeNonce(c, of, async taken => {
      return nonces.isNext(taken) && (name === 'back' || (await moveFunded(c, id, 'funding', deps.clock())))
    })
  })
}
