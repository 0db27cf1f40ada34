import type { BlockId, BlockRef, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { BlockOrphaned, CallRefused } from '../errors.ts'
import { encodeQuantity } from '../evm/calls.ts'
import { TRANSFER_TOPIC } from '../evm/decoding.ts'
import { type RawLog, readList, toBlockRef } from '../evm/responses.ts'
import { InterfaceMismatch, type Nodes, ObjectMissing, orphanedIfMissing } from '../nodes/nodes.ts'
import { nativeTransfers, type TronBlocks } from './blocks.ts'
import type { TronBlock } from './content.ts'
import { callTronHttpApi } from './http-api.ts'
import { pickTransfers } from './logs.ts'
import { parseTransactionInfosPaced, type TronInfo } from './responses.ts'

/** Blocks verified concurrently. */
const AT_ONCE = 5

/** Transfers by the logs of a node, and its URL. */
type Picked = Scan & { url: string }
type Seen = { seen: Transfer[]; url: string }
/** Transfers by the executed transactions of a node, and its URL. */
type Verified = { transfers: Transfer[]; other: string }

const NOTHING: Scan = { transfers: [], scanned: 0 }

/**
 * Finds transfers in TRON blocks: of TRX by the bytes that a block's id covers, of tokens through JSON-RPC, each
 * verified against the HTTP API. That is necessary: no root covers logs, blocks have no bloom that would reveal missing
 * ones, and nodes may return logs of failed transactions. A node whose interfaces contradict each other gets a penalty;
 * with no other node, the chain waits.
 */
export class TronWatch {
  readonly #chain: string
  readonly #nodes: Nodes
  readonly #blocks: TronBlocks

  constructor(chain: string, nodes: Nodes, blocks: TronBlocks) {
    this.#chain = chain
    this.#nodes = nodes
    this.#blocks = blocks
  }

  /** Returns the transfers to us in one block. Throws BlockOrphaned. */
  async inBlock(block: BlockId, filter: TransferFilter): Promise<Scan> {
    const reading = this.#blocks.byId(block).then(one => [one])
    const picked = await this.#tokens({ blockHash: block.hash }, reading, filter)
    return this.#joined(await reading, picked, filter)
  }

  /** Returns the transfers to us in the blocks `from` to `to`. Throws BlockOrphaned. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const reading = this.#blocks.range(from, to)
    const picked = await this.#tokens({ fromBlock: encodeQuantity(from), toBlock: encodeQuantity(to) }, reading, filter)
    const blocks = await reading
    return { ...this.#joined(blocks, picked, filter), first: toBlockRef(blocks[0]!), last: toBlockRef(blocks.at(-1)!) }
  }

  #joined(blocks: readonly TronBlock[], { transfers, ...rest }: Scan, { native, isOurs }: TransferFilter): Scan {
    const coins = native ? blocks.flatMap(block => nativeTransfers(this.#chain, block, isOurs)) : []
    return { ...rest, transfers: sorted(transfers.concat(coins)) }
  }

  /**
   * Returns token transfers. Logs are verified while they are read, so that the next node is tried if they are wrong.
   */
  async #tokens(where: Record<string, string>, reading: Promise<TronBlock[]>, filter: TransferFilter): Promise<Scan> {
    if (filter.tokens.length === 0) return NOTHING
    const settled = reading.catch((error: Error) => error)
    const read = async ([result]: unknown[], url: string) => {
      const logs = readList(result) as RawLog[]
      const blocks = await settled
      if (blocks instanceof Error) return NOTHING
      const picked = pickTransfers(this.#chain, logs, filter, number => blocks[number - blocks[0]!.number])
      return errorAsValue(this.#verifyAll(blocks, { ...picked, url }, filter))
    }
    const params = [{ ...where, address: filter.tokens, topics: [TRANSFER_TOPIC] }]
    const asking = this.#nodes.askMany([{ method: 'eth_getLogs', params }], read)
    return orThrow(
      await asking.catch(error => {
        if (error instanceof CallRefused && where.blockHash) throw new BlockOrphaned(error.message)
        return orphanedIfMissing(error)
      }),
    )
  }

  /** Verifies every block that has transactions, since nothing else reveals missing logs. */
  async #verifyAll(blocks: TronBlock[], { url, ...picked }: Picked, filter: TransferFilter): Promise<Scan> {
    const seen = Map.groupBy(picked.transfers, transfer => transfer.blockNumber)
    const nonEmpty = blocks.filter(block => block.transactions.length > 0)
    const found: Verified[] = []
    for (let i = 0; i < nonEmpty.length; i += AT_ONCE) {
      const some = nonEmpty.slice(i, i + AT_ONCE)
      const verifying = some.map(block => this.#verify(block, { seen: seen.get(block.number) ?? [], url }, filter))
      found.push(...(await Promise.all(verifying)))
    }
    const isOfOne = found.every(({ other }) => other === url)
    return { ...picked, transfers: found.flatMap(({ transfers }) => transfers), ...(isOfOne && { by: url }) }
  }

  /**
   * Returns the transfers of a block's executed transactions. Those that the node at `url` has `seen` must be among
   * them, unless their transaction failed. Throws BlockOrphaned if another node differs: it is not known which one is
   * wrong.
   */
  async #verify(block: TronBlock, { seen, url }: Seen, filter: TransferFilter): Promise<Verified> {
    const read = async (result: unknown, other: string) => {
      const infos = new Map((await parseTransactionInfosPaced(result)).map(info => [info.txid, info]))
      const ordered = block.transactions.map(({ txid }) => {
        const info = infos.get(txid)
        // Queried by height, the node returns the block that it has there now.
        if (!info) throw new ObjectMissing('another block at this height')
        return info
      })
      if (infos.size !== ordered.length) throw new ObjectMissing('another block at this height')
      const logs = logsOf(block, ordered, filter.tokens)
      return { ordered, transfers: pickTransfers(this.#chain, logs, filter, () => block).transfers, other }
    }
    const asking = callTronHttpApi(this.#nodes, '/wallet/gettransactioninfobyblocknum', { num: block.number }, read)
    const { ordered, transfers, other } = await asking.catch(orphanedIfMissing)
    const failed = new Set(ordered.filter(info => !info.succeeded).map(info => info.txid))
    const known = new Set(transfers.map(comparisonKey))
    if (seen.some(transfer => !failed.has(transfer.txid) && !known.has(comparisonKey(transfer)))) {
      if (other !== url) throw new BlockOrphaned('nodes differ on a token transfer')
      throw new InterfaceMismatch('JSON-RPC and HTTP API differ on a token transfer')
    }
    return { transfers, other }
  }
}

/** Converts the Transfer logs of successful transactions to their JSON-RPC form. All logs count for the index. */
function logsOf(block: BlockRef, infos: TronInfo[], tokens: readonly string[]): RawLog[] {
  let index = 0
  return infos.flatMap(info =>
    info.logs.flatMap(({ address, topics, data }, position) => {
      const logIndex = encodeQuantity(index++)
      if (!info.succeeded || topics[0] !== TRANSFER_TOPIC || !tokens.includes(address)) return []
      return [
        {
          address,
          topics,
          data,
          blockNumber: encodeQuantity(block.number),
          blockHash: block.hash,
          transactionHash: info.txid,
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

/**
 * Returns the error of a nested request as a value: thrown, it would be blamed on the node whose response is being
 * read. An InterfaceMismatch is thrown.
 */
async function errorAsValue<T>(request: Promise<T>): Promise<T | Error> {
  return request.catch((error: Error) => {
    if (error instanceof InterfaceMismatch) throw error
    return error
  })
}

/** Throws an error that `errorAsValue` returned; returns any other value. */
function orThrow<T>(value: T | Error): T {
  if (value instanceof Error) throw value
  return value
}
