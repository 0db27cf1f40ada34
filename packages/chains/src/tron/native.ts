import type { Transfer, TransferFilter } from '../chain.ts'
import { BlockOrphaned } from '../errors.ts'
import { readList, readReceipt } from '../evm/responses.ts'
import { InterfaceMismatch, Missing, type Nodes, orphanedIfMissing } from '../nodes/nodes.ts'
import { type BlockTxids, errorAsValue, orThrow } from './cross-check.ts'
import { askPath } from './http-api.ts'
import { readTransaction, readTronBlock, type TronBlock, type TronTransfer } from './responses.ts'

/** Most blocks that the HTTP API returns per call. */
const BLOCKS_AT_ONCE = 100

/**
 * Reads plain TRX transfers from blocks of the HTTP API, which distinguishes them from TRC-10 transfers, and verifies each against the
 * transaction in the JSON-RPC interface.
 */
export class TronNative {
  readonly #chain: string
  readonly #nodes: Nodes

  constructor(chain: string, nodes: Nodes) {
    this.#chain = chain
    this.#nodes = nodes
  }

  /** Returns the transfers to us in the block with this hash. Throws BlockOrphaned. */
  async inBlock(blocks: Promise<BlockTxids>, hash: string, isOurs: TransferFilter['isOurs']): Promise<Transfer[]> {
    const settled = blocks.catch((error: Error) => error)
    const read = async (result: unknown) => {
      const found = readTronBlock(result)
      if (!found) throw new Missing('no such block')
      const block = await settled
      return block instanceof Error ? block : errorAsValue(this.#verify([block], [found], isOurs))
    }
    const asking = askPath(this.#nodes, '/wallet/getblockbyid', { value: hash.slice(2) }, read)
    return orThrow(await asking.catch(orphanedIfMissing))
  }

  /** Returns the transfers to us in the blocks `from` to `to`. Throws BlockOrphaned. */
  async inRange(blocks: Promise<BlockTxids[]>, from: number, to: number, isOurs: TransferFilter['isOurs']) {
    const settled = blocks.catch((error: Error) => error)
    const transfers: Transfer[] = []
    for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
      const end = Math.min(to + 1, start + BLOCKS_AT_ONCE)
      const read = async (result: unknown) => {
        const found = readList((result as { block?: unknown }).block ?? []).map(readTronBlock)
        if (found.length !== end - start) throw new Missing('blocks of the range are missing')
        const listed = await settled
        if (listed instanceof Error) return listed
        const blocks = listed.slice(start - from, end - from)
        return errorAsValue(this.#verify(blocks, found, isOurs))
      }
      const asking = askPath(this.#nodes, '/wallet/getblockbylimitnext', { startNum: start, endNum: end }, read)
      transfers.push(...orThrow(await asking.catch(orphanedIfMissing)))
    }
    return transfers
  }

  /** Returns the transfers to us in these blocks; both interfaces must have them. */
  async #verify(listed: BlockTxids[], found: (TronBlock | null)[], isOurs: TransferFilter['isOurs']) {
    const transfers: Transfer[] = []
    for (const [i, block] of listed.entries()) {
      const { id, transfers: all } = found[i] ?? { id: '', transfers: [] }
      if (`0x${id}` !== block.hash) throw new BlockOrphaned('another block at this height')
      for (const transfer of all) {
        if (transfer.amount === 0n || !isOurs(transfer.to)) continue
        transfers.push(await this.#verifyTransfer(block, transfer))
      }
    }
    return transfers
  }

  async #verifyTransfer(block: BlockTxids, { txid, index, from, to, amount }: TronTransfer): Promise<Transfer> {
    if (amount === null) throw new InterfaceMismatch('amount exceeds exact JSON numbers')
    if (block.txids[index] !== txid.slice(2)) throw new InterfaceMismatch('TRX transfer is not listed in its block')
    const calls = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map(method => ({ method, params: [txid] }))
    const reading = this.#nodes.askMany(calls, ([transaction, receipt]) => {
      const { blockHash, status } = readReceipt(receipt)
      return { ...readTransaction(transaction), blockHash, status }
    })
    const verified = await reading.catch(orphanedIfMissing)
    if (verified.blockHash !== block.hash) throw new BlockOrphaned('the transaction is in another block')
    if (verified.status !== 'success' || verified.from !== from || verified.to !== to || verified.value !== amount) {
      throw new InterfaceMismatch('JSON-RPC and HTTP API differ on a TRX transfer')
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
