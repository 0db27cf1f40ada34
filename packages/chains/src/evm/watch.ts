import type { BlockRef, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { BlockGone, CallRefused } from '../errors.ts'
import { type Header, type RawLog, readList, readReceipt, refOf } from '../jsonrpc/answers.ts'
import type { Blocks } from '../jsonrpc/blocks.ts'
import { quantity } from '../jsonrpc/calls.ts'
import { type Picked, pickTransfers, TRANSFER } from '../jsonrpc/logs.ts'
import { goneIfMissing, Missing, type Nodes } from '../jsonrpc/nodes.ts'
import { type BloomBits, bloomBits, fillsBloom, inBloom, isVague } from './bloom.ts'
import { pickNative } from './native.ts'

const TRANSFER_BITS = bloomBits(TRANSFER)

/** A block's header with what was picked from its transactions; the transactions themselves are let go. */
type Seen = BlockRef & { bloom: string; transactions: number; native: Transfer[] }

const NOTHING: Picked = { transfers: [], present: new Map(), scanned: 0 }

/** Reads blocks and the transfers in them, and does not take an empty answer for an answer. */
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

  /** Transfers to us in one block. */
  async inBlock(block: BlockRef, filter: TransferFilter): Promise<Scan> {
    const see = (header: Header) => [this.#see(header, filter)]
    const seen = this.#blocks.byHash(block, filter.native, see).catch(goneIfMissing)
    const { transfers, scanned } = await this.#scan(seen, block.number, { blockHash: block.hash }, filter)
    return { transfers, scanned }
  }

  /** Transfers to us in the blocks `from` to `to`, which must be too deep to change. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const where = { fromBlock: quantity(from), toBlock: quantity(to) }
    const see = (header: Header) => this.#see(header, filter)
    const seen = this.#blocks.range(from, to, filter.native, see).catch(goneIfMissing)
    const { transfers, scanned, blocks } = await this.#scan(seen, from, where, filter)
    return { transfers, scanned, first: refOf(blocks[0]!), last: refOf(blocks.at(-1)!) }
  }

  async #scan(asked: Promise<Seen[]>, first: number, where: Record<string, string>, filter: TransferFilter) {
    // Both questions are under way at once; logs that do not fit the blocks are the fault of the node that sent them.
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
    const transfers = await this.#mend(blocks, picked, filter)
    const native = await this.#succeeded(blocks.flatMap(block => block.native))
    if (native.length > 0) {
      transfers.push(...native)
      transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    }
    return { blocks, transfers, scanned: picked.scanned }
  }

  /**
   * Asks again for the blocks whose bloom promises a token's transfers while the logs have none of it. A vague bloom
   * promises any token, and speaks only against an answer without any transfer.
   */
  async #mend(blocks: Seen[], picked: Picked, filter: TransferFilter): Promise<Transfer[]> {
    const promised = blocks.filter(block => block.bloom !== '' && inBloom(block.bloom, TRANSFER_BITS))
    const doubtful = promised.filter(({ number, bloom }) => {
      const missing = filter.tokens.filter(token => !picked.present.get(token)?.has(number))
      if (missing.length < filter.tokens.length && isVague(bloom)) return false
      return missing.some(token => inBloom(bloom, this.#bitsOf(token)))
    })
    // guard: bloom
    if (doubtful.length === 0) return picked.transfers
    const again = new Map<string, Transfer[]>()
    for (const block of doubtful) again.set(block.hash, await this.#fromReceipts(block, filter))
    return picked.transfers
      .filter(transfer => !again.has(transfer.blockHash))
      .concat(...again.values())
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  }

  /** Transfers as the receipts have them: those are what the block's bloom was made from. */
  async #fromReceipts(block: Seen, filter: TransferFilter): Promise<Transfer[]> {
    const pick = (logs: RawLog[]) =>
      pickTransfers(this.#chain, logs, filter, number => (number === block.number ? block : undefined)).transfers
    const read = (result: unknown) => {
      if (result === null) throw new Missing('no receipts of that block')
      const receipts = readList(result) as { blockHash: string; logs: RawLog[] }[]
      if (receipts.length < block.transactions) throw new Missing('not all receipts of that block')
      if (receipts.some(receipt => receipt.blockHash !== block.hash)) throw new Error('receipts of another block')
      const logs = receipts.flatMap(receipt => receipt.logs)
      const values = logs.flatMap(log => [log.address, ...log.topics])
      if (!fillsBloom(block.bloom, values)) throw new Missing('not all logs of that block')
      return pick(logs.filter(log => log.topics[0] === TRANSFER && filter.tokens.includes(log.address.toLowerCase())))
    }
    try {
      return await this.#nodes.ask('eth_getBlockReceipts', [block.hash], read)
    } catch (error) {
      if (!(error instanceof CallRefused || error instanceof Missing)) throw error
      // No node gives all receipts: the fullest answer of all nodes then, for a lie leaves logs out.
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
      if (receipts[i]!.blockHash !== transfer.blockHash) throw new BlockGone('the transaction moved to another block')
      // guard: status
      return receipts[i]!.status === 'success'
    })
  }

  #see(header: Header, filter: TransferFilter): Seen {
    const { bloom, transactions } = header
    const native = filter.native ? pickNative(this.#chain, header, transactions, filter.isOurs) : []
    return { ...refOf(header), bloom, transactions: transactions.length, native }
  }

  #logs<T>(where: Record<string, string>, tokens: readonly string[], read: (result: unknown) => Promise<T>) {
    return this.#nodes.ask('eth_getLogs', [logFilter(where, tokens)], read).catch(error => {
      // Asked by hash, a refusal is nearly always "unknown block".
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
  if (result === null) throw new Missing('no logs of that block')
  return readList(result) as RawLog[]
}
