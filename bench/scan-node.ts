/**
 * An in-memory node that answers the calls of the follower, with blocks of token transfers to unwatched addresses:
 * `node bench/scan-node.ts <head> <transfers per block> <token>`. Prints its URL once it listens.
 */
import { createServer } from 'node:http'
import { encodeReceipt, encodeTransaction, hashOf, headerHash, toHex } from '@coffer/chains/evm/encoding.ts'
import { listRoot } from '@coffer/chains/evm/trie.ts'
import { TRANSFER } from '@coffer/chains/jsonrpc/responses.ts'

const [head = 0, perBlock = 0] = process.argv.slice(2, 4).map(Number)
const token = process.argv[4] ?? ''
const word = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const hex = (number: number) => `0x${number.toString(16)}`
const zero = word(0)
const payer = `0x${'aa'.repeat(20)}`

/** Every block has the same transactions and receipts, so their roots and texts are the same. */
const transactions = Array.from({ length: perBlock }, (_, i) => {
  const call = { nonce: hex(i), gasPrice: '0x1', gas: '0x5208', to: token, value: '0x0', input: '0x', from: payer }
  const tx = { ...call, type: '0x0', v: '0x25', r: '0x1', s: '0x1' }
  return { ...tx, hash: hashOf(encodeTransaction(tx)) }
})
const receipts = transactions.map(({ hash }, i) => ({
  ...{ type: '0x0', status: '0x1', cumulativeGasUsed: hex(21_000 * (i + 1)), logsBloom: `0x${'f'.repeat(512)}` },
  ...{
    transactionHash: hash,
    transactionIndex: hex(i),
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    from: payer,
    to: token,
  },
  logs: [
    { address: token, topics: [TRANSFER, word(0xaa), word(0xabc0000 + i)], data: word(10_000_000), logIndex: hex(i) },
  ],
}))
const receiptsText = JSON.stringify(receipts)
const transactionsText = JSON.stringify(transactions)
const idsText = JSON.stringify(transactions.map(({ hash }) => hash))
const common = {
  ...{
    sha3Uncles: zero,
    miner: payer,
    stateRoot: zero,
    transactionsRoot: toHex(listRoot(transactions.map(encodeTransaction))),
  },
  ...{
    receiptsRoot: toHex(listRoot(receipts.map(encodeReceipt))),
    logsBloom: `0x${'f'.repeat(512)}`,
    difficulty: '0x0',
  },
  ...{
    gasLimit: '0x1',
    gasUsed: '0x0',
    timestamp: '0x683d7a40',
    extraData: '0x',
    mixHash: zero,
    nonce: '0x0000000000000000',
  },
}
const headers: string[] = []
const numberOf = new Map<string, number>()
for (let number = 0, parentHash = zero; number <= head; number++) {
  const header = { ...common, number: hex(number), parentHash }
  parentHash = headerHash(header)
  headers.push(JSON.stringify({ ...header, hash: parentHash }).slice(0, -1))
  numberOf.set(parentHash, number)
}

const block = (number: number | undefined, full: boolean) =>
  number === undefined || number > head
    ? 'null'
    : `${headers[number]},"transactions":${full ? transactionsText : idsText}}`

type Call = { id: number; method: string; params: [string, boolean?] }

function result({ method, params: [first, full = false] }: Call): string {
  if (method === 'eth_getBlockByHash') return block(numberOf.get(first), full)
  if (method === 'eth_getBlockByNumber') return block(first === 'latest' ? head : Number(first), full)
  return method === 'eth_getBlockReceipts' ? receiptsText : 'null'
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
