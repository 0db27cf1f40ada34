import type { BlockId, BlockRef, ChainView, Transfer, TransferFilter } from './chain.ts'
import { isChainError } from './errors.ts'
import { RangeSize } from './range.ts'

/**
 * Blocks `from` to `block`, both included, with all transfers to us in them. Near the tip that is one block; further
 * down it is a range of which only the last block needs remembering. Blocks up to `final` have their confirmations
 * once this event is persisted, so what was seen in them can be credited in the same transaction.
 */
export type BlockEvent = {
  type: 'block'
  from: number
  /** The hash that block `from` has as its parent's. */
  parentHash: string
  block: BlockRef
  transfers: Transfer[]
  final: number
  /** What `asOf` said when the reading of this began; missing without it. */
  asOf?: number
}

/** The chain left our blocks above `ancestor`: forget `dropped` (highest first) and what was seen in them. */
export type ReorgEvent = { type: 'reorg'; ancestor: BlockId; dropped: BlockId[] }

/** A block that was final is not on the chain any more. Nothing follows: the chain must be halted for a person. */
export type DeepReorgEvent = { type: 'deep-reorg'; block: BlockId }

export type ChainEvent = BlockEvent | ReorgEvent | DeepReorgEvent

/** Why the follower waits: no new block; the nodes are behind us; they fail; they disagree on a block's hash. */
export type Pause = 'tip' | 'behind' | 'error' | 'no-quorum'

export type FollowerOptions = {
  chain: ChainView
  filter: TransferFilter
  /** The first block to look at when nothing is known yet. */
  start: number
  /** The blocks persisted, oldest first, from the highest that is final upwards. */
  known: readonly BlockId[]
  /** `final` of the last event persisted; -1 when there was none. */
  final: number
  /** How far the filter's addresses are known. Events are read ahead, and tell by this what was looked for. */
  asOf?: () => number
  /** Returns when it is time to ask again; rejects to end the wait and with it `next()`. */
  wait: (why: Pause, attempt: number) => Promise<void>
  /** ReportedTransfer of what went wrong before each wait for it. */
  onError?: (error: Error) => void
}

/** `undisputed` is false when the nodes do not agree on the block that would become final. */
type Read = { first: BlockRef; event: BlockEvent; scanned: number; undisputed: boolean }

/** What is being read, or was: null when it was not there. */
type Ahead = { to: number; read: Promise<Read | null | Error> }

/** The most ranges read ahead while the caller persists. Of single blocks it is one. */
const RANGES_AHEAD = 2

/**
 * Follows one chain. Take an event with `next()`, persist it in one transaction, take the next: the follower takes
 * every event it has given as persisted. It reads a little ahead meanwhile, and has no timers of its own.
 */
export class Follower {
  readonly #chain: ChainView
  readonly #options: FollowerOptions
  readonly #depth: number
  readonly #range = new RangeSize()
  #known: BlockId[]
  #final: number
  #next: number
  #head: BlockRef | null = null
  #ahead: Ahead[] = []
  #halted: DeepReorgEvent | null = null

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#chain = options.chain
    this.#depth = options.chain.definition.confirmations
    this.#known = options.known.map(({ number, hash }) => ({ number, hash }))
    // Nothing beyond what is known can be final, as when somebody lets a chain begin anew.
    this.#final = Math.min(options.final, this.#known.at(-1)?.number ?? -1)
    this.#next = (this.#known.at(-1)?.number ?? options.start - 1) + 1
  }

  /** The highest block that the nodes were last seen to have, or null before the first answer. */
  get head(): BlockRef | null {
    return this.#head
  }

  /** The next event, as soon as there is one. Rejects only with what `wait` rejects with, or on a fault of ours. */
  async next(): Promise<ChainEvent> {
    let attempt = 0
    let last: Pause | null = null
    for (;;) {
      const step = await this.#step()
      if (typeof step !== 'string') return step
      attempt = step === last ? attempt + 1 : 0
      last = step
      await this.#options.wait(step, attempt)
      // A height that a node told by mistake must not stay.
      this.#head = null
    }
  }

  async #step(): Promise<ChainEvent | Pause> {
    if (this.#halted) return this.#halted
    const last = this.#known.at(-1)
    const ahead = await this.#ahead.shift()?.read
    if (isRead(ahead) && follows(ahead, last) && ahead.undisputed) return this.#accept(ahead)
    // The rest that was read ahead was to follow this, and may not any more.
    this.#ahead = []
    // What was read ahead may be out of date, so that only what is read now says anything about the chain.
    const read = ahead instanceof Error ? ahead : await this.#readNow()
    if (read instanceof Error) return this.#trouble(read)
    if (read === null || !follows(read, last)) return this.#check(last).catch(error => this.#trouble(error))
    return read.undisputed ? this.#accept(read) : 'no-quorum'
  }

  async #readNow(): Promise<Read | null | Error> {
    const from = this.#next
    try {
      if (!this.#head || from > this.#head.number) this.#head = await this.#chain.head()
      return from > this.#head.number ? null : await this.#read(from, this.#endOf(from, this.#head))
    } catch (error) {
      return error as Error
    }
  }

  /** Starts reading what comes after what is being read. */
  #readOn(): void {
    const head = this.#head
    for (;;) {
      const from = (this.#ahead.at(-1)?.to ?? this.#next - 1) + 1
      if (!head || from > head.number) return
      const to = this.#endOf(from, head)
      if (this.#ahead.length >= (to > from ? RANGES_AHEAD : 1)) return
      this.#ahead.push({ to, read: this.#read(from, to) })
    }
  }

  /** Where a step from this height ends: a range stays below what can still change. */
  #endOf(from: number, head: BlockRef): number {
    return Math.max(from, Math.min(from + this.#range.size - 1, head.number - this.#depth + 1))
  }

  /** Reads a step; null when it is not there yet. Never rejects: a failure ahead waits until it is its turn. */
  async #read(from: number, to: number): Promise<Read | null | Error> {
    const deepest = this.#head!.number /* guard: depth */ - this.#depth + 1 /* end */
    const asOf = this.#options.asOf?.()
    try {
      const step = to > from ? await this.#chain.transfersRange(from, to, this.#options.filter) : await this.#one(from)
      if (!step) return null
      const { first, last: block, transfers, scanned } = step
      const final = Math.max(this.#final, Math.min(block.number, deepest))
      const { parentHash } = first
      const event: BlockEvent = { type: 'block', from, parentHash, block, transfers, final }
      if (asOf !== undefined) event.asOf = asOf
      const undisputed = /* guard: final-agreed */ await this.#undisputed(event) /* end */
      return { first, event, scanned, undisputed }
    } catch (error) {
      return error as Error
    }
  }

  async #one(number: number) {
    const block = await this.#chain.blockAt(number)
    return block && { first: block, last: block, ...(await this.#chain.transfersIn(block, this.#options.filter)) }
  }

  /** Asks all nodes for what would become final and how deep it is, before anything is credited for it. */
  async #undisputed({ block, final }: BlockEvent): Promise<boolean> {
    if (final <= this.#final) return true
    const last = block.number === final ? block : this.#known.find(known => known.number === final)
    return last ? this.#chain.agreesOn(last, /* guard: depth-agreed */ this.#depth /* end */) : true
  }

  #accept({ event, scanned }: Read): BlockEvent {
    const { from, block, final } = event
    this.#final = final
    this.#known.push({ number: block.number, hash: block.hash })
    // One final block is kept, by which a reorg that is too deep shows.
    const firstKept = this.#known.findLastIndex(known => known.number <= final)
    if (firstKept > 0) this.#known.splice(0, firstKept)
    this.#range.took(block.number - from + 1, scanned)
    this.#next = block.number + 1
    this.#readOn()
    return event
  }

  /** Looks whether the chain left our last block. A node that is behind says nothing about that. */
  async #check(last: BlockId | undefined): Promise<ChainEvent | Pause> {
    const head = this.#head
    if (!last || !head) return 'tip'
    if (head.number < last.number) return 'behind'
    const now = head.number === last.number ? head : await this.#chain.blockAt(last.number)
    if (!now) return 'behind'
    return now.hash === last.hash ? 'tip' : this.#unwind()
  }

  async #unwind(): Promise<ChainEvent | Pause> {
    const dropped: BlockId[] = []
    for (const ours of this.#known.toReversed()) {
      const now = await this.#chain.blockAt(ours.number)
      if (!now) return 'behind'
      if (now.hash === ours.hash) return this.#leave(ours, dropped)
      // guard: deep-reorg-read
      if (ours.number <= this.#final) return this.#halt(ours)
      dropped.push(ours)
    }
    // All that is known is gone and none of it was final: begin again with the first of it.
    const first = this.#known[0]!.number
    const below = await this.#chain.blockAt(first - 1)
    return below ? this.#leave({ number: below.number, hash: below.hash }, dropped) : 'behind'
  }

  #leave(ancestor: BlockId, dropped: BlockId[]): ChainEvent | Pause {
    // It came back while we were looking.
    if (dropped.length === 0) return 'tip'
    this.#known = [...this.#known.filter(block => block.number < ancestor.number), ancestor]
    this.#next = ancestor.number + 1
    return { type: 'reorg', ancestor, dropped }
  }

  /** Halts for a final block that one node does not have, once most nodes have another one there: one may be wrong. */
  async #halt(block: BlockId): Promise<ChainEvent | Pause> {
    if (!(await this.#chain.isReorgedOut(block))) return 'no-quorum'
    this.#halted = { type: 'deep-reorg', block }
    return this.#halted
  }

  #trouble(error: unknown): Pause {
    if (!isChainError(error)) throw error
    this.#range.failed()
    this.#options.onError?.(error)
    return 'error'
  }
}

function isRead(read: Read | null | Error | undefined): read is Read {
  return read !== null && read !== undefined && !(read instanceof Error)
}

function follows(read: Read, last: BlockId | undefined): boolean {
  // guard: parent-read
  return !last || read.first.parentHash === last.hash
}
