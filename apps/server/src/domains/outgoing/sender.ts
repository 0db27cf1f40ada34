import {
  type AccountChain,
  type BlockId,
  CallRefused,
  type Chain,
  type ChainDefinition,
  type ChainView,
  type Expiring,
  type Market,
  type Payout,
  type Receipt,
} from '@coffer/chains'
import { parseDecimal } from '@coffer/contract'

/** A chain whose transactions expire instead of having nonces. Numbers of ours stand in for nonces there. */
export type ExpiringChain = AccountChain & { readonly expiring: Expiring }

/** A chain on which transactions of ours can be sent. */
export type Sender = Chain | ExpiringChain

/** Whether payouts can be sent on a chain. */
export const isPayable = (chain: ChainView): chain is Sender => 'fees' in chain || chain.expiring !== undefined

/** Milliseconds for which a transaction is valid on a chain where they expire. */
export const validFor = 120_000

/** Whether the transactions of a chain expire. */
export const expires = (chain: Sender): chain is ExpiringChain => chain.expiring !== undefined

/** Gas that a transfer uses at most: plain, and of a token to an address that has none of it yet. */
const gasUsed = { native: 21_000n, token: 65_000n }

/**
 * Reads the fees of a chain. Where transactions expire, gas is the most that a transaction can cost, in base units of
 * the native coin, so that a unit of it costs one.
 */
export const marketOf = async (chain: Sender): Promise<Market> =>
  expires(chain) ? { baseFee: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n, mostTip: 0n } : chain.fees()

/**
 * Returns a limit of the gas of a transfer, with a margin, where transactions expire also for a receiver that may have
 * been emptied until it is executed. Rejects with CallRefused if it would fail.
 */
export const gasForPayout = async (chain: Sender, payout: Payout): Promise<bigint> =>
  expires(chain) ? (await chain.expiring.feeLimitFor(payout, true)) + chain.expiring.beyondLimit : chain.gasFor(payout)

/** The same for a transfer between addresses of ours, which nobody empties meanwhile. */
export const gasFor = async (chain: Sender, payout: Payout): Promise<bigint> =>
  expires(chain) ? (await chain.expiring.feeLimitFor(payout)) + chain.expiring.beyondLimit : chain.gasFor(payout)

/** The same, or null if it would fail. */
export async function gasOrRefused(chain: Sender, transfer: Payout): Promise<bigint | null> {
  try {
    return await gasFor(chain, transfer)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** Returns what a transfer costs at most at present fees, to whatever address, in base units of the native coin. */
export async function usualFee(chain: Sender, isToken: boolean): Promise<bigint> {
  if (expires(chain)) return chain.expiring.usualFee(isToken)
  const [{ baseFee, maxPriorityFeePerGas }, ofData] = await Promise.all([chain.fees(), dataGasOf(chain)])
  const gas = (isToken ? gasUsed.token : gasUsed.native) + ofData
  return gas * (baseFee + maxPriorityFeePerGas) + (await dataFeeOf(chain, gas))
}

/** Estimates the gas that a transfer takes for its data, where gas pays for it and no estimate has counted it. */
export const dataGasOf = async (chain: Sender): Promise<bigint> =>
  expires(chain) ? 0n : ((await chain.dataGas?.()) ?? 0n)

/**
 * Quotes what a chain charges a transfer, or a transaction of so many bytes, beyond its gas, in base units of the
 * native coin.
 */
export const dataFeeOf = async (chain: Sender, gas: bigint, bytes?: number): Promise<bigint> =>
  expires(chain) ? 0n : ((await chain.dataFee?.(gas, bytes)) ?? 0n)

/**
 * Reads what an address has now, proven or as most nodes report it; null where that is not certain. `token` null is the
 * native coin.
 */
export const heldBy = async (chain: AccountChain, token: string | null, address: string): Promise<bigint | null> =>
  /* guard: held-certain */ (await chain.certainBalances(token, [address]))[0] /* end */ ?? null

/** A block in which a transaction is, by what nodes report. */
export type Mined = { txid: string; block: BlockId }

/** The most that a chain may charge one transaction of ours beyond its gas, in base units of the native coin. */
export const mostBeyond = ({ surcharge, native }: ChainDefinition): bigint =>
  surcharge ? parseDecimal(surcharge.most, native.decimals)! : 0n

/**
 * Returns the receipt of a transaction in a block, verified or as most nodes report it; null if that is not certain.
 */
export const certainReceipt = (chain: Sender, txid: string, block: BlockId): Promise<Receipt | null> =>
  (expires(chain) ? chain.expiring : chain).certainReceipt(txid, block)
