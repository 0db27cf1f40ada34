import { disperseContract } from '@coffer/chains'
import { txidOf } from '@coffer/chains/evm/transfer.ts'
import type { Random } from '@coffer/chains/fake/random.ts'
import { type Lie, lied } from '@coffer/chains/testing/lies.ts'
import type { Liar } from '@coffer/chains/testing/lying-nodes.ts'
import { State } from '@coffer/chains/testing/state.ts'
import type { SimBlock, SimChain } from './sim-chain.ts'
import { hex, word } from './sim-json.ts'
import {
  allowanceOf,
  isDelegated,
  marketTip,
  nonceOf,
  readSigned,
  type SentTx,
  sweepers,
  tokenBalance,
} from './sim-own.ts'
import { readTron, refusalOf, type TronTx } from './sim-own-tron.ts'
import { type AboutOurs, type TronView, tronAnswer, tronResult } from './sim-tron.ts'

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
  /** The node does not report its head, like one that is synchronizing. */
  headless: boolean
  /** What the node changes in its reports of blocks, or null. */
  lie: Lie | null
  /** Lies in some field of each answer, or null. */
  liar: Liar | null
  /** What the node says about our transactions, on TRON. */
  aboutOurs: AboutOurs
  /** Another chain that the node answers for, or null. */
  foreign: SimChain | null
  /** Offset added to every native coin balance; may be negative. Proofs of it are forged. */
  more: bigint
  /** The node keeps no state of past blocks. */
  pruned: boolean
  /** The node limits the rate of requests, or refuses batches. */
  limits: number
  /** Rounds of the event loop until the node answers: others have answered before. */
  slow: number
  /** The fate of a broadcast: stored and refused, dropped and accepted, or stored without an answer. */
  broadcasts: 'honest' | 'refused' | 'dropped' | 'unanswered'
  /** Number of blocks that the node lags behind the head. */
  lag: number
  /** Blocks of the node's own fork, or null on the canonical chain. */
  fork: SimBlock[] | null
}

export const healthy: NodeFaults = {
  broken: 0,
  hang: 0,
  refuses: 0,
  forgets: 0,
  headless: false,
  lie: null,
  liar: null,
  aboutOurs: 'truth',
  foreign: null,
  more: 0n,
  pruned: false,
  limits: 0,
  slow: 0,
  broadcasts: 'honest',
  lag: 0,
  fork: null,
}

/** State shared by all nodes: the random source of the current step and the clock. */
export type NodeWorld = { dice: Random; passMs: (ms: number) => void; turns: { moved: () => void } }

type Message = { id: number; method: string; params: unknown[] }
/** What stands in the address of a contract that refuses all money. */
export const burner = 'feefee'

class Refused extends Error {
  readonly code: number

  constructor(message: string, code = -32_000) {
    super(message)
    this.code = code
  }
}

/** An in-memory node: Ethereum's JSON-RPC, on TRON also the HTTP API. */
export class SimNode {
  faults: NodeFaults = { ...healthy }
  readonly #world: NodeWorld
  readonly #chain: SimChain

  constructor(world: NodeWorld, chain: SimChain) {
    this.#world = world
    this.#chain = chain
  }

  /** Handles one request to a path; resolves or rejects like `fetch`. */
  async answer(path: string, body: string): Promise<Response> {
    const { dice, passMs, turns } = this.#world
    const { broken, hang, limits, slow } = this.faults
    if (dice.chance(hang)) {
      passMs(dice.chance(0.5) ? 6_000 : 10_000)
      if (dice.chance(0.5)) throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    }
    for (let round = 0; round < slow; round++) {
      turns.moved()
      await new Promise(resolve => setImmediate(resolve))
    }
    const how = dice.chance(broken) ? dice.below(4) : -1
    if (how === 0) throw new TypeError('fetch failed')
    if (how === 1) return new Response('<html>try again</html>', { status: 503 })
    if (how === 2) return new Response('', { status: 429 })
    const cut = (answer: unknown) => {
      const text = JSON.stringify(answer)
      return new Response(how === 3 ? text.slice(0, text.length >> 1) : text)
    }
    if (path === '/wallet/broadcasthex') {
      const tx = await readTron((JSON.parse(body) as { transaction: string }).transaction)
      turns.moved()
      return cut(this.#broadcastOnTron(tx))
    }
    if (path.startsWith('/wallet')) return dice.chance(limits) ? limited(dice, false) : cut(this.#byPath(path, body))
    const requested = JSON.parse(body) as Message | Message[]
    const sent = Array.isArray(requested) ? undefined : requested
    if (dice.chance(limits)) return limited(dice, Array.isArray(requested))
    if (sent?.method === 'eth_sendRawTransaction') {
      const tx = await readSigned(String(sent.params[0]), txidOf(String(sent.params[0])))
      this.#world.turns.moved()
      return this.#broadcast(sent, tx)
    }
    return cut(Array.isArray(requested) ? requested.map(each => this.#one(each)) : this.#one(requested))
  }

  /** Answers a path of TRON's HTTP API. */
  #byPath(path: string, body: string): unknown {
    const { dice } = this.#world
    if (dice.chance(this.faults.refuses)) return { Error: 'not now' }
    return dice.chance(this.faults.forgets) ? {} : tronAnswer(this.#tronView(), path, JSON.parse(body))
  }

  #tronView(): TronView {
    const { foreign, lie, aboutOurs, more } = this.faults
    const chain = foreign ?? this.#chain
    const balanceOf = (owner: string, blocks: readonly SimBlock[]) => positive(chain.balanceOf(owner, blocks) + more)
    const byHash = (hash: unknown) => this.#byHash(hash)
    const { id, energyPrice } = chain
    const rentedTo = (address: string) => chain.rentedTo(address)
    return { id, blocks: this.#blocks(), byHash, lie, aboutOurs, energyPrice, balanceOf, rentedTo }
  }

  /** Takes a signed transaction into the pool that all nodes share, unless it lies. */
  #broadcast({ id }: Message, tx: SentTx): Response {
    const { broadcasts, foreign } = this.faults
    const refuse = (message: string) =>
      new Response(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } }))
    if (foreign) return refuse('invalid chain id')
    const { pool, blocks, received } = this.#chain
    received.set(tx.txid, tx)
    if (pool.has(tx.txid)) return refuse('already known')
    if (tx.nonce < nonceOf(tx.from, blocks)) return refuse('nonce too low')
    const rivals = [...pool.values()].filter(each => each.from === tx.from && each.nonce === tx.nonce)
    if (rivals.some(each => tx.maxFee * 10n < each.maxFee * 11n)) return refuse('replacement transaction underpriced')
    if (broadcasts !== 'dropped') {
      for (const each of rivals) pool.delete(each.txid)
      pool.set(tx.txid, tx)
    }
    if (broadcasts === 'refused') return refuse('txpool is full')
    if (broadcasts === 'unanswered') throw new TypeError('fetch failed')
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result: tx.txid }))
  }

  /** The same on TRON, where a transaction is taken until it expires. */
  #broadcastOnTron(tx: TronTx) {
    const { broadcasts, foreign } = this.faults
    const txid = tx.txid.slice(2)
    if (foreign) return { code: 'TAPOS_ERROR', txid }
    const { pool, received } = this.#chain
    received.set(tx.txid, tx)
    const refusal = pool.has(tx.txid) ? 'DUP_TRANSACTION_ERROR' : refusalOf(tx, this.#chain)
    if (refusal) return { code: refusal, txid }
    if (broadcasts !== 'dropped') pool.set(tx.txid, tx)
    if (broadcasts === 'refused') return { code: 'SERVER_BUSY', txid }
    if (broadcasts === 'unanswered') throw new TypeError('fetch failed')
    return { result: true, txid }
  }

  #one({ id, method, params }: Message) {
    const { dice } = this.#world
    const base = { jsonrpc: '2.0', id }
    if (dice.chance(this.faults.refuses)) {
      const code = dice.chance(0.5) ? -32_603 : -32_000
      return { ...base, error: { code, message: 'not now' } }
    }
    if (dice.chance(this.faults.forgets)) return { ...base, result: null }
    try {
      if (this.#chain.kind === 'tron') return { ...base, result: this.#tronResult(method, params) }
      const result = this.#result(method, params)
      const { lie, liar } = this.faults
      const told = lie ? lied(lie, method, result) : result
      return { ...base, result: liar ? (liar(method, told, undefined) ?? null) : told }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { ...base, error: { code: error.code, message: error.message } }
    }
  }

  /** Returns the blocks visible to this node. */
  #blocks(): SimBlock[] {
    const { fork, lag, foreign } = this.faults
    if (fork) return fork
    const { blocks } = foreign ?? this.#chain
    return lag > 0 ? blocks.slice(0, Math.max(1, blocks.length - lag)) : blocks
  }

  #byHash(hash: unknown): SimBlock | undefined {
    return (
      this.#blocks().findLast(block => block.hash === hash) ??
      (this.faults.foreign ? undefined : this.#chain.left.get(String(hash)))
    )
  }

  #tronResult(method: string, params: unknown[]): unknown {
    if (params[0] === 'latest' && this.faults.headless) throw new Refused('synchronizing')
    const result = tronResult(this.#tronView(), method, params)
    if (result === undefined) throw new Refused('invalid parameters', -32_602)
    return result
  }

  #result(method: string, params: unknown[]): unknown {
    const [first, second] = params
    const blocks = this.#blocks()
    switch (method) {
      case 'eth_chainId':
        return hex((this.faults.foreign ?? this.#chain).id)
      case 'eth_getProof':
        return this.#proof(String(first), (params[2] as { blockHash: string }).blockHash)
      case 'eth_getBlockByNumber':
        if (first === 'latest' && this.faults.headless) throw new Refused('synchronizing')
        return header(first === 'latest' ? blocks.at(-1) : blocks[Number(first)], second === true)
      case 'eth_getBlockByHash':
        return header(this.#byHash(first), second === true)
      case 'eth_getBlockReceipts':
        return this.#byHash(first)?.json.receipts ?? null
      case 'eth_getTransactionReceipt':
      case 'eth_getTransactionByHash': {
        const block = blocks.findLast(each => each.txs.some(tx => tx.txid === first))
        if (!block) return null
        const { receipts, transactions } = block.json
        return method === 'eth_getTransactionReceipt'
          ? receipts.find(each => each.transactionHash === first)
          : transactions.find(each => each.hash === first)
      }
      case 'eth_getTransactionCount':
        return hex(nonceOf(String(first), blocks))
      case 'eth_feeHistory':
        return { baseFeePerGas: Array(11).fill(hex(this.#chain.baseFee)), reward: Array(10).fill([hex(marketTip)]) }
      case 'eth_maxPriorityFeePerGas':
        return hex(marketTip)
      case 'eth_estimateGas':
        if (JSON.stringify(first).includes(burner)) throw new Refused('EVM error InvalidFEOpcode', -32_603)
        return hex((first as { data?: string }).data ? 65_000 : 21_000)
      case 'eth_getCode':
        if ([disperseContract.address, ...Object.values(sweepers)].includes(String(first))) return '0x60'
        return isDelegated(String(first), blocks) ? `0xef0100${sweepers[this.#chain.depositsGoTo]!.slice(2)}` : '0x'
      case 'eth_getBalance':
        return this.#balance(String(first), second)
      case 'eth_call': {
        const { to, data } = first as { to: string; data: string }
        if (data.startsWith('0xdd62ed3e'))
          return word(allowanceOf(to, `0x${data.slice(34, 74)}`, this.#upTo(second)).toString(16))
        if (!data.startsWith('0x70a08231')) throw new Refused('execution reverted')
        return word(tokenBalance(to, `0x${data.slice(-40)}`, this.#upTo(second)).toString(16))
      }
      default:
        throw new Refused(`the method ${method} does not exist`, -32_601)
    }
  }

  /** Returns the blocks up to the one with the given hash. */
  #upTo(at: unknown): SimBlock[] {
    const blocks = this.#blocks()
    if (at === 'latest') return blocks
    const last = blocks.findLastIndex(block => block.hash === (at as { blockHash: string }).blockHash)
    if (last < 0) throw new Refused('unknown block')
    if (this.faults.pruned && last < blocks.length - 1) throw new Refused('missing trie node')
    return blocks.slice(0, last + 1)
  }

  #proof(owner: string, blockHash: string) {
    const { more } = this.faults
    const { state } = this.#upTo({ blockHash }).at(-1)!
    const held = (state.balances.get(owner) ?? 0n) + more
    return { accountProof: more === 0n ? state.proof(owner) : State.forged(owner, held), storageProof: [] }
  }

  #balance(owner: string, at: unknown): string {
    return hex(positive(this.#chain.balanceOf(owner, this.#upTo(at)) + this.faults.more))
  }
}

const positive = (amount: bigint) => (amount > 0n ? amount : 0n)

/** How a node answers that limits the rate of requests, or the size of batches. */
function limited(dice: Random, isBatch: boolean): Response {
  const refused = (code: number, message: string) =>
    new Response(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
  switch (dice.below(isBatch ? 4 : 2)) {
    case 0:
      return new Response('', { status: 429, headers: dice.chance(0.5) ? { 'retry-after': '1' } : {} })
    case 1:
      return refused(-32_005, 'daily request count exceeded')
    case 2:
      return refused(-32_600, 'batch too large')
    default:
      return new Response('', { status: 413 })
  }
}

function header(block: SimBlock | undefined, full: boolean) {
  if (!block) return null
  const { header: head, transactions } = block.json
  return { ...head, transactions: full ? transactions : transactions.map(tx => tx.hash) }
}
