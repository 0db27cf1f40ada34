import { AddressSet, defineSandboxChain, ethereum } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { TRANSFER_TOPIC } from '@coffer/chains/evm/decoding.ts'
import {
  computeKeccakHex,
  encodeReceipt,
  encodeTransaction,
  headerHash,
  type JsonObject,
} from '@coffer/chains/evm/encoding.ts'
import { listRoot } from '@coffer/chains/evm/trie.ts'
import { toHex } from '@coffer/chains/hex.ts'
import { Nodes } from '@coffer/chains/nodes/nodes.ts'
import { nodeTransport } from '@coffer/chains/nodes/transport.ts'
import { type Figure, median } from './figure.ts'

/** Transactions of a block, blocks of a range, and the part of raw reading that is the goal. */
const sizes = [
  [200, 20, 0.45],
  [1_000, 5, 0.4],
] as const
const warm = 10
const rounds = 15
const url = 'http://blocks.invalid/'
const token = ethereum.tokens[0]!.contract
const hex = (value: number) => `0x${value.toString(16)}`
const bytes = (length: number, seed: number) =>
  computeKeccakHex(Buffer.from(`${length} ${seed}`))
    .repeat(8)
    .replaceAll('0x', '')
    .slice(0, 2 * length)

/**
 * Blocks that are read and verified for each second of processor time, beside reading and parsing the same answers.
 * Blocks of token transfers from a node in memory, by ranges.
 */
export async function verify(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [transactions, blocks, goal] of sizes) {
    const [verified, raw] = await measured(transactions, blocks)
    figures.push({
      what: `blocks of ${transactions} transactions verified for each second of processor time`,
      value: verified.toFixed(0),
      comparison: `${(verified / raw).toFixed(2)} of ${raw.toFixed(0)} only read; at least ${goal}`,
      holds: verified / raw >= goal,
    })
  }
  return figures
}

async function measured(transactions: number, count: number): Promise<[verified: number, raw: number]> {
  const blocks: ReturnType<typeof blockOf>[] = []
  for (let n = 0; n < count; n++) blocks.push(blockOf(n, blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`, transactions))
  const { send } = nodeTransport
  nodeTransport.send = async (_url, _to, body) => ({ status: 200, text: answered(blocks, JSON.parse(body)) })
  try {
    const nodes = new Nodes({ endpoints: [{ url }] })
    const calls = blocks.flatMap(({ number, hash }) => [
      { method: 'eth_getBlockByNumber', params: [hex(number), true] },
      { method: 'eth_getBlockReceipts', params: [hash] },
    ])
    const definition = defineSandboxChain(ethereum, { chainId: 1, confirmations: 1, blockTime: 1, tokens: [] })
    const chain = new EvmChain(definition, { endpoints: [{ url }] })
    const filter = new AddressSet([ethereum.tokens[1]!.contract]).filter([token], true)
    const times: number[][] = [[], []]
    for (let round = -warm; round < rounds; round++) {
      const works = [
        () => chain.transfersRange(0, count - 1, filter),
        () => nodes.askMany(calls, results => results.length),
      ]
      for (const [i, work] of works.entries()) {
        const before = process.cpuUsage()
        await work()
        const { user, system } = process.cpuUsage(before)
        if (round >= 0) times[i]!.push((count * 1e6) / (user + system))
      }
    }
    return [median(times[0]!), median(times[1]!)]
  } finally {
    nodeTransport.send = send
  }
}

type Call = { id: number; method: string; params: unknown[] }

function answered(blocks: ReturnType<typeof blockOf>[], body: Call | Call[]): string {
  const one = ({ id, method, params: [which, full] }: Call) => {
    const block = blocks.find(each => each.hash === which || hex(each.number) === which) ?? blocks.at(-1)!
    return `{"jsonrpc":"2.0","id":${id},"result":${method === 'eth_getBlockReceipts' ? block.receipts : full ? block.block : block.header}}`
  }
  return Array.isArray(body) ? `[${body.map(one).join()}]` : one(body)
}

/** Makes a block of token transfers, as the text of a node's answers. */
function blockOf(number: number, parentHash: string, count: number) {
  const transactions = Array.from({ length: count }, (_, i) => makeTransfer(i))
  const receipts = transactions.map((transfer, i) => makeReceipt(transfer, i, number))
  const header: JsonObject = {
    parentHash,
    sha3Uncles: `0x${bytes(32, 1)}`,
    miner: `0x${bytes(20, 1)}`,
    stateRoot: `0x${bytes(32, 2)}`,
    transactionsRoot: toHex(listRoot(transactions.map(encodeTransaction))),
    receiptsRoot: toHex(listRoot(receipts.map(encodeReceipt))),
    logsBloom: `0x${bytes(256, number)}`,
    difficulty: '0x0',
    number: hex(number),
    gasLimit: '0x2aea540',
    gasUsed: hex(63_197 * count),
    timestamp: hex(1_700_000_000 + 12 * number),
    extraData: '0x',
    mixHash: `0x${bytes(32, 3)}`,
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x3b9aca00',
  }
  const hash = headerHash(header)
  for (const each of receipts) {
    each.blockHash = hash
    for (const log of each.logs as JsonObject[]) log.blockHash = hash
  }
  const placed = transactions.map((each, i) => ({
    ...each,
    blockHash: hash,
    blockNumber: hex(number),
    transactionIndex: hex(i),
  }))
  const known = { ...header, hash }
  return {
    number,
    hash,
    header: JSON.stringify({ ...known, transactions: transactions.map(each => each.hash) }),
    block: JSON.stringify({ ...known, transactions: placed }),
    receipts: JSON.stringify(receipts),
  }
}

/** Makes the transfer at a place of its block. */
function makeTransfer(i: number): JsonObject {
  const input = `0xa9059cbb${bytes(20, i).padStart(64, '0')}${hex(1e6 + i)
    .slice(2)
    .padStart(64, '0')}`
  const tx: JsonObject = {
    type: '0x2',
    chainId: '0x1',
    nonce: hex(i),
    gas: '0xfde8',
    gasPrice: '0x3b9aca00',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x5f5e100',
    from: `0x${bytes(20, -i)}`,
    to: token,
    value: '0x0',
    input,
    accessList: [],
    yParity: '0x1',
    v: '0x1',
    r: `0x1${bytes(32, i).slice(1)}`,
    s: `0x1${bytes(32, i + 1).slice(1)}`,
  }
  return { ...tx, hash: computeKeccakHex(encodeTransaction(tx)) }
}

/** Makes the receipt of a transfer, without the hash of its block. */
const makeReceipt = (transfer: JsonObject, i: number, blockNumber: number): JsonObject => ({
  type: '0x2',
  status: '0x1',
  transactionHash: transfer.hash,
  transactionIndex: hex(i),
  blockNumber: hex(blockNumber),
  cumulativeGasUsed: hex(63_197 * (i + 1)),
  gasUsed: hex(63_197),
  effectiveGasPrice: '0x3b9aca00',
  from: transfer.from,
  to: token,
  contractAddress: null,
  logsBloom: `0x${bytes(256, i)}`,
  logs: [
    {
      address: token,
      topics: [TRANSFER_TOPIC, `0x${bytes(20, -i).padStart(64, '0')}`, `0x${bytes(20, i).padStart(64, '0')}`],
      data: `0x${hex(1e6 + i)
        .slice(2)
        .padStart(64, '0')}`,
      logIndex: hex(i),
      removed: false,
      blockNumber: hex(blockNumber),
      transactionHash: transfer.hash,
      transactionIndex: hex(i),
    },
  ],
})
