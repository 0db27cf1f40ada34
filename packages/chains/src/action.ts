import type { BlockId, Fees, Payment } from './chain.ts'
import type { ChainKind } from './definitions.ts'

/** Most payments of a batch, and most addresses of a sweep. */
export const MAX_BATCH_SIZE = 50

/**
 * An address to sweep. With `authorize` it is delegated first, in the same transaction, by its key or as signed in
 * advance.
 */
export type SweptAddress = {
  address: string
  authorize: (({ privateKey: Uint8Array } | { signature: string }) & { nonce: number }) | null
}

/** What a transaction of ours does. Amounts are in base units; `token` null is the native coin. */
export type ChainAction =
  | ({ does: 'transfer'; token: string | null } & Payment)
  /** Pays from the sender's allowance for Disperse. */
  | { does: 'batch'; token: string; payments: readonly Payment[] }
  /** Sets the sender's allowance for Disperse. */
  | { does: 'approve'; token: string; amount: bigint }
  /** Moves all but one unit of each address to the treasury. */
  | { does: 'sweep'; token: string | null; treasury: string; owners: readonly SweptAddress[] }
  /** TRON: lends the energy of this much staked coin to an address, or takes it back. */
  | ({ does: 'delegate' | 'undelegate' } & Payment)

/** What varies between the attempts to send one transaction with a nonce. */
export type EvmTerms = { kind: 'evm'; chainId: number; nonce: number; gas: bigint; fees: Fees }

/**
 * Of a transaction on TRON, which has no nonces: a block that it refers to, and the time after which no block may
 * contain it. Times are in milliseconds since 1970, `feeLimit`, which limits the fee for energy, in base units of the
 * native coin.
 */
export type TronTerms = { kind: 'tron'; refBlock: BlockId; timestamp: number; expiration: number; feeLimit: bigint }

export type TransactionTerms = Extract<EvmTerms | TronTerms, { kind: ChainKind }>
