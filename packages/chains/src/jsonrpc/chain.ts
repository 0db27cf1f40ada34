import type {
  BlockId,
  BlockRef,
  ChainView,
  RangeScan,
  Receipt,
  RecentBalances,
  Scan,
  Transfer,
  TransferFilter,
} from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { agreeOn, type WatchedNode, type Watching } from './agree.ts'
import { Blocks, type HashOf } from './blocks.ts'
import { balanceData } from './calls.ts'
import { Nodes, type NodesOptions } from './nodes.ts'
import { readReceipt, readWord } from './responses.ts'

/** The common part of chains whose nodes provide Ethereum's JSON-RPC. */
export abstract class JsonRpcChain implements ChainView {
  readonly definition: ChainDefinition
  protected readonly nodes: Nodes
  protected readonly blocks: Blocks
  /** Each node by itself. */
  protected readonly each: readonly Nodes[]
  readonly #watch: Watching
  readonly #watched: WatchedNode[]
  readonly #now: () => number

  /** @param hashOf recomputes the hash of a header; null if what a block holds cannot be verified by hashes */
  constructor(
    definition: ChainDefinition,
    options: NodesOptions,
    hashOf: HashOf | null,
    watch: (nodes: Nodes, blocks: Blocks) => Watching,
  ) {
    this.definition = definition
    this.nodes = new Nodes(options)
    this.blocks = new Blocks(this.nodes, hashOf)
    this.#watch = watch(this.nodes, this.blocks)
    this.#now = options.now ?? (() => performance.now())
    this.each = options.endpoints.map(endpoint => new Nodes({ ...options, endpoints: [endpoint] }))
    const single = hashOf ? [] : this.each
    this.#watched = single.map(nodes => ({ watch: watch(nodes, new Blocks(nodes, null)), failingSince: null }))
  }

  get isVerified(): boolean {
    return this.#watched.length === 0
  }

  /** See ChainView. Each node is queried for all that it has. */
  agreed(from: number, last: BlockId, filter: TransferFilter): Promise<Transfer[] | null> {
    return agreeOn(this.#watched, from, last, filter, this.#now())
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
  abstract recentBalances(addresses: readonly string[]): Promise<RecentBalances | null>

  head(): Promise<BlockRef> {
    return this.blocks.head()
  }

  newestHead(): Promise<BlockRef> {
    return this.blocks.newest()
  }

  blockAt(number: number): Promise<BlockRef | null> {
    return this.blocks.at(number)
  }

  agreesOn(block: BlockId, depth?: number): Promise<boolean> {
    return this.blocks.agreesOn(block, depth)
  }

  isReorgedOut(block: BlockId): Promise<boolean> {
    return this.blocks.isReorgedOut(block)
  }

  transfersIn(block: BlockId, filter: TransferFilter): Promise<Scan> {
    return this.#watch.inBlock(block, filter)
  }

  transfersRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    return this.#watch.inRange(from, to, filter)
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
