import type { BlockRef, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { BlockGone, CallRefused, ChainUnavailable } from '../errors.ts'
import { type RawLog, readList, refOf } from '../evm/answers.ts'
import type { Blocks } from '../evm/blocks.ts'
import { quantity } from '../evm/calls.ts'
import { type Picked, pickTransfers, TRANSFER } from '../evm/logs.ts'
import { Missing, type Nodes } from '../evm/nodes.ts'
import { readInfos, readTronBlock, type TronBlock, type TronInfo } from './answers.ts'

/** A block with the ids of its transactions, without 0x. */
type Listed = BlockRef & { ids: string[] }

/** Blocks that one call of the HTTP interface gives at most. */
const BLOCKS_AT_ONCE = 100

const NOTHING: Picked = { transfers: [], present: new Map(), scanned: 0 }

/**
 * Reads TRON's blocks through its Ethereum-like interface, and believes no transfer before the HTTP interface has said
 * the same. That is more than caution: blocks have no bloom that would show an answer cut short, logs of failed
 * transactions may be among the answers, and the value of a transaction may be of another coin than TRX.
 */
export class TronWatch {
  readonly #chain: string
  readonly #nodes: Nodes
  readonly #blocks: Blocks

  constructor(chain: string, nodes: Nodes, blocks: Blocks) {
    this.#chain = chain
    this.#nodes = nodes
    this.#blocks = blocks
  }

  /** Transfers to us in one block. Near the tip every block is read through both interfaces. */
  async inBlock(block: BlockRef, filter: TransferFilter): Promise<Scan> {
    const listed = this.#blocks.byHash(block, false, listOf).catch(goneIfMissing)
    const [own, picked, blocks] = await Promise.all([
      listed,
      this.#pick(
        { blockHash: block.hash },
        listed.then(one => [one]),
        filter,
      ),
      filter.native ? this.#httpBlock(block) : null,
    ])
    const transfers = await this.#confirmed(own, picked.transfers, filter)
    if (blocks) transfers.push(...this.#native(own, blocks, filter))
    return { transfers: inOrder(transfers), scanned: picked.scanned }
  }

  /** Transfers to us in a range. The second interface is asked for blocks with something to see, or suspiciously none. */
  async inRange(from: number, to: number, filter: TransferFilter): Promise<RangeScan> {
    const asked = this.#blocks.range(from, to, false, listOf).catch(goneIfMissing)
    const where = { fromBlock: quantity(from), toBlock: quantity(to) }
    const [listed, picked, blocks] = await Promise.all([
      asked,
      this.#pick(where, asked, filter),
      filter.native ? this.#httpRange(from, to) : [],
    ])
    const found = Map.groupBy(picked.transfers, transfer => transfer.blockNumber)
    const transfers: Transfer[] = []
    for (const block of listed) {
      const mine = found.get(block.number) ?? []
      const silent = filter.tokens.some(token => !picked.present.get(token)?.has(block.number))
      if (mine.length > 0 || (silent && block.ids.length > 0)) {
        transfers.push(...(await this.#confirmed(block, mine, filter)))
      }
    }
    for (const [i, block] of blocks.entries()) transfers.push(...this.#native(listed[i]!, block, filter))
    const [first, last] = [refOf(listed[0]!), refOf(listed.at(-1)!)]
    return { transfers: inOrder(transfers), scanned: picked.scanned, first, last }
  }

  async #pick(where: Record<string, string>, asked: Promise<Listed[]>, filter: TransferFilter): Promise<Picked> {
    if (filter.tokens.length === 0) return NOTHING
    const settled = asked.catch((error: Error) => error)
    const read = async (result: unknown) => {
      const logs = readList(result) as RawLog[]
      const blocks = await settled
      return blocks instanceof Error
        ? NOTHING
        : pickTransfers(this.#chain, logs, filter, number => blocks[number - blocks[0]!.number])
    }
    const asking = { ...where, address: filter.tokens, topics: [TRANSFER] }
    return this.#nodes.ask('eth_getLogs', [asking], read).catch(error => {
      if (error instanceof CallRefused && where.blockHash) throw new BlockGone(error.message)
      return goneIfMissing(error)
    })
  }

  /** What the executed transactions of a block say; `seen` must all be among them, unless their transaction failed. */
  async #confirmed(block: Listed, seen: Transfer[], filter: TransferFilter): Promise<Transfer[]> {
    if (filter.tokens.length === 0 || block.ids.length === 0) return []
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
      throw new ChainUnavailable('the interfaces of a node contradict each other')
    }
    return said
  }

  #native(block: Listed, { id, transfers }: TronBlock, filter: TransferFilter): Transfer[] {
    if (`0x${id}` !== block.hash) throw new BlockGone('the block at this height is another one')
    const ours = transfers.filter(({ to, amount }) => amount > 0n && filter.isOurs(to))
    return ours.map(({ txid, index, from, to, amount }) => ({
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
    }))
  }

  #httpBlock(block: BlockRef): Promise<TronBlock> {
    const read = (result: unknown) => {
      const found = readTronBlock(result)
      if (!found) throw new Missing('no such block')
      return found
    }
    return this.#nodes.askPath('/wallet/getblockbyid', { value: block.hash.slice(2) }, read).catch(goneIfMissing)
  }

  async #httpRange(from: number, to: number): Promise<TronBlock[]> {
    const blocks: TronBlock[] = []
    for (let start = from; start <= to; start += BLOCKS_AT_ONCE) {
      const end = Math.min(to + 1, start + BLOCKS_AT_ONCE)
      const read = (result: unknown) => {
        const found = readList((result as { block?: unknown }).block ?? []).map(readTronBlock)
        if (found.length !== end - start) throw new Missing('not all of these blocks')
        return found.filter(block => block !== null)
      }
      const asking = this.#nodes.askPath('/wallet/getblockbylimitnext', { startNum: start, endNum: end }, read)
      blocks.push(...(await asking.catch(goneIfMissing)))
    }
    return blocks
  }
}

function listOf(header: BlockRef & { transactions: unknown[] }): Listed {
  return { ...refOf(header), ids: header.transactions.map(id => String(id).slice(2).toLowerCase()) }
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

function goneIfMissing(error: unknown): never {
  throw error instanceof Missing ? new BlockGone(error.message) : error
}
