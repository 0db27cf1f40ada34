/**
 * An in-memory node that answers the calls of the follower, with blocks of token transfers to unwatched addresses:
 * `node bench/scan-node.ts <head> <transfers per block> <token>`. Prints its URL once it listens.
 */
import { createServer } from 'node:http'
import { TRANSFER } from '@coffer/chains/jsonrpc/logs.ts'

const [head = 0, perBlock = 0] = process.argv.slice(2, 4).map(Number)
const token = process.argv[4] ?? ''
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
const hashOf = (block: number) => `0x${hex(block + 1, 64)}`
const amount = `0x${hex(10_000_000, 64)}`
const payer = `0x${hex(0xaa, 64)}`
const time = '0x683d7a40'

/** The serialised logs of a block, split where its number and hashes are inserted. */
const parts = Array.from({ length: perBlock }, (_, i) => {
  const topics = `["${TRANSFER}","${payer}","0x${hex(0xabc0000 + i, 64)}"]`
  return [
    `{"address":"${token}","topics":${topics},"data":"${amount}","transactionIndex":"0x${i.toString(16)}","logIndex":"0x${i.toString(16)}","removed":false,"blockTimestamp":"${time}","transactionHash":"0x${hex(i, 32)}`,
    '}',
  ]
})

function logsOf(block: number): string {
  const where = `${hex(block, 32)}","blockNumber":"0x${block.toString(16)}","blockHash":"${hashOf(block)}"`
  return parts.map(([before, after]) => before + where + after).join(',')
}

function header(number: number): string {
  if (number > head) return 'null'
  const bloom = 'f'.repeat(512)
  return `{"number":"0x${number.toString(16)}","hash":"${hashOf(number)}","parentHash":"${hashOf(number - 1)}","timestamp":"${time}","logsBloom":"0x${bloom}","transactions":[],"baseFeePerGas":"0x1"}`
}

type Call = {
  id: number
  method: string
  params: [string & { fromBlock: string; toBlock: string; blockHash?: string }]
}

function result({ method, params: [first] }: Call): string {
  if (method === 'eth_getBlockByHash') return header(Number(first) - 1)
  if (method === 'eth_getBlockByNumber') return header(first === 'latest' ? head : Number(first))
  if (method !== 'eth_getLogs') return 'null'
  const { fromBlock, toBlock, blockHash } = first
  const [from, to] = blockHash ? [Number(blockHash) - 1, Number(blockHash) - 1] : [Number(fromBlock), Number(toBlock)]
  return `[${Array.from({ length: to - from + 1 }, (_, i) => logsOf(from + i)).join(',')}]`
}

const answer = (call: Call) => `{"jsonrpc":"2.0","id":${call.id},"result":${result(call)}}`

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const calls = JSON.parse(body) as Call | Call[]
  response.setHeader('content-type', 'application/json')
  response.end(Array.isArray(calls) ? `[${calls.map(answer).join(',')}]` : answer(calls))
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`))
