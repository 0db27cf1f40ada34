import { setImmediate } from 'node:timers/promises'
import type { BlockId, Proof, RangeScan, Receipt, Scan, Transfer, TransferFilter } from '../chain.ts'
import { CallRefused, HeaderMismatch } from '../errors.ts'
import { type AnswerDifference, type Nodes, ObjectMissing, orphanedIfMissing } from '../nodes/nodes.ts'
import type { Blocks } from './blocks.ts'
import { type BlockContent, type BlockReader, type EvmBlock, extractReceipt, pickTransfers } from './content.ts'
import type { Header } from './decoding.ts'
import { readObject } from './encoding.ts'
import { readList, toBlockRef } from './responses.ts'

/**
 * Finds transfers in blocks. Their transactions and receipts must hash to the roots in the header, so a node can
 * withhold them but not change them. Where the roots cannot be computed, `agreed` of the chain decides between nodes.
 */
export class EvmWatch {
  readonly #chain: string
  readonly #nodes: Nodes
  readonly #blocks: Blocks
  readonly #reading: BlockReader
  readonly #onDiffers: (url: string, difference: AnswerDifference) => void

  /**
   * @param onDiffers called with a node that has a block and not its receipts, or others than its header has, and the
   *   query
   */
  constructor(
    chain: string,
    { nodes, blocks, reading }: { nodes: Nodes; blocks: Blocks; reading: BlockReader },
    onDiffers: (url: string, difference: AnswerDifference) => void = () => {},
  ) {
    this.#chain = chain
    this.#nodes = nodes
    this.#blocks = blocks
    this.#reading = reading
    this.#onDiffers = onDiffers
  }

  /** Returns the transfers to us in one block. Throws BlockOrphaned. */
  async inBlock(block: BlockId, filter: TransferFilter): Promise<Scan> {
    return pickTransfers(this.#chain, await this.#content(block), filter)
  }

  /**
   * Returns the receipt that the roots in the header of a block commit to; null if they commit to none. Throws
   * BlockOrphaned.
   */
  async receiptIn(block: BlockId, txid: string): Promise<Receipt | null> {
    const content = await this.#content(block)
    const isProved = this.#reading.isVerified || (content.proof && !content.proof.beside.includes(txid))
    return isProved ? extractReceipt(content, txid) : null
  }

  async #content(block: BlockId): Promise<BlockContent> {
    // Requested at once. Receipts that do not fit the header are the fault of the node that sent them.
    const full = this.#blocks.byHash(block, true, this.#block).catch(orphanedIfMissing)
    const settled = full.then(one => [one]).catch((error: Error) => error)
    const receipts = this.#receipts([block.hash], settled).catch(async error => this.#singly(error, await full))
    const [, contents] = await Promise.all([full, receipts])
    return contents[0]!
  }

  /**
   * Returns the transfers to us in the blocks `from` to `to`, which must be too deep to reorg. Throws BlockOrphaned.
   */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const blocks = await this.#blocks.range(from, to, true, this.#block).catch(orphanedIfMissing)
    const hashes = blocks.map(({ header }) => header.hash)
    const contents = await this.#receipts(hashes, blocks).catch(error => this.#eachAlone(error, blocks))
    const transfers: Transfer[] = []
    let scanned = 0
    for (const content of contents) {
      const found = await pickTransfers(this.#chain, content, filter)
      transfers.push(...found.transfers)
      scanned += found.scanned
    }
    const proof = proofOfAll(contents.map(each => each.proof))
    const first = toBlockRef(blocks[0]!.header)
    const last = toBlockRef(blocks.at(-1)!.header)
    return { transfers, scanned, first, last, ...(proof && { proof }) }
  }

  readonly #block = async (header: Header, transactions: unknown): Promise<EvmBlock> => ({
    header,
    transactions: await this.#reading.transactions(header, transactions),
  })

  /**
   * Reads the receipts of blocks. Throws BlockOrphaned, and CallRefused if the nodes know only single receipts, or none
   * of a block.
   */
  #receipts(hashes: readonly string[], of: Promise<EvmBlock[] | Error> | EvmBlock[]): Promise<BlockContent[]> {
    const method = 'eth_getBlockReceipts'
    const calls = hashes.map(hash => ({ method, params: [hash] }))
    const read = async (results: unknown[], url: string) => {
      const blocks = await of
      return blocks instanceof Error ? [] : this.#contents(blocks, results, { method, url })
    }
    return this.#nodes.askMany(calls, read).catch(orphanedIfMissing)
  }

  /** Reads the receipts of blocks block by block where they were refused together: one block may be the cause. */
  async #eachAlone(refusal: unknown, blocks: EvmBlock[]): Promise<BlockContent[]> {
    if (!(refusal instanceof CallRefused)) throw refusal
    const contents: BlockContent[] = []
    for (const block of blocks) {
      const alone = this.#receipts([block.header.hash], [block])
      contents.push(...(await alone.catch(error => this.#singly(error, block))))
    }
    return contents
  }

  /** Reads the receipts of a block one by one where they were refused together. Throws BlockOrphaned. */
  async #singly(refusal: unknown, block: EvmBlock): Promise<BlockContent[]> {
    if (!(refusal instanceof CallRefused)) throw refusal
    const method = 'eth_getTransactionReceipt'
    const calls = block.transactions.map(({ id }) => ({ method, params: [id] }))
    const read = async (results: unknown[], url: string) => [await this.#contentOf(block, results, { method, url })]
    if (calls.length === 0) return read([], '')
    return this.#nodes.askMany(calls, read).catch(orphanedIfMissing)
  }

  async #contents(
    blocks: EvmBlock[],
    results: unknown[],
    from: { method: string; url: string },
  ): Promise<BlockContent[]> {
    const contents: BlockContent[] = []
    for (const [i, block] of blocks.entries()) {
      contents.push(await this.#contentOf(block, results[i], from))
      // Hashing takes milliseconds per block: let requests in between.
      if (blocks.length > 1) await setImmediate()
    }
    return contents
  }

  /**
   * Names a node whose receipts are not those of a block. Where another node may have sent the block, and nothing
   * proves it, that one may lie.
   */
  #differs(url: string, difference: AnswerDifference): void {
    // guard: own-block
    if (this.#reading.isVerified || this.#nodes.size === 1) this.#onDiffers(url, difference)
  }

  /** Reads what a block holds. Errors name the block and the call: whoever reads them knows neither. */
  async #contentOf(
    block: EvmBlock,
    result: unknown,
    { method, url }: { method: string; url: string },
  ): Promise<BlockContent> {
    const { number } = block.header
    if (result === null) throw new ObjectMissing('no receipts of the block')
    try {
      const receipts = readList(result)
      if (receipts.length === 0 && block.transactions.length > 0) {
        this.#differs(url, ['no_receipts', method, String(number)])
        throw new CallRefused('no receipts of the block', 0)
      }
      if (receipts.includes(null)) throw new ObjectMissing('receipts of the block are missing')
      return await this.#reading.receipts(block, receipts.map(readObject))
    } catch (error) {
      const named = error as Error
      named.message = `block ${number}, ${method}: ${named.message}`
      // Whoever sent the block: its header has the hash that was requested, and these receipts do not fit it.
      if (named instanceof HeaderMismatch) this.#onDiffers(url, ['denied_logs', method, String(number)])
      throw named
    }
  }
}

/** What vouches for several blocks: the least that does for each. */
function proofOfAll(proofs: readonly (Proof | undefined)[]): Proof | undefined {
  const known = proofs.filter(each => each !== undefined)
  if (known.length === 0 || known.length < proofs.length) return undefined
  const rank = (['bloom', 'logs', 'part'] as const).find(least => known.some(each => each.rank === least)) ?? 'whole'
  return { rank, beside: known.flatMap(({ beside }) => beside) }
}
