import type { BlockId, Receipt } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import type { Blocks } from '../evm/blocks.ts'
import { reportedReader } from '../evm/content.ts'
import { JsonRpcChain } from '../evm/json-rpc-chain.ts'
import { readBigInt } from '../evm/responses.ts'
import { type Nodes, type NodesOptions, nullIfMissing, ObjectMissing } from '../nodes/nodes.ts'
import { toTronHexAddress } from './address.ts'
import { BALANCES_DIFFER_MESSAGE, fetchCurrentBalances, fetchSettledBalances } from './balances.ts'
import { ProvenBlocks, TronBlocks } from './blocks.ts'
import { readReportedTronHeader } from './content.ts'
import { TronExpiring } from './expiring.ts'
import { callTronHttpApi } from './http-api.ts'
import { readTransactionInfo, readTronBalance } from './responses.ts'
import { TronWatch } from './watch.ts'

/** TRON, read through both interfaces of its nodes: JSON-RPC, compatible with Ethereum's, and the HTTP API. */
export class TronChain extends JsonRpcChain {
  readonly expiring: TronExpiring

  constructor(definition: ChainDefinition, options: NodesOptions) {
    let all: Nodes | undefined
    const proven = new ProvenBlocks()
    const watchOver = (nodes: Nodes, blocks: Blocks) => {
      // The first are all nodes, then each by itself.
      all ??= nodes
      return new TronWatch(definition.id, nodes, new TronBlocks(nodes, all, blocks, proven))
    }
    const unverified = { ...reportedReader, header: readReportedTronHeader }
    super(definition, options, { verifies: null, unverified }, watchOver)
    const { nodes, each } = this
    const blocks = new TronBlocks(nodes, nodes, this.blocks, proven)
    this.expiring = new TronExpiring(this, nodes, each, blocks, options.onDiffers)
  }

  async receipt(txid: string): Promise<Receipt | null> {
    const readInfo = (result: unknown) => {
      const info = readTransactionInfo(result)
      if (!info) throw new ObjectMissing('no such transaction')
      if (info.txid !== txid) throw new Error('response is for another transaction')
      return info
    }
    const reading = Promise.all([
      this.askReceipt(txid),
      callTronHttpApi(this.nodes, '/wallet/gettransactioninfobyid', { value: txid.slice(2) }, readInfo),
    ])
    const both = await reading.catch(nullIfMissing)
    if (!both) return null
    const [receipt, info] = both
    // The fee is not gas times price: bandwidth is charged too, and energy may be paid for by staking.
    return { ...receipt, fee: info.fee, status: info.succeeded ? receipt.status : 'reverted' }
  }

  async balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    if (block) throw new CallRefused('TRON nodes return current balances only', 0)
    return token ? this.tokenBalance(token, address, 'latest') : this.#balance(address)
  }

  async certainBalances(token: string | null, addresses: readonly string[], block?: BlockId) {
    if (block) throw new CallRefused('TRON nodes return current balances only', 0)
    return fetchCurrentBalances(this.each, token, addresses)
  }

  recentBalances(addresses: readonly string[]) {
    return fetchSettledBalances(this.each, this.blocks, addresses)
  }

  /**
   * Reads a balance on which both interfaces agree. They may differ briefly, if a block arrives between the two
   * requests.
   */
  async #balance(address: string): Promise<bigint> {
    const [balance, other] = await Promise.all([
      this.nodes.ask('eth_getBalance', [address, 'latest'], readBigInt),
      callTronHttpApi(this.nodes, '/wallet/getaccount', { address: toTronHexAddress(address) }, readTronBalance),
    ])
    if (balance !== other) throw new ChainUnavailable(BALANCES_DIFFER_MESSAGE)
    return balance
  }
}
