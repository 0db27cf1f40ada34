import { kinds } from '@coffer/chains'
import { usdtValue } from '@coffer/core'
import { currencyPrice } from '../../kit/price-symbol.ts'
import { rentEnergy } from '../../outside/energy.ts'
import type { Payout } from '../../owner.ts'
import { withReleases } from '../outgoing/release-payout.ts'
import { type ExpiringChain, limitOrRefused, readHolding } from '../outgoing/sender.ts'
import { takeNonceFor } from '../outgoing/take-nonce.ts'
import { cancelAbsent } from './cancel-absent.ts'
import { type Chosen, readPrices } from './choose.ts'
import {
  commitIfDue,
  type Funded,
  isSentNext,
  makeSweep,
  type Pass as PassOf,
  type Prepares,
  readHotFunds,
  type SweptAsset,
  sendCoin,
  sendFromHot,
  sendToken,
  startSweeps,
  storeDepositWallet,
} from './pass.ts'
import { moveFunded, readLentSweeps, readStepsTaken, type Step, setFailed, setRented, stepId } from './store.ts'
import type { Sweeping } from './sweeping.ts'

/** Seconds after which energy that was rented and has not come is burned for. */
const rentTimeout = 600

type Pass = PassOf<ExpiringChain>

/**
 * Sweeping where transactions have no nonces, one by one. An address needs the native coin for bandwidth, which also
 * makes it exist, and energy for a token: lent by the hot wallet, rented, or paid for by burning the native coin, which
 * is also done when the others fail.
 */
export const tron: Sweeping = {
  hasVault: false,
  async costOf(chain: ExpiringChain, isToken) {
    const fee = isToken ? await quoteTokenFee(chain) : await chain.expiring.usualFee(false)
    return { gas: fee, beyond: 0n }
  },
  help: ({ deps, chain }: Pass, alone) => cancelAbsent(deps, chain, alone),
  sweep: (pass: Pass, asset, [each]) => (asset.contract === null ? sweepCoin : beginToken)(pass, asset, each!),
  goOn: async (pass: Pass, sweep, due) => takeNextStep(pass, sweep, pass.treasury ? [] : await due()),
  async takeBack(pass: Pass, alone) {
    const { deps, hot } = pass
    for (const sweep of await readLentSweeps(deps.pool, hot.chain_id))
      await alone.run(`energy of ${sweep.id}`, () =>
        step(pass, sweep, 'back', { kind: 'undelegate', amount: sweep.lent }),
      )
  },
  async isDust(deps, chain: ExpiringChain, asset, amount) {
    if (amount < 0n) return false
    const { native } = chain.definition
    const prices = await readPrices(deps, [currencyPrice(native.symbol), asset.price_of])
    if (prices === null) return false
    const fee = usdtValue(await quoteTokenFee(chain), native.decimals, prices[0]!)
    return usdtValue(amount, asset.decimals, prices[1]!) <= fee
  },
}

/** What the sweep of a token costs at most: half of what a transfer costs to an address without the token. */
const quoteTokenFee = async ({ expiring }: ExpiringChain): Promise<bigint> => (await expiring.usualFee(true)) / 2n

const beginToken = (pass: Pass, asset: SweptAsset, chosen: Chosen): Promise<boolean> =>
  commitIfDue(pass.deps, async c => {
    await startSweeps(c, pass, asset, 'funded', [makeSweep(chosen)])
  })

/**
 * The native coin that an address has both in final blocks and with what nodes have not mined yet; null where it is not
 * certain.
 */
async function readCoin(chain: ExpiringChain, address: string): Promise<bigint | null> {
  const settled = (await chain.recentBalances([address]))?.balances[0] ?? null
  const current = await readHolding(chain, null, address)
  if (settled === null || current === null) return null
  const isPending = current > settled
  return isPending ? settled : current
}

/** Sends the native coin of an address, which pays for the bandwidth itself. */
async function sweepCoin(pass: Pass, asset: SweptAsset, chosen: Chosen): Promise<boolean> {
  const { chain } = pass
  const amount = ((await readCoin(chain, chosen.address)) ?? 0n) - chain.expiring.bandwidthFee
  if (amount > 0n) await sendCoin(pass, asset, makeSweep(chosen), amount, chain.expiring.beyondLimit)
  return true
}

/**
 * Takes the next step of a sweep: gas, energy, and at last the transfer of all but one unit, or of one of the payouts
 * that are due and fit. Without `due` nothing is paid.
 */
async function takeNextStep(pass: Pass, sweep: Funded, due: readonly Payout[]): Promise<void> {
  const { deps, chain, hot } = pass
  const { address, contract, merchant_id, id } = sweep
  const { bandwidthFee, beyondLimit } = chain.expiring
  const held = await readHolding(chain, contract, address)
  if (held === null) return
  const most = held - 1n
  // With a treasury, payouts come from the hot wallet only.
  const payout = pass.treasury ? null : await findFitting(pass, sweep, due, most)
  const { to, amount } = payout ?? { to: pass.to, amount: most }
  const gas = amount > 0n ? await limitOrRefused(pass.sending, { from: address, token: contract, to, amount }) : null
  if (gas === null) {
    if (payout) return takeNextStep(pass, sweep, [])
    return void (await setFailed(deps.pool, [id], '', deps.clock(), 'funded'))
  }
  const limit = gas - beyondLimit
  const coins = await readHolding(chain, null, address)
  const energy = await chain.expiring.energyOf(address)
  if (coins === null) return
  const burned = energy < limit ? limit - energy : 0n
  if (coins >= burned + bandwidthFee)
    return payout ? pay(pass, sweep, payout, gas) : sendToken(pass, sweep, amount, gas)
  const steps = (['gas', 'energy', 'burn'] as const).map(step => stepId(step, id))
  const taken = new Set((await readStepsTaken(deps.pool, merchant_id, steps)).map(each => each.owner_id))
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
  if (payout) return takeNextStep(pass, sweep, [])
  // Prices rose beyond what was sent: it is tried again in a day.
  await setFailed(deps.pool, [id], '', deps.clock(), 'funded')
}

/** The oldest payout of the merchant that takes all of an address but dust. */
async function findFitting({ deps, chain }: Pass, sweep: Funded, due: readonly Payout[], most: bigint) {
  for (const each of due) {
    if (each.merchant_id !== sweep.merchant_id || each.asset_id !== sweep.asset_id) continue
    if (deps.sanctioned(kinds[chain.definition.kind].address.show(each.to))) continue
    if (await tron.isDust!(deps, chain, sweep, most - each.amount)) return each
  }
  return null
}

/** Pays a payout in place of the sweep, if the signer would sign it; otherwise the wallet's queue deals with it. */
async function pay(pass: Pass, sweep: Funded, payout: Payout, gas: bigint): Promise<void> {
  const { deps, hot, owners } = pass
  const { merchant_id, id, address, contract, key_index: index } = sweep
  const [{ release, to, amount } = payout] = await withReleases(deps.pool, [payout])
  const paid = { token: contract, to, amount: String(amount), ...(release && { release }) }
  const intent = { kind: 'transfer', index, ...paid } as const
  const { nonces } = await readHotFunds(pass)
  const refusals = await nonces.dryRun(intent, gas)
  if (!refusals) return
  if (refusals[0]) return takeNextStep(pass, sweep, [])
  await storeDepositWallet(pass, address, index)
  const items = [{ owner: 'sweep' as const, merchant_id, id: stepId('pay', id), amount }, payout]
  const of = { chainId: hot.chain_id, address, intent, gas, items }
  await takeNonceFor(deps, owners, of, (c, taken) => isSentNext(pass, c, sweep, taken))
}

/**
 * Requests energy from the provider, again in each pass until it has arrived. Returns false once that has lasted too
 * long.
 */
async function isRenting({ deps, chain }: Pass, sweep: Funded, fee: bigint): Promise<boolean> {
  const now = deps.clock()
  if (sweep.rented_at !== null && now - sweep.rented_at >= rentTimeout) return false
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
const fund = (pass: Pass, sweep: Funded, name: Step, amount: bigint): Promise<void> =>
  step(pass, sweep, name, { kind: 'gas', amount })

/** Has the hot wallet take a step for a sweep, which goes on once that is final. */
async function step(
  pass: Pass,
  { merchant_id, id, key_index: index }: Pick<Funded, 'merchant_id' | 'id' | 'key_index'>,
  name: Step,
  { kind, amount }: { kind: 'gas' | 'delegate' | 'undelegate'; amount: bigint },
): Promise<void> {
  const intent = { kind, token: null, to: null, index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id, id: stepId(name, id), amount }]
  await sendFromHot(pass, intent as Prepares, pass.chain.expiring.beyondLimit, items, async c => {
    return name === 'back' || moveFunded(c, id, 'funding', pass.deps.clock())
  })
}
