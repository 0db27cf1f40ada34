import type { BlockId, BlockRef, ChainView, RangeScan, Receipt, Scan, TransferFilter } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import { readBigInt, readReceipt } from '../evm/answers.ts'
import { Blocks } from '../evm/blocks.ts'
import { balanceData } from '../evm/calls.ts'
import { Missing, Nodes, type NodesOptions } from '../evm/nodes.ts'
import { readInfoOrNone, readTronBalance, readTronId } from './answers.ts'
import { TronWatch } from './watch.ts'

const DIFFERENT_BALANCES = 'the interfaces of a node tell different balances'

/** TRON, seen through the two interfaces of its nodes: the Ethereum-like one, and its own over HTTP. */
export class TronChain implements ChainView {
  readonly definition: ChainDefinition
  readonly #nodes: Nodes
  readonly #blocks: Blocks
  readonly #watch: TronWatch

  constructor(definition: ChainDefinition, options: NodesOptions) {
    this.definition = definition
    this.#nodes = new Nodes(options)
    this.#blocks = new Blocks(this.#nodes)
    this.#watch = new TronWatch(definition.id, this.#nodes, this.#blocks)
  }

  head(): Promise<BlockRef> {
    return this.#blocks.head()
  }

  blockAt(number: number): Promise<BlockRef | null> {
    return this.#blocks.at(number)
  }

  agreesOn(block: BlockId, depth?: number): Promise<boolean> {
    return this.#blocks.agreesOn(block, depth)
  }

  hasLeft(block: BlockId): Promise<boolean> {
    return this.#blocks.hasLeft(block)
  }

  transfersIn(block: BlockRef, filter: TransferFilter): Promise<Scan> {
    return this.#watch.inBlock(block, filter)
  }

  transfersRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    return this.#watch.inRange(from, to, filter)
  }

  async receipt(txid: string): Promise<Receipt | null> {
    const readInfo = (result: unknown) => {
      const info = readInfoOrNone(result)
      if (!info) throw new Missing('no such transaction')
      if (`0x${info.id}` !== txid) throw new Error('another transaction than asked for')
      return info
    }
    const read = (result: unknown) => {
      const receipt = readReceipt(result)
      if (receipt.txid !== txid) throw new Error('another receipt than asked for')
      return receipt
    }
    try {
      const [receipt, info] = await Promise.all([
        this.#nodes.ask('eth_getTransactionReceipt', [txid], read),
        this.#nodes.askPath('/wallet/gettransactioninfobyid', { value: txid.slice(2) }, readInfo),
      ])
      // The fee is not gas times price here: bandwidth costs too, and energy may have been paid for otherwise.
      return { ...receipt, fee: info.fee, status: info.succeeded ? receipt.status : 'reverted' }
    } catch (error) {
      if (error instanceof Missing) return null
      throw error
    }
  }

  async balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    if (block) throw new CallRefused('TRON tells balances of now only', 0)
    if (!token) return this.#balance(address)
    return this.#nodes.ask('eth_call', [{ to: token, data: balanceData(address) }, 'latest'], result => {
      if (typeof result !== 'string' || result.length !== 66) throw new Error('a balance that is not one word')
      return BigInt(result)
    })
  }

  /**
   * The confirmed state of the nodes, and not the newest: that has transactions which are in no block yet in it, and may never
   * be. The Ethereum-like interface, which knows the newest only, must not say less: nothing leaves these addresses without us.
   */
  async settledBalances(addresses: readonly string[]) {
    const newest = () => this.#nodes.askPath('/walletsolidity/getnowblock', {}, readTronId)
    const block = await newest()
    const balances = await Promise.all(
      addresses.map(address =>
        this.#nodes.askPath('/walletsolidity/getaccount', { address: prefixed(address) }, readTronBalance),
      ),
    )
    if ((await newest()).hash !== block.hash) return null
    const calls = addresses.map(address => ({ method: 'eth_getBalance', params: [address, 'latest'] }))
    const newer = await this.#nodes.askMany(calls, results => results.map(readBigInt))
    if (newer.some((balance, i) => balance < balances[i]!)) throw new ChainUnavailable(DIFFERENT_BALANCES)
    return { block, balances }
  }

  /** What both interfaces say. They may differ for a moment, when a block comes between the questions. */
  async #balance(address: string): Promise<bigint> {
    const [said, other] = await Promise.all([
      this.#nodes.ask('eth_getBalance', [address, 'latest'], readBigInt),
      this.#nodes.askPath('/wallet/getaccount', { address: prefixed(address) }, readTronBalance),
    ])
    if (said !== other) throw new ChainUnavailable(DIFFERENT_BALANCES)
    return said
  }
}

/** A stored address as the HTTP interface takes it. */
function prefixed(address: string): string {
  return `41${address.slice(2)}`
}
