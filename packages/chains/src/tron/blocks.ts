import type { BlockId, Transfer } from '../chain.ts'
import { BlockOrphaned, ChainUnavailable } from '../errors.ts'
import type { Blocks } from '../evm/blocks.ts'
import { mostAnswered } from '../nodes/agree.ts'
import { Missing, type Nodes, orphanedIfMissing } from '../nodes/nodes.ts'
import { pacedTronBlock, pacedTronBlocks, type TronBlock } from './content.ts'
import { askPath, askQuorumPath } from './http-api.ts'

/** Most blocks that the HTTP API returns per call. */
const BLOCKS_AT_ONCE = 100
const BY_ID = '/wallet/getblockbyid'

/**
 * Reads blocks from the HTTP API by the bytes that their ids cover. A block that cannot be proven, because a transaction in it has fields that
 * the API does not show, is the one that most nodes have, unless some node proves another.
 */
export class TronBlocks {
  readonly #nodes: Nodes
  readonly #all: Nodes
  readonly #blocks: Blocks

  /**
   * @param nodes the nodes that are read
   * @param all the nodes of which most must agree on what cannot be proven
   */
  constructor(nodes: Nodes, all: Nodes, blocks: Blocks) {
    this.#nodes = nodes
    this.#all = all
    this.#blocks = blocks
  }

  /** Reads a block. Throws BlockOrphaned. */
  async byId(block: BlockId): Promise<TronBlock> {
    const read = readerOf(block.hash)
    const asking = askPath(this.#nodes, BY_ID, { value: block.hash.slice(2) }, read)
    const found = await asking.catch(orphanedIfMissing)
    const one = found.isProven ? found : await this.#agreed(block.hash)
    // Most nodes have a block with this id, and whoever named the number of it may have lied.
    if (one.number !== block.number) throw new BlockOrphaned('the block has another number')
    return one
  }

  /** Reads the blocks `from` to `to`, of which most nodes have the last and each follows the one before. Throws BlockOrphaned. */
  async range(from: number, to: number): Promise<TronBlock[]> {
    const end = await this.#blocks.at(to)
    if (!end) throw new BlockOrphaned(`most nodes have no block ${to}`)
    const blocks: TronBlock[] = []
    for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
      const below = Math.min(to + 1, start + BLOCKS_AT_ONCE)
      const read = async (result: unknown) => {
        const found = await pacedTronBlocks(result)
        if (found.length !== below - start) throw new Missing('blocks of the range are missing')
        if (found.some(({ number }, i) => number !== start + i)) throw new Error('response is for other blocks')
        return found
      }
      const path = '/wallet/getblockbylimitnext'
      const asking = askPath(this.#nodes, path, { startNum: start, endNum: below }, read)
      blocks.push(...(await asking.catch(orphanedIfMissing)))
    }
    let { hash } = end
    for (const [i, block] of [...blocks.entries()].reverse()) {
      if (block.hash !== hash) throw new BlockOrphaned(`block ${block.number} is not the one that the next follows`)
      if (!block.isProven) blocks[i] = await this.#agreed(hash)
      hash = blocks[i]!.parentHash
    }
    return blocks
  }

  /** The block with this id as a node proves it, or as most have it. Throws BlockOrphaned, and ChainUnavailable if nodes do not agree. */
  async #agreed(id: string): Promise<TronBlock> {
    const votes = await askQuorumPath(this.#all, BY_ID, { value: id.slice(2) }, readerOf(id))
    const found = votes.flatMap(vote => (vote instanceof Error ? [] : [vote]))
    const most = found.find(each => each.isProven) ?? mostAnswered(votes, this.#all.size, ({ digest }) => digest)
    if (most) return most
    if (votes.every(vote => vote instanceof Missing)) throw new BlockOrphaned('no node has the block')
    throw new ChainUnavailable('nodes do not agree on a block that none can prove')
  }
}

const readerOf = (id: string) => async (result: unknown) => {
  const found = await pacedTronBlock(result)
  if (!found) throw new Missing('no such block')
  if (found.hash !== id) throw new Error('response is for another block')
  return found
}

/** Returns the plain transfers of TRX to us in a block. */
export function nativeTransfers(chain: string, block: TronBlock, isOurs: (address: string) => boolean): Transfer[] {
  return block.transactions.flatMap(({ txid, transfer, result }): Transfer[] => {
    if (!transfer || result !== 'SUCCESS' || transfer.amount <= 0n || !isOurs(transfer.to)) return []
    const { index, from, to, amount } = transfer
    const { number: blockNumber, hash: blockHash, time: blockTime } = block
    const place = { chain, txid, blockNumber, blockHash, blockTime, logIndex: -1 - index, ordinal: 0 }
    return [{ ...place, token: null, from, to, amount }]
  })
}
