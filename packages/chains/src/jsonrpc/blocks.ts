import type { BlockId, BlockRef, ReportedTransfer } from '../chain.ts'
import { ChainUnavailable } from '../errors.ts'
import { type Header, readHeader, readReceipt, refOf } from './answers.ts'
import { quantity } from './calls.ts'
import { Missing, type Nodes, nullIfMissing } from './nodes.ts'
import { keysInReceipt, keysInTransaction, transferKey } from './transfer-keys.ts'

/** The blocks that nodes which speak Ethereum's JSON-RPC say there are. */
export class Blocks {
  readonly #nodes: Nodes
  #highest = 0
  /** Spares asking for a header twice; lives as long as the caller holds the block. */
  readonly #headers = new WeakMap<BlockRef, Header>()

  constructor(nodes: Nodes) {
    this.#nodes = nodes
  }

  /** The newest block of the best node that answers. */
  async head(): Promise<BlockRef> {
    const read = (result: unknown) => refOf(readHeader(result))
    let best = await this.#nodes.ask('eth_getBlockByNumber', ['latest', false], read).catch(nothingAtAll)
    if (best.number < this.#highest && this.#nodes.size > 1) {
      // The first node is behind what was seen before: ask them all.
      for (const answer of await this.#nodes.askEach('eth_getBlockByNumber', ['latest', false], read)) {
        if (!(answer instanceof Error) && answer.number > best.number) best = answer
      }
    }
    this.#highest = Math.max(this.#highest, best.number)
    return best
  }

  /** The block at a height, or null when no node has it. */
  async at(number: number): Promise<BlockRef | null> {
    const read = (result: unknown) => {
      const header = readHeader(result)
      if (header.number !== number) throw new Error('another block than asked for')
      return header
    }
    const header = await this.#nodes.ask('eth_getBlockByNumber', [quantity(number), false], read).catch(nullIfMissing)
    if (!header) return null
    const block = refOf(header)
    this.#headers.set(block, header)
    return block
  }

  /** A block's header by its hash. `full` asks for whole transactions. Throws Missing when no node knows the hash. */
  byHash<T>(block: BlockRef, full: boolean, see: (header: Header) => T): Promise<T> {
    const known = this.#headers.get(block)
    if (known && !full) return Promise.resolve(see(known))
    return this.#nodes.ask('eth_getBlockByHash', [block.hash, full], result => {
      const header = readHeader(result)
      if (header.hash !== block.hash || header.number !== block.number) throw new Error('another block than asked for')
      return see(header)
    })
  }

  /** The headers of a range, each following the one before. Throws Missing when they do not. */
  range<T>(from: number, to: number, full: boolean, see: (header: Header) => T): Promise<T[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const calls = numbers.map(n => ({ method: 'eth_getBlockByNumber', params: [quantity(n), full] }))
    return this.#nodes.askMany(calls, results => {
      let before: string | null = null
      return results.map((result, i) => {
        const header = readHeader(result)
        if (header.number !== numbers[i]) throw new Error('another block than asked for')
        if (before && header.parentHash !== before) throw new Missing(`block ${header.number} does not follow the last`)
        before = header.hash
        return see(header)
      })
    })
  }

  /**
   * Whether most nodes have this block, with `depth` blocks from it on. A node that is ahead of all others must not decide
   * alone how deep a block is: whatever it tells of those on top, nobody else has seen them. Nor must one decide because the
   * others fail for a moment; those that have failed for a minute are not counted.
   */
  agreesOn({ number, hash }: BlockId, depth = 1): Promise<boolean> {
    return this.#mostSay(depth > 1 ? [number, number + depth - 1] : [number], found => found === hash)
  }

  /** Whether most nodes have another block at this height. */
  isReorgedOut({ number, hash }: BlockId): Promise<boolean> {
    return this.#mostSay([number], found => found !== hash)
  }

  /** Those of the transfers that most nodes have in these very blocks. A node that is alone need not say it twice. */
  async confirmedByQuorum<T extends ReportedTransfer>(transfers: readonly T[]): Promise<T[]> {
    if (this.#nodes.size === 1 || transfers.length === 0) return [...transfers]
    const txids = [...new Set(transfers.map(each => each.txid))]
    const plain = [...new Set(transfers.filter(each => each.token === null).map(each => each.txid))]
    const calls = [
      ...txids.map(txid => ({ method: 'eth_getTransactionReceipt', params: [txid] })),
      ...plain.map(txid => ({ method: 'eth_getTransactionByHash', params: [txid] })),
    ]
    const answers = await this.#nodes.askVoices(calls, results => {
      const receipts = results.slice(0, txids.length).filter(each => each !== null)
      const receiptOf = new Map(receipts.map(each => [readReceipt(each).txid, each]))
      const sent = results.slice(txids.length).flatMap((each, i) => keysInTransaction(each, receiptOf.get(plain[i]!)))
      return new Set([...receipts.flatMap(keysInReceipt), ...sent])
    })
    return transfers.filter(each => this.#most(answers, names => names.has(transferKey(each))))
  }

  /** Whether most nodes have blocks at these heights and say yes to the hash of the first. */
  async #mostSay(heights: number[], isYes: (hash: string) => boolean): Promise<boolean> {
    const calls = heights.map(each => ({ method: 'eth_getBlockByNumber', params: [quantity(each), false] }))
    const answers = await this.#nodes.askVoices(calls, results => results.map(each => readHeader(each).hash)[0]!)
    return this.#most(answers, isYes)
  }

  /** Whether most answers are a yes. Of three nodes or more, two must say it. */
  #most<T>(answers: (T | Error)[], isYes: (answer: T) => boolean): boolean {
    const trouble = answers.find(answer => answer instanceof ChainUnavailable)
    if (trouble && !answers.some(answer => !(answer instanceof Error) || answer instanceof Missing)) throw trouble
    const yes = answers.filter(answer => !(answer instanceof Error) && isYes(answer)).length
    // guard: two-nodes
    if (this.#nodes.size > 2 && yes < 2) return false
    // guard: majority
    return yes > answers.length - yes
  }
}

/** A node that has no newest block is of no use; it says nothing about the chain. */
function nothingAtAll(error: unknown): never {
  throw error instanceof Missing ? new ChainUnavailable('no node has any block') : error
}
