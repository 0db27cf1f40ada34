import { setImmediate } from 'node:timers/promises'
import type { BlockId, RangeScan, Receipt, Scan, Transfer, TransferFilter } from '../chain.ts'
import { CallRefused } from '../errors.ts'
import { Missing, type Nodes, orphanedIfMissing } from '../nodes/nodes.ts'
import type { Blocks } from './blocks.ts'
import { checkReceipts, checkTransactions, pickTransfers, receiptOf } from './content.ts'
import { type Json, senderOf } from './encoding.ts'
import { type Header, readBigInt, readList, refOf } from './responses.ts'

/**
 * Finds transfers in blocks. Their transactions and receipts must hash to the roots in the header, so a node can withhold them
 * but not change them. Where the roots cannot be computed, `agreed` of the chain decides between nodes.
 */
export class Watch {
  readonly #chain: string
  readonly #nodes: Nodes
  readonly #blocks: Blocks
  readonly #hasRoots: boolean

  constructor(chain: string, nodes: Nodes, blocks: Blocks, hasRoots: boolean) {
    this.#chain = chain
    this.#nodes = nodes
    this.#blocks = blocks
    this.#hasRoots = hasRoots
  }

  /** Returns the transfers to us in one block. Throws BlockOrphaned. */
  async inBlock(block: BlockId, filter: TransferFilter): Promise<Scan> {
    const [header, receipts] = await this.#content(block)
    return this.#pick(header, receipts, filter)
  }

  /** Returns the receipt that the roots in the header of a block commit to; null if the transaction is not in it. Throws BlockOrphaned. */
  async receiptIn(block: BlockId, txid: string): Promise<Receipt | null> {
    const [header, receipts] = await this.#content(block)
    return receiptOf(header, receipts, txid)
  }

  async #content(block: BlockId): Promise<[Header, Json[]]> {
    // Asked for at once. Receipts that do not fit the header are the fault of the node that sent them.
    const full = this.#blocks.byHash(block, true, this.#checked).catch(orphanedIfMissing)
    const settled = full.then(header => [header]).catch((error: Error) => error)
    const receipts = this.#receipts([block.hash], settled).catch(async error => {
      if (!(error instanceof CallRefused)) throw error
      return this.#oneByOne([await full])
    })
    const [header, lists] = await Promise.all([full, receipts])
    return [header, lists[0]!]
  }

  /** Returns the transfers to us in the blocks `from` to `to`, which must be too deep to reorg. Throws BlockOrphaned. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const headers = await this.#blocks.range(from, to, true, this.#checked).catch(orphanedIfMissing)
    const hashes = headers.map(header => header.hash)
    const lists = await this.#receipts(hashes, headers).catch(error => {
      if (!(error instanceof CallRefused)) throw error
      return this.#oneByOne(headers)
    })
    const transfers: Transfer[] = []
    let scanned = 0
    for (const [i, header] of headers.entries()) {
      const found = await this.#pick(header, lists[i]!, filter)
      transfers.push(...found.transfers)
      scanned += found.scanned
    }
    return { transfers, scanned, first: refOf(headers[0]!), last: refOf(headers.at(-1)!) }
  }

  async #pick(header: Header, receipts: readonly Json[], filter: TransferFilter): Promise<Scan> {
    const scan = pickTransfers(this.#chain, header, receipts, filter, this.#hasRoots)
    for (const each of scan.transfers) {
      if (each.token !== null || !this.#hasRoots) continue
      each.from = await senderOf(header.transactions[-1 - each.logIndex] as Json)
    }
    return scan
  }

  readonly #checked = (header: Header): Header => {
    if (this.#hasRoots) checkTransactions(header)
    return header
  }

  /** Reads the receipts of blocks. Throws BlockOrphaned, and CallRefused if the nodes know only single receipts. */
  #receipts(hashes: readonly string[], of: Promise<Header[] | Error> | Header[]): Promise<Json[][]> {
    const calls = hashes.map(hash => ({ method: 'eth_getBlockReceipts', params: [hash] }))
    const read = async (results: unknown[]) => {
      const headers = await of
      return headers instanceof Error ? [] : this.#checkedReceipts(headers, results)
    }
    return this.#nodes.askMany(calls, read).catch(orphanedIfMissing)
  }

  /** Reads the receipts of blocks one by one. Throws BlockOrphaned. */
  async #oneByOne(headers: Header[]): Promise<Json[][]> {
    const calls = headers.flatMap(({ transactions }) =>
      transactions.map(tx => ({ method: 'eth_getTransactionReceipt', params: [(tx as Json).hash] })),
    )
    if (calls.length === 0) return headers.map(() => [])
    const read = (results: unknown[]) => {
      const rest = [...results]
      return this.#checkedReceipts(
        headers,
        headers.map(({ transactions }) => rest.splice(0, transactions.length)),
      )
    }
    return this.#nodes.askMany(calls, read).catch(orphanedIfMissing)
  }

  async #checkedReceipts(headers: Header[], results: unknown[]): Promise<Json[][]> {
    const lists: Json[][] = []
    for (const [i, header] of headers.entries()) {
      if (results[i] === null) throw new Missing('no receipts of the block')
      const receipts = readList(results[i]) as Json[]
      if (receipts.includes(null as never)) throw new Missing('receipts of the block are missing')
      if (this.#hasRoots) checkReceipts(header, receipts)
      else checkComplete(header, receipts)
      lists.push(receipts)
      // Hashing takes milliseconds per block: let requests in between.
      if (headers.length > 1) await setImmediate()
    }
    return lists
  }
}

/** Throws an error if receipts of a block whose roots cannot be computed are evidently incomplete, or of another block. */
function checkComplete(header: Header, receipts: readonly Json[]): void {
  if (receipts.some(receipt => receipt.blockHash !== header.hash)) throw new Error('receipts of another block')
  const known = new Set(receipts.map(receipt => receipt.transactionHash))
  // Transactions that the chain adds by itself use no gas, and may have no receipt.
  const left = (header.transactions as Json[]).some(({ hash, gas }) => !known.has(hash) && readBigInt(gas) > 0n)
  if (left) throw new Missing('receipts of the block are missing')
}
