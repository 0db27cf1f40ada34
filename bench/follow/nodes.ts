/**
 * Three nodes of each built-in chain, in a process of their own: `fork('bench/follow/nodes.ts')`. They have blocks that
 * were made and compressed before, and let one after the other appear. Messages: see `BenchRequest` and `Told`.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { fastKeccakReady } from '@coffer/chains/evm/keccak.ts'
import { AbiFunctionSignatureNotFoundError } from 'viem'
import { Balances } from './balances.ts'
import { answerOf, type Block, packed, quantity } from './block.ts'
import { evmBlocks } from './evm.ts'
import type { Deposit } from './life.ts'
import { chains } from './rates.ts'
import { answerMs, lags, timetableOf } from './timetable.ts'
import { tronBlocks } from './tron.ts'

/** To the nodes: make blocks with these deposits, by chain; let them appear; report what was requested. */
export type BenchRequest = { prepare: Record<string, Deposit[]> } | 'start' | 'report'
/** From the nodes. */
export interface Told {
  /** Base URL, once they listen. */
  url?: string
  /** Transactions of all blocks, once they are made. */
  prepared?: number
  /** When the first blocks appeared (Unix ms). */
  startedAt?: number
  report?: Report
}
/** Requests and bytes of answers so far, and calls that were not answered. */
export interface Report {
  requests: number
  bytes: number
  calls: Record<string, number>
  unknown: string[]
}

type Call = { id: number; method: string; params: unknown[] }

/** How far block times are ahead of the time of making them (s). */
const aheadSeconds = 60
const report: Report = { requests: 0, bytes: 0, calls: {}, unknown: [] }
const unknown = new Set<string>()
let startedAt = Number.POSITIVE_INFINITY

class Missing extends Error {}

/** A chain with all its blocks, those to come included. */
class ChainOfNodes {
  readonly definition
  readonly timetable
  readonly #maker
  readonly #blocks: Block[] = []
  readonly #byHash = new Map<string, Block>()
  readonly #ofTransaction = new Map<string, Block>()
  #balances: Balances

  constructor({ definition, rate }: (typeof chains)[number]) {
    this.definition = definition
    this.timetable = timetableOf(definition, rate)
    this.#maker = definition.kind === 'tron' ? tronBlocks(definition, rate) : evmBlocks(definition, rate)
    this.#balances = new Balances(definition, [])
  }

  /** Makes the blocks up to a height. Full ones follow those of the beginning. */
  async make(to: number, start: number, deposits: readonly Deposit[]): Promise<number> {
    let count = 0
    this.#balances = new Balances(this.definition, deposits)
    for (let number = this.#blocks.length; number <= to; number++) {
      const isFull = number > this.timetable.start
      const time =
        start + Math.floor(isFull ? this.timetable.appears(number) / 1_000 : number - this.timetable.start - 1)
      const own = deposits.filter(each => each.block === number)
      const block = await this.#maker.next(number, time, isFull, own)
      this.#blocks.push(block)
      this.#byHash.set(block.hash, block)
      for (const key of Object.keys(block.transactions)) this.#ofTransaction.set(key, block)
      count += block.count
      // Nodes answer meanwhile.
      await setImmediate()
    }
    return count
  }

  /** The highest block that a node has. */
  height(node: number): number {
    return this.timetable.highest(Date.now() - startedAt - lags[node]!)
  }

  block(which: unknown, node: number): Block {
    const height = this.height(node)
    const text = String(which)
    const found = text.length === 66 ? this.#byHash.get(text) : this.#blocks[text === 'latest' ? height : Number(text)]
    if (!found || found.number > height) throw new Missing()
    return found
  }

  /** The answers about the blocks of a range, for an answer about all of them. */
  range(from: number, to: number, node: number, call: string) {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    return numbers.map(number => {
      const text = gunzipSync(this.block(number, node).answers[call]!).toString()
      return JSON.parse(call.startsWith('/') ? text : `${text}}`)
    })
  }

  transaction(key: string, node: number): Buffer {
    const block = this.#ofTransaction.get(key)
    if (!block || block.number > this.height(node)) throw new Missing()
    return block.transactions[key]!
  }

  balance(token: string | null, address: string, block: number): bigint {
    return this.#balances.of(token, address, block)
  }

  call(call: { to: string; data: string }, block: number): string {
    return this.#balances.call(call, block)
  }

  /** The block of a block parameter (EIP-1898). */
  at(where: unknown, node: number): number {
    const named = where as { blockHash?: string } | string
    return typeof named === 'object' ? this.block(named.blockHash, node).number : this.block(named, node).number
  }
}

const all = new Map(chains.map(each => [each.definition.id, new ChainOfNodes(each)]))

/** What a call of JSON-RPC is answered with, up to its id; undefined for a call that is not known. */
function answer(chain: ChainOfNodes, node: number, { method, params }: Call): Buffer | undefined {
  const [first, second] = params as [string, unknown]
  switch (method) {
    case 'eth_chainId':
      return answerOf(quantity(chain.definition.chainId))
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return chain.block(first, node).answers[second ? 'full' : 'header']
    case 'eth_getBlockReceipts':
      return chain.block(first, node).answers[method]
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock } = params[0] as Record<string, string>
      if (blockHash) return chain.block(blockHash, node).answers[method]
      return answerOf(chain.range(Number(fromBlock), Number(toBlock), node, method).flatMap(({ result }) => result))
    }
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash':
      return chain.transaction(`${method} ${first}`, node)
    case 'eth_getBalance':
      return answerOf(quantity(chain.balance(null, first, chain.at(second, node))))
    case 'eth_call':
      return answerOf(chain.call(params[0] as { to: string; data: string }, chain.at(second, node)))
    case 'eth_getStorageAt':
      return answerOf(`0x${'0'.repeat(64)}`)
    case 'eth_config':
      return answerOf({ next: null })
    case 'eth_maxPriorityFeePerGas':
      return answerOf('0x5f5e100')
    case 'eth_feeHistory':
      return answerOf({
        oldestBlock: quantity(chain.height(node) - 9),
        baseFeePerGas: Array(11).fill('0x3b9aca00'),
        gasUsedRatio: Array(10).fill(0.5),
        reward: Array(10).fill(['0x5f5e100']),
      })
    default:
      return undefined
  }
}

/** What a call of TRON's HTTP API is answered with; undefined for a path that is not known. */
function pathAnswer(
  chain: ChainOfNodes,
  node: number,
  path: string,
  body: Record<string, unknown>,
): Buffer | undefined {
  const solid = Math.max(0, chain.height(node) - chain.definition.confirmations + 1)
  const block = path.startsWith('/walletsolidity/') ? solid : chain.height(node)
  const address = `0x${String(body.address).slice(2)}`
  switch (path) {
    case '/wallet/getblockbyid':
      return chain.block(`0x${body.value}`, node).answers[path]
    case '/wallet/getblockbylimitnext': {
      const block = chain.range(Number(body.startNum), Number(body.endNum) - 1, node, '/wallet/getblockbyid')
      return packed(JSON.stringify({ block }))
    }
    case '/wallet/gettransactioninfobyblocknum':
      return chain.block(body.num, node).answers[path]
    case '/wallet/gettransactioninfobyid':
      return chain.transaction(`${path} ${body.value}`, node)
    case '/walletsolidity/getnowblock':
      return chain.block(solid, node).answers['/wallet/getblockbyid']
    case '/wallet/getaccount':
    case '/walletsolidity/getaccount': {
      const balance = Number(chain.balance(null, address, block))
      return packed(JSON.stringify(balance > 0 ? { address: body.address, balance } : {}))
    }
    case '/wallet/triggerconstantcontract': {
      const to = `0x${String(body.contract_address).slice(2)}`
      const result = chain.call({ to, data: `0x${body.data}` }, block).slice(2)
      const rest = { result: { result: true }, energy_used: 935, transaction: { ret: [{}] } }
      return packed(JSON.stringify({ ...rest, constant_result: [result] }))
    }
    default:
      return undefined
  }
}

const ends = new Map<number, Buffer>()

/** The end of an answer, with its id. */
function endOf(id: number): Buffer {
  const end = ends.get(id) ?? packed(`,"id":${id}}`)
  ends.set(id, end)
  return end
}

/** Answers one call of JSON-RPC. */
function answered(chain: ChainOfNodes, node: number, call: Call): Buffer[] {
  const refused = (code: number, message: string) =>
    packed(`{"jsonrpc":"2.0","error":{"code":${code},"message":${JSON.stringify(message)}}`)
  report.calls[call.method] = (report.calls[call.method] ?? 0) + 1
  try {
    const found = answer(chain, node, call)
    if (!found) unknown.add(`${chain.definition.id} ${call.method}`)
    return [found ?? refused(-32_601, `the method ${call.method} does not exist`), endOf(call.id)]
  } catch (error) {
    // Tokens have no function that says what has replaced them.
    if (error instanceof AbiFunctionSignatureNotFoundError) return [refused(3, 'execution reverted'), endOf(call.id)]
    // A block or transaction that is not there is null; a state of a block that is not there cannot be read.
    const isNull = error instanceof Missing && !['eth_call', 'eth_getBalance', 'eth_getLogs'].includes(call.method)
    return [isNull ? answerOf(null) : refused(-32_000, 'header not found'), endOf(call.id)]
  }
}

function respond(url: string, body: unknown): Buffer[] {
  const [, id = '', index, kind, ...rest] = url.split('/')
  const chain = all.get(id)!
  const node = Number(index)
  if (kind === 'rpc' && !Array.isArray(body)) return answered(chain, node, body as Call)
  if (kind === 'rpc') {
    const parts = (body as Call[]).flatMap((call, i) => [packed(i === 0 ? '[' : ','), ...answered(chain, node, call)])
    return [...parts, packed(']')]
  }
  const path = `/${rest.join('/')}`
  report.calls[path] = (report.calls[path] ?? 0) + 1
  try {
    const found = pathAnswer(chain, node, path, body as Record<string, unknown>)
    if (!found) unknown.add(`${id} ${path}`)
    return [found ?? packed('{"Error":"not found"}')]
  } catch {
    return [packed(path.endsWith('bynum') ? '[]' : '{}')]
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function handle(request: BenchRequest): Promise<Told> {
  if (request === 'start') {
    startedAt = Date.now()
    return { startedAt }
  }
  if (request === 'report') return { report: { ...report, unknown: [...unknown] } }
  const start = Math.floor(Date.now() / 1_000) + aheadSeconds
  let prepared = 0
  for (const [id, chain] of all) prepared += await chain.make(chain.timetable.last, start, request.prepare[id] ?? [])
  // Blocks do not appear before their time.
  await sleep(Math.max(0, start * 1_000 - Date.now()))
  return { prepared }
}

await fastKeccakReady
for (const chain of all.values()) await chain.make(chain.timetable.start, Math.floor(Date.now() / 1_000), [])
const server = createServer(async (request, response) => {
  try {
    const body = await bodyOf(request)
    await sleep(answerMs)
    const parts = respond(request.url ?? '', body)
    report.requests++
    report.bytes += parts.reduce((sum, part) => sum + part.length, 0)
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(Buffer.concat(parts))
  } catch {
    response.destroy()
  }
})
server.keepAliveTimeout = 60_000
process.on('message', async (request: BenchRequest) => process.send?.(await handle(request)))
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } satisfies Told),
)
