import { chainAdapters } from '@coffer/chains'
import { computeValueInUsdt } from '@coffer/core'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { rentEnergy } from '../../outside/energy.ts'
import type { Payout } from '../../owner.ts'
import { attachReleases } from '../outgoing/release-payout.ts'
import { type ChainWithExpiry, estimateTransferLimit, readCertainBalance } from '../outgoing/sender.ts'
import { takeNonceFor } from '../outgoing/take-nonce.ts'
import { cancelSweepsWithoutCoin } from './cancel-sweeps-without-coin.ts'
import { type ChosenSweepCandidate, readPrices } from './choose.ts'
import {
  commitUnlessNonceTaken,
  type FundedSweep,
  makeSweep,
  moveSweepToSent,
  type SweepPass as PassOf,
  readHotFunds,
  type SweepPreparationIntent,
  type SweptAsset,
  sendCoin,
  sendFromHotWallet,
  sendToken,
  startSweeps,
  storeDepositWallet,
} from './pass.ts'
import {
  formatSweepStepId,
  markEnergyRented,
  markSweepsFailed,
  moveFunded,
  readStepsTaken,
  readSweepsWithLentEnergy,
  type SweepStep,
} from './store.ts'
import type { SweepStrategy } from './sweeping.ts'

/** Seconds after which energy that was rented and has not come is burned for. */
const rentTimeout = 600

type Pass = PassOf<ChainWithExpiry>

/**
 * Sweeping where transactions have no nonces, one by one. An address needs the native coin for bandwidth, which also
 * makes it exist, and energy for a token: lent by the hot wallet, rented, or paid for by burning the native coin, which
 * is also done when the others fail.
 */
export const tronSweepStrategy: SweepStrategy = {
  hasVault: false,
  async costOf(chain: ChainWithExpiry, isToken) {
    const fee = isToken ? await quoteTokenFee(chain) : await chain.expiring.usualFee(false)
    return { gas: fee, beyond: 0n }
  },
  help: ({ deps, chain }: Pass, alone) => cancelSweepsWithoutCoin(deps, chain, alone),
  sweep: (pass: Pass, asset, [each]) => (asset.contract === null ? sweepCoin : beginToken)(pass, asset, each!),
  goOn: async (pass: Pass, sweep, due) => takeNextStep(pass, sweep, pass.treasury ? [] : await due()),
  async takeBack(pass: Pass, alone) {
    const { deps, hot } = pass
    for (const sweep of await readSweepsWithLentEnergy(deps.pool, hot.chain_id))
      await alone.run(`energy of ${sweep.id}`, () =>
        step(pass, sweep, 'back', { kind: 'undelegate', amount: sweep.lent }),
      )
  },
  async isDust(deps, chain: ChainWithExpiry, asset, amount) {
    if (amount < 0n) return false
    const { native } = chain.definition
    const prices = await readPrices(deps, [toPriceSymbol(native.symbol), asset.price_of])
    if (prices === null) return false
    const fee = computeValueInUsdt(await quoteTokenFee(chain), native.decimals, prices[0]!)
    return computeValueInUsdt(amount, asset.decimals, prices[1]!) <= fee
  },
}

/** What the sweep of a token costs at most: half of what a transfer costs to an address without the token. */
const quoteTokenFee = async ({ expiring }: ChainWithExpiry): Promise<bigint> => (await expiring.usualFee(true)) / 2n

const beginToken = (pass: Pass, asset: SweptAsset, chosen: ChosenSweepCandidate): Promise<boolean> =>
  commitUnlessNonceTaken(pass.deps, async c => {
    await startSweeps(c, pass, asset, 'funded', [makeSweep(chosen)])
  })

/**
 * The native coin that an address has both in final blocks and with what nodes have not mined yet; null where it is not
 * certain.
 */
async function readCoin(chain: ChainWithExpiry, address: string): Promise<bigint | null> {
  const settled = (await chain.recentBalances([address]))?.balances[0] ?? null
  const current = await readCertainBalance(chain, null, address)
  if (settled === null || current === null) return null
  const isPending = current > settled
  return isPending ? settled : current
}

/** Sends the native coin of an address, which pays for the bandwidth itself. */
async function sweepCoin(pass: Pass, asset: SweptAsset, chosen: ChosenSweepCandidate): Promise<boolean> {
  const { chain } = pass
  const amount = ((await readCoin(chain, chosen.address)) ?? 0n) - chain.expiring.bandwidthFee
  if (amount > 0n) await sendCoin(pass, asset, makeSweep(chosen), amount, chain.expiring.beyondLimit)
  return true
}

/**
 * Takes the next step of a sweep: gas, energy, and at last the transfer of all but one unit, or of one of the payouts
 * that are due and fit. Without `due` nothing is paid.
 */
async function takeNextStep(pass: Pass, sweep: FundedSweep, due: readonly Payout[]): Promise<void> {
  const { deps, chain, hot } = pass
  const { address, contract, merchant_id, id } = sweep
  const { bandwidthFee, beyondLimit } = chain.expiring
  const held = await readCertainBalance(chain, contract, address)
  if (held === null) return
  const most = held - 1n
  // With a treasury, payouts come from the hot wallet only.
  const payout = pass.treasury ? null : await findFitting(pass, sweep, due, most)
  const { to, amount } = payout ?? { to: pass.to, amount: most }
  const gas =
    amount > 0n ? await estimateTransferLimit(pass.sending, { from: address, token: contract, to, amount }) : null
  if (gas === null) {
    if (payout) return takeNextStep(pass, sweep, [])
    return void (await markSweepsFailed(deps.pool, [id], '', deps.clock(), 'funded'))
  }
  const limit = gas - beyondLimit
  const coins = await readCertainBalance(chain, null, address)
  const energy = await chain.expiring.energyOf(address)
  if (coins === null) return
  const burned = energy < limit ? limit - energy : 0n
  if (coins >= burned + bandwidthFee)
    return payout ? pay(pass, sweep, payout, gas) : sendToken(pass, sweep, amount, gas)
  const steps = (['gas', 'energy', 'burn'] as const).map(step => formatSweepStepId(step, id))
  const taken = new Set((await readStepsTaken(deps.pool, merchant_id, steps)).map(each => each.owner_id))
  const isOpen = (step: SweepStep) => !taken.has(formatSweepStepId(step, id))
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
  await markSweepsFailed(deps.pool, [id], '', deps.clock(), 'funded')
}

/** The oldest payout of the merchant that takes all of an address but dust. */
async function findFitting({ deps, chain }: Pass, sweep: FundedSweep, due: readonly Payout[], most: bigint) {
  for (const each of due) {
    if (each.merchant_id !== sweep.merchant_id || each.asset_id !== sweep.asset_id) continue
    if (deps.sanctioned(chainAdapters[chain.definition.kind].address.show(each.to))) continue
    if (await tronSweepStrategy.isDust!(deps, chain, sweep, most - each.amount)) return each
  }
  return null
}

/** Pays a payout in place of the sweep, if the signer would sign it; otherwise the wallet's queue deals with it. */
async function pay(pass: Pass, sweep: FundedSweep, payout: Payout, gas: bigint): Promise<void> {
  const { deps, hot, owners } = pass
  const { merchant_id, id, address, contract, key_index: index } = sweep
  const [{ release, to, amount } = payout] = await attachReleases(deps.pool, [payout])
  const paid = { token: contract, to, amount: String(amount), ...(release && { release }) }
  const intent = { kind: 'transfer', index, ...paid } as const
  const { nonces } = await readHotFunds(pass)
  const refusals = await nonces.dryRun(intent, gas)
  if (!refusals) return
  if (refusals[0]) return takeNextStep(pass, sweep, [])
  await storeDepositWallet(pass, address, index)
  const items = [{ owner: 'sweep' as const, merchant_id, id: formatSweepStepId('pay', id), amount }, payout]
  const of = { chainId: hot.chain_id, address, intent, gas, items }
  await takeNonceFor(deps, owners, of, (c, taken) => moveSweepToSent(pass, c, sweep, taken))
}

/**
 * Requests energy from the provider, again in each pass until it has arrived. Returns false once that has lasted too
 * long.
 */
async function isRenting({ deps, chain }: Pass, sweep: FundedSweep, fee: bigint): Promise<boolean> {
  const now = deps.clock()
  if (sweep.rented_at !== null && now - sweep.rented_at >= rentTimeout) return false
  await markEnergyRented(deps.pool, sweep.id, now)
  const energy = String(await chain.expiring.energyFor(fee))
  const address = chainAdapters[chain.definition.kind].address.show(sweep.address)
  try {
    await rentEnergy(deps.config.tronEnergy, { id: sweep.id, address, energy })
  } catch (error) {
    deps.log.warn({ chain: sweep.chain_id, sweep: sweep.id, reason: String(error) }, 'no energy was rented')
  }
  return true
}

/** Sends an address native coin from the hot wallet. Waits while that lacks it. */
const fund = (pass: Pass, sweep: FundedSweep, name: SweepStep, amount: bigint): Promise<void> =>
  step(pass, sweep, name, { kind: 'gas', amount })

/** Has the hot wallet take a step for a sweep, which goes on once that is final. */
async function step(
  pass: Pass,
  { merchant_id, id, key_index: index }: Pick<FundedSweep, 'merchant_id' | 'id' | 'key_index'>,
  name: SweepStep,
  { kind, amount }: { kind: 'gas' | 'delegate' | 'undelegate'; amount: bigint },
): Promise<void> {
  const intent = { kind, token: null, to: null, index, amount: String(amount) } as const
  const items = [{ owner: 'sweep' as const, merchant_id, id: formatSweepStepId(name, id), amount }]
  await sendFromHotWallet(pass, intent as SweepPreparationIntent, pass.chain.expiring.beyondLimit, items, async c => {
    return name === 'back' || moveFunded(c, id, 'funding', pass.deps.clock())
  })
}
