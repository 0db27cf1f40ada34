import { bumpFees, type Chain, type FeeMarket, type Fees, type Payout } from '@coffer/chains'
import type { SignRequest } from '../../signer/protocol.ts'
import { quoteNonGasFee } from './costs.ts'
import {
  type AttemptDraft,
  estimateDataGas,
  type FeeTerms,
  type PendingTransactionContext,
  quoteDataFee,
  readCertainBalance,
  type SendingStrategy,
} from './sender.ts'
import {
  computeSentNativeCoin,
  type OpenOutgoing,
  type OutgoingAttempt,
  type TransactionIntent,
  toAttemptFees,
} from './store.ts'

/** Gas that a transfer uses at most: plain, and of a token to an address that has none of it yet. */
const gasUsed = { native: 21_000n, token: 65_000n }
/** Gas that suffices for nearly any transfer. */
const ampleGas = 90_000n
/** Seconds in no block after which fees are raised. */
const bumpAfter = 180

/**
 * Sending where a transaction uses up a nonce of its wallet. Its attempts differ by their fees: one replaces another
 * until one is in a block, and a transfer of nothing to its own wallet cancels it. None expires, so any may be mined.
 */
export const createEvmSending = (chain: Chain): SendingStrategy => ({
  kind: 'evm',
  nonces: {
    next: address => chain.nonce(address),
    isTaken: (row, attempts) => isTaken(chain, row, attempts),
  },
  terms: async () => evmTerms(chain, await chain.fees()),
  limitFor: (transfer: Payout) => chain.gasFor(transfer),
  async usualFee(isToken) {
    const [{ baseFee, maxPriorityFeePerGas }, ofData] = await Promise.all([chain.fees(), estimateDataGas(chain)])
    const gas = (isToken ? gasUsed.token : gasUsed.native) + ofData
    return gas * (baseFee + maxPriorityFeePerGas) + (await quoteDataFee(chain, gas))
  },
  ampleLimit: async () => ampleGas + (await estimateDataGas(chain)),
  send: raw => chain.send(raw),
  certainReceipt: (txid, block) => chain.certainReceipt(txid, block),
  isExhausted: ({ gasUsed }, gas) => gasUsed >= gas,
  async findLost(attempts) {
    // guard: lost-absent
    for (const { txid } of attempts) if (!(await chain.isUnknown(txid))) return null
    return 'absent'
  },
})

/** The head at which a nonce was first found used up without a receipt of ours, by chain. */
const takenAt = new WeakMap<Chain, Map<string, number>>()

/**
 * Whether somebody else has used up a nonce: no node has a receipt of ours, also a block later, since nodes may index
 * one late. Most nodes must have answered that they have none of ours.
 */
async function isTaken(
  chain: Chain,
  { from_address, nonce }: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
): Promise<boolean> {
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
type Wanted = { kind: OutgoingAttempt['kind']; fees: Fees }

const evmTerms = (chain: Chain, market: FeeMarket): FeeTerms => ({
  most: (gas, maxFee = market.maxFeePerGas) => gas * maxFee,
  usual: gas => gas * (market.baseFee + market.maxPriorityFeePerGas),
  isTooLow: maxFee => market.baseFee > maxFee,
  question: ({ intent, nonce, gas }) => requestOf(chain, intent, nonce, gas, market),
  async next(row, attempts, known) {
    const last = attempts.at(-1)
    const wanted = chooseAttempt(chain, market, row, last, known)
    // A deposit address has been sent the gas for its sweep, and no more.
    const isScarce = wanted !== null && (wanted.kind === 'replace' || row.role === 'deposit')
    // guard: fee-covered
    const next = isScarce ? await capFee(chain, market, row, wanted, last) : wanted
    return next ? { draft: () => draftOf(chain, row, next) } : 'again'
  },
})

/** What to sign: the payout, its cancellation, or either with higher fees; null while the last attempt may do. */
function chooseAttempt(
  chain: Chain,
  market: FeeMarket,
  row: OpenOutgoing,
  last: OutgoingAttempt | undefined,
  { now, isStopped, final, mined }: PendingTransactionContext,
): Wanted | null {
  const cancels = row.cancel_reason !== null
  if (!last) return isStopped && !cancels ? null : { kind: cancels ? 'cancel' : 'send', fees: market }
  const fees = bumpFees(toAttemptFees(last), market)
  if (cancels && last.kind !== 'cancel') return { kind: 'cancel', fees }
  // A deep reorg took away the payout that had been faster than its cancellation.
  if (!cancels && last.kind === 'cancel') return { kind: 'replace', fees }
  if (now - last.created_at < bumpAfter) return null
  const kind = cancels ? 'cancel' : 'replace'
  if (market.baseFee > last.max_fee) return { kind, fees }
  // Only the next nonce can be mined: the others may wait for it.
  // guard: tip-raised
  return row.nonce === mined && hasBlocksSince(chain, last, final)
    ? { kind, fees: raiseTip(toAttemptFees(last), market) }
    : null
}

/**
 * Limits a fee to the coins of the wallet: nodes refuse what it cannot pay, and may have forgotten an earlier attempt.
 * Null while that is too low for the next block, or to replace the last attempt.
 */
async function capFee(
  chain: Chain,
  market: FeeMarket,
  { from_address, intent, gas }: OpenOutgoing,
  next: Wanted,
  last: OutgoingAttempt | undefined,
): Promise<Wanted | null> {
  const cost =
    next.kind === 'cancel'
      ? { value: 0n, gas: await gasOfCancel(chain, from_address) }
      : { value: computeSentNativeCoin(intent), gas, intent }
  const held = await readCertainBalance(chain, null, from_address)
  if (held === null) return null
  const most = (held - cost.value - (await quoteNonGasFee(chain, cost.gas, cost.intent))) / cost.gas
  const { maxFeePerGas, maxPriorityFeePerGas } = next.fees
  if (maxFeePerGas <= most) return next
  const lowest = { maxFeePerGas: market.baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas }
  const least = last ? bumpFees(toAttemptFees(last), lowest) : lowest
  return most < least.maxFeePerGas ? null : { ...next, fees: { maxFeePerGas: most, maxPriorityFeePerGas } }
}

const gasOfCancel = (chain: Chain, address: string): Promise<bigint> =>
  chain.gasFor({ from: address, token: null, to: address, amount: 0n })

/** The intent to sign for a nonce: the original one, or a transfer of zero by the wallet to itself. */
async function draftOf(
  chain: Chain,
  { from_address, nonce, role, intent, gas }: OpenOutgoing,
  { kind, fees }: Wanted,
): Promise<AttemptDraft> {
  const limit = kind === 'cancel' ? await gasOfCancel(chain, from_address) : gas
  const index = role === 'deposit' && 'index' in intent ? intent.index : null
  const wallet = role === 'sweeper' ? { wallet: role } : {}
  const cancellation = { kind: 'cancel', token: null, to: null, index, amount: '0', ...wallet } as const
  const request = requestOf(chain, kind === 'cancel' ? cancellation : intent, nonce, limit, fees)
  return { kind, request, gas: limit, fees, consumed: { nonce } }
}

function requestOf(chain: Chain, intent: TransactionIntent, nonce: number, gas: bigint, fees: Fees): SignRequest {
  const maxFeePerGas = String(fees.maxFeePerGas)
  const maxPriorityFeePerGas = String(fees.maxPriorityFeePerGas)
  const terms = { gas: String(gas), maxFeePerGas, maxPriorityFeePerGas }
  return { ...intent, chain: chain.definition.id, nonce, ...terms } as SignRequest
}

/** Final blocks by which the chain went on while an attempt was passed over. */
const passedOver = 3
/** The final block when an attempt was first found in no block, by chain and transaction id. */
const waitingSince = new WeakMap<Chain, Map<string, number>>()

/** Whether blocks were made without an attempt: while the chain stands still, higher fees help nothing. */
function hasBlocksSince(chain: Chain, { txid }: OutgoingAttempt, final: number): boolean {
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
function raiseTip(fees: Fees, market: FeeMarket): Fees {
  const twice = fees.maxPriorityFeePerGas * 2n
  const tip = twice < market.mostTip ? twice : market.mostTip
  const least = tip > market.maxPriorityFeePerGas ? tip : market.maxPriorityFeePerGas
  return bumpFees(fees, { maxFeePerGas: market.baseFee * 2n + least, maxPriorityFeePerGas: least })
}
