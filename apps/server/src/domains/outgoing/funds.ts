import { ChainUnavailable } from '@coffer/chains'
import { parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { TransactionCosts } from './costs.ts'
import { type FeeTerms, type PayableChain, readCertainBalance } from './sender.ts'
import {
  type OpenOutgoing,
  type OutgoingAttempt,
  readOpenAttempts,
  readOpenOutgoing,
  type TransactionIntent,
} from './store.ts'

/**
 * What a wallet has left for new transactions, and what it lacks. Amounts are in base units; null is the native coin.
 * Calls reject with ChainUnavailable while nodes do not agree on a balance.
 */
export class WalletFunds {
  readonly lacking = new Map<string | null, bigint>()
  readonly #chain: PayableChain
  readonly #address: string
  readonly #reserved: ReadonlyMap<string | null, bigint>
  readonly #costs: TransactionCosts
  readonly #left = new Map<string | null, bigint>()

  private constructor(
    chain: PayableChain,
    address: string,
    { reserved, costs }: { reserved: ReadonlyMap<string | null, bigint>; costs: TransactionCosts },
  ) {
    this.#chain = chain
    this.#address = address
    this.#reserved = reserved
    this.#costs = costs
  }

  /**
   * Reads what a wallet has left beside its open transactions, how many of those are in no block, and which have no
   * signature. What is not `counted` takes nothing from it.
   */
  static async read(
    deps: Deps,
    chain: PayableChain,
    address: string,
    terms: FeeTerms,
    counted: (row: OpenOutgoing) => boolean = () => true,
  ): Promise<{ funds: WalletFunds; open: number; unsigned: OpenOutgoing[] }> {
    const { id } = chain.definition
    const isOurs = (each: { from_address: string }) => each.from_address === address
    const open = (await readOpenOutgoing(deps.pool, id)).filter(
      each => isOurs(each) && each.state !== 'in_block' && counted(each),
    )
    const attempts: Map<number, OutgoingAttempt[]> = Map.groupBy(
      (await readOpenAttempts(deps.pool, id)).filter(isOurs),
      each => each.nonce,
    )
    const unsigned = open.filter(each => !attempts.has(each.nonce) && each.cancel_reason === null)
    const costs = new TransactionCosts(chain, terms)
    const reserved = await reservedBy(open, attempts, costs)
    return { funds: new WalletFunds(chain, address, { reserved, costs }), open: open.length, unsigned }
  }

  /** What a new transaction, by default a single transfer, costs at most, in base units of the native coin. */
  costOf(gas: bigint, intent?: TransactionIntent): Promise<bigint> {
    return this.#costs.of(gas, intent)
  }

  /** What is left of a token. */
  left(token: string | null): Promise<bigint> {
    return this.#of(token)
  }

  /** Whether there is enough of a token, and no older payout of it waits. */
  async covers(token: string | null, amount: bigint): Promise<boolean> {
    const left = await this.#of(token)
    const lacking = this.lacking.get(token)
    if (lacking === undefined && amount <= left) return true
    this.lacking.set(token, lacking === undefined ? amount - left : lacking + amount)
    return false
  }

  /** How many of these amounts of a token, from the first on, there is enough for. */
  async leading(token: string | null, amounts: readonly bigint[]): Promise<number> {
    let left = await this.#of(token)
    const short = amounts.findIndex(amount => {
      left -= amount
      return left < 0n
    })
    return short < 0 ? amounts.length : short
  }

  /** Takes an amount and the fee from what is left. Returns false, and takes nothing, when the fee is not covered. */
  async take(token: string | null, amount: bigint, fee: bigint): Promise<boolean> {
    const coin = fee + (token === null ? amount : 0n)
    const native = (await this.#of(null)) - coin
    if (native < 0n) {
      const lacking = this.lacking.get(null)
      // What is left is counted for the first only.
      this.lacking.set(null, lacking === undefined ? -native : lacking + coin)
      return false
    }
    this.#left.set(null, native)
    if (token !== null) this.#left.set(token, (await this.#of(token)) - amount)
    return true
  }

  async #of(token: string | null): Promise<bigint> {
    const known = this.#left.get(token)
    if (known !== undefined) return known
    const held = await readCertainBalance(this.#chain, token, this.#address)
    if (held === null) throw new ChainUnavailable('nodes do not agree on the balance of a wallet')
    const left = held - (this.#reserved.get(token) ?? 0n)
    this.#left.set(token, left)
    return left
  }
}

/**
 * What the open transactions of a wallet may still take from it, by token (null: the native coin, fees included), in
 * base units.
 */
async function reservedBy(
  rows: readonly OpenOutgoing[],
  attempts: ReadonlyMap<number, readonly OutgoingAttempt[]>,
  costs: TransactionCosts,
): Promise<Map<string | null, bigint>> {
  const reserved = new Map<string | null, bigint>()
  const add = (token: string | null, amount: bigint) => reserved.set(token, (reserved.get(token) ?? 0n) + amount)
  for (const { nonce, intent, gas } of rows) {
    add(null, await costs.of(gas, intent, attempts.get(nonce)?.at(-1)?.max_fee))
    for (const { token, amount } of takenBy(intent)) add(token, amount)
  }
  return reserved
}

/** What an intent takes from its wallet, without fees. */
function takenBy(intent: TransactionIntent): { token: string | null; amount: bigint }[] {
  if (
    intent.kind === 'transfer' ||
    intent.kind === 'gas' ||
    /* guard: moved-reserved */ (intent.kind === 'sweep' && intent.index === null) /* end */
  )
    return [{ token: intent.token, amount: parseBaseUnits(intent.amount) }]
  if (intent.kind !== 'batch') return []
  return [{ token: intent.token, amount: intent.payments.reduce((sum, each) => sum + parseBaseUnits(each.amount), 0n) }]
}
