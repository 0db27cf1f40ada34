import type {
  BlockId,
  BlockRef,
  Chain,
  Fees,
  Payout,
  RangeScan,
  Receipt,
  Scan,
  Sent,
  Told,
  TransferFilter,
} from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { CallRefused } from '../errors.ts'
import { readBigInt, readHash, readHeader, readNumber, readReceipt } from './answers.ts'
import { Blocks } from './blocks.ts'
import { balanceData, quantity, transferData } from './calls.ts'
import { Missing, Nodes, type NodesOptions } from './nodes.ts'
import { txidOf } from './transfer.ts'
import { Watch } from './watch.ts'

/** What a plain payment of the native coin to a wallet uses; no margin is needed, and a sweep must be exact. */
const PLAIN_GAS = 21_000n
/** Hundredths of the estimate by which the gas limit is higher: storage may be touched first by somebody else. */
const GAS_MARGIN = 25n
/** How nodes say that they have this transaction already. */
const KNOWN = /already known|known transaction|already imported|already exists/i

/** A chain that speaks Ethereum's JSON-RPC, seen through its nodes. */
export class EvmChain implements Chain {
  readonly definition: ChainDefinition
  readonly #nodes: Nodes
  readonly #blocks: Blocks
  readonly #watch: Watch

  constructor(definition: ChainDefinition, options: NodesOptions) {
    this.definition = definition
    this.#nodes = new Nodes(options)
    this.#blocks = new Blocks(this.#nodes)
    this.#watch = new Watch(definition.id, this.#nodes, this.#blocks)
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

  confirmed<T extends Told>(transfers: readonly T[]): Promise<T[]> {
    return this.#blocks.confirmed(transfers)
  }

  async fees(): Promise<Fees> {
    const calls = [
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ]
    return this.#nodes.askMany(calls, ([block, tip]) => {
      const maxPriorityFeePerGas = readBigInt(tip)
      // Twice the base fee lasts for about six full blocks.
      return { maxFeePerGas: readHeader(block).baseFee * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
    })
  }

  async gasFor(payout: Payout): Promise<bigint> {
    const { from, token, to, amount } = payout
    const call = token ? { from, to: token, data: transferData(to, amount) } : { from, to, value: quantity(amount) }
    const used = await this.#nodes.ask('eth_estimateGas', [call], readBigInt)
    return used === PLAIN_GAS ? used : used + (used * GAS_MARGIN) / 100n
  }

  nonce(address: string): Promise<number> {
    return this.#nodes.ask('eth_getTransactionCount', [address, 'latest'], readNumber)
  }

  async send(raw: string): Promise<Sent> {
    const txid = txidOf(raw)
    const answers = await this.#nodes.askEach('eth_sendRawTransaction', [raw], readHash)
    const accepted = answers.some(answer => (answer instanceof Error ? KNOWN.test(answer.message) : answer === txid))
    const failure = answers.find(answer => answer instanceof Error)
    return { txid, accepted, reason: accepted ? null : (failure?.message ?? 'the node gave another id') }
  }

  async receipt(txid: string): Promise<Receipt | null> {
    const read = (result: unknown) => {
      const receipt = readReceipt(result)
      if (receipt.txid !== txid) throw new Error('another receipt than asked for')
      return receipt
    }
    try {
      return await this.#nodes.ask('eth_getTransactionReceipt', [txid], read)
    } catch (error) {
      if (error instanceof Missing) return null
      throw error
    }
  }

  balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    const at = block ? atBlock(block) : 'latest'
    if (!token) return this.#nodes.ask('eth_getBalance', [address, at], readBigInt)
    return this.#nodes.ask('eth_call', [{ to: token, data: balanceData(address) }, at], result => {
      if (typeof result !== 'string' || result.length !== 66) throw new Error('a balance that is not one word')
      return BigInt(result)
    })
  }

  async agreesOnBalance(address: string, block: BlockId, balance: bigint): Promise<boolean> {
    const call = { method: 'eth_getBalance', params: [address, atBlock(block)] }
    const answers = await this.#nodes.askVoices([call], ([result]) => readBigInt(result))
    // Who does not remember refuses; who fails may yet say otherwise.
    const told = answers.filter(answer => !(answer instanceof CallRefused))
    return told.filter(each => each === balance).length * 2 > told.length
  }
}

/** By hash (EIP-1898), so that a reorg gives an error and not the state of another block. */
const atBlock = ({ hash }: BlockId) => ({ blockHash: hash })
