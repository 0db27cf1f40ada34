import type { BlockId, Transfer } from '../chain.ts'
import { BlockOrphaned, ChainUnavailable } from '../errors.ts'
import type { Blocks } from '../evm/blocks.ts'
import { findMajorityAnswer } from '../nodes/agree.ts'
import { type Nodes, ObjectMissing, orphanedIfMissing } from '../nodes/nodes.ts'
import { readTronBlockPaced, readTronBlocksPaced, type TronBlock } from './content.ts'
import { callTronHttpApi, callTronHttpApiByQuorum } from './http-api.ts'

/** Most blocks that the HTTP API returns per call. */
const BLOCKS_AT_ONCE = 100
const BY_ID = '/wallet/getblockbyid'
/**
 * Transactions of the proven blocks that are stored: more than those of the blocks that wait for their confirmations.
 */
const KEPT = 12_000

/**
 * Blocks that their ids cover, whoever sent them, the oldest first: they are read when they are seen, and each node
 * votes on them.
 */
export class ProvenBlocks {
  readonly #blocks = new Map<string, TronBlock>()
  #size = 0

  get(id: string): TronBlock | undefined {
    return this.#blocks.get(id)
  }

  /** Keeps a proven block. Returns it. */
  keep(block: TronBlock): TronBlock {
    if (this.#blocks.has(block.hash)) return block
    this.#blocks.set(block.hash, block)
    this.#size += sizeOf(block)
    for (const [id, oldest] of this.#blocks) {
      if (this.#size <= KEPT) break
      this.#blocks.delete(id)
      this.#size -= sizeOf(oldest)
    }
    return block
  }
}

const sizeOf = ({ transactions }: TronBlock) => 1 + transactions.length

/**
 * Reads blocks from the HTTP API by the bytes that their ids cover. A block that cannot be proven, because a
 * transaction in it has fields that the API does not show, is the one that most nodes have, unless some node proves
 * another.
 */
export class TronBlocks {
  readonly #nodes: Nodes
  readonly #all: Nodes
  readonly #blocks: Blocks
  readonly #proven: ProvenBlocks

  /**
   * @param nodes the nodes that are read
   * @param all the nodes of which most must agree on what cannot be proven
   * @param proven what was read before, by whichever nodes
   */
  constructor(nodes: Nodes, all: Nodes, blocks: Blocks, proven: ProvenBlocks) {
    this.#nodes = nodes
    this.#all = all
    this.#blocks = blocks
    this.#proven = proven
  }

  /** Reads a block. Throws BlockOrphaned. */
  async byId(block: BlockId): Promise<TronBlock> {
    const one = this.#proven.get(block.hash) ?? (await this.#read(block.hash))
    // Most nodes have a block with this id, and whoever named the number of it may have lied.
    if (one.number !== block.number) throw new BlockOrphaned('the block has another number')
    return one
  }

  async #read(id: string): Promise<TronBlock> {
    const asking = callTronHttpApi(this.#nodes, BY_ID, { value: id.slice(2) }, readerOf(id))
    const found = await asking.catch(orphanedIfMissing)
    return found.isProven ? this.#proven.keep(found) : this.#agreed(id)
  }

  /**
   * Reads the blocks `from` to `to`, of which most nodes have the last and each follows the one before. Throws
   * BlockOrphaned.
   */
  async range(from: number, to: number): Promise<TronBlock[]> {
    const end = await this.#blocks.at(to)
    if (!end) throw new BlockOrphaned(`most nodes have no block ${to}`)
    const known = this.#known(from, end)
    if (known) return known
    const blocks: TronBlock[] = []
    for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
      const below = Math.min(to + 1, start + BLOCKS_AT_ONCE)
      const read = async (result: unknown) => {
        const found = await readTronBlocksPaced(result)
        if (found.length !== below - start) throw new ObjectMissing('blocks of the range are missing')
        if (found.some(({ number }, i) => number !== start + i)) throw new Error('response is for other blocks')
        return found
      }
      const path = '/wallet/getblockbylimitnext'
      const asking = callTronHttpApi(this.#nodes, path, { startNum: start, endNum: below }, read)
      blocks.push(...(await asking.catch(orphanedIfMissing)))
    }
    let { hash } = end
    for (const [i, block] of [...blocks.entries()].reverse()) {
      if (block.hash !== hash) throw new BlockOrphaned(`block ${block.number} is not the one that the next follows`)
      blocks[i] = block.isProven ? this.#proven.keep(block) : await this.#agreed(hash)
      hash = blocks[i]!.parentHash
    }
    return blocks
  }

  /** The blocks from a height to a block, each of which the next one follows, if all of them are known. */
  #known(from: number, end: BlockId): TronBlock[] | null {
    const blocks: TronBlock[] = []
    let id = end.hash
    for (let number = end.number; number >= from; number--) {
      const block = this.#proven.get(id)
      if (block?.number !== number) return null
      blocks.unshift(block)
      id = block.parentHash
    }
    return blocks
  }

  /**
   * The block with this id as a node proves it, or as most have it. Throws BlockOrphaned, and ChainUnavailable if nodes
   * do not agree.
   */
  async #agreed(id: string): Promise<TronBlock> {
    const votes = await callTronHttpApiByQuorum(this.#all, BY_ID, { value: id.slice(2) }, readerOf(id))
    const found = votes.flatMap(vote => (vote instanceof Error ? [] : [vote]))
    const most = found.find(each => each.isProven) ?? findMajorityAnswer(votes, this.#all.size, ({ digest }) => digest)
    if (most) return most
    if (votes.every(vote => vote instanceof ObjectMissing)) throw new BlockOrphaned('no node has the block')
    throw new ChainUnavailable('nodes do not agree on a block that none can prove')
  }
}

const readerOf = (id: string) => async (result: unknown) => {
  const found = await readTronBlockPaced(result)
  if (!found) throw new ObjectMissing('no such block')
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
