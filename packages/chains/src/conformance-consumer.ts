import assert from 'node:assert/strict'
import type { BlockId, ChainView, Transfer, TransferFilter } from './chain.ts'
import { type ChainEvent, Follower, type FollowerPause } from './follower.ts'

/** Thrown from `wait` to end a call of `next()`. */
class StopWaiting extends Error {}

/** Most consecutive waits for one event. */
const MAX_WAITS = 200

/**
 * An in-memory consumer of the follower that works as the server does: keeps blocks and unconfirmed transfers, credits
 * final ones, and asserts the follower's guarantees on every event.
 */
export class Consumer {
  readonly #chain: ChainView
  readonly #filter: TransferFilter
  readonly #start: number
  blocks: BlockId[] = []
  seen: Transfer[] = []
  /** Keyed by transaction, token and ordinal. */
  readonly credited = new Map<string, Transfer>()
  final = -1
  halted = false
  /** Whether the follower takes the last head for the newest. */
  isFresh = false
  readonly pauses: FollowerPause[] = []
  #follower: Follower

  constructor(chain: ChainView, filter: TransferFilter, start: number) {
    this.#chain = chain
    this.#filter = filter
    this.#start = start
    this.#follower = this.#open()
  }

  /** Takes and returns events until there are no more. */
  async catchUp(): Promise<ChainEvent[]> {
    const events: ChainEvent[] = []
    for (;;) {
      const event = await this.#take()
      if (!event) return events
      events.push(event)
      if (event.type === 'deep-reorg') return events
    }
  }

  /** Takes the next event, if there is one. */
  async step(): Promise<ChainEvent | null> {
    return this.#take()
  }

  /** Continues from the persisted state, as after a restart. */
  restart(): void {
    this.#follower = this.#open()
  }

  async #take(): Promise<ChainEvent | null> {
    const event = await this.#follower.next().catch(error => {
      if (error instanceof StopWaiting) return null
      throw error
    })
    if (event) this.#keep(event)
    return event
  }

  #open(): Follower {
    return new Follower({
      chain: this.#chain,
      filter: this.#filter,
      start: this.#start,
      known: this.blocks,
      final: this.final,
      isFresh: () => this.isFresh,
      wait: async (why, attempt) => {
        this.pauses.push(why)
        // Errors are retried; any other pause lasts until the chain changes.
        if (why !== 'error' || attempt >= MAX_WAITS) throw new StopWaiting()
      },
    })
  }

  #keep(event: ChainEvent): void {
    assert.ok(!this.halted || event.type === 'deep-reorg', 'no other event follows a deep reorg')
    if (event.type === 'deep-reorg') {
      this.halted = true
      return
    }
    if (event.type === 'reorg') {
      const dropped = new Set(event.dropped.map(block => block.hash))
      assert.ok(
        event.dropped.every(block => block.number > this.final),
        'no final block is dropped',
      )
      assert.ok(event.dropped.every(block => block.number > event.ancestor.number))
      assert.deepEqual(
        this.blocks.filter(block => block.number > event.ancestor.number).toReversed(),
        event.dropped,
        'exactly the blocks above the ancestor are dropped',
      )
      this.blocks = this.blocks.filter(block => !dropped.has(block.hash))
      if (this.blocks.length === 0) this.blocks.push(event.ancestor)
      this.seen = this.seen.filter(transfer => transfer.blockNumber <= event.ancestor.number)
      return
    }
    const { from, block, transfers, final } = event
    assert.equal(from, (this.blocks.at(-1)?.number ?? this.#start - 1) + 1, 'no block is skipped')
    if (from === block.number && this.blocks.length > 0) assert.equal(block.parentHash, this.blocks.at(-1)!.hash)
    assert.ok(final >= this.final && final <= block.number)
    assert.ok(transfers.every(it => it.blockNumber >= from && it.blockNumber <= block.number))
    this.seen.push(...transfers)
    this.final = final
    for (const transfer of event.settled) {
      assert.ok(transfer.blockNumber >= event.settledFrom && transfer.blockNumber <= final)
      const key = `${transfer.txid} ${transfer.token} ${transfer.ordinal}`
      assert.ok(!this.credited.has(key), `${key} is credited twice`)
      this.credited.set(key, transfer)
    }
    this.seen = this.seen.filter(it => it.blockNumber > final)
    this.blocks.push({ number: block.number, hash: block.hash })
    const firstNeeded = this.blocks.findLastIndex(it => it.number <= final)
    if (firstNeeded > 0) this.blocks.splice(0, firstNeeded)
  }
}
