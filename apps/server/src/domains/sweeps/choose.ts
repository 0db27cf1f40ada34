import type { ChainDefinition } from '@coffer/chains'
import { computeValueInUsdt } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type PriceSymbol, toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { transactionSizesInBytes } from '../outgoing/costs.ts'
import { estimateDataGas, type PayableChain, quoteDataFee } from '../outgoing/sender.ts'
import type { SweepCandidate } from './store.ts'

/** How many times its cost a balance must be worth. */
export const minSweepValueToCostRatio = 20n
/** Seconds after which any balance that is worth more than its cost is swept. */
const ageMax = 7 * 86_400

/** Gas of one address: of many at once by delegation, or of two transactions of its own. */
export const sweepGasPerAddress = { batch: 35_000n, single: 90_000n }

/**
 * Returns the gas of sweeping one address, also of data where gas pays for it, and what the chain charges beyond it.
 */
export async function quotePerAddress(
  chain: PayableChain,
  isBatched: boolean,
): Promise<{ gas: bigint; beyond: bigint }> {
  if (isBatched)
    return {
      gas: sweepGasPerAddress.batch,
      beyond: await quoteDataFee(chain, sweepGasPerAddress.batch, transactionSizesInBytes.sweep),
    }
  const [ofData, beyond] = await Promise.all([
    estimateDataGas(chain),
    quoteDataFee(chain, sweepGasPerAddress.single / 2n),
  ])
  return { gas: sweepGasPerAddress.single + 2n * ofData, beyond: 2n * beyond }
}

/** How many addresses that are worth it are swept at once, and seconds after which fewer are. */
const together = 10
const waitMax = 3_600

export interface ChosenSweepCandidate extends SweepCandidate {
  reason: 'worth' | 'age' | 'asked' | 'needed'
}

/**
 * Chooses the addresses to sweep: all that the operator requested and, of those worth more than their cost, those that
 * their merchant requested, and all while withdrawals wait for the asset. Unless the merchant has switched that off,
 * also those with a credit that is a week old, and those that hold the merchant's minimum, by default 20 times their
 * cost, once there are ten or one is an hour old. Without prices, cost counts for nothing.
 * @param cost of one address, in base units of the native coin
 */
export async function chooseSweepCandidates(
  deps: Deps,
  { native }: ChainDefinition,
  asset: { price_of: PriceSymbol; decimals: number },
  { candidates, cost, isNeeded }: { candidates: readonly SweepCandidate[]; cost: bigint; isNeeded: boolean },
): Promise<ChosenSweepCandidate[]> {
  const prices = await readPrices(deps, [toPriceSymbol(native.symbol), asset.price_of])
  const now = deps.clock()
  const chosen = candidates.flatMap((each): ChosenSweepCandidate[] => {
    const value = prices && computeValueInUsdt(each.amount, asset.decimals, prices[1]!)
    const least = prices && computeValueInUsdt(cost, native.decimals, prices[0]!)
    const isWorth = (times: bigint) => value === null || least === null || value > least * times
    if (each.asked) return [{ ...each, reason: 'asked' }]
    if (each.amount <= 1n || !isWorth(1n)) return []
    if (each.wanted) return [{ ...each, reason: 'asked' }]
    if (isNeeded) return [{ ...each, reason: 'needed' }]
    if (!each.automatic) return []
    if (now - each.since >= ageMax) return [{ ...each, reason: 'age' }]
    const isLarge = each.minimum === null ? prices && isWorth(minSweepValueToCostRatio) : each.amount >= each.minimum
    return isLarge ? [{ ...each, reason: 'worth' }] : []
  })
  // Together they cost half: what is merely worth it waits for others, but not long.
  const isTime =
    chosen.length >= together || chosen.some(each => each.reason !== 'worth' || now - each.since >= waitMax)
  return isTime ? chosen : []
}

/** Reads prices in USDT; null when one is not available. */
export async function readPrices({ prices }: Pick<Deps, 'prices'>, symbols: PriceSymbol[]): Promise<string[] | null> {
  try {
    return await Promise.all(symbols.map(async symbol => (await prices.quote(symbol)).price))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Leaves out addresses with nothing to sweep: somebody else may have been faster, as anybody may call Sweeper. */
export async function omitEmptyAddresses(
  chain: PayableChain,
  { contract }: { contract: string | null },
  candidates: ChosenSweepCandidate[],
): Promise<ChosenSweepCandidate[]> {
  const addresses = candidates.map(each => each.address)
  const balances = await chain.certainBalances(contract, addresses)
  // What nodes do not agree on is swept: its own transfer decides.
  return candidates.filter((_, i) => (balances[i] ?? 2n) > 1n)
}
