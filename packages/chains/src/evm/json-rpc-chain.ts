import type {
  AccountChain,
  BlockId,
  BlockRef,
  RangeScan,
  Receipt,
  RecentBalances,
  Scan,
  Transfer,
  TransferFilter,
} from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { BlockOrphaned, ChainUnavailable } from '../errors.ts'
import { agreeOnTransfers, countAnswers, hasMajority, type TransferWatch, type WatchedNode } from '../nodes/agree.ts'
import { Nodes, type NodesOptions } from '../nodes/nodes.ts'
import { Blocks } from './blocks.ts'
import { balanceData, encodeQuantity } from './calls.ts'
import type { BlockReader } from './content.ts'
import { type JsonObject, readObject } from './encoding.ts'
import { fetchImplementation } from './implementation.ts'
import { fetchIssuerRefusal, type IssuerRefusal } from './issuer.ts'
import { readBigInt, readReceipt, readReportedHeader, readWord } from './responses.ts'

/**
 * All of a transfer that is used later, except its place among the logs of its block, which nodes of some chains count
 * differently.
 */
const compared = ({ blockHash, blockTime, token, ordinal, to, amount, from }: Transfer) =>
  [blockHash, blockTime, token, ordinal, to, amount, /* guard: sender-agreed */ from /* end */].join(' ')

/** Blocks of which a node's report is stored: more than wait for their confirmations. */
const saidMost = 64

/** Errors of blocks that do not verify. */
const UNVERIFIED = /not hash to|unknown type/

/**
 * What a block with all its transactions has that this version does not know; null if nothing keeps it from being
 * verified.
 */
type Unverifiable = (block: JsonObject) => string | null
/** How the blocks of a chain are verified. */
type Verifies = { reading: BlockReader; unverifiable: Unverifiable }
type WatchOver = (nodes: Nodes, blocks: Blocks, reading: BlockReader) => TransferWatch

/** The common part of chains whose nodes provide Ethereum's JSON-RPC. */
export abstract class JsonRpcChain implements AccountChain {
  readonly definition: ChainDefinition
  protected readonly nodes: Nodes
  protected blocks: Blocks
  /** Each node by itself. */
  protected readonly each: readonly Nodes[]
  #watch: TransferWatch
  #watched: WatchedNode[]
  readonly #options: Required<Pick<NodesOptions, 'endpoints' | 'now' | 'onUnverified' | 'onCompared'>>
  readonly #unverifiable: Unverifiable | null
  readonly #watchOver: WatchOver
  /** How blocks are read that are not verified. */
  readonly #unverified: BlockReader
  /** What one node told of a block that most must agree on when it is final, by its hash, the oldest first. */
  readonly #said = new Map<string, Scan>()

  /**
   * @param verifies how what a block holds is verified by hashes, if it is; else most nodes decide on what is read as
   *   `unverified`
   */
  constructor(
    definition: ChainDefinition,
    options: NodesOptions,
    { verifies, unverified }: { verifies: Verifies | null; unverified: BlockReader },
    watchOver: WatchOver,
  ) {
    this.definition = definition
    this.#options = {
      endpoints: options.endpoints,
      now: options.now ?? (() => performance.now()),
      onUnverified: options.onUnverified ?? (() => {}),
      onCompared: options.onCompared ?? (() => {}),
    }
    this.#unverifiable = verifies?.unverifiable ?? null
    this.#watchOver = watchOver
    this.#unverified = unverified
    this.nodes = new Nodes(options)
    this.each = options.endpoints.map(endpoint => new Nodes({ ...options, endpoints: [endpoint] }))
    const reading = verifies?.reading ?? unverified
    this.blocks = new Blocks(this.nodes, reading.header)
    this.#watch = watchOver(this.nodes, this.blocks, reading)
    this.#watched = verifies ? [] : this.#watchEach()
  }

  #watchEach(): WatchedNode[] {
    return this.each.map((nodes, i) => ({
      watch: this.#watchOver(nodes, new Blocks(nodes, this.#unverified.header), this.#unverified),
      url: this.#options.endpoints[i]!.url,
      failingSince: null,
    }))
  }

  /**
   * Reads; where all nodes fail, and most of them report the same block that this version cannot verify, as after a
   * fork, agreement of most nodes decides from then on what blocks hold.
   */
  async #reading<T>(number: number | null, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (!this.isVerified || !(error instanceof ChainUnavailable && UNVERIFIED.test(error.message))) throw error
      const reason = await this.#forked(number)
      if (reason === null) throw error
      this.blocks = new Blocks(this.nodes, this.#unverified.header)
      this.#watch = this.#watchOver(this.nodes, this.blocks, this.#unverified)
      this.#watched = this.#watchEach()
      this.#options.onUnverified(reason)
      return read()
    }
  }

  /** Why a block that most nodes have cannot be verified; null if most do not, or it can. */
  async #forked(number: number | null): Promise<string | null> {
    const unverifiable = this.#unverifiable
    if (!unverifiable) return null
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const heights =
      number === null ? await this.nodes.askQuorum([latest], ([head]) => readReportedHeader(head).number) : [number]
    const at = Math.min(...heights.filter(each => typeof each === 'number'))
    if (!Number.isFinite(at)) return null
    const block = { method: 'eth_getBlockByNumber', params: [encodeQuantity(at), true] }
    const votes = await this.nodes.askQuorum([block], ([found]) => ({
      hash: readReportedHeader(found).hash,
      reason: unverifiable(readObject(found)),
    }))
    const found = votes.flatMap(vote => (vote instanceof Error ? [] : [vote]))
    for (const { hash, reason } of found) {
      const same = found.filter(each => each.hash === hash)
      // guard: fork-agreed
      const isAgreed = hasMajority(same.length, votes.length, this.nodes.size)
      if (reason !== null && isAgreed && same.every(each => each.reason !== null)) return reason
    }
    return null
  }

  get isVerified(): boolean {
    return this.#watched.length === 0
  }

  /** See ChainView. Each node is queried for all that it has, but for what it told when the block was seen. */
  async agreed(from: number, last: BlockId, filter: TransferFilter): Promise<Transfer[] | null> {
    const { mayProve } = this.#unverified
    const said = from === last.number ? this.#said.get(last.hash) : undefined
    const question = { from, last, filter, compared, mayProve, said, now: this.#options.now() }
    const transfers = await agreeOnTransfers(this.#watched, question)
    // It may have been wrong then.
    if (!transfers) this.#said.delete(last.hash)
    return transfers
  }

  /** See ChainView. */
  issuerWord(token: string, address: string): Promise<IssuerRefusal> {
    return fetchIssuerRefusal(this.nodes, token, address)
  }

  /** See ChainView. */
  implementationOf(token: string): Promise<string | null> {
    return fetchImplementation(this.nodes, token)
  }

  async compareNodes(): Promise<void> {
    for (const { url, number, isSame } of await this.blocks.compare()) this.#options.onCompared(url, number, isSame)
  }

  get silentMs(): number {
    return this.nodes.silentMs
  }

  identifyAgain(): void {
    this.nodes.identifyAgain()
  }

  abstract receipt(txid: string): Promise<Receipt | null>
  abstract balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint>
  abstract certainBalances(
    token: string | null,
    addresses: readonly string[],
    block?: BlockId,
  ): Promise<(bigint | null)[]>
  async balancesByNode(token: string | null, address: string): Promise<{ url: string; says: string }[]> {
    const call = token
      ? { method: 'eth_call', params: [{ to: token, data: balanceData(address) }, 'latest'] }
      : { method: 'eth_getBalance', params: [address, 'latest'] }
    const told = await this.nodes.askAll([call], ([result]) => (token ? readWord(result) : readBigInt(result)))
    return told.map(({ url, answer }) => ({ url, says: answer instanceof Error ? answer.message : String(answer) }))
  }
  abstract recentBalances(addresses: readonly string[]): Promise<RecentBalances | null>

  head(): Promise<BlockRef> {
    return this.#reading(null, () => this.blocks.head())
  }

  newestHead(): Promise<BlockRef> {
    return this.#reading(null, () => this.blocks.newest())
  }

  blockAt(number: number): Promise<BlockRef | null> {
    return this.#reading(number, () => this.blocks.at(number))
  }

  agreesOn(block: BlockId, depth?: number): Promise<boolean> {
    return this.blocks.agreesOn(block, depth)
  }

  isReported(block: BlockId): boolean {
    return this.blocks.isReported(block)
  }

  isReorgedOut(block: BlockId): Promise<boolean> {
    return this.blocks.isReorgedOut(block)
  }

  async transfersIn(block: BlockId, filter: TransferFilter): Promise<Scan> {
    const scan = await this.#scan(block.number, watch => watch.inBlock(block, filter))
    if (this.isVerified || this.#unverified.mayProve || scan.by === undefined) return scan
    this.#said.set(block.hash, scan)
    const [oldest] = this.#said.keys()
    if (this.#said.size > saidMost) this.#said.delete(oldest!)
    return scan
  }

  transfersRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    return this.#scan(to, watch => watch.inRange(from, to, filter))
  }

  /**
   * Without roots one node may name transactions of a block that the other nodes, queried for what these did, do not
   * know, and no error tells whose fault it is. Then each node is read by itself, and the first counts that agrees with
   * itself.
   */
  async #scan<T>(number: number, read: (watch: TransferWatch) => Promise<T>): Promise<T> {
    try {
      return await this.#reading(number, () => read(this.#watch))
    } catch (error) {
      if (this.isVerified || !(error instanceof BlockOrphaned)) throw error
      return Promise.any(this.#watched.map(({ watch }) => read(watch))).catch(() => Promise.reject(error))
    }
  }

  async placesOf(txid: string): Promise<BlockId[]> {
    const call = { method: 'eth_getTransactionReceipt', params: [txid] }
    const votes = await this.nodes.askQuorum([call], ([result]) => {
      const { txid: id, blockNumber: number, blockHash: hash } = readReceipt(result)
      if (id !== txid) throw new Error('response is for another transaction')
      return { number, hash }
    })
    return countAnswers(votes, ({ number, hash }) => `${number} ${hash}`).map(({ value }) => value)
  }

  /** Reads the receipt of a transaction. Throws Missing if it is not mined. */
  protected askReceipt(txid: string): Promise<Receipt> {
    return this.nodes.ask('eth_getTransactionReceipt', [txid], result => {
      const receipt = readReceipt(result)
      if (receipt.txid !== txid) throw new Error('response is for another transaction')
      return receipt
    })
  }

  /** Reads a token balance in base units as of `at`, a block parameter of JSON-RPC. */
  protected tokenBalance(token: string, address: string, at: unknown): Promise<bigint> {
    return this.nodes.ask('eth_call', [{ to: token, data: balanceData(address) }, at], readWord)
  }
}
