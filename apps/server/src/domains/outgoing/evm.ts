import { type BlockId, bumpFees, type Chain, type Fees, type Market, type Payout, type Receipt } from '@coffer/chains'
import type { SignRequest } from '../../signer/protocol.ts'
import { beyondGas } from './costs.ts'
import {
  type Draft,
  dataFeeOf,
  dataGasOf,
  heldBy,
  type Known,
  type Next,
  type Sending,
  type Terms,
  type WalletNonces,
} from './sender.ts'
import { type Attempt, coinSentBy, feesOf, type Intent, type Open } from './store.ts'

/** Gas that a transfer uses at most: plain, and of a token to an address that has none of it yet. */
const gasUsed = { native: 21_000n, token: 65_000n }
/** Gas that suffices for nearly any transfer. */
const ampleGas = 90_000n
/** Seconds in no block after which fees are raised. */
const stuckAfter = 180

/**
 * Sending where a transaction uses up a nonce of its wallet. Its attempts differ by their fees: one replaces another
 * until one is in a block, and a transfer of nothing to its own wallet cancels it.
 */
export class EvmSending implements Sending {
  readonly nonces: WalletNonces
  readonly #chain: Chain

  constructor(chain: Chain) {
    this.#chain = chain
    this.nonces = {
      next: address => chain.nonce(address),
      isTaken: (row, attempts) => isTaken(chain, row, attempts),
    }
  }

  async terms(): Promise<Terms> {
    return new EvmTerms(this.#chain, await this.#chain.fees())
  }

  limitFor(transfer: Payout) {
    return this.#chain.gasFor(transfer)
  }

  async usualFee(isToken: boolean): Promise<bigint> {
    const [{ baseFee, maxPriorityFeePerGas }, ofData] = await Promise.all([this.#chain.fees(), dataGasOf(this.#chain)])
    const gas = (isToken ? gasUsed.token : gasUsed.native) + ofData
    return gas * (baseFee + maxPriorityFeePerGas) + (await dataFeeOf(this.#chain, gas))
  }

  async ampleLimit(): Promise<bigint> {
    return ampleGas + (await dataGasOf(this.#chain))
  }

  send(raw: string) {
    return this.#chain.send(raw)
  }

  certainReceipt(txid: string, block: BlockId) {
    return this.#chain.certainReceipt(txid, block)
  }

  isExhausted({ gasUsed }: Receipt, gas: bigint): boolean {
    return gasUsed >= gas
  }

  /** Another attempt for the nonce may always be mined, and none expires. */
  async isDead() {
    return false
  }

  async doubtOf() {
    return null
  }

  async findLost(attempts: readonly Attempt[]): Promise<'absent' | null> {
    // guard: lost-absent
    for (const { txid } of attempts) if (!(await this.#chain.isUnknown(txid))) return null
    return 'absent'
  }
}

/** The head at which a nonce was first found used up without a receipt of ours, by chain. */
const takenAt = new WeakMap<Chain, Map<string, number>>()

/**
 * Whether somebody else has used up a nonce: no node has a receipt of ours, also a block later, since nodes may index
 * one late. Most nodes must have answered that they have none of ours.
 */
async function isTaken(chain: Chain, { from_address, nonce }: Open, attempts: readonly Attempt[]): Promise<boolean> {
  // guard: taken-agreed
  for (const { txid } of attempts) if (!(await chain.isUnknown(txid))) return false
  const seen = takenAt.get(chain) ?? new Map<string, number>()
  takenAt.set(chain, seen)
  const key = `${from_address} ${nonce}`
  const { number } = await chain.head()
  const first = seen.get(key)
  if (first === undefined) seen.set(key, number)
  if (first === undefined || number <= first) return false
  return seen.delete(key)
}

/** An attempt to sign next. */
type Wanted = { kind: Attempt['kind']; fees: Fees }

class EvmTerms implements Terms {
  readonly #market: Market
  readonly #chain: Chain

  constructor(chain: Chain, market: Market) {
    this.#chain = chain
    this.#market = market
  }

  most(gas: bigint, maxFee = this.#market.maxFeePerGas): bigint {
    return gas * maxFee
  }

  usual(gas: bigint): bigint {
    return gas * (this.#market.baseFee + this.#market.maxPriorityFeePerGas)
  }

  isTooLow(maxFee: bigint): boolean {
    return this.#market.baseFee > maxFee
  }

  question(intent: Intent, nonce: number, gas: bigint): SignRequest {
    return this.#request(intent, nonce, gas, this.#market)
  }

  async next(row: Open, attempts: readonly Attempt[], known: Known): Promise<Next> {
    const last = attempts.at(-1)
    const wanted = this.#wanted(row, last, known)
    // A deposit address has been sent the gas for its sweep, and no more.
    const isScarce = wanted !== null && (wanted.kind === 'replace' || row.role === 'deposit')
    // guard: fee-covered
    const next = isScarce ? await this.#covered(row, wanted, last) : wanted
    return next ? { draft: () => this.#draft(row, next) } : 'again'
  }

  /** What to sign: the payout, its cancellation, or either with higher fees; null while the last attempt may do. */
  #wanted(row: Open, last: Attempt | undefined, { now, isStopped, final, mined }: Known): Wanted | null {
    const cancels = row.cancel_reason !== null
    const market = this.#market
    if (!last) return isStopped && !cancels ? null : { kind: cancels ? 'cancel' : 'send', fees: market }
    const fees = bumpFees(feesOf(last), market)
    if (cancels && last.kind !== 'cancel') return { kind: 'cancel', fees }
    // A deep reorg took away the payout that had been faster than its cancellation.
    if (!cancels && last.kind === 'cancel') return { kind: 'replace', fees }
    if (now - last.created_at < stuckAfter) return null
    const kind = cancels ? 'cancel' : 'replace'
    if (this.isTooLow(last.max_fee)) return { kind, fees }
    // Only the next nonce can be mined: the others may wait for it.
    // guard: tip-raised
    return row.nonce === mined && hasBlocksSince(this.#chain, last, final)
      ? { kind, fees: raiseTip(feesOf(last), market) }
      : null
  }

  /**
   * Limits a fee to the coins of the wallet: nodes refuse what it cannot pay, and may have forgotten an earlier
   * attempt. Null while that is too low for the next block, or to replace the last attempt.
   */
  async #covered({ from_address, intent, gas }: Open, next: Wanted, last: Attempt | undefined): Promise<Wanted | null> {
    const cost =
      next.kind === 'cancel'
        ? { value: 0n, gas: await this.#gasOfCancel(from_address) }
        : { value: coinSentBy(intent), gas, intent }
    const held = await heldBy(this.#chain, null, from_address)
    if (held === null) return null
    const most = (held - cost.value - (await beyondGas(this.#chain, cost.gas, cost.intent))) / cost.gas
    const { maxFeePerGas, maxPriorityFeePerGas } = next.fees
    if (maxFeePerGas <= most) return next
    const lowest = { maxFeePerGas: this.#market.baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas }
    const least = last ? bumpFees(feesOf(last), lowest) : lowest
    return most < least.maxFeePerGas ? null : { ...next, fees: { maxFeePerGas: most, maxPriorityFeePerGas } }
  }

  #gasOfCancel(address: string): Promise<bigint> {
    return this.#chain.gasFor({ from: address, token: null, to: address, amount: 0n })
  }

  /** The intent to sign for a nonce: the original one, or a transfer of zero by the wallet to itself. */
  async #draft({ from_address, nonce, role, intent, gas }: Open, { kind, fees }: Wanted): Promise<Draft> {
    const limit = kind === 'cancel' ? await this.#gasOfCancel(from_address) : gas
    const index = role === 'deposit' && 'index' in intent ? intent.index : null
    const wallet = role === 'sweeper' ? { wallet: role } : {}
    const cancellation = { kind: 'cancel', token: null, to: null, index, amount: '0', ...wallet } as const
    const request = this.#request(kind === 'cancel' ? cancellation : intent, nonce, limit, fees)
    const { maxFeePerGas: max_fee, maxPriorityFeePerGas: max_tip } = fees
    return { kind, request, gas: limit, max_fee, max_tip, expires: null }
  }

  #request(intent: Intent, nonce: number, gas: bigint, { maxFeePerGas, maxPriorityFeePerGas }: Fees): SignRequest {
    const fees = { maxFeePerGas: String(maxFeePerGas), maxPriorityFeePerGas: String(maxPriorityFeePerGas) }
    return { ...intent, chain: this.#chain.definition.id, nonce, gas: String(gas), ...fees } as SignRequest
  }
}

/** Final blocks by which the chain went on while an attempt was passed over. */
const passedOver = 3
/** The final block when an attempt was first found in no block, by chain and transaction id. */
const waitingSince = new WeakMap<Chain, Map<string, number>>()

/** Whether blocks were made without an attempt: while the chain stands still, higher fees help nothing. */
function hasBlocksSince(chain: Chain, { txid }: Attempt, final: number): boolean {
  const since = waitingSince.get(chain) ?? new Map<string, number>()
  waitingSince.set(chain, since)
  const first = since.get(txid) ?? final
  // Those that were mined meanwhile are forgotten too: the others wait three blocks longer.
  if (since.size > 1_000) since.clear()
  since.set(txid, first)
  if (final < first + passedOver) return false
  since.delete(txid)
  return true
}

/**
 * Raises the fees of a transaction that blocks have passed over though it pays their base fee: its tip was too low,
 * whatever nodes reported. The tip is doubled up to the most that is offered at first, and raised by an eighth beyond.
 */
function raiseTip(fees: Fees, market: Market): Fees {
  const twice = fees.maxPriorityFeePerGas * 2n
  const tip = twice < market.mostTip ? twice : market.mostTip
  const least = tip > market.maxPriorityFeePerGas ? tip : market.maxPriorityFeePerGas
  return bumpFees(fees, { maxFeePerGas: market.baseFee * 2n + least, maxPriorityFeePerGas: least })
}
