import type { ChainDefinition } from './definitions.ts'

/** A block header, as far as following a chain needs it. `time` is in Unix seconds. */
export type BlockRef = { number: number; hash: string; parentHash: string; time: number }

/** Identifies a block. */
export type BlockId = { number: number; hash: string }

/** A transfer in a block. Addresses and contracts are in the stored form (see `AddressForm`). */
export type Transfer = {
  chain: string
  txid: string
  blockNumber: number
  blockHash: string
  /** In Unix seconds. */
  blockTime: number
  /** Index of the log in its block; negative for a native transfer. Unique within the block. */
  logIndex: number
  /**
   * Position of the log in the receipt of its transaction, from 0; of a native transfer, its output. Unlike logIndex it
   * survives a reorg: chain, transaction, token and ordinal identify a deposit.
   */
  ordinal: number
  /** Contract of the token, or null for the native coin. */
  token: string | null
  /** Empty on chains of unspent outputs, whose inputs have no single owner. */
  from: string
  to: string
  /** In base units, above zero. What the receiver got, which may be less than what was sent. */
  amount: bigint
}

export type TransferFilter = {
  /** Accepted token contracts, in the stored form. Transfers of other tokens are ignored. */
  tokens: readonly string[]
  /** Whether to include native coin sent by a plain transaction. */
  native: boolean
  /** Must know an address before a payer is shown it: blocks are read ahead, and only once. */
  isOurs: (address: string) => boolean
  /** A fast prefilter by the last 24 bits of an address: false if it cannot be ours. See `AddressSet`. */
  mayBeOurs?: (tail: number) => boolean
}

/**
 * What vouches for what a node sent of blocks, on chains where roots do not vouch for all. The header has its hash, and
 * `whole`: its roots cover all that the block can hold; `part`: all but transactions that the chain itself may add;
 * `logs`: its root covers the logs, but not of which transactions they are; `bloom`: the logs fit its bloom. `beside`:
 * ids of transactions of which the roots say nothing.
 */
export type Proof = { rank: 'whole' | 'part' | 'logs' | 'bloom'; beside: readonly string[] }

/**
 * `scanned` counts all transfers read, ours or not; callers size their ranges by it. Without a proof, a node's word
 * alone stands for them; `by` is its URL, if it was one node's.
 */
export type Scan = { transfers: Transfer[]; scanned: number; proof?: Proof; by?: string }

/** The scan of a range, with the first and last block of the range. */
export type RangeScan = Scan & { first: BlockRef; last: BlockRef }

/** Fees of EIP-1559, in base units of the native coin per unit of gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * Fees that get a transaction into one of the next blocks. Below `baseFee`, the least of the next block, none gets in.
 * `mostTip` is the highest priority fee that a first offer may have.
 */
export type FeeMarket = Fees & { baseFee: bigint; mostTip: bigint }

export type Receipt = {
  txid: string
  blockNumber: number
  blockHash: string
  status: 'success' | 'reverted'
  gasUsed: bigint
  /** In base units of the native coin per unit of gas. */
  gasPrice: bigint
  /** Total cost of the transaction in base units of the native coin. */
  fee: bigint
  /** The part of it that the chain charges beyond gas; see `surcharge` of the definition. Absent: nothing. */
  surcharge?: bigint
  /** TRON: whether it reverted because its limit did not buy enough energy. */
  isOutOfEnergy?: boolean
  /** Token transfers that it logged. Native coin is not logged. */
  transfers: LoggedTransfer[]
}

/** Addresses and contracts are in the stored form. */
export type LoggedTransfer = Pick<Transfer, 'from' | 'to' | 'amount'> & { token: string }

/** Outcome of a broadcast. If not accepted, the outcome is unknown: the transaction may still be mined. */
export type SendResult = { txid: string; accepted: boolean; reason: string | null }

/** A transfer to send from `from`. */
export type Payout = { from: string; token: string | null; to: string; amount: bigint }

/** Amount for one receiver of a batch, in base units. */
export type Payment = { to: string; amount: bigint }

/**
 * Native balances that several nodes reported at heights from `oldest` to `block`; null where they do not agree. Each
 * may be that of up to `slack` blocks before or after.
 */
export type RecentBalances = { block: BlockId; oldest: number; slack: number; balances: (bigint | null)[] }

/** An account as of the latest block. `delegatedTo` is the contract that it delegates to (EIP-7702), or null. */
export type AccountState = { nonce: number; delegatedTo: string | null }

/**
 * A chain on which deposits are accepted. Every call may reject with an error of errors.ts.
 *
 * A quorum is a majority of the nodes. A node that fails or refuses to answer counts as a vote against for one minute,
 * then not at all until it answers again. With three nodes or more, at least two must agree.
 */
export interface ChainView {
  readonly definition: ChainDefinition

  /** Returns the highest head that most of the answering nodes have reached. */
  head(): Promise<BlockRef>
  /**
   * Returns the newest head that any node has reported, without waiting for slow ones: a hint, to be confirmed by
   * votes.
   */
  newestHead(): Promise<BlockRef>
  /** Returns the block that most of the answering nodes have at this height, or null if there is none. */
  blockAt(number: number): Promise<BlockRef | null>
  /** Returns the transfers to us in exactly this block. Rejects with BlockOrphaned if no node knows its hash. */
  transfersIn(block: BlockId, filter: TransferFilter): Promise<Scan>
  /** Returns the transfers to us in a range of heights, inclusive and too deep to reorg. BlockOrphaned as above. */
  transfersRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan>
  /** Whether a quorum has this block, `depth` blocks deep with its own included. A node without it votes against. */
  agreesOn(block: BlockId, depth?: number): Promise<boolean>
  /**
   * Whether a quorum has just reported this block, so that nobody need be queried whether it has the block, and those
   * that it descends from by hashes. Absent where that is not known.
   */
  isReported?(block: BlockId): boolean
  /** Whether a quorum has another block at this height. */
  isReorgedOut(block: BlockId): Promise<boolean>

  /** Whether the transfers read are verified by hashes, so that a node can withhold them but not change them. */
  readonly isVerified: boolean
  /**
   * On chains that are not verified: the transfers to us in the blocks `from` to `last` on which a quorum agrees,
   * transaction by transaction; null while there is none.
   */
  agreed(from: number, last: BlockId, filter: TransferFilter): Promise<Transfer[] | null>
  /**
   * Returns when the chain forks next (Unix seconds), by what any node has scheduled, if this version was not written
   * for that fork; null if none is known. Absent where nodes do not tell.
   */
  unknownFork?(): Promise<number | null>
  /**
   * Compares a block of each node with that of most, and reports each by the option `onCompared`. Absent where there
   * are no nodes.
   */
  compareNodes?(): Promise<void>
  /** Time since a node last gave a valid answer (ms). Absent where calls take no time. */
  readonly silentMs?: number
  /** Makes each node report its chain again before its next answer counts. */
  identifyAgain(): void

  /**
   * Returns the receipt of a mined transaction as one node reports it, or null. Absent where transactions have none.
   */
  receipt?(txid: string): Promise<Receipt | null>
  /** Returns the blocks in which nodes report a transaction, that of most nodes first. Absent like receipts. */
  placesOf?(txid: string): Promise<BlockId[]>
  /**
   * Returns a balance in base units, current or as of a block, as one node reports it; `token` null is the native coin.
   * Rejects with CallRefused for a past block on a chain whose nodes keep no historical state. This and the two below
   * are absent where nodes know no balances of addresses. There a block shows all that moves.
   */
  balanceOf?(token: string | null, address: string, block?: BlockId): Promise<bigint>
  /**
   * Returns balances, current or as of a block, in the order of the addresses: each proven by a node, if past and on a
   * chain that is verified, or the same by most of the nodes that answer, by two at least if there are two; null if it
   * is neither. Rejects with CallRefused if too few nodes keep the state of the block.
   */
  certainBalances?(token: string | null, addresses: readonly string[], block?: BlockId): Promise<(bigint | null)[]>
  /**
   * Returns what each node says of a current balance: the amount, or why it gives none. Where nodes do not agree, it
   * names those that differ; absent where there are none.
   */
  balancesByNode?(token: string | null, address: string): Promise<{ url: string; says: string }[]>
  /**
   * Returns native balances as of a block whose state every node has, as `certainBalances` does: the newest final one
   * where nodes keep no past state, else the head. Null if no nodes agree on a block.
   */
  recentBalances?(addresses: readonly string[]): Promise<RecentBalances | null>

  /**
   * Whether a quorum reports that a contract wallet signed a hash (ERC-1271; also before its deployment, ERC-6492).
   * Absent where contracts do not sign.
   */
  isSignedBy?(address: string, hash: string, signature: string): Promise<boolean>

  /**
   * Returns the contract whose code a token runs behind a proxy, in the stored form; an empty text for one without.
   * Null while too few nodes agree. Absent: not known.
   */
  implementationOf?(token: string): Promise<string | null>
  /**
   * What the issuer of a token says about an address: `listed`, it is refused; `paused`, the token moves nothing; null,
   * neither. As most nodes report it. Absent where issuers are not queried.
   */
  issuerWord?(token: string, address: string): Promise<'listed' | 'paused' | null>

  /**
   * Quotes what the chain charges a transaction beyond its gas, by its bytes (250 if absent: one transfer), in base
   * units of the native coin, as most nodes report it. Absent: nothing.
   */
  dataFee?(gas: bigint, bytes?: number): Promise<bigint>
  /** Estimates the gas of a transfer that pays for its data on layer 1. Absent: none. */
  dataGas?(): Promise<bigint>

  /** Payouts and sweeps of many at once, by contracts of ours. Absent where there are none. */
  readonly batches?: BatchPayouts
  /** Payouts on a chain without nonces. Absent on others; see `Chain`. */
  readonly expiring?: ExpiringPayouts
}

/**
 * Payouts on a chain without nonces: a transaction names a recent block and expires. So a payout is sent once if it is
 * signed again only when the last transaction is dropped. Fees are in base units of the native coin.
 */
export interface ExpiringPayouts {
  /** Returns a final block for a transaction to name, or null while most nodes do not have the same. */
  reference(): Promise<BlockRef | null>
  /**
   * Returns a limit of the fee for this payout, with a margin; `isDear`: also for a receiver that has none of the token
   * any more when it is executed, which doubles the energy. What is not used of a limit costs nothing. Rejects with
   * CallRefused if the payout would revert.
   */
  feeLimitFor(payout: Payout, isDear?: boolean): Promise<bigint>
  /**
   * What the chain may charge beyond the limit of the fee, which is for energy alone: bandwidth, and activating the
   * receiver.
   */
  readonly beyondLimit: bigint
  /** Returns what a transfer costs at most at present prices, to whatever address. */
  usualFee(isToken: boolean): Promise<bigint>
  /**
   * Bandwidth of two transfers: what an address must hold to send one, whatever it has of the free bandwidth of the
   * day.
   */
  readonly bandwidthFee: bigint
  /**
   * Energy of an address, as the part of a fee limit that it need not burn. 0 for an address that does not exist yet.
   */
  energyOf(address: string): Promise<bigint>
  /**
   * Returns the staked coin to lend for energy worth a part of a fee limit; null when the owner has not as much to
   * lend.
   */
  stakeFor(owner: string, fee: bigint): Promise<bigint | null>
  /** The energy that a limit of the fee buys. */
  energyFor(fee: bigint): Promise<bigint>
  /** Broadcasts signed bytes to every node. Never rejects: after a failure the outcome is unknown. */
  send(raw: string): Promise<SendResult>
  /**
   * Whether a transaction can never be in a block: by the final blocks of two nodes, if there are two, it was in none a
   * minute after its expiration (milliseconds since 1970), and no node contradicts, unless that is refuted, or most
   * nodes say otherwise for an hour.
   */
  whetherDropped(txid: string, expiration: number): Promise<DropVerdict>
  /**
   * Returns the receipt of a transaction in a block as most nodes report it by each interface; null if they do not
   * agree on one.
   */
  certainReceipt(txid: string, block: BlockId): Promise<Receipt | null>
}

/**
 * Whether a transaction can never be in a block, and which nodes say against others that they have it, at which height
 * if they name one. `isOutvoted`: final blocks of most nodes never had it.
 */
export type DropVerdict = { isDropped: boolean; claims: readonly NodeClaim[]; isOutvoted: boolean }
export type NodeClaim = { url: string; block: number | null }

/** A chain whose nodes know receipts of transactions and balances of addresses. */
export type AccountChain = ChainView &
  Required<Pick<ChainView, 'receipt' | 'placesOf' | 'balanceOf' | 'certainBalances' | 'recentBalances'>>

export const hasAccounts = (chain: ChainView): chain is AccountChain => chain.balanceOf !== undefined

/** A chain that also supports payouts. */
export interface Chain extends AccountChain {
  /** Returns fees that get a transaction into one of the next blocks. */
  fees(): Promise<FeeMarket>
  /** Returns a gas limit for this payout, with a margin. Rejects with CallRefused if the payout would revert. */
  gasFor(payout: Payout): Promise<bigint>
  /** Returns the highest next nonce of the address that most nodes have reached, counting mined transactions only. */
  nonce(address: string): Promise<number>
  /**
   * Whether most nodes report that a transaction is in no block, whether the rest answers or not, and no node reports
   * one.
   */
  isUnknown(txid: string): Promise<boolean>
  /**
   * Returns the receipt of a transaction in a block as the roots in its header have it, whatever nodes report, or as
   * most nodes report it where there are none; null if it is not in the block, or not certain. Most nodes must report
   * the same surcharge.
   */
  certainReceipt(txid: string, block: BlockId): Promise<Receipt | null>
  /** Broadcasts signed bytes to every node. Never rejects: after a failure the outcome is unknown. */
  send(raw: string): Promise<SendResult>
}

/** What is needed to pay by Disperse and to sweep by Sweeper. Gas limits have a margin. */
export interface BatchPayouts {
  /**
   * Whether a quorum has code at an address; null if most report neither. Without code a call of one of our contracts
   * succeeds and does nothing.
   */
  isDeployed(contract: string): Promise<boolean | null>
  /** Returns what an owner allows Disperse to spend of a token, as most nodes report it. */
  allowance(token: string, owner: string): Promise<bigint>
  /** Returns a gas limit for a batch. Rejects with CallRefused if it would revert, as it does if one payment fails. */
  gasForBatch(from: string, token: string, payments: readonly Payment[]): Promise<bigint>
  /** Returns a gas limit for setting the allowance. Rejects with CallRefused if that would revert. */
  gasForApproval(from: string, token: string, amount: bigint): Promise<bigint>
  /** Returns a gas limit for a sweep. It is not estimated: what fails within a sweep does not fail the sweep. */
  gasForSweep(owners: readonly { authorize: number | null }[]): bigint
  /**
   * Returns the state of addresses to sweep, in their order: their nonces authorize, unless they are delegated already.
   * Null where most nodes do not report the same.
   */
  accounts(addresses: readonly string[]): Promise<(AccountState | null)[]>
}
