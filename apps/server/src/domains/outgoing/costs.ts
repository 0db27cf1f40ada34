import { computeMaxSurcharge, type FeeTerms, type PayableChain, quoteDataFee } from './sender.ts'
import type { TransactionIntent } from './store.ts'

/** Bytes of a transaction that carries several payments or sweeps, and of each of these. */
export const transactionSizesInBytes = { fixed: 300, payment: 64, sweep: 200 }
/** Gas that quotes are rounded up to a multiple of: like transactions share one. */
const gasStep = 25_000n

/** Returns the bytes of a transaction at most, without its signature; undefined for a single transfer. */
const bytesOf = (intent?: TransactionIntent): number | undefined => {
  if (intent?.kind === 'batch')
    return transactionSizesInBytes.fixed + transactionSizesInBytes.payment * intent.payments.length
  return intent?.kind === 'sweepMany'
    ? transactionSizesInBytes.fixed + transactionSizesInBytes.sweep * intent.owners.length
    : undefined
}

/**
 * Quotes what a chain charges a transaction, by default a single transfer, beyond its gas now, in base units of the
 * native coin.
 */
export const quoteNonGasFee = (chain: PayableChain, gas: bigint, intent?: TransactionIntent): Promise<bigint> =>
  quoteDataFee(chain, gas, bytesOf(intent))

/**
 * What transactions cost their wallet at most, in base units of the native coin, during one pass over a chain. Beyond
 * the gas twice the quote is counted, since it may rise until the transaction is in a block, and never more than the
 * chain's definition allows.
 */
export class TransactionCosts {
  readonly #chain: PayableChain
  readonly #terms: FeeTerms
  readonly #quotes = new Map<string, Promise<bigint>>()

  constructor(chain: PayableChain, terms: FeeTerms) {
    this.#chain = chain
    this.#terms = terms
  }

  /**
   * Returns what a transaction, by default a single transfer, costs at most. `maxFee` is what was signed for a
   * unit of its limit, by default what would be now.
   * @throws ChainUnavailable if no node quotes what the chain charges beyond gas
   */
  async of(gas: bigint, intent?: TransactionIntent, maxFee?: bigint): Promise<bigint> {
    const most = computeMaxSurcharge(this.#chain.definition)
    const twice = most > 0n ? 2n * (await this.#quote(gas, intent)) : 0n
    // guard: data-reserved
    const beyond = twice < most ? twice : most
    return this.#terms.most(gas, maxFee) + beyond
  }

  #quote(gas: bigint, intent?: TransactionIntent): Promise<bigint> {
    const rounded = (gas / gasStep + 1n) * gasStep
    const key = `${rounded} ${bytesOf(intent)}`
    const known = this.#quotes.get(key) ?? quoteNonGasFee(this.#chain, rounded, intent)
    this.#quotes.set(key, known)
    return known
  }
}
