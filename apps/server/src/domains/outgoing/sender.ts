import {
  type AccountChain,
  type BlockId,
  CallRefused,
  type Chain,
  type ChainDefinition,
  type ChainView,
  type ExpiringPayouts,
  type Fees,
  type Payout,
  type Receipt,
  type SendResult,
} from '@coffer/chains'
import { parseDecimal } from '@coffer/contract'
import type { SignRequest } from '../../signer/protocol.ts'
import type { OpenOutgoing, OutgoingAttempt } from './store.ts'

/** A chain whose transactions expire instead of having nonces. */
export type ChainWithExpiry = AccountChain & { readonly expiring: ExpiringPayouts }

/** A chain on which transactions of ours can be sent. */
export type PayableChain = Chain | ChainWithExpiry

/** Whether payouts can be sent on a chain. */
export const isPayable = (chain: ChainView): chain is PayableChain => 'fees' in chain || chain.expiring !== undefined

/** A block in which a transaction is, by what nodes report. */
export type MinedTransaction = { txid: string; block: BlockId }

/**
 * How transactions of ours are sent on a chain: what each kind of chain supplies to the one engine. What is optional is
 * absent where a kind has no such thing.
 */
export interface SendingStrategy {
  readonly kind: 'evm' | 'tron'
  /** Reads what transactions cost now and are signed with. */
  terms(): Promise<FeeTerms>
  /**
   * Returns a limit (`gas`) for a transfer, with a margin. `isOutside`: also for a receiver whose balance others may
   * take until it is executed. Rejects with CallRefused if it would fail.
   */
  limitFor(transfer: Spending, isOutside?: boolean): Promise<bigint>
  /** Returns what a transfer costs at most at present, to whatever address, in base units of the native coin. */
  usualFee(isToken: boolean): Promise<bigint>
  /** Returns a limit that suffices for a payout to nearly any receiver. */
  ampleLimit(): Promise<bigint>
  /** Broadcasts signed bytes to every node. Never rejects: after a failure the outcome is unknown. */
  send(raw: string): Promise<SendResult>
  /**
   * Returns the receipt of a transaction in a block, verified or as most nodes report it; null if that is not certain.
   */
  certainReceipt(txid: string, block: BlockId): Promise<Receipt | null>
  /** Whether a transaction that reverted had too low a limit. */
  isExhausted(receipt: Receipt, gas: bigint): boolean
  /** The nonces that transactions of a wallet use up, one after the other. Absent: each goes by itself. */
  nonces?: WalletNonces
  /** Whether an attempt that has expired can be in no block for certain, though a node names one. */
  isDead?(attempt: OutgoingAttempt): Promise<boolean>
  /** Why an attempt that has expired, and that a node names in a block, waits for an operator; null if it does not. */
  doubtOf?(attempt: OutgoingAttempt): Promise<string | null>
  /**
   * Looks for a transaction that a deep reorg took out of its block: `dropped`, it can be in no block any more;
   * `absent`, most nodes have it in none; null, neither is certain.
   */
  findLost(attempts: readonly OutgoingAttempt[]): Promise<'dropped' | 'absent' | null>
}

/** A transfer to send. `from` is the wallet that pays; coins without accounts may come from many addresses, or none. */
type Spending = Omit<Payout, 'from'> & { from?: string | readonly string[] }

export interface WalletNonces {
  /** Returns the next nonce of a wallet by its blocks: each below is used up. */
  next(address: string): Promise<number>
  /** Whether most nodes have had none of our attempts since the nonce was first found used up. */
  isTaken(row: OpenOutgoing, attempts: readonly OutgoingAttempt[]): Promise<boolean>
}

/** What transactions cost and are signed with, for one pass over a chain. */
export interface FeeTerms {
  /**
   * What a limit costs at most, in base units of the native coin. `maxFee` is what was signed for a unit of it, by
   * default what would be now.
   */
  most(gas: bigint, maxFee?: bigint): bigint
  /** What a limit costs if all of it is used, in base units of the native coin. */
  usual(gas: bigint): bigint
  /** Whether a transaction gets into no block with what was signed for a unit of its limit. */
  isTooLow?(maxFee: bigint): boolean
  /** Returns the request with which the signer is asked whether it would sign a transaction now. */
  question(of: NumberedTransaction, now: number): SignRequest
  /** Says what is to be done about a transaction that is in no block. */
  next(
    row: OpenOutgoing,
    attempts: readonly OutgoingAttempt[],
    known: PendingTransactionContext,
  ): Promise<NextAttemptStep>
}

/** A transaction under its number: a nonce of its wallet or, where there are none, a count of ours. */
export type NumberedTransaction = Pick<OpenOutgoing, 'nonce' | 'intent' | 'gas'>

/** What the engine knows of a transaction that is in no block. */
export interface PendingTransactionContext {
  now: number
  /** Whether no new payout may be signed. */
  isStopped: boolean
  /** The chain's final block. */
  final: number
  /** The next nonce of its wallet; null where there are none. */
  mined: number | null
}

/**
 * What is done next: the next attempt is signed (`draft` gives null while it cannot be), the last one broadcast again,
 * nothing until something changes, also for a reason that an operator reads (`reason`), or it ends, since nothing of it
 * can be in a block.
 */
export type NextAttemptStep =
  | { draft: () => Promise<AttemptDraft | null> }
  | 'again'
  | 'wait'
  | { reason: string }
  | 'end'

/**
 * What an attempt uses up, so that no two of a transaction can be in blocks: a nonce of its wallet, or the time until
 * it expires (ms since 1970), before which no other is signed.
 */
export type ConsumedByAttempt = { nonce: number } | { expires: number }

/** An attempt before it is signed. */
export interface AttemptDraft extends Pick<OutgoingAttempt, 'kind' | 'gas'> {
  request: SignRequest
  /** Absent where nothing but its limit bounds what it costs: a unit of that is one of the native coin. */
  fees?: Fees
  /** Absent where its inputs say that, as unspent outputs do. */
  consumed?: ConsumedByAttempt
}

/** Whether an attempt has not expired. */
export const isAttemptLive = ({ expires }: OutgoingAttempt, now: number): boolean =>
  expires === null || now * 1_000 <= expires

/** Returns the limit for a transfer between addresses of ours, or null if it would fail. */
export async function estimateTransferLimit(sending: SendingStrategy, transfer: Payout): Promise<bigint | null> {
  try {
    return await sending.limitFor(transfer)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** Estimates the gas that a transfer takes for its data, where gas pays for it and no estimate has counted it. */
export const estimateDataGas = async (chain: ChainView): Promise<bigint> => (await chain.dataGas?.()) ?? 0n

/**
 * Quotes what a chain charges a transfer, or a transaction of so many bytes, beyond its gas, in base units of the
 * native coin.
 */
export const quoteDataFee = async (chain: ChainView, gas: bigint, bytes?: number): Promise<bigint> =>
  (await chain.dataFee?.(gas, bytes)) ?? 0n

/**
 * Reads what an address has now, proven or as most nodes report it; null where that is not certain. `token` null is the
 * native coin.
 */
export const readCertainBalance = async (
  chain: AccountChain,
  token: string | null,
  address: string,
): Promise<bigint | null> =>
  /* guard: held-certain */ (await chain.certainBalances(token, [address]))[0] /* end */ ?? null

/** The most that a chain may charge one transaction of ours beyond its gas, in base units of the native coin. */
export const computeMaxSurcharge = ({ surcharge, native }: ChainDefinition): bigint =>
  surcharge ? parseDecimal(surcharge.most, native.decimals)! : 0n
