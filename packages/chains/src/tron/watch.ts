import type { BlockRef, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { BlockGone, CallRefused } from '../errors.ts'
import { type RawLog, readList, refOf } from '../jsonrpc/answers.ts'
import type { Blocks } from '../jsonrpc/blocks.ts'
import { quantity } from '../jsonrpc/calls.ts'
import { type Picked, pickTransfers, TRANSFER } from '../jsonrpc/logs.ts'
import { goneIfMissing, Missing, type Nodes } from '../jsonrpc/nodes.ts'
import { readInfos, type TronInfo } from './answers.ts'
import { Contradiction, type Listed, listOf, orThrow, within } from './listed.ts'
import { TronNative } from './native.ts'

/** Blocks that are confirmed at the same time. */
const AT_ONCE = 5

const NOTHING: Picked = { transfers: [], present: new Map(), scanned: 0 }

/**
 * Reads TRON's blocks through its Ethereum-like interface, and believes no transfer before the HTTP interface has said
 * the same. That is more than caution: blocks have no bloom that would show an answer cut short, logs of failed
 * transactions may be among the answers, and the value of a transaction may be of another coin than TRX. A node whose
 * interfaces contradict each other is left alone for a while; when none is left, nothing is seen until one is.
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

  /** Transfers to us in one block. */
  async inBlock(block: BlockRef, filter: TransferFilter): Promise<Scan> {
    const listed = this.#blocks.byHash(block, false, listOf).catch(goneIfMissing)
    const [picked, native] = await Promise.all([
      this.#tokens(
        { blockHash: block.hash },
        listed.then(one => [one]),
        filter,
      ),
      filter.native ? this.#native.inBlock(listed, block.hash, filter.isOurs) : [],
      listed,
    ])
    return { transfers: inOrder(picked.transfers.concat(native)), scanned: picked.scanned }
  }

  /** Transfers to us in a range. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const asked = this.#blocks.range(from, to, false, listOf).catch(goneIfMissing)
    const where = { fromBlock: quantity(from), toBlock: quantity(to) }
    const [listed, picked, native] = await Promise.all([
      asked,
      this.#tokens(where, asked, filter),
      filter.native ? this.#native.inRange(asked, from, to, filter.isOurs) : [],
    ])
    const [first, last] = [refOf(listed[0]!), refOf(listed.at(-1)!)]
    return { transfers: inOrder(picked.transfers.concat(native)), scanned: picked.scanned, first, last }
  }

  /** Transfers of tokens. A node's logs are confirmed while they are read, so that another is asked when they are not. */
  async #tokens(where: Record<string, string>, asked: Promise<Listed[]>, filter: TransferFilter): Promise<Picked> {
    if (filter.tokens.length === 0) return NOTHING
    const settled = asked.catch((error: Error) => error)
    const read = async (result: unknown) => {
      const logs = readList(result) as RawLog[]
      const blocks = await settled
      if (blocks instanceof Error) return NOTHING
      const picked = pickTransfers(this.#chain, logs, filter, number => blocks[number - blocks[0]!.number])
      return within(this.#confirmedAll(blocks, picked, filter))
    }
    const asking = this.#nodes.ask('eth_getLogs', [{ ...where, address: filter.tokens, topics: [TRANSFER] }], read)
    return orThrow(
      await asking.catch(error => {
        if (error instanceof CallRefused && where.blockHash) throw new BlockGone(error.message)
        return goneIfMissing(error)
      }),
    )
  }

  /** Every block with transactions is asked for, since nothing else would show what the logs leave out. */
  async #confirmedAll(blocks: Listed[], picked: Picked, filter: TransferFilter): Promise<Picked> {
    const seen = Map.groupBy(picked.transfers, transfer => transfer.blockNumber)
    const asked = blocks.filter(block => block.ids.length > 0)
    const transfers: Transfer[] = []
    for (let i = 0; i < asked.length; i += AT_ONCE) {
      const some = asked.slice(i, i + AT_ONCE)
      const confirming = some.map(block => this.#confirmed(block, seen.get(block.number) ?? [], filter))
      transfers.push(...(await Promise.all(confirming)).flat())
    }
    return { ...picked, transfers }
  }

  /** What the executed transactions of a block say; `seen` must all be among them, unless their transaction failed. */
  async #confirmed(block: Listed, seen: Transfer[], filter: TransferFilter): Promise<Transfer[]> {
    const read = (result: unknown) => {
      const infos = new Map(readInfos(result).map(info => [info.id, info]))
      const ordered = block.ids.map(id => {
        const info = infos.get(id)
        // Asked by number, the node answers for the block it has there now.
        if (!info) throw new Missing('the block at this height is another one')
        return info
      })
      if (infos.size !== ordered.length) throw new Missing('the block at this height is another one')
      const logs = logsOf(block, ordered, filter.tokens)
      return { ordered, said: pickTransfers(this.#chain, logs, filter, () => block).transfers }
    }
    const asking = this.#nodes.askPath('/wallet/gettransactioninfobyblocknum', { num: block.number }, read)
    const { ordered, said } = await asking.catch(goneIfMissing)
    const failed = new Set(ordered.filter(info => !info.succeeded).map(info => `0x${info.id}`))
    const known = new Set(said.map(nameOf))
    if (seen.some(transfer => !failed.has(transfer.txid) && !known.has(nameOf(transfer)))) {
      throw new Contradiction('the interfaces of a node contradict each other on a transfer of a token')
    }
    return said
  }
}

/** The Transfer logs of successful transactions in the shape that JSON-RPC has; every log counts for the index. */
function logsOf(block: BlockRef, infos: TronInfo[], tokens: readonly string[]): RawLog[] {
  let index = 0
  return infos.flatMap(info =>
    info.logs.flatMap(({ address, topics, data }) => {
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
        },
      ]
    }),
  )
}

/** By what two views of one transfer are compared; the place of its log may be counted differently. */
function nameOf({ txid, token, to, amount }: Transfer): string {
  return `${txid} ${token} ${to} ${amount}`
}

function inOrder(transfers: Transfer[]): Transfer[] {
  return transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
