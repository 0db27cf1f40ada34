import type { BlockId, BlockRef, ReportedTransfer } from '../chain.ts'
import { ChainUnavailable } from '../errors.ts'
import { quantity } from './calls.ts'
import { Missing, type Nodes, nullIfMissing } from './nodes.ts'
import { type Header, readHeader, readReceipt, refOf } from './responses.ts'
import { keysInReceipt, keysInTransaction, transferKey } from './transfer-keys.ts'

/** Reads blocks from nodes with Ethereum's JSON-RPC, and decides by quorum which are on the chain. */
export class Blocks {
  readonly #nodes: Nodes
  #highest = 0
  /** Headers already read, for as long as the caller holds the block. */
  readonly #headers = new WeakMap<BlockRef, Header>()

  constructor(nodes: Nodes) {
    this.#nodes = nodes
  }

  /** Returns the head of the first node that answers, or the highest head if that node has fallen behind. */
  async head(): Promise<BlockRef> {
    const read = (result: unknown) => refOf(readHeader(result))
    let best = await this.#nodes.ask('eth_getBlockByNumber', ['latest', false], read).catch(unavailableIfMissing)
    if (best.number < this.#highest && this.#nodes.size > 1) {
      // The first node is behind the highest head seen so far: ask all nodes.
      for (const answer of await this.#nodes.askEach('eth_getBlockByNumber', ['latest', false], read)) {
        if (!(answer instanceof Error) && answer.number > best.number) best = answer
      }
    }
    this.#highest = Math.max(this.#highest, best.number)
    return best
  }

  /** Returns the block at a height, or null if no node has it. */
  async at(number: number): Promise<BlockRef | null> {
    const read = (result: unknown) => {
      const header = readHeader(result)
      if (header.number !== number) throw new Error('response is for another block')
      return header
    }
    const header = await this.#nodes.ask('eth_getBlockByNumber', [quantity(number), false], read).catch(nullIfMissing)
    if (!header) return null
    const block = refOf(header)
    this.#headers.set(block, header)
    return block
  }

  /** Reads a block's header by hash. `full` requests transaction objects. Throws Missing if no node knows the hash. */
  byHash<T>(block: BlockRef, full: boolean, read: (header: Header) => T): Promise<T> {
    const known = this.#headers.get(block)
    if (known && !full) return Promise.resolve(read(known))
    return this.#nodes.ask('eth_getBlockByHash', [block.hash, full], result => {
      const header = readHeader(result)
      if (header.hash !== block.hash || header.number !== block.number) throw new Error('response is for another block')
      return read(header)
    })
  }

  /** Reads the headers of a range, inclusive. Throws Missing if they are not linked by their parent hashes. */
  range<T>(from: number, to: number, full: boolean, read: (header: Header) => T): Promise<T[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const calls = numbers.map(n => ({ method: 'eth_getBlockByNumber', params: [quantity(n), full] }))
    return this.#nodes.askMany(calls, results => {
      let before: string | null = null
      return results.map((result, i) => {
        const header = readHeader(result)
        if (header.number !== numbers[i]) throw new Error('response is for another block')
        if (before && header.parentHash !== before)
          throw new Missing(`block ${header.number} does not follow its predecessor`)
        before = header.hash
        return read(header)
      })
    })
  }

  /**
   * Whether a quorum has this block, `depth` blocks deep. A node ahead of all others must not decide alone how deep a block is,
   * since no other node has the blocks on top; nor may one node decide while the others fail briefly.
   */
  agreesOn({ number, hash }: BlockId, depth = 1): Promise<boolean> {
    return this.#majorityHas(depth > 1 ? [number, number + depth - 1] : [number], found => found === hash)
  }

  /** Whether a quorum has another block at this height. */
  isReorgedOut({ number, hash }: BlockId): Promise<boolean> {
    return this.#majorityHas([number], found => found !== hash)
  }

  /** Returns the transfers that a quorum has in these very blocks. With a single node, returns all. */
  async confirmedByQuorum<T extends ReportedTransfer>(transfers: readonly T[]): Promise<T[]> {
    if (this.#nodes.size === 1 || transfers.length === 0) return [...transfers]
    const txids = [...new Set(transfers.map(each => each.txid))]
    const plain = [...new Set(transfers.filter(each => each.token === null).map(each => each.txid))]
    const calls = [
      ...txids.map(txid => ({ method: 'eth_getTransactionReceipt', params: [txid] })),
      ...plain.map(txid => ({ method: 'eth_getTransactionByHash', params: [txid] })),
    ]
    const answers = await this.#nodes.askVoters(calls, results => {
      const receipts = results.slice(0, txids.length).filter(each => each !== null)
      const receiptOf = new Map(receipts.map(each => [readReceipt(each).txid, each]))
      const sent = results.slice(txids.length).flatMap((each, i) => keysInTransaction(each, receiptOf.get(plain[i]!)))
      return new Set([...receipts.flatMap(keysInReceipt), ...sent])
    })
    return transfers.filter(each => this.#isMajority(answers, keys => keys.has(transferKey(each))))
  }

  /** Whether a quorum has blocks at all these heights, and a hash at the first of them that fits. */
  async #majorityHas(heights: number[], isYes: (hash: string) => boolean): Promise<boolean> {
    const calls = heights.map(each => ({ method: 'eth_getBlockByNumber', params: [quantity(each), false] }))
    const answers = await this.#nodes.askVoters(calls, results => results.map(each => readHeader(each).hash)[0]!)
    return this.#isMajority(answers, isYes)
  }

  /** Whether most answers are a yes, and at least two with three nodes or more. Throws if all nodes are unavailable. */
  #isMajority<T>(answers: (T | Error)[], isYes: (answer: T) => boolean): boolean {
    const trouble = answers.find(answer => answer instanceof ChainUnavailable)
    if (trouble && !answers.some(answer => !(answer instanceof Error) || answer instanceof Missing)) throw trouble
    const yes = answers.filter(answer => !(answer instanceof Error) && isYes(answer)).length
    // guard: two-nodes
    if (this.#nodes.size > 2 && yes < 2) return false
    // guard: majority
    return yes > answers.length - yes
  }
}

/** A node without a head is not synchronized: treat it as unavailable. */
function unavailableIfMissing(error: unknown): never {
  throw error instanceof Missing ? new ChainUnavailable('no node has a head') : error
}
