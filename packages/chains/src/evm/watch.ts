import type { BlockRef, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { BlockGone, CallRefused } from '../errors.ts'
import type { Blocks } from '../jsonrpc/blocks.ts'
import { quantity } from '../jsonrpc/calls.ts'
import { type Picked, pickTransfers, TRANSFER } from '../jsonrpc/logs.ts'
import { goneIfMissing, Missing, type Nodes } from '../jsonrpc/nodes.ts'
import { type Header, type RawLog, readList, readReceipt, refOf } from '../jsonrpc/responses.ts'
import { type BloomBits, bloomBits, coversBloom, inBloom, isSaturated } from './bloom.ts'
import { pickNative } from './native.ts'

const TRANSFER_BITS = bloomBits(TRANSFER)

/** A block header with the native transfers picked from its transactions, which are not kept. */
type HeaderScan = BlockRef & { bloom: string; transactions: number; native: Transfer[] }

const NOTHING: Picked = { transfers: [], present: new Map(), scanned: 0 }

/** Finds transfers in blocks. Checks logs against the headers' blooms, because nodes may return too few. */
export class Watch {
  readonly #chain: string
  readonly #nodes: Nodes
  readonly #blocks: Blocks
  readonly #bits = new Map<string, BloomBits>()

  constructor(chain: string, nodes: Nodes, blocks: Blocks) {
    this.#chain = chain
    this.#nodes = nodes
    this.#blocks = blocks
  }

  /** Returns the transfers to us in one block. Throws BlockGone. */
  async inBlock(block: BlockRef, filter: TransferFilter): Promise<Scan> {
    const read = (header: Header) => [this.#scanHeader(header, filter)]
    const headers = this.#blocks.byHash(block, filter.native, read).catch(goneIfMissing)
    const { transfers, scanned } = await this.#scan(headers, block.number, { blockHash: block.hash }, filter)
    return { transfers, scanned }
  }

  /** Returns the transfers to us in the blocks `from` to `to`, which must be too deep to reorg. Throws BlockGone. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const where = { fromBlock: quantity(from), toBlock: quantity(to) }
    const read = (header: Header) => this.#scanHeader(header, filter)
    const headers = this.#blocks.range(from, to, filter.native, read).catch(goneIfMissing)
    const { transfers, scanned, blocks } = await this.#scan(headers, from, where, filter)
    return { transfers, scanned, first: refOf(blocks[0]!), last: refOf(blocks.at(-1)!) }
  }

  async #scan(asked: Promise<HeaderScan[]>, first: number, where: Record<string, string>, filter: TransferFilter) {
    // Headers and logs are requested concurrently. Logs that do not match the headers are the fault of the node that sent them.
    const settled = asked.catch((error: Error) => error)
    const read = async (result: unknown): Promise<Picked> => {
      const logs = readLogs(result)
      const blocks = await settled
      return blocks instanceof Error
        ? NOTHING
        : pickTransfers(this.#chain, logs, filter, number => blocks[number - first])
    }
    const picking = filter.tokens.length === 0 ? NOTHING : this.#logs(where, filter.tokens, read)
    const [blocks, picked] = await Promise.all([asked, picking])
    const transfers = await this.#fillGaps(blocks, picked, filter)
    const native = await this.#succeeded(blocks.flatMap(block => block.native))
    if (native.length > 0) {
      transfers.push(...native)
      transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    }
    return { blocks, transfers, scanned: picked.scanned }
  }

  /**
   * Rereads blocks whose bloom indicates transfers of a token that the logs do not contain. A saturated bloom indicates every
   * token, so it is considered only if the logs contain no transfer at all.
   */
  async #fillGaps(blocks: HeaderScan[], picked: Picked, filter: TransferFilter): Promise<Transfer[]> {
    const indicated = blocks.filter(block => block.bloom !== '' && inBloom(block.bloom, TRANSFER_BITS))
    const suspect = indicated.filter(({ number, bloom }) => {
      const missing = filter.tokens.filter(token => !picked.present.get(token)?.has(number))
      if (missing.length < filter.tokens.length && isSaturated(bloom)) return false
      return missing.some(token => inBloom(bloom, this.#bitsOf(token)))
    })
    // guard: bloom
    if (suspect.length === 0) return picked.transfers
    const again = new Map<string, Transfer[]>()
    for (const block of suspect) again.set(block.hash, await this.#fromReceipts(block, filter))
    return picked.transfers
      .filter(transfer => !again.has(transfer.blockHash))
      .concat(...again.values())
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  }

  /** Reads the transfers of a block from its receipts, which the block's bloom was computed from. */
  async #fromReceipts(block: HeaderScan, filter: TransferFilter): Promise<Transfer[]> {
    const pick = (logs: RawLog[]) =>
      pickTransfers(this.#chain, logs, filter, number => (number === block.number ? block : undefined)).transfers
    const read = (result: unknown) => {
      if (result === null) throw new Missing('no receipts of the block')
      const receipts = readList(result) as { blockHash: string; logs: RawLog[] }[]
      if (receipts.length < block.transactions) throw new Missing('receipts of the block are missing')
      if (receipts.some(receipt => receipt.blockHash !== block.hash)) throw new Error('receipts of another block')
      const logs = receipts.flatMap(receipt => receipt.logs)
      const values = logs.flatMap(log => [log.address, ...log.topics])
      if (!coversBloom(block.bloom, values)) throw new Missing('logs of the block are missing')
      return pick(logs.filter(log => log.topics[0] === TRANSFER && filter.tokens.includes(log.address.toLowerCase())))
    }
    try {
      return await this.#nodes.ask('eth_getBlockReceipts', [block.hash], read)
    } catch (error) {
      if (!(error instanceof CallRefused || error instanceof Missing)) throw error
      // No node returns all receipts, so take the longest list of logs: a faulty node leaves some out.
      const asked = [logFilter({ blockHash: block.hash }, filter.tokens)]
      const answers = await this.#nodes.askEach('eth_getLogs', asked, result => pick(readLogs(result)))
      const lists = answers.filter(answer => Array.isArray(answer))
      if (lists.length === 0) throw new BlockGone(error.message)
      return lists.reduce((best, list) => (list.length > best.length ? list : best))
    }
  }

  async #succeeded(native: Transfer[]): Promise<Transfer[]> {
    if (native.length === 0) return native
    const calls = native.map(transfer => ({ method: 'eth_getTransactionReceipt', params: [transfer.txid] }))
    const receipts = await this.#nodes.askMany(calls, results => results.map(readReceipt)).catch(goneIfMissing)
    return native.filter((transfer, i) => {
      if (receipts[i]!.blockHash !== transfer.blockHash) throw new BlockGone('the transaction is in another block')
      // guard: status
      return receipts[i]!.status === 'success'
    })
  }

  #scanHeader(header: Header, filter: TransferFilter): HeaderScan {
    const { bloom, transactions } = header
    const native = filter.native ? pickNative(this.#chain, header, transactions, filter.isOurs) : []
    return { ...refOf(header), bloom, transactions: transactions.length, native }
  }

  #logs<T>(where: Record<string, string>, tokens: readonly string[], read: (result: unknown) => Promise<T>) {
    return this.#nodes.ask('eth_getLogs', [logFilter(where, tokens)], read).catch(error => {
      // A refusal of a query by block hash nearly always means an unknown block.
      if (error instanceof CallRefused && where.blockHash) throw new BlockGone(error.message)
      return goneIfMissing(error)
    })
  }

  #bitsOf(token: string): BloomBits {
    let bits = this.#bits.get(token)
    if (!bits) {
      bits = bloomBits(token)
      this.#bits.set(token, bits)
    }
    return bits
  }
}

function logFilter(where: Record<string, string>, tokens: readonly string[]) {
  return { ...where, address: /* guard: contracts-asked */ tokens /* end */, topics: [TRANSFER] }
}

function readLogs(result: unknown): RawLog[] {
  if (result === null) throw new Missing('no logs of the block')
  return readList(result) as RawLog[]
}
