import type { BlockId, BlockRef } from '../chain.ts'
import { ChainUnavailable } from '../errors.ts'
import { findMajorityAnswer, hasMajority } from '../nodes/agree.ts'
import { type Nodes, nullIfMissing, ObjectMissing } from '../nodes/nodes.ts'
import { encodeQuantity } from './calls.ts'
import type { Header } from './decoding.ts'
import { type JsonObject, readObject } from './encoding.ts'
import { type ReadHeader, readVerifiedHeader, toBlockRef } from './responses.ts'

/** How long (ms) a node's report of its head is its answer for the block of this height. */
const reportMs = 200
/** How long (ms) to wait for the heads that were requested together with one that has come. */
const togetherMs = 50
/** Blocks whose reporters are stored: more than are read at once. */
const reportersMost = 64
/**
 * How many blocks below its head a block of a node is compared: the newest ones are replaced in any case now and then.
 */
const COMPARED_BACK = 4

/** Reads blocks from nodes with Ethereum's JSON-RPC, and decides by quorum which are on the chain. */
export class Blocks {
  readonly #nodes: Nodes
  readonly #readHeader: ReadHeader
  /** Requests for heads that are not answered yet, and the last answers, in the order of their arrival; by URL. */
  readonly #asking = new Map<string, Promise<void>>()
  readonly #reported = new Map<string, BlockRef & { at: number }>()
  /** The nodes that reported a block, by its hash; the oldest first. */
  readonly #reporters = new Map<string, Set<string>>()
  /** Verified heads by hash: most polls bring one again, which need not be hashed again. */
  readonly #heads = new Map<unknown, BlockRef>()

  constructor(nodes: Nodes, readHeader: ReadHeader) {
    this.#nodes = nodes
    this.#readHeader = readHeader
  }

  /** Returns the highest head that most of the answering nodes have reached: one ahead of all others does not count. */
  async head(): Promise<BlockRef> {
    const read = (result: unknown, url: string) => this.#note(this.#readHead(result), url)
    const sorted = (heads: BlockRef[]) => heads.toSorted((a, b) => b.number - a.number)
    const isDecided = (heads: BlockRef[], queried: number) => {
      const most = Math.floor(queried / 2)
      return heads.length > most && sorted(heads)[most]!.number === sorted(heads)[0]!.number
    }
    const heads = await this.#nodes
      .askMost('eth_getBlockByNumber', ['latest', false], read, isDecided)
      .catch(unavailableIfMissing)
    return sorted(heads)[Math.floor(heads.length / 2)]!
  }

  /**
   * Returns the newest head that any node has reported, as soon as one answers: a hint of which blocks to vote on. A
   * slow node is not waited for; its answer counts when it arrives.
   */
  async newest(): Promise<BlockRef> {
    const read = (result: unknown) => this.#readHead(result)
    for (const { url, ask } of this.#nodes.singly('eth_getBlockByNumber', ['latest', false], read)) {
      if (this.#asking.has(url)) continue
      const asking = ask().then(answer => {
        this.#asking.delete(url)
        this.#reported.delete(url)
        if (answer instanceof Error) throw answer
        this.#reported.set(url, { ...this.#note(answer, url), at: performance.now() })
      })
      this.#asking.set(url, asking)
    }
    await Promise.any(this.#asking.values()).catch(({ errors }: AggregateError) => unavailableIfMissing(errors[0]))
    return toBlockRef([...this.#reported.values()].reduce((best, each) => (each.number < best.number ? best : each)))
  }

  /** Returns the block that most of the answering nodes have at a height, or null if there is none. */
  async at(number: number): Promise<BlockRef | null> {
    const reported = await this.#reportedSoon(number)
    if (reported) return reported
    const read = (result: unknown, url: string) =>
      result === null ? null : this.#note(this.#read(result, number), url)
    const most = (found: (Header | null)[], queried: number) =>
      found.find(one => found.filter(each => isSame(each, one)).length * 2 > queried)
    const found = await this.#nodes
      .askMost(
        'eth_getBlockByNumber',
        [encodeQuantity(number), false],
        read,
        (some, queried) => most(some, queried) !== undefined,
      )
      .catch(nullIfMissing)
    const header = most(found ?? [], found?.length ?? 0)
    return header ? toBlockRef(header) : null
  }

  /**
   * Returns the header that a quorum has at a height, or null if there is none. That a header hashes to its hash puts
   * it on no chain.
   */
  async agreedAt(number: number): Promise<Header | null> {
    const call = { method: 'eth_getBlockByNumber', params: [encodeQuantity(number), false] }
    const votes = await this.#nodes.askQuorum([call], ([result]) => this.#read(result, number))
    return findMajorityAnswer(votes, this.#nodes.size, ({ hash }) => hash)
  }

  /** As `#reportedAt`, once the nodes that were queried for their heads have answered: they differ by milliseconds. */
  async #reportedSoon(number: number): Promise<BlockRef | undefined> {
    const requests = [...this.#asking.values()]
    const found = this.#reportedAt(number)
    if (found || requests.length === 0 || ![...this.#reported.values()].some(head => head.number === number))
      return found
    const { promise: waitedEnough, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, togetherMs)
    for (const each of requests)
      each.then(
        () => this.#reportedAt(number) && resolve(),
        () => {},
      )
    await Promise.race([Promise.allSettled(requests), waitedEnough])
    clearTimeout(timer)
    return this.#reportedAt(number)
  }

  /** Notes that a node has a block. Returns the block. */
  #note<T extends BlockRef>(block: T, url: string): T {
    const reporters = this.#reporters.get(block.hash) ?? new Set()
    this.#reporters.set(block.hash, reporters.add(url))
    const [oldest] = this.#reporters.keys()
    if (this.#reporters.size > reportersMost) this.#reporters.delete(oldest!)
    return block
  }

  /** Whether a quorum of all nodes has reported a block. */
  isReported({ hash }: BlockId): boolean {
    const { size } = this.#nodes
    return /* guard: tip-agreed */ hasMajority(this.#reporters.get(hash)?.size ?? 0, size, size) /* end */
  }

  /** The block of this height that most nodes have just reported as their head: they need not be queried again. */
  #reportedAt(number: number): BlockRef | undefined {
    const since = performance.now() - reportMs
    const heads = [...this.#reported.values()].filter(each => each.number === number && each.at >= since)
    const one = heads.find(head => heads.filter(each => isSame(each, head)).length * 2 > this.#nodes.size)
    return one && toBlockRef(one)
  }

  /**
   * Reads a block by hash; `read` also gets its transactions, or their hashes, as the node sent them. `full` requests
   * transactions. Throws Missing if no node knows the hash.
   */
  byHash<T>(
    block: BlockId,
    full: boolean,
    read: (header: Header, transactions: unknown) => T | Promise<T>,
  ): Promise<T> {
    return this.#nodes.ask('eth_getBlockByHash', [block.hash, full], result => {
      const header = this.#read(result)
      if (header.hash !== block.hash) throw new Error('response is for another block')
      // A node that named the number may have lied, and not this one.
      if (header.number !== block.number) throw new ObjectMissing('the block has another number')
      return read(header, (result as JsonObject).transactions)
    })
  }

  /**
   * Reads the blocks of a range, inclusive, as `byHash` does, from a node whose blocks are linked by their parent
   * hashes to the last block that most nodes have. Throws Missing if there is none.
   */
  async range<T>(
    from: number,
    to: number,
    full: boolean,
    read: (header: Header, transactions: unknown) => T | Promise<T>,
  ): Promise<T[]> {
    const end = await this.at(to)
    if (!end) throw new ObjectMissing(`most nodes have no block ${to}`)
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const calls = numbers.map(n => ({ method: 'eth_getBlockByNumber', params: [encodeQuantity(n), full] }))
    return this.#nodes.askMany(calls, async results => {
      let before: string | null = null
      const blocks: T[] = []
      for (const [i, result] of results.entries()) {
        const header = this.#read(result, numbers[i])
        if (header.number === to && !isSame(header, end)) throw new ObjectMissing(`most nodes have another block ${to}`)
        // guard: range-linked
        if (before && header.parentHash !== before)
          throw new ObjectMissing(`block ${header.number} does not follow its predecessor`)
        before = header.hash
        blocks.push(await read(header, (result as JsonObject).transactions))
      }
      return blocks
    })
  }

  /**
   * Whether a quorum has this block, `depth` blocks deep. A node ahead of all others must not decide alone how deep a
   * block is, since no other node has the blocks on top; nor may one node decide while the others fail briefly.
   */
  agreesOn({ number, hash }: BlockId, depth = 1): Promise<boolean> {
    return this.#majorityHas(depth > 1 ? [number, number + depth - 1] : [number], found => found === hash)
  }

  /** Whether a quorum has another block at this height. The nodes are identified again first. */
  isReorgedOut({ number, hash }: BlockId): Promise<boolean> {
    this.#nodes.identifyAgain()
    return this.#majorityHas([number], found => found !== hash)
  }

  /** Whether a quorum has blocks at all these heights, and a hash at the first of them that fits. */
  async #majorityHas(heights: number[], isYes: (hash: string) => boolean): Promise<boolean> {
    const calls = heights.map(each => ({ method: 'eth_getBlockByNumber', params: [encodeQuantity(each), false] }))
    const read = (results: unknown[]) => results.map((each, i) => this.#read(each, heights[i]).hash)[0]!
    const decided = (found: string[], queried: number) => {
      return hasMajority(found.filter(isYes).length, queried, this.#nodes.size)
    }
    return this.#isMajority(await this.#nodes.askQuorum(calls, read, decided), isYes)
  }

  /**
   * Compares a block of each node, a little below its head, with the one that a quorum has at this height: a node on a
   * fork of its own may be far behind, or ahead. Returns the nodes that could be compared.
   */
  async compare(): Promise<{ url: string; number: number; isSame: boolean }[]> {
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const heads = (await this.#nodes.askAll([latest], ([head]) => this.#readHead(head).number)).flatMap(
      ({ url, answer }) => (answer instanceof Error ? [] : [{ url, head: answer }]),
    )
    const reached = heads.map(({ head }) => head).sort((a, b) => b - a)[Math.floor(heads.length / 2)] ?? 0
    const heightOf = (head: number) => Math.max(0, Math.min(head, reached) - COMPARED_BACK)
    const compared: { url: string; number: number; isSame: boolean }[] = []
    for (const [number, nodes] of Map.groupBy(heads, ({ head }) => heightOf(head))) {
      const call = { method: 'eth_getBlockByNumber', params: [encodeQuantity(number), false] }
      const answers = await this.#nodes.askAll([call], ([result]) => toBlockRef(this.#read(result, number)))
      const votes = answers.map(({ answer }) => answer)
      const agreed = findMajorityAnswer(votes, this.#nodes.size, ({ hash, parentHash, time }) =>
        [hash, parentHash, time].join(),
      )
      for (const { url, answer } of agreed ? answers : [])
        if (!(answer instanceof Error) && nodes.some(node => node.url === url))
          compared.push({ url, number, isSame: isSame(answer, agreed) })
    }
    return compared
  }

  #readHead(value: unknown): BlockRef {
    if (value === null || this.#readHeader !== readVerifiedHeader) return toBlockRef(this.#read(value))
    // What hashes to a hash is the same, whatever stands beside it.
    const { hash } = readObject(value)
    const head = this.#heads.get(hash) ?? toBlockRef(this.#read(value))
    if (this.#heads.size > 8) this.#heads.clear()
    this.#heads.set(head.hash, head)
    return head
  }

  /** Reads a header. Throws Missing for null, Error for a wrong one. */
  #read(value: unknown, number?: number): Header {
    const header = this.#readHeader(value)
    if (number !== undefined && header.number !== number) throw new Error('response is for another block')
    return header
  }

  /** Whether most answers are a yes, and at least two with three nodes or more. Throws if all nodes are unavailable. */
  #isMajority<T>(answers: (T | Error)[], isYes: (answer: T) => boolean): boolean {
    const trouble = answers.find(answer => answer instanceof ChainUnavailable)
    if (trouble && !answers.some(answer => !(answer instanceof Error) || answer instanceof ObjectMissing)) throw trouble
    const yes = answers.filter(answer => !(answer instanceof Error) && isYes(answer)).length
    // guard: two-nodes
    if (this.#nodes.size > 2 && yes < 2) return false
    // guard: majority
    return yes > answers.length - yes
  }
}

/** Whether two answers are the same block. Without roots, a hash does not commit to the rest. */
const isSame = (one: BlockRef | null, other: BlockRef | null) =>
  one?.hash === other?.hash /* guard: time-agreed */ &&
  one?.time === other?.time &&
  one?.parentHash === other?.parentHash /* end */

/** A node without a head is not synchronized: treat it as unavailable. */
function unavailableIfMissing(error: unknown): never {
  throw error instanceof ObjectMissing ? new ChainUnavailable('no node has a head') : error
}
