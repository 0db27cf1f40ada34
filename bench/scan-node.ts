/**
 * A node that answers what following a chain asks, from blocks of a thousand token transfers made beforehand:
 * `node bench/scan-node.ts <head> <watched> <matches in a block>`. Prints its address when it listens. No real node holds
 * such blocks by the thousand, and one that has them in memory is the hardest to keep up with.
 */
import { createServer } from 'node:http'
import { eth } from '@coffer/server/testing/money.ts'
import { addressAt, blockHash, blockTime, perBlock } from './scan-blocks.ts'

const [head = 0, watched = 1, matches = 0] = process.argv.slice(2).map(Number)
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const contract = eth.tokens[0]!.contract
const amount = `0x${hex(10_000_000, 64)}`
const payer = `0x${hex(0xaa, 64)}`
/** Blocks whose logs are kept as they go over the wire: 0.7 MB each. */
const kept = 256
const made = new Map<number, string>()

function logsOf(block: number): string {
  const known = made.get(block)
  if (known) return known
  const number = `0x${block.toString(16)}`
  const hash = blockHash(block)
  const logs: string[] = []
  for (let i = 0; i < perBlock; i++) {
    // Those that are ours are spread evenly over the block.
    const ours = Math.floor(((i + 1) * matches) / perBlock) > Math.floor((i * matches) / perBlock)
    const nth = block * matches + Math.floor((i * matches) / perBlock)
    const to = ours ? addressAt(nth % watched).slice(2) : `${hex(i * 2_654_435_761, 24)}${hex(block, 16)}`
    const topics = `["${transfer}","${payer}","0x${'0'.repeat(24)}${to}"]`
    const txid = `0x${hex(block, 32)}${hex(i, 32)}`
    logs.push(
      `{"address":"${contract}","topics":${topics},"data":"${amount}","blockNumber":"${number}","blockHash":"${hash}","blockTimestamp":"0x${hex(blockTime, 8)}","transactionHash":"${txid}","transactionIndex":"0x${i.toString(16)}","logIndex":"0x${i.toString(16)}","removed":false}`,
    )
  }
  const text = logs.join(',')
  if (made.size < kept) made.set(block, text)
  return text
}

function header(number: number): string {
  if (number > head) return 'null'
  const bloom = 'f'.repeat(512)
  return `{"number":"0x${number.toString(16)}","hash":"${blockHash(number)}","parentHash":"${blockHash(number - 1)}","timestamp":"0x${hex(blockTime, 8)}","logsBloom":"0x${bloom}","transactions":[],"baseFeePerGas":"0x1"}`
}

function receipt(txid: string): string {
  const number = Number.parseInt(txid.slice(2, 34), 16)
  return `{"transactionHash":"${txid}","blockNumber":"0x${number.toString(16)}","blockHash":"${blockHash(number)}","status":"0x1","gasUsed":"0xffff","effectiveGasPrice":"0x1"}`
}

type Asked = { id: number; method: string; params: [string & { fromBlock?: string; toBlock?: string }] }

function answer({ id, method, params: [first] }: Asked): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result(method, first)}}`
}

function result(method: string, first: Asked['params'][0]): string {
  if (method === 'eth_getTransactionReceipt') return receipt(first)
  if (method === 'eth_getBlockByHash') return header(Number.parseInt(first.slice(2), 16))
  if (method === 'eth_getBlockByNumber') return header(first === 'latest' ? head : Number(first))
  if (method !== 'eth_getLogs') return 'null'
  const { fromBlock, toBlock, blockHash: hash } = first as unknown as Record<string, string>
  const from = hash ? Number.parseInt(hash.slice(2), 16) : Number(fromBlock)
  const to = hash ? from : Number(toBlock)
  const blocks = Array.from({ length: to - from + 1 }, (_, i) => logsOf(from + i))
  return `[${blocks.join(',')}]`
}

for (let block = 1; block <= Math.min(head, kept); block++) logsOf(block)
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const asked = JSON.parse(body) as Asked | Asked[]
  response.setHeader('content-type', 'application/json')
  response.end(Array.isArray(asked) ? `[${asked.map(answer).join(',')}]` : answer(asked))
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`))
