import type { Random } from '@coffer/chains/fake/random.ts'
import { type BlockJson, blockJson, transactionJson } from './sim-json.ts'
import { type Deed, logsOf, type SimTx } from './sim-tx.ts'

export type SimBlock = {
  number: number
  hash: string
  parentHash: string
  time: number
  txs: SimTx[]
  json: BlockJson
}

/** An incoming transfer in a block. */
export type Arrival = { txid: string; token: string | null; ordinal: number; to: string; amount: bigint; time: number }

const noHash = `0x${'0'.repeat(64)}`

/** The canonical chain that simulated nodes serve. Any number of its blocks can be reorganized. */
export class SimChain {
  /** The chain id that its nodes report. */
  readonly id: number
  readonly #random: Random
  readonly #waiting: SimTx[] = []
  blocks: SimBlock[] = []
  /** Greatest height ever reached. It bounds the confirmations that any block can have had. */
  peak = 0
  /** Orphaned blocks by hash. Some nodes still serve them. */
  readonly left = new Map<string, SimBlock>()

  constructor(id: number, random: Random, time: number) {
    this.id = id
    this.#random = random
    this.#append(this.blocks, [], time)
  }

  get head(): SimBlock {
    return this.blocks.at(-1)!
  }

  /** Mines a block with `deeds` and pending transactions: all of them with `all`, otherwise each with probability 0.7. */
  mine(time: number, deeds: readonly Deed[] = [], all = false): void {
    const ready: SimTx[] = []
    for (const tx of this.#waiting.splice(0)) {
      if (all || this.#random.chance(0.7)) ready.splice(this.#random.below(ready.length + 1), 0, tx)
      else this.#waiting.push(tx)
    }
    for (const deed of deeds) ready.splice(this.#random.below(ready.length + 1), 0, this.#tx(deed))
    this.#append(this.blocks, ready, time)
  }

  /**
   * Replaces the last `depth` blocks with `length` others. Each orphaned transaction is lost with probability `lost`,
   * otherwise becomes pending again.
   */
  reorg(depth: number, length: number, lost: number, now: number): void {
    const gone = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    for (const block of gone) this.left.set(block.hash, block)
    for (const tx of gone.flatMap(block => block.txs)) if (!this.#random.chance(lost)) this.#waiting.push(tx)
    for (let i = 0; i < length; i++) this.mine(gone[i]?.time ?? now)
  }

  /** Returns a fork that replaces the last `depth` blocks with `length` others and contains `deeds`. */
  forked(depth: number, length: number, deeds: readonly Deed[]): SimBlock[] {
    const blocks = this.blocks.slice(0, Math.max(1, this.blocks.length - depth))
    const { time } = blocks.at(-1)!
    for (let i = 0; i < length; i++)
      this.#append(blocks, i === 0 ? deeds.map(each => this.#tx(each)) : [], time + i + 1)
    return blocks
  }

  /** Reports whether a transaction is pending. */
  isWaiting(txid: string): boolean {
    return this.#waiting.some(tx => tx.txid === txid)
  }

  /** Reports whether coin for an address is pending. */
  isCoinWaiting(address: string): boolean {
    return this.#waiting.some(tx => tx.kind !== 'tokens' && tx.to === address)
  }

  /** Returns the transfers to addresses that satisfy `isOurs`, without internal transactions. */
  arrivals(isOurs: (address: string) => boolean, upTo = this.head.number): Arrival[] {
    return this.blocks.slice(0, upTo + 1).flatMap(({ txs, time }) => txs.flatMap(tx => arrivalsOf(tx, time, isOurs)))
  }

  /** Returns the native coin balance of an address, internal transactions included. */
  coinOf(address: string, blocks = this.blocks): bigint {
    const came = (tx: SimTx) => (tx.kind !== 'tokens' && !tx.reverted && tx.to === address ? tx.amount : 0n)
    return blocks.reduce((sum, { txs }) => txs.reduce((more, tx) => more + came(tx), sum), 0n)
  }

  #tx(deed: Deed): SimTx {
    return { ...deed, ...transactionJson(deed, this.#random.below(2 ** 31)) }
  }

  #append(blocks: SimBlock[], txs: SimTx[], time: number): void {
    const before = blocks.at(-1)
    const at = {
      number: before ? before.number + 1 : 0,
      parentHash: before?.hash ?? noHash,
      time: Math.max(time, (before?.time ?? 0) + 1),
    }
    const json = blockJson(at, txs, this.#random.below(4), this.#random.hash())
    blocks.push({ ...at, hash: String(json.header.hash), txs, json })
    if (blocks === this.blocks) this.peak = Math.max(this.peak, this.head.number)
  }
}

function arrivalsOf(tx: SimTx, time: number, isOurs: (address: string) => boolean): Arrival[] {
  const { txid } = tx
  if (tx.kind === 'coin' && !tx.reverted && isOurs(tx.to))
    return [{ txid, token: null, ordinal: 0, to: tx.to, amount: tx.amount, time }]
  return logsOf(tx).flatMap(({ token, to, amount }, ordinal) =>
    isOurs(to) && amount > 0n ? [{ txid, token, ordinal, to, amount, time }] : [],
  )
}
