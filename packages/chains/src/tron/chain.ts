import type { BlockId, Receipt } from '../chain.ts'
import type { ChainDefinition } from '../definitions.ts'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import { readBigInt } from '../jsonrpc/answers.ts'
import { JsonRpcChain } from '../jsonrpc/chain.ts'
import { Missing, type NodesOptions, nullIfMissing } from '../jsonrpc/nodes.ts'
import { readInfoOrNone, readTronBalance, readTronId } from './answers.ts'
import { TronWatch } from './watch.ts'

const DIFFERENT_BALANCES = 'the interfaces of a node tell different balances'

/** TRON, seen through the two interfaces of its nodes: the Ethereum-like one, and its own over HTTP. */
export class TronChain extends JsonRpcChain {
  constructor(definition: ChainDefinition, options: NodesOptions) {
    super(definition, options, TronWatch)
  }

  async receipt(txid: string): Promise<Receipt | null> {
    const readInfo = (result: unknown) => {
      const info = readInfoOrNone(result)
      if (!info) throw new Missing('no such transaction')
      if (`0x${info.id}` !== txid) throw new Error('another transaction than asked for')
      return info
    }
    const asked = Promise.all([
      this.askReceipt(txid),
      this.nodes.askPath('/wallet/gettransactioninfobyid', { value: txid.slice(2) }, readInfo),
    ])
    const both = await asked.catch(nullIfMissing)
    if (!both) return null
    const [receipt, info] = both
    // The fee is not gas times price here: bandwidth costs too, and energy may have been paid for otherwise.
    return { ...receipt, fee: info.fee, status: info.succeeded ? receipt.status : 'reverted' }
  }

  async balanceOf(token: string | null, address: string, block?: BlockId): Promise<bigint> {
    if (block) throw new CallRefused('TRON tells balances of now only', 0)
    return token ? this.tokenBalance(token, address, 'latest') : this.#balance(address)
  }

  /**
   * The confirmed state of the nodes, and not the newest: that has transactions which are in no block yet in it, and may never
   * be. The Ethereum-like interface, which knows the newest only, must not say less: nothing leaves these addresses without us.
   */
  async settledBalances(addresses: readonly string[]) {
    const newest = () => this.nodes.askPath('/walletsolidity/getnowblock', {}, readTronId)
    const block = await newest()
    const balances = await Promise.all(
      addresses.map(address =>
        this.nodes.askPath('/walletsolidity/getaccount', { address: prefixed(address) }, readTronBalance),
      ),
    )
    if ((await newest()).hash !== block.hash) return null
    const calls = addresses.map(address => ({ method: 'eth_getBalance', params: [address, 'latest'] }))
    const newer = await this.nodes.askMany(calls, results => results.map(readBigInt))
    if (newer.some((balance, i) => balance < balances[i]!)) throw new ChainUnavailable(DIFFERENT_BALANCES)
    return { block, balances }
  }

  /** What both interfaces say. They may differ for a moment, when a block comes between the questions. */
  async #balance(address: string): Promise<bigint> {
    const [said, other] = await Promise.all([
      this.nodes.ask('eth_getBalance', [address, 'latest'], readBigInt),
      this.nodes.askPath('/wallet/getaccount', { address: prefixed(address) }, readTronBalance),
    ])
    if (said !== other) throw new ChainUnavailable(DIFFERENT_BALANCES)
    return said
  }
}

/** A stored address as the HTTP interface takes it. */
function prefixed(address: string): string {
  return `41${address.slice(2)}`
}
