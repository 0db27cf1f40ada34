import type { BlockId, BlockRef, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { BlockOrphaned, CallRefused } from '../errors.ts'
import type { Blocks } from '../evm/blocks.ts'
import { quantity } from '../evm/calls.ts'
import { TRANSFER } from '../evm/decoding.ts'
import { type RawLog, readList, refOf } from '../evm/responses.ts'
import { InterfaceMismatch, Missing, type Nodes, orphanedIfMissing } from '../nodes/nodes.ts'
import { type BlockTxids, errorAsValue, orThrow, txidsOf } from './cross-check.ts'
import { askPath } from './http-api.ts'
import { pickTransfers } from './logs.ts'
import { TronNative } from './native.ts'
import { readInfos, type TronInfo } from './responses.ts'

/** Blocks verified concurrently. */
const AT_ONCE = 5

const NOTHING: Scan = { transfers: [], scanned: 0 }

/**
 * Finds transfers in TRON blocks through JSON-RPC, and verifies each against the HTTP API. This is necessary: blocks have no
 * bloom that would reveal missing logs, nodes may return logs of failed transactions, and a transaction's value may be in a
 * token other than TRX. A node whose interfaces contradict each other gets a penalty; with no other node, the chain waits.
 */
export class TronWatch {
  readonly #chain: string
  readonly #nodes: Nodes
  readonly #blocks: Blocks
  readonly #native: TronNative

  constructor(chain: string, nodes: Nodes, blocks: Blocks) {
    this.#chain = chain
    this.#nodes = nodes
    this.#blocks = blocks
    this.#native = new TronNative(chain, nodes)
  }

  /** Returns the transfers to us in one block. Throws BlockOrphaned. */
  async inBlock(block: BlockId, filter: TransferFilter): Promise<Scan> {
    const listed = this.#blocks.byHash(block, false, txidsOf).catch(orphanedIfMissing)
    const [picked, native] = await Promise.all([
      this.#tokens(
        { blockHash: block.hash },
        listed.then(one => [one]),
        filter,
      ),
      filter.native ? this.#native.inBlock(listed, block.hash, filter.isOurs) : [],
      listed,
    ])
    return { transfers: sorted(picked.transfers.concat(native)), scanned: picked.scanned }
  }

  /** Returns the transfers to us in the blocks `from` to `to`. Throws BlockOrphaned. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const reading = this.#blocks.range(from, to, false, txidsOf).catch(orphanedIfMissing)
    const where = { fromBlock: quantity(from), toBlock: quantity(to) }
    const [listed, picked, native] = await Promise.all([
      reading,
      this.#tokens(where, reading, filter),
      filter.native ? this.#native.inRange(reading, from, to, filter.isOurs) : [],
    ])
    const [first, last] = [refOf(listed[0]!), refOf(listed.at(-1)!)]
    return { transfers: sorted(picked.transfers.concat(native)), scanned: picked.scanned, first, last }
  }

  /** Returns token transfers. Logs are verified while they are read, so that the next node is tried if they are wrong. */
  async #tokens(where: Record<string, string>, listed: Promise<BlockTxids[]>, filter: TransferFilter): Promise<Scan> {
    if (filter.tokens.length === 0) return NOTHING
    const settled = listed.catch((error: Error) => error)
    const read = async (result: unknown) => {
      const logs = readList(result) as RawLog[]
      const blocks = await settled
      if (blocks instanceof Error) return NOTHING
      const picked = pickTransfers(this.#chain, logs, filter, number => blocks[number - blocks[0]!.number])
      return errorAsValue(this.#verifyAll(blocks, picked, filter))
    }
    const asking = this.#nodes.ask('eth_getLogs', [{ ...where, address: filter.tokens, topics: [TRANSFER] }], read)
    return orThrow(
      await asking.catch(error => {
        if (error instanceof CallRefused && where.blockHash) throw new BlockOrphaned(error.message)
        return orphanedIfMissing(error)
      }),
    )
  }

  /** Verifies every block that has transactions, since nothing else reveals missing logs. */
  async #verifyAll(blocks: BlockTxids[], picked: Scan, filter: TransferFilter): Promise<Scan> {
    const seen = Map.groupBy(picked.transfers, transfer => transfer.blockNumber)
    const nonEmpty = blocks.filter(block => block.txids.length > 0)
    const transfers: Transfer[] = []
    for (let i = 0; i < nonEmpty.length; i += AT_ONCE) {
      const some = nonEmpty.slice(i, i + AT_ONCE)
      const verifying = some.map(block => this.#verify(block, seen.get(block.number) ?? [], filter))
      transfers.push(...(await Promise.all(verifying)).flat())
    }
    return { ...picked, transfers }
  }

  /** Returns the transfers of a block's executed transactions. `seen` must be among them, unless their transaction failed. */
  async #verify(block: BlockTxids, seen: Transfer[], filter: TransferFilter): Promise<Transfer[]> {
    const read = (result: unknown) => {
      const infos = new Map(readInfos(result).map(info => [info.id, info]))
      const ordered = block.txids.map(id => {
        const info = infos.get(id)
        // Queried by height, the node returns the block that it has there now.
        if (!info) throw new Missing('another block at this height')
        return info
      })
      if (infos.size !== ordered.length) throw new Missing('another block at this height')
      const logs = logsOf(block, ordered, filter.tokens)
      return { ordered, transfers: pickTransfers(this.#chain, logs, filter, () => block).transfers }
    }
    const asking = askPath(this.#nodes, '/wallet/gettransactioninfobyblocknum', { num: block.number }, read)
    const { ordered, transfers } = await asking.catch(orphanedIfMissing)
    const failed = new Set(ordered.filter(info => !info.succeeded).map(info => `0x${info.id}`))
    const known = new Set(transfers.map(comparisonKey))
    if (seen.some(transfer => !failed.has(transfer.txid) && !known.has(comparisonKey(transfer)))) {
      throw new InterfaceMismatch('JSON-RPC and HTTP API differ on a token transfer')
    }
    return transfers
  }
}

/** Converts the Transfer logs of successful transactions to their JSON-RPC form. All logs count for the index. */
function logsOf(block: BlockRef, infos: TronInfo[], tokens: readonly string[]): RawLog[] {
  let index = 0
  return infos.flatMap(info =>
    info.logs.flatMap(({ address, topics, data }, position) => {
      const logIndex = quantity(index++)
      const contract = `0x${address.toLowerCase()}`
      if (!info.succeeded || `0x${topics[0]}` !== TRANSFER || !tokens.includes(contract)) return []
      return [
        {
          address: contract,
          topics: topics.map(topic => `0x${topic}`),
          data: `0x${data}`,
          blockNumber: quantity(block.number),
          blockHash: block.hash,
          transactionHash: `0x${info.id}`,
          logIndex,
          position,
        },
      ]
    }),
  )
}

/** Key to compare a transfer between the two interfaces, whose log indexes may differ. */
function comparisonKey({ txid, token, from, to, amount }: Transfer): string {
  return `${txid} ${token} ${from} ${to} ${amount}`
}

function sorted(transfers: Transfer[]): Transfer[] {
  return transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
