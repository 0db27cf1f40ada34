import type { BlockId, Chain, Fees, Payout, Receipt, ReportedTransfer, Sent } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { CallRefused } from '../errors.ts'
import { readBigInt, readHash, readHeader, readNumber } from '../jsonrpc/answers.ts'
import { quantity, transferData } from '../jsonrpc/calls.ts'
import { JsonRpcChain } from '../jsonrpc/chain.ts'
import { type NodesOptions, nullIfMissing } from '../jsonrpc/nodes.ts'
import { txidOf } from './transfer.ts'
import { Watch } from './watch.ts'

/** What a plain payment of the native coin to a wallet uses; no margin is needed, and a sweep must be exact. */
const PLAIN_GAS = 21_000n
/** Hundredths of the estimate by which the gas limit is higher: storage may be touched first by somebody else. */
const GAS_MARGIN = 25n
/** How nodes say that they have this transaction already. */
const KNOWN = /already known|known transaction|already imported|already exists/i

/** A chain that speaks Ethereum's JSON-RPC, seen through its nodes. */
export class EvmChain extends JsonRpcChain implements Chain {
  constructor(definition: ChainDefinition, options: NodesOptions) {
    super(definition, options, Watch)
  }

  confirmedByQuorum<T extends ReportedTransfer>(transfers: readonly T[]): Promise<T[]> {
    return this.blocks.confirmedByQuorum(transfers)
  }

  async fees(): Promise<Fees> {
    const calls = [
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas', params: [] },
    ]
    return this.nodes.askMany(calls, ([block, tip]) => {
      const maxPriorityFeePerGas = readBigInt(tip)
      // Twice the base fee lasts for about six full blocks.
      return { maxFeePerGas: readHeader(block).baseFee * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
    })
  }

  async gasFor(payout: Payout): Promise<bigint> {
    const { from, token, to, amount } = payout
    const call = token ? { from, to: token, data: transferData(to, amount) } : { from, to, value: quantity(amount) }
    const used = await this.nodes.ask('eth_estimateGas', [call], readBigInt)
    return used === PLAIN_GAS ? used : used + (used * GAS_MARGIN) / 100n
  }

  nonce(address: string): Promise<number> {
    return this.nodes.ask('eth_getTransactionCount', [address, 'latest'], readNumber)
  }

  async send(raw: string): Promise<Sent> {
    const txid = txidOf(raw)
    const answers = await this.nodes.askEach('eth_sendRawTransaction', [raw], readHash)
    const accepted = answers.some(answer => (answer instanceof Error ? KNOWN.test(answer.message) : answer === txid))
    const failure = answers.find(answer => answer instanceof Error)
    return { txid, accepted, reason: accepted ? null : (failure?.message ?? 'the node gave another id') }
  }

  receipt(txid: string): Promise<Receipt | null> {
    return this.askReceipt(txid).catch(nullIfMissing)
  }

  balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    const at = block ? atBlock(block) : 'latest'
    if (token) return this.tokenBalance(token, address, at)
    return this.nodes.ask('eth_getBalance', [address, at], readBigInt)
  }

  async agreesOnBalance(address: string, block: BlockId, balance: bigint): Promise<boolean> {
    const call = { method: 'eth_getBalance', params: [address, atBlock(block)] }
    const answers = await this.nodes.askVoices([call], ([result]) => readBigInt(result))
    // Who does not remember refuses; who fails may yet say otherwise.
    const told = answers.filter(answer => !(answer instanceof CallRefused))
    return told.filter(each => each === balance).length * 2 > told.length
  }
}

/** By hash (EIP-1898), so that a reorg gives an error and not the state of another block. */
const atBlock = ({ hash }: BlockId) => ({ blockHash: hash })
