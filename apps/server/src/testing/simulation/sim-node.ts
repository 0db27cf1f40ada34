import type { Random } from '@coffer/chains/fake/random.ts'
import { TRANSFER } from '@coffer/chains/jsonrpc/logs.ts'
import { bloomOf, logsOf, payer, type SimBlock, type SimChain } from './sim-chain.ts'

/** Faults of a node. Numbers are probabilities (0 to 1) unless stated otherwise. */
export type NodeFaults = {
  /** The connection fails, or the response is truncated, an error page or "too many requests". */
  broken: number
  /** The request times out or is slow. */
  hang: number
  /** A call returns a JSON-RPC error or an internal error of the node. */
  refuses: number
  /** An existing object is reported as not found. */
  forgets: number
  /** A log query returns an empty list. */
  empty: number
  /** Offset added to every native coin balance; may be negative. */
  more: bigint
  /** Number of blocks that the node lags behind the head. */
  lag: number
  /** Maximum block range of a log query. */
  range: number
  /** Blocks of the node's own fork, or null on the canonical chain. */
  fork: SimBlock[] | null
}

export const healthy: NodeFaults = {
  broken: 0,
  hang: 0,
  refuses: 0,
  forgets: 0,
  empty: 0,
  more: 0n,
  lag: 0,
  range: 1_000,
  fork: null,
}

/** State shared by all nodes: the random source of the current step and the clock. */
export type NodeWorld = { dice: Random; passMs: (ms: number) => void }

type Message = { id: number; method: string; params: unknown[] }
class Refused extends Error {}

/** An in-memory Ethereum JSON-RPC node. */
export class SimNode {
  faults: NodeFaults = { ...healthy }
  readonly #world: NodeWorld
  readonly #chain: SimChain

  constructor(world: NodeWorld, chain: SimChain) {
    this.#world = world
    this.#chain = chain
  }

  /** Handles one request; resolves or rejects like `fetch`. */
  async answer(body: string): Promise<Response> {
    const { dice, passMs } = this.#world
    const { broken, hang } = this.faults
    if (dice.chance(hang)) {
      passMs(dice.chance(0.5) ? 6_000 : 10_000)
      if (dice.chance(0.5)) throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    }
    const how = dice.chance(broken) ? dice.below(4) : -1
    if (how === 0) throw new TypeError('fetch failed')
    if (how === 1) return new Response('<html>try again</html>', { status: 503 })
    if (how === 2) return new Response('', { status: 429 })
    const asked = JSON.parse(body) as Message | Message[]
    const answers = Array.isArray(asked) ? asked.map(each => this.#one(each)) : this.#one(asked)
    const text = JSON.stringify(answers)
    return new Response(how === 3 ? text.slice(0, text.length >> 1) : text)
  }

  #one({ id, method, params }: Message) {
    const { dice } = this.#world
    const base = { jsonrpc: '2.0', id }
    if (dice.chance(this.faults.refuses)) {
      const code = dice.chance(0.5) ? -32_603 : -32_000
      return { ...base, error: { code, message: 'not now' } }
    }
    if (dice.chance(this.faults.forgets) && method !== 'eth_getLogs') return { ...base, result: null }
    try {
      return { ...base, result: this.#result(method, params) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { ...base, error: { code: -32_005, message: error.message } }
    }
  }

  /** Returns the blocks visible to this node. */
  #blocks(): SimBlock[] {
    const { fork, lag } = this.faults
    if (fork) return fork
    const { blocks } = this.#chain
    return lag > 0 ? blocks.slice(0, Math.max(1, blocks.length - lag)) : blocks
  }

  #byHash(hash: unknown): SimBlock | undefined {
    return this.#blocks().findLast(block => block.hash === hash) ?? this.#chain.left.get(String(hash))
  }

  #result(method: string, params: unknown[]): unknown {
    const [first, second] = params
    const blocks = this.#blocks()
    switch (method) {
      case 'eth_getBlockByNumber':
        return blockJson(first === 'latest' ? blocks.at(-1) : blocks[Number(first)], second === true)
      case 'eth_getBlockByHash':
        return blockJson(this.#byHash(first), second === true)
      case 'eth_getLogs':
        return this.#logs(first as LogFilter)
      case 'eth_getBlockReceipts': {
        const block = this.#byHash(first)
        return block ? block.txs.map((_, place) => receiptJson(block, place)) : null
      }
      case 'eth_getTransactionReceipt':
      case 'eth_getTransactionByHash': {
        const block = blocks.findLast(each => each.txs.some(tx => tx.txid === first))
        if (!block) return null
        const place = block.txs.findIndex(tx => tx.txid === first)
        return method === 'eth_getTransactionReceipt' ? receiptJson(block, place) : txJson(block, place)
      }
      case 'eth_getBalance':
        return this.#balance(String(first), second)
      case 'eth_call': {
        const { to, data } = first as { to: string; data: string }
        return `0x${word(this.#tokenOf(to, `0x${data.slice(-40)}`, this.#upTo(second)).toString(16))}`
      }
      default:
        throw new Refused(`the method ${method} does not exist`)
    }
  }

  /** Returns the blocks up to the one with the given hash. */
  #upTo(at: unknown): SimBlock[] {
    const blocks = this.#blocks()
    if (at === 'latest') return blocks
    const last = blocks.findLastIndex(block => block.hash === (at as { blockHash: string }).blockHash)
    if (last < 0) throw new Refused('unknown block')
    return blocks.slice(0, last + 1)
  }

  #balance(owner: string, at: unknown): string {
    const sum = this.#chain.coinOf(owner, this.#upTo(at)) + this.faults.more
    return hex(sum > 0n ? sum : 0n)
  }

  #tokenOf(token: string, owner: string, blocks: SimBlock[]): bigint {
    const logs = blocks.flatMap(block => block.txs.flatMap(logsOf)).filter(log => log.token === token)
    return logs.reduce((sum, log) => sum + (log.to === owner ? log.amount : 0n), 0n)
  }

  #logs({ blockHash, fromBlock, toBlock, address }: LogFilter): unknown[] | null {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    if (!blockHash && to - from + 1 > this.faults.range) throw new Refused('block range is too large')
    const one = blockHash ? this.#byHash(blockHash) : undefined
    if (blockHash && !one) throw new Refused('unknown block')
    if (this.#world.dice.chance(this.faults.empty)) return []
    const found = (one ? [one] : this.#blocks().slice(from, to + 1)).flatMap(logsJson)
    return found.filter(log => !address || address.includes(log.address))
  }
}

type LogFilter = { blockHash?: string; fromBlock?: string; toBlock?: string; address?: string[] }

const hex = (value: number | bigint) => `0x${value.toString(16)}`
const word = (digits: string) => digits.padStart(64, '0')

function blockJson(block: SimBlock | undefined, full: boolean) {
  if (!block) return null
  const { number, hash, parentHash, time, txs } = block
  const transactions = full ? txs.map((_, place) => txJson(block, place)) : txs.map(tx => tx.txid)
  return { number: hex(number), hash, parentHash, timestamp: hex(time), logsBloom: bloomOf(block), transactions }
}

function txJson({ txs }: SimBlock, place: number) {
  const tx = txs[place]!
  const [to, value] = tx.kind === 'coin' ? [tx.to, tx.amount] : [`0x${'c0'.repeat(20)}`, 0n]
  return { hash: tx.txid, from: payer, to, value: hex(value), transactionIndex: hex(place) }
}

function receiptJson(block: SimBlock, place: number) {
  const { txid, reverted } = block.txs[place]!
  return {
    transactionHash: txid,
    blockHash: block.hash,
    blockNumber: hex(block.number),
    status: reverted ? '0x0' : '0x1',
    gasUsed: hex(21_000),
    effectiveGasPrice: hex(10),
    logs: logsJson(block).filter(log => log.transactionHash === txid),
  }
}

function logsJson(block: SimBlock) {
  const logs = block.txs.flatMap(tx => logsOf(tx).map(log => ({ ...log, txid: tx.txid })))
  return logs.map(({ token, from, to, amount, txid }, place) => ({
    address: token,
    topics: [TRANSFER, `0x${word(from.slice(2))}`, `0x${word(to.slice(2))}`],
    data: `0x${word(amount.toString(16))}`,
    blockNumber: hex(block.number),
    blockHash: block.hash,
    transactionHash: txid,
    logIndex: hex(block.firstLog + place),
    removed: false,
  }))
}
