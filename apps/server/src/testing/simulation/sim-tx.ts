import type { JsonObject } from '@coffer/chains/evm/encoding.ts'

/**
 * A token transfer. `amount` is debited from the payer, or from the address that a stranger has Sweeper empty or the
 * treasury; a fee-on-transfer token keeps `fee` of it.
 */
export type TokenTransfer = { token: string; from?: string; to: string; amount: bigint; fee?: bigint }

/**
 * What a transaction on TRON has: a limit of its fee for energy, in sun; when it expires (ms); which block it names;
 * staked coin that it lends, or takes back (negative); and its fee, 0 until it is in a block.
 */
export type TronTerms = { feeLimit: bigint; expiration: number; refBlock: string; lends: bigint; fee: bigint }

/** A transaction that a wallet of ours signed. `mute`: the token reports success and moves nothing. */
export type Sent = {
  kind: 'sent'
  from: string
  nonce: number
  token: string | null
  to: string
  amount: bigint
  /** What a batch pays in its token: `amount` in all. */
  payments?: readonly { to: string; amount: bigint }[]
  /** Allows Disperse to spend an amount of a token. */
  approves?: { token: string; amount: bigint }
  /**
   * Deposit addresses that Sweeper empties of its token, but for one unit, and those that it is to be authorized for,
   * at a nonce.
   */
  sweeps?: readonly string[]
  authorizes?: readonly { address: string; nonce: number }[]
  /** Of a sweep in a block: the addresses that it delegated, and what left each. */
  delegated?: readonly string[]
  left?: readonly { from: string; to: string; amount: bigint }[]
  maxFee: bigint
  tip: bigint
  /** What it paid for a unit of gas; 0 until it is in a block. */
  price: bigint
  reverted?: boolean
  mute?: boolean
  /** Whether it was in a final block: if it failed there, it fails in another one. */
  wasFinal?: boolean
  tron?: TronTerms
}

/**
 * Effect of a transaction: token transfers, a native coin transfer, or a native coin transfer made by a contract call.
 */
export type Deed =
  | { kind: 'tokens'; transfers: TokenTransfer[]; reverted?: boolean }
  // The treasury sends its own coin, payers any.
  | { kind: 'coin'; from?: string; to: string; amount: bigint; reverted?: boolean }
  | { kind: 'inside'; to: string; amount: bigint; reverted?: boolean }

export type SimTx = (Deed | Sent) & { txid: string; json: JsonObject }

/** A contract's Transfer log, without block and index. */
export type SimLog = { token: string; from: string; to: string; amount: bigint }

export const payer = '0x00000000000000000000000000000000000000aa'

/** Addresses outside of which each sends one transfer of a sibling. */
const senders = '0x5e4d'
/** Where tokens come from that are issued in the transaction that sends them. */
export const nobody = `0x${'0'.repeat(40)}`
export const senderAt = (number: number): string => `${senders}${number.toString(16).padStart(36, '0')}`
export const isSender = (address: string): boolean => address.startsWith(senders)
const collector = '0x00000000000000000000000000000000000000fe'

/** Returns the logs of a transaction in order. */
export function logsOf(tx: SimTx): SimLog[] {
  if (tx.kind === 'sent') {
    const { token, from, payments = [tx] } = tx
    if (token === null || tx.reverted || tx.mute) return []
    if (tx.sweeps) return (tx.left ?? []).map(each => ({ token, ...each }))
    return payments.map(({ to, amount }) => ({ token, from, to, amount }))
  }
  if (tx.kind !== 'tokens' || tx.reverted) return []
  return tx.transfers.flatMap(({ token, from = payer, to, amount, fee = 0n }) => [
    { token, from, to, amount: amount - fee },
    ...(fee > 0n ? [{ token, from: payer, to: collector, amount: fee }] : []),
  ])
}
