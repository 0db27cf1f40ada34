import assert from 'node:assert/strict'
import type { BlockId, ChainView, Transfer, TransferFilter } from './chain.ts'
import { type ChainEvent, Follower, type Pause } from './follower.ts'

/** Ends a wait, and with it the call of `next()`. */
class Enough extends Error {}

/** The most waits in a row for one event. */
const PATIENCE = 200

/**
 * A caller of the follower as the server is one, in memory: keeps blocks and what was seen in them, credits what became
 * final, and checks with every event that the follower keeps its promises.
 */
export class Book {
  readonly #chain: ChainView
  readonly #filter: TransferFilter
  readonly #start: number
  blocks: BlockId[] = []
  seen: Transfer[] = []
  /** By transaction, token and ordinal. */
  readonly credited = new Map<string, Transfer>()
  final = -1
  halted = false
  readonly pauses: Pause[] = []
  #follower: Follower

  constructor(chain: ChainView, filter: TransferFilter, start: number) {
    this.#chain = chain
    this.#filter = filter
    this.#start = start
    this.#follower = this.#open()
  }

  /** Takes events until there is nothing more to take, and gives them. */
  async catchUp(): Promise<ChainEvent[]> {
    const events: ChainEvent[] = []
    for (;;) {
      const event = await this.#take()
      if (!event) return events
      events.push(event)
      if (event.type === 'deep-reorg') return events
    }
  }

  /** Takes at most one event. */
  async step(): Promise<ChainEvent | null> {
    return this.#take()
  }

  /** Goes on from what was kept, as after a restart. */
  restart(): void {
    this.#follower = this.#open()
  }

  async #take(): Promise<ChainEvent | null> {
    const event = await this.#follower.next().catch(error => {
      if (error instanceof Enough) return null
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
      wait: async (why, attempt) => {
        this.pauses.push(why)
        // Trouble passes, and asking again is what the follower is for; anything else is news to wait for.
        if (why !== 'error' || attempt >= PATIENCE) throw new Enough()
      },
    })
  }

  #keep(event: ChainEvent): void {
    assert.ok(!this.halted || event.type === 'deep-reorg', 'nothing else follows a deep reorg')
    if (event.type === 'deep-reorg') {
      this.halted = true
      return
    }
    if (event.type === 'reorg') {
      const dropped = new Set(event.dropped.map(block => block.hash))
      assert.ok(
        event.dropped.every(block => block.number > this.final),
        'nothing final is dropped',
      )
      assert.ok(event.dropped.every(block => block.number > event.ancestor.number))
      assert.deepEqual(
        this.blocks.filter(block => block.number > event.ancestor.number).toReversed(),
        event.dropped,
        'all blocks above the ancestor are dropped, and no others',
      )
      this.blocks = this.blocks.filter(block => !dropped.has(block.hash))
      if (this.blocks.length === 0) this.blocks.push(event.ancestor)
      this.seen = this.seen.filter(transfer => transfer.blockNumber <= event.ancestor.number)
      return
    }
    const { from, block, transfers, final } = event
    assert.equal(from, (this.blocks.at(-1)?.number ?? this.#start - 1) + 1, 'no block is left out')
    if (from === block.number && this.blocks.length > 0) assert.equal(block.parentHash, this.blocks.at(-1)!.hash)
    assert.ok(final >= this.final && final <= block.number)
    assert.ok(transfers.every(it => it.blockNumber >= from && it.blockNumber <= block.number))
    this.seen.push(...transfers)
    this.final = final
    for (const transfer of this.seen.filter(it => it.blockNumber <= final)) {
      const key = `${transfer.txid} ${transfer.token} ${transfer.ordinal}`
      assert.ok(!this.credited.has(key), `${key} is credited twice`)
      this.credited.set(key, transfer)
    }
    this.seen = this.seen.filter(it => it.blockNumber > final)
    this.blocks.push({ number: block.number, hash: block.hash })
    const firstKept = this.blocks.findLastIndex(it => it.number <= final)
    if (firstKept > 0) this.blocks.splice(0, firstKept)
  }
}
