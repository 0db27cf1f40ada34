import type { Transfer, TransferFilter } from '../chain.ts'
import { BlockGone } from '../errors.ts'
import { readList, readReceipt } from '../jsonrpc/answers.ts'
import { goneIfMissing, Missing, type Nodes } from '../jsonrpc/nodes.ts'
import { readTransaction, readTronBlock, type TronBlock, type TronTransfer } from './answers.ts'
import { Contradiction, type Listed, orThrow, within } from './listed.ts'

/** Blocks that one call of the HTTP interface gives at most. */
const BLOCKS_AT_ONCE = 100

/**
 * Reads plain transfers of TRX from the HTTP interface's blocks, where a transfer of a TRC-10 token looks like what it is, and
 * believes none before the Ethereum-like interface has said the same of its transaction.
 */
export class TronNative {
  readonly #chain: string
  readonly #nodes: Nodes

  constructor(chain: string, nodes: Nodes) {
    this.#chain = chain
    this.#nodes = nodes
  }

  async inBlock(asked: Promise<Listed>, hash: string, isOurs: TransferFilter['isOurs']): Promise<Transfer[]> {
    const settled = asked.catch((error: Error) => error)
    const read = async (result: unknown) => {
      const found = readTronBlock(result)
      if (!found) throw new Missing('no such block')
      const block = await settled
      return block instanceof Error ? block : within(this.#confirmed([block], [found], isOurs))
    }
    const asking = this.#nodes.askPath('/wallet/getblockbyid', { value: hash.slice(2) }, read)
    return orThrow(await asking.catch(goneIfMissing))
  }

  async inRange(asked: Promise<Listed[]>, from: number, to: number, isOurs: TransferFilter['isOurs']) {
    const settled = asked.catch((error: Error) => error)
    const transfers: Transfer[] = []
    for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
      const end = Math.min(to + 1, start + BLOCKS_AT_ONCE)
      const read = async (result: unknown) => {
        const found = readList((result as { block?: unknown }).block ?? []).map(readTronBlock)
        if (found.length !== end - start) throw new Missing('not all of these blocks')
        const listed = await settled
        if (listed instanceof Error) return listed
        const blocks = listed.slice(start - from, end - from)
        return within(this.#confirmed(blocks, found, isOurs))
      }
      const asking = this.#nodes.askPath('/wallet/getblockbylimitnext', { startNum: start, endNum: end }, read)
      transfers.push(...orThrow(await asking.catch(goneIfMissing)))
    }
    return transfers
  }

  /** The transfers to us in these blocks, which both interfaces must have. */
  async #confirmed(listed: Listed[], found: (TronBlock | null)[], isOurs: TransferFilter['isOurs']) {
    const transfers: Transfer[] = []
    for (const [i, block] of listed.entries()) {
      const { id, transfers: all } = found[i] ?? { id: '', transfers: [] }
      if (`0x${id}` !== block.hash) throw new BlockGone('the block at this height is another one')
      for (const transfer of all) {
        if (transfer.amount === 0n || !isOurs(transfer.to)) continue
        transfers.push(await this.#confirm(block, transfer))
      }
    }
    return transfers
  }

  async #confirm(block: Listed, { txid, index, from, to, amount }: TronTransfer): Promise<Transfer> {
    if (amount === null) throw new Contradiction('an amount that a JSON number cannot hold')
    if (block.ids[index] !== txid.slice(2)) throw new Contradiction('a transfer of TRX that its block does not list')
    const calls = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map(method => ({ method, params: [txid] }))
    const said = await this.#nodes.askMany(calls, ([transaction, receipt]) => {
      const { blockHash, status } = readReceipt(receipt)
      return { ...readTransaction(transaction), blockHash, status }
    })
    if (said.blockHash !== block.hash) throw new BlockGone('the transaction moved to another block')
    if (said.status !== 'success' || said.to !== to || said.value !== amount) {
      throw new Contradiction('the interfaces of a node contradict each other on a transfer of TRX')
    }
    return {
      chain: this.#chain,
      txid,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex: -1 - index,
      ordinal: 0,
      token: null,
      from,
      to,
      amount,
    }
  }
}
