import type { BlockId, Receipt } from '@coffer/chains'
import type { Queryable } from './kit/db.ts'
import type { UnitOfWork } from './kit/unit-of-work.ts'
import type { PayoutRelease } from './signer/protocol.ts'

export type { PayoutRelease }

/** What an outgoing transaction is sent for. Stored in the database: never rename one. */
export type OwnerKind = 'withdrawal' | 'sweep' | 'refund'

/**
 * One obligation that a transaction carries, such as a withdrawal. The database refuses a second transaction for the
 * same owner, merchant and id while the first can still pay it.
 */
export interface OutgoingItem {
  owner: OwnerKind
  merchant_id: string
  id: string
  /** What the receiver gets, in base units. */
  amount: bigint
}

/** A payout that the hot wallet owes. */
export interface Payout extends OutgoingItem {
  asset_id: string
  /** Token contract in stored form; null for the native coin. */
  token: string | null
  /** Receiver in stored form. */
  to: string
  /** Since when it is due, in Unix seconds. */
  since: number
  /** Why it waits, as passed to `unsent`; empty if it does not. */
  waits: string
  /** A person's signature, with which the signer pays it. */
  release?: PayoutRelease
}

/** Identifies a transaction before it is signed: a nonce is taken for one intent and never for another. */
export interface OutgoingId {
  chain_id: string
  from_address: string
  nonce: number
}

/**
 * Callbacks of a domain that sends money. All but `due` and `unassigned` run inside the database transaction that
 * changes the state of the outgoing transaction, so both change together, and each change is reported once. A reorg may
 * take a transaction out of its block and into another; after `final`, `failed`, `voided` or `takenBack` nothing more
 * is reported about it, unless a deep reorg takes its final block away: then how it ended anew is reported by
 * `restored`, `undone` or `made`.
 */
export interface OutgoingOwner {
  /** Reads payouts that may be sent on a chain, oldest first. Locks nothing. */
  due: (c: Queryable, chainId: string, limit: number) => Promise<Payout[]>
  /** Reads payouts of a chain without a transaction, also those that may not be sent now. Locks nothing. */
  unassigned: (c: Queryable, chainId: string, limit: number) => Promise<OutgoingItem[]>
  /**
   * Locks the items and marks them as taken by a transaction. Returns false when one of them is no longer due, for
   * example because it was cancelled meanwhile: nothing is sent then.
   */
  sent: (uow: UnitOfWork, items: readonly OutgoingItem[], id: OutgoingId) => Promise<boolean>
  /**
   * A payout without a nonce waits, as for a limit of the signer, or is void because the signer or the chain refuses
   * it. Returns false, and does nothing, when it has a nonce meanwhile, is no longer due, or waits for this reason
   * already.
   */
  unsent: (uow: UnitOfWork, item: OutgoingItem, event: 'waits' | 'voided', reason: string) => Promise<boolean>
  /** Leaves out the payouts that transactions of this owner will soon carry. */
  withoutCarried?: (chainId: string, payouts: readonly Payout[]) => Promise<Payout[]>
  /** The transaction is in a block that most nodes have. */
  inBlock: (uow: UnitOfWork, items: readonly OutgoingItem[], at: { txid: string; block: BlockId }) => Promise<void>
  /** A reorg removed the block. The transaction is sent again with the same nonce. */
  outOfBlock: (uow: UnitOfWork, items: readonly OutgoingItem[]) => Promise<void>
  /** The transaction succeeded and is final. The engine has posted its fee to the house's gas account. */
  final: (uow: UnitOfWork, items: readonly OutgoingItem[], receipt: Receipt) => Promise<void>
  /**
   * The transaction reverted and is final. Nothing was paid. The amount stays reserved until a person decides; paying
   * again takes another nonce.
   */
  failed: (uow: UnitOfWork, items: readonly OutgoingItem[], reason: string) => Promise<void>
  /**
   * Another transaction with this nonce is final, so this one can never be in a block. `reason` is that of the person
   * who cancelled it, or begins with `signer:` when the signer refused to sign it.
   */
  voided: (uow: UnitOfWork, items: readonly OutgoingItem[], reason: string) => Promise<void>
  /**
   * A batch ended without paying, not because of these items: they are due again, each for a transaction of its own.
   */
  takenBack: (uow: UnitOfWork, items: readonly OutgoingItem[], reason: string) => Promise<void>
  /** What was reported as `final` has succeeded again, in another block and maybe by other signed bytes. */
  restored: (uow: UnitOfWork, items: readonly OutgoingItem[], receipt: Receipt) => Promise<void>
  /**
   * What was reported as `final` is not: the transaction is final without having paid, or can be in no block any more.
   */
  undone: (uow: UnitOfWork, items: readonly OutgoingItem[], reason: string) => Promise<void>
  /** What was reported as failed, voided or taken back has succeeded. */
  made: (uow: UnitOfWork, items: readonly OutgoingItem[], receipt: Receipt) => Promise<void>
}

/** Owners by kind, supplied by `serve.ts`. */
export type OutgoingOwners = Partial<Record<OwnerKind, OutgoingOwner>>
