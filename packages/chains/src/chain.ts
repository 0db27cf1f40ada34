import type { ChainDefinition } from './definitions.ts'

/** A block as far as following a chain needs it. `time` is in unix seconds. */
export type BlockRef = { number: number; hash: string; parentHash: string; time: number }

/** The two fields by which a block is remembered. */
export type BlockId = { number: number; hash: string }

/** Money that arrived. Addresses and contracts are in the stored form (see `AddressForm`). */
export type Transfer = {
  chain: string
  txid: string
  blockNumber: number
  blockHash: string
  /** Unix seconds. */
  blockTime: number
  /** Place of the log in its block; of a native transfer `-1 - index of the transaction`, so that no two are alike. */
  logIndex: number
  /** Which transfer of this token within the transaction it is, from 0. Unlike logIndex it survives a reorg. */
  ordinal: number
  /** The token's contract, or null for the native coin. */
  token: string | null
  from: string
  to: string
  /** Base units, above zero. What the chain says arrived, not what was sent. */
  amount: bigint
}

/** What a transfer is told by: where it is in which block, and what it brings to whom. */
export type ReportedTransfer = Pick<Transfer, 'txid' | 'blockHash' | 'token' | 'ordinal' | 'to' | 'amount'>

export type TransferFilter = {
  /** Contracts that count, in the stored form. Anything else is not seen at all. */
  tokens: readonly string[]
  /** Whether native coin sent by a plain transaction counts. */
  native: boolean
  /** Must know an address before anybody is shown it: blocks are read ahead and never read again. */
  isOurs: (address: string) => boolean
  /** A quick look at hex text that ends in an address: false when it cannot be ours. `AddressSet` has one. */
  mayBeOurs?: (hex: string) => boolean
}

/** `scanned` counts the transfers that were read to find ours, so that the caller can choose the size of ranges. */
export type Scan = { transfers: Transfer[]; scanned: number }

/** The scan of a range, with its first and last block. */
export type RangeScan = Scan & { first: BlockRef; last: BlockRef }

/** Base units of the native coin for each unit of gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

export type Receipt = {
  txid: string
  blockNumber: number
  blockHash: string
  status: 'success' | 'reverted'
  gasUsed: bigint
  /** Base units of the native coin for each unit of gas. */
  gasPrice: bigint
  /** What the transaction cost in base units of the native coin. */
  fee: bigint
}

/** What became of a broadcast. Not accepted means unknown, never "did not happen". */
export type Sent = { txid: string; accepted: boolean; reason: string | null }

/** One payment that is to be sent from `from`. */
export type Payout = { from: string; token: string | null; to: string; amount: bigint }

/** What is needed to take deposits on a chain. All calls may reject with an error of errors.ts. */
export interface ChainView {
  readonly definition: ChainDefinition

  /** The newest block of the best node that answers. */
  head(): Promise<BlockRef>
  /** The block at this height, or null when no node has it yet. */
  blockAt(number: number): Promise<BlockRef | null>
  /** Transfers to us in exactly this block. Rejects with BlockGone when no node knows that hash. */
  transfersIn(block: BlockRef, filter: TransferFilter): Promise<Scan>
  /** Transfers to us from one height to another, both included and too deep to change. BlockGone as above. */
  transfersRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan>
  /**
   * Whether more of the nodes have this block than have another one at its height, none yet, or fail; those that have failed
   * for a minute are not counted, and of three nodes or more two must have it. With `depth` they must have as many blocks
   * from it on, its own included.
   */
  agreesOn(block: BlockId, depth?: number): Promise<boolean>
  /** Whether more of the nodes have another block at this height than do not, counted alike. */
  isReorgedOut(block: BlockId): Promise<boolean>

  /**
   * Those of the transfers that more of the nodes have in these blocks than do not, counted as in `agreesOn`: a block that all
   * have says nothing of what one of them tells is in it. Missing where a node is asked twice in other words instead.
   */
  confirmedByQuorum?<T extends ReportedTransfer>(transfers: readonly T[]): Promise<T[]>

  /** The receipt of a transaction that is in a block, or null. */
  receipt(txid: string): Promise<Receipt | null>
  /**
   * Balance in base units, now or as of a block; `token` null is the native coin. Rejects with CallRefused for a block
   * on a chain that does not remember.
   */
  balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint>
  /**
   * Whether more of the nodes that remember say that the address held this much of the native coin than say otherwise. Missing
   * where nodes do not remember.
   */
  agreesOnBalance?(address: string, block: BlockId, balance: bigint): Promise<boolean>
  /**
   * For a chain that does not remember: what addresses hold of the native coin in the newest block that its nodes count as
   * final, in their order. Null when a block came between the questions: ask again.
   */
  settledBalances?(addresses: readonly string[]): Promise<{ block: BlockId; balances: bigint[] } | null>
}

/** A chain on which we also pay. */
export interface Chain extends ChainView {
  /** Fees that get a transaction into one of the next blocks. */
  fees(): Promise<Fees>
  /** Gas that this payout may use, with a margin. Rejects with CallRefused when it would fail. */
  gasFor(payout: Payout): Promise<bigint>
  /** How many transactions of this address are in blocks: every nonce below has been used. */
  nonce(address: string): Promise<number>
  /** Gives the signed bytes to every node. Never rejects: a failure leaves the outcome unknown. */
  send(raw: string): Promise<Sent>
}
