import type { ChainKind } from '@coffer/chains'

/**
 * A transaction to sign. Amounts and fees are base units as decimal strings.
 * - transfer: the hot wallet pays a receiver (withdrawals and refunds).
 * - sweep: a deposit address sends its balance to the hot wallet.
 * - gas: the hot wallet sends a deposit address the native coin for its sweep.
 * - cancel: the hot wallet uses up a nonce with a transfer of zero to itself.
 */
export type SignRequest = {
  kind: 'transfer' | 'sweep' | 'gas' | 'cancel'
  /** Coffer's id of the chain, such as `eth`. */
  chain: string
  /** Token contract in stored form; null for the native coin. */
  token: string | null
  /** Receiver of a transfer in stored form; null for the other kinds, whose receiver is implied. */
  to: string | null
  /** Index of the deposit address (sweep and gas); null for the other kinds. */
  index: number | null
  amount: string
  nonce: number
  gas: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}

export type Signed = { raw: string; txid: string; from: string; to: string }

export type SignerRequest =
  | { id: number; op: 'xpub' | 'hot'; kind: ChainKind }
  | { id: number; op: 'sign'; request: SignRequest }

/** Why the signer refused a request. */
export type SignerRefusal =
  | 'bad_request'
  | 'unknown_chain'
  | 'asset_not_allowed'
  | 'bad_address'
  | 'not_on_list'
  | 'too_large'
  | 'daily_limit'
  | 'fee_too_high'
  | 'nonce_taken'

export type SignerAnswer = { id: number; result: unknown } | { id: number; refused: SignerRefusal }

/** Longest accepted line, in bytes. */
export const LONGEST_LINE = 16 * 1024

const KEYS = ['amount', 'chain', 'gas', 'index', 'kind', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce', 'to', 'token']
const UNITS = /^(0|[1-9][0-9]{0,77})$/
const LARGEST_INDEX = 2 ** 31 - 1

/** Whether a value is exactly a SignRequest, without extra fields. */
export function isSignRequest(value: unknown): value is SignRequest {
  if (typeof value !== 'object' || value === null) return false
  const it = value as Record<string, unknown>
  if (Object.keys(it).sort().join() !== KEYS.join()) return false
  const units = (text: unknown) => typeof text === 'string' && UNITS.test(text)
  const whole = (n: unknown, most: number) => Number.isSafeInteger(n) && (n as number) >= 0 && (n as number) <= most
  const textOrNull = (text: unknown) => text === null || (typeof text === 'string' && text.length <= 64)
  const indexed = it.kind === 'sweep' || it.kind === 'gas'
  return (
    ['transfer', 'sweep', 'gas', 'cancel'].includes(it.kind as string) &&
    typeof it.chain === 'string' &&
    textOrNull(it.token) &&
    textOrNull(it.to) &&
    (it.kind === 'transfer') === (it.to !== null) &&
    (indexed ? whole(it.index, LARGEST_INDEX) : it.index === null) &&
    whole(it.nonce, Number.MAX_SAFE_INTEGER) &&
    [it.amount, it.gas, it.maxFeePerGas, it.maxPriorityFeePerGas].every(units)
  )
}
