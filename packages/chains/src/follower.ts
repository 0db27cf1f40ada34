import type { BlockId, BlockRef, ChainView, Transfer, TransferFilter } from './chain.ts'
import { isChainError } from './errors.ts'
import { RangeSize } from './range.ts'

/**
 * Blocks `from` to `block`, inclusive, with all transfers to us in them. Near the head this is one block, further back
 * a range of which only the last block must be stored. Blocks up to `final` are confirmed with this event, so their
 * deposits can be credited in the transaction that persists it.
 */
export type BlockEvent = {
  type: 'block'
  from: number
  /** Parent hash of block `from`. */
  parentHash: string
  block: BlockRef
  transfers: Transfer[]
  final: number
  /**
   * What blocks hold that are confirmed with this event, from `settledFrom` to `final`: verified by hashes or agreed on
   * by a quorum. Nothing else in them is credited.
   */
  settled: Transfer[]
  settledFrom: number
  /** Result of the option `asOf` when this read began; absent without that option. */
  asOf?: number
}

/** A reorg dropped our blocks above `ancestor`: discard `dropped` (highest first) and their transfers. */
export type ReorgEvent = { type: 'reorg'; ancestor: BlockId; dropped: BlockId[] }

/**
 * A final block is no longer on the chain. The last event: the caller must halt the chain until an operator resumes it.
 */
export type DeepReorgEvent = { type: 'deep-reorg'; block: BlockId }

export type ChainEvent = BlockEvent | ReorgEvent | DeepReorgEvent

/** Why the follower waits: no new block; the nodes are behind us; they fail; there is no quorum on a block. */
export type FollowerPause = 'tip' | 'behind' | 'error' | 'no-quorum'

export type FollowerOptions = {
  chain: ChainView
  filter: TransferFilter
  /** First block to read if no block is known. */
  start: number
  /** The persisted blocks, oldest first, from the highest final one up. */
  known: readonly BlockId[]
  /** `final` of the last persisted event, or -1. */
  final: number
  /** Version of the filter's address set. Events are read ahead, and carry the version they were read with. */
  asOf?: () => number
  /**
   * Whether the last head was read so lately that it is taken for the newest: no other is requested before the next
   * wait.
   */
  isFresh?: () => boolean
  /**
   * The reads of all followers that share it, and how many there may be until none reads ahead, so that they do not
   * hold the blocks of all chains in memory at once. The block that is next is always read.
   */
  reads?: { count: number; readonly most: number }
  /** Called when a block is to be read that no read-ahead has, before it is; a rejection ends `next()`. */
  beforeRead?: () => Promise<void>
  /** Resolves when it is time to retry; rejects to end `next()`. */
  wait: (why: FollowerPause, attempt: number) => Promise<void>
  /** Called with every node error before the wait that follows it. */
  onError?: (error: Error) => void
}

/** `agreed` is false if there is no quorum on the block that would become final, or on its contents. */
type Read = { first: BlockRef; event: BlockEvent; scanned: number; isProven: boolean; agreed: boolean }

/**
 * A block that may be reorganized, with its transfers if this process read them, and whether its hash covers all of
 * them.
 */
type Known = BlockId & { transfers?: Transfer[]; isProven?: boolean }

/**
 * A step: its blocks, and the highest final block before and with it. `byTip`: with its own block on top that one is
 * deep enough, so that whoever has the former has the latter.
 */
type Step = { from: number; to: number; finalBefore: number; final: number; byTip: boolean }

/** A read in progress or done; null if the block does not exist yet. */
type Ahead = Step & { read: Promise<Read | null | Error> }

/** Seconds of blocks that become final at once: a vote costs a block six requests, however fast blocks come. */
const FINAL_AT_ONCE = 0.5
/** Ranges read ahead while the caller persists. */
const RANGES_AHEAD = 2
/** Single blocks read ahead: a vote on a block may take longer than the time between two. */
const BLOCKS_AHEAD = 3
/** Seconds of blocks that are read ahead, if that is more: a chain of fast ones would hardly catch up. */
const SECONDS_AHEAD = 2

/**
 * Follows one chain. The caller takes an event with `next()`, persists it in one transaction, then takes the next; the
 * follower treats every returned event as persisted. It reads ahead meanwhile, and has no timers of its own.
 */
export class Follower {
  readonly #chain: ChainView
  readonly #options: FollowerOptions
  readonly #depth: number
  /** Near the head, blocks with multiples of this number become final, each with those below. */
  readonly #finalEvery: number
  readonly #blocksAhead: number
  readonly #range = new RangeSize()
  #known: Known[]
  #final: number
  #next: number
  #head: BlockRef | null = null
  /** Whether `#head` was reported by one node, and whether such a report has just been wrong, or early. */
  #isHint = false
  #wasWrong = false
  #ahead: Ahead[] = []
  #halted: DeepReorgEvent | null = null

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#chain = options.chain
    this.#depth = options.chain.definition.confirmations
    this.#finalEvery = Math.ceil(FINAL_AT_ONCE / options.chain.definition.blockTime)
    this.#blocksAhead = Math.max(BLOCKS_AHEAD, Math.ceil(SECONDS_AHEAD / options.chain.definition.blockTime))
    this.#known = options.known.map(({ number, hash }) => ({ number, hash }))
    // Only known blocks can be final: after a restart from an older block `final` may be higher.
    this.#final = Math.min(options.final, this.#known.at(-1)?.number ?? -1)
    this.#next = (this.#known.at(-1)?.number ?? options.start - 1) + 1
  }

  /** The last head that most nodes had reached, as far as is known; null before the first response and after a wait. */
  get head(): BlockId | null {
    return this.#head && this.#isHint ? (this.#known.at(-1) ?? null) : this.#head
  }

  /** Whether blocks are being read, or have been, that no event had yet. */
  get readsAhead(): boolean {
    return this.#ahead.length > 0
  }

  /** Resolves to the next event as soon as there is one. Rejects if `wait` does, or on a bug of ours. */
  async next(): Promise<ChainEvent> {
    let attempt = 0
    let last: FollowerPause | null = null
    for (;;) {
      const step = await this.#step()
      if (typeof step !== 'string') return step
      attempt = step === last ? attempt + 1 : 0
      last = step
      await this.#options.wait(step, attempt)
      // Discard the head: a node may have reported a wrong one.
      this.#head = null
    }
  }

  async #step(): Promise<ChainEvent | FollowerPause> {
    if (this.#halted) return this.#halted
    const last = this.#known.at(-1)
    const ahead = await this.#ahead.shift()?.read
    if (isRead(ahead) && follows(ahead, last) && ahead.agreed) return this.#accept(ahead)
    // Later read-aheads may no longer follow.
    this.#ahead = []
    // A read-ahead may be stale: check the chain only against what is read now.
    const read = ahead instanceof Error ? ahead : await this.#readNow()
    if (isRead(read) && follows(read, last) && read.agreed) return this.#accept(read)
    // What follows was read on the same assumptions.
    this.#ahead = []
    if (read instanceof Error) return this.#fail(read)
    const pause =
      isRead(read) && follows(read, last) ? 'no-quorum' : await this.#compare(last).catch(error => this.#fail(error))
    // A report that is used up was right.
    this.#wasWrong = this.#isHint && this.#next <= (this.#head?.number ?? -1)
    return pause
  }

  async #readNow(): Promise<Read | null | Error> {
    const from = this.#next
    try {
      const isUsedUp = this.#head !== null && from > this.#head.number
      if (isUsedUp && this.#options.isFresh?.()) return null
      if (!this.#head || isUsedUp) this.#head = await this.#readHead()
      if (from > this.#head.number) return null
      await this.#options.beforeRead?.()
      this.#readAhead()
      return await this.#ahead.shift()!.read
    } catch (error) {
      return error as Error
    }
  }

  /**
   * Near the head, the newest one that a node reports is enough to vote on its blocks: slow nodes are waited for once.
   * After a wrong report only the next block is voted on.
   */
  async #readHead(): Promise<BlockRef> {
    const newest = this.#known.length > 0 ? await this.#chain.newestHead() : null
    this.#isHint = newest !== null && newest.number < this.#next + this.#depth
    if (!newest || !this.#isHint) return this.#chain.head()
    return this.#wasWrong ? { ...newest, number: Math.min(newest.number, this.#next) } : newest
  }

  /** Starts reading what follows the reads in progress. */
  #readAhead(): void {
    const head = this.#head
    for (;;) {
      const before = this.#ahead.at(-1)
      const from = (before?.to ?? this.#next - 1) + 1
      if (!head || from > head.number) return
      const to = this.#endOf(from, head)
      if (this.#ahead.length >= (to > from ? RANGES_AHEAD : this.#blocksAhead)) return
      const { reads } = this.#options
      if (reads && reads.count >= reads.most && this.#ahead.length > 0) return
      const finalBefore = before?.final ?? this.#final
      const deepestOf = (top: number) => top /* guard: depth */ - this.#depth + 1 /* end */
      const isNear = head.number - to < BLOCKS_AHEAD
      const byTip = this.#chain.isVerified && to === from && isNear && to > deepestOf(head.number)
      const deepest = deepestOf(byTip ? to : head.number)
      const final = to <= deepest ? to : deepest - (deepest % this.#finalEvery)
      const step = { from, to, finalBefore, final: Math.max(finalBefore, final), byTip }
      this.#ahead.push({ ...step, read: this.#counted(step) })
    }
  }

  async #counted(step: Step): Promise<Read | null | Error> {
    const { reads } = this.#options
    if (reads) reads.count++
    const read = await this.#read(step)
    if (reads) reads.count--
    return read
  }

  /** Returns the last block of a step: a range stays below the confirmation depth. */
  #endOf(from: number, head: BlockRef): number {
    return Math.max(from, Math.min(from + this.#range.size - 1, head.number - this.#depth + 1))
  }

  /**
   * Reads a step; null if it does not exist yet. Never rejects: the error of a read-ahead is reported when its turn
   * comes.
   */
  async #read({ from, to, finalBefore, final, byTip }: Step): Promise<Read | null | Error> {
    const asOf = this.#options.asOf?.()
    const becomesFinal = this.#known.filter(each => each.number > finalBefore && each.number <= final)
    // Voted on while this step is read, since a vote waits for slow nodes.
    const known = becomesFinal.find(each => each.number === final)
    const areProven = becomesFinal.every(each => each.isProven)
    const tip = to > from ? null : this.#chain.blockAt(from)
    const early = known ? this.#vote(becomesFinal[0]!.number, known, areProven, byTip ? tip : null) : null
    for (const each of [tip, early]) each?.catch(() => {})
    try {
      const step = tip ? await this.#one(tip) : await this.#chain.transfersRange(from, to, this.#options.filter)
      if (!step) return null
      const { first, last: block, transfers, scanned, proof } = step
      // guard: proven-whole
      const isProven = this.#chain.isVerified || proof?.rank === 'whole'
      const settledFrom = final > finalBefore ? (becomesFinal[0]?.number ?? from) : final + 1
      const event: BlockEvent = {
        type: 'block',
        from,
        parentHash: first.parentHash,
        block,
        transfers,
        final,
        settled: [],
        settledFrom,
      }
      if (asOf !== undefined) event.asOf = asOf
      // After a reorg this step is not accepted.
      const previous = this.#known.at(-1)
      if (previous?.number === from - 1 && !follows({ first }, previous))
        return { first, event, scanned, isProven, agreed: false }
      const needsVote = final > finalBefore && final >= from
      const settlesProven = areProven && (final < from || isProven)
      const agreed = await (early ?? (needsVote ? this.#vote(settledFrom, block, settlesProven) : []))
      if (!agreed) return { first, event, scanned, isProven, agreed: false }
      event.settled = agreed
      if (this.#chain.isVerified || settlesProven) event.settled = await this.#verified(becomesFinal, transfers, final)
      return { first, event, scanned, isProven, agreed: true }
    } catch (error) {
      return error as Error
    }
  }

  async #one(reading: Promise<BlockRef | null>) {
    const block = await reading
    return block && { first: block, last: block, ...(await this.#chain.transfersIn(block, this.#options.filter)) }
  }

  /**
   * Whether a quorum has the block that would become final, at confirmation depth. Null if not; otherwise what it
   * agrees on in the blocks from `from` to it where that is not verified by hashes: by those of the chain, or
   * `areProven` since they were read. Nobody is queried if a quorum has reported the block on top: its hash covers
   * those below, and its step is taken only if it follows them.
   */
  async #vote(
    from: number,
    last: BlockId,
    areProven: boolean,
    tip: Promise<BlockRef | null> | null = null,
  ): Promise<Transfer[] | null> {
    const top = await tip
    if (top && this.#chain.isReported?.(top)) return []
    const agreeing = this.#chain.agreesOn(last, /* guard: depth-agreed */ this.#depth /* end */)
    const isCovered = this.#chain.isVerified || areProven
    const contents = isCovered ? Promise.resolve([]) : this.#chain.agreed(from, last, this.#options.filter)
    for (const each of [agreeing, contents]) each.catch(() => {})
    return /* guard: final-agreed */ (await agreeing) /* end */ ? contents : null
  }

  /** Returns the transfers of known blocks that become final, and those of this step that do. */
  async #verified(known: readonly Known[], transfers: readonly Transfer[], final: number): Promise<Transfer[]> {
    const settled: Transfer[] = []
    for (const each of known)
      settled.push(...(each.transfers ?? (await this.#chain.transfersIn(each, this.#options.filter)).transfers))
    return [...settled, ...transfers.filter(each => each.blockNumber <= final)]
  }

  #accept({ event, scanned, isProven }: Read): BlockEvent {
    const { from, block, final, transfers } = event
    this.#final = final
    this.#wasWrong = false
    this.#known.push({ number: block.number, hash: block.hash, transfers, isProven })
    // Keep one final block, to detect deep reorgs.
    const firstNeeded = this.#known.findLastIndex(known => known.number <= final)
    if (firstNeeded > 0) this.#known.splice(0, firstNeeded)
    this.#range.took(block.number - from + 1, scanned)
    this.#next = block.number + 1
    this.#readAhead()
    return event
  }

  /** Checks whether our last block was reorged out. A lagging node does not know. */
  async #compare(last: BlockId | undefined): Promise<ChainEvent | FollowerPause> {
    const head = this.#head
    if (!last || !head) return 'tip'
    if (head.number < last.number) return 'behind'
    if (head.number === last.number && head.hash === last.hash) return 'tip'
    const now = await this.#chain.blockAt(last.number)
    if (!now) return 'behind'
    return now.hash === last.hash ? 'tip' : this.#unwind()
  }

  async #unwind(): Promise<ChainEvent | FollowerPause> {
    const dropped: BlockId[] = []
    // A node may have begun to answer for another chain.
    this.#chain.identifyAgain()
    for (const { number, hash } of this.#known.toReversed()) {
      const ours = { number, hash }
      const now = await this.#chain.blockAt(ours.number)
      if (!now) return 'behind'
      if (now.hash === ours.hash) return this.#reorg(ours, dropped)
      // guard: deep-reorg-read
      if (ours.number <= this.#final) return this.#halt(ours)
      dropped.push(ours)
    }
    // All known blocks are orphaned and none was final: restart from the first of them.
    const first = this.#known[0]!.number
    const below = await this.#chain.blockAt(first - 1)
    return below ? this.#reorg({ number: below.number, hash: below.hash }, dropped) : 'behind'
  }

  #reorg(ancestor: BlockId, dropped: BlockId[]): ChainEvent | FollowerPause {
    // The block came back meanwhile.
    if (dropped.length === 0) return 'tip'
    this.#known = [...this.#known.filter(block => block.number < ancestor.number), ancestor]
    this.#next = ancestor.number + 1
    return { type: 'reorg', ancestor, dropped }
  }

  /** Halts if a quorum has another block in place of this final one. */
  async #halt(block: BlockId): Promise<ChainEvent | FollowerPause> {
    if (!(await this.#chain.isReorgedOut(block))) return 'no-quorum'
    this.#halted = { type: 'deep-reorg', block }
    return this.#halted
  }

  /** Reports an error of the nodes; rethrows any other. */
  #fail(error: unknown): FollowerPause {
    if (!isChainError(error)) throw error
    this.#range.failed()
    this.#options.onError?.(error)
    return 'error'
  }
}

function isRead(read: Read | null | Error | undefined): read is Read {
  return read !== null && read !== undefined && !(read instanceof Error)
}

function follows(read: Pick<Read, 'first'>, last: BlockId | undefined): boolean {
  // guard: parent-read
  return !last || read.first.parentHash === last.hash
}
