import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxWeightPerTurn, weightPerItem } from '../nodes/pace.ts'
import { reportedReader, verifiedReader } from './content.ts'
import type { Header } from './decoding.ts'
import { computeKeccakHex, encodeReceipt, encodeTransaction, type JsonObject } from './encoding.ts'
import { createPartlyRootedReader } from './partly-rooted.ts'
import { listRoot } from './trie.ts'

const count = 8_000
const word = (i: number) => computeKeccakHex(Buffer.from(String(i)))
const places = Array.from({ length: count }, (_, i) => i)
const transactions = places.map((i): JsonObject => {
  const tx = { type: '0x0', nonce: `0x${i.toString(16)}`, gasPrice: '0x1', gas: '0x5208', to: word(i).slice(0, 42) }
  const signed = { ...tx, value: '0x1', input: `${word(i)}${'00'.repeat(200)}`, v: '0x1b', r: word(i), s: word(i) }
  return { ...signed, from: tx.to, hash: computeKeccakHex(encodeTransaction(signed)) }
})
const blockHash = word(count)
const receipts = places.map(
  (i): JsonObject => ({
    type: '0x0',
    status: '0x1',
    cumulativeGasUsed: `0x${(i + 1).toString(16)}`,
    logsBloom: `0x${'0'.repeat(512)}`,
    logs: [{ address: word(i).slice(0, 42), topics: [word(i)], data: word(i) }],
    transactionHash: transactions[i]!.hash,
    blockHash,
    blockNumber: '0x1',
    gasUsed: '0x1',
    effectiveGasPrice: '0x1',
  }),
)
const header = {
  number: 1,
  hash: blockHash,
  parentHash: word(0),
  time: 1,
  baseFee: 0n,
  stateRoot: new Uint8Array(32),
  transactionsRoot: listRoot(transactions.map(encodeTransaction)),
  receiptsRoot: listRoot(receipts.map(encodeReceipt)),
  bloom: new Uint8Array(256),
} as Header

/** The items, which count how often they are read. */
function counted(items: readonly JsonObject[], name: string) {
  let reads = 0
  const list = items.map(item => Object.defineProperty({ ...item }, name, { get: () => ++reads && item[name] }))
  return { list, reads: () => reads }
}

/**
 * Does work, and returns how often others had their turn meanwhile, and the most that a counter rose between two turns.
 */
async function turnsOf(work: Promise<unknown>, counter: () => number) {
  let turns = 0
  let most = 0
  let before = 0
  let isDone = false
  const turn = () => {
    most = Math.max(most, counter() - before)
    before = counter()
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work.finally(() => {
    isDone = true
  })
  return { turns, most: Math.max(most, counter() - before) }
}

for (const [name, reading, passes] of [
  ['verified', verifiedReader, 2],
  ['reported', reportedReader, 1],
  ['partly verified', createPartlyRootedReader(), 2],
] as const)
  test(`a large block, ${name}, is read with pauses, and not much of it between two`, async () => {
    const sent = counted(transactions, 'value')
    const reading1 = reading.transactions(header, sent.list)
    const first = await turnsOf(reading1, sent.reads)
    const parts = counted(receipts, 'cumulativeGasUsed')
    const block = { header, transactions: await reading1 }
    const second = await turnsOf(reading.receipts(block, parts.list), parts.reads)
    for (const { turns, most } of [first, second]) {
      assert.ok(turns >= Math.floor((passes * count * weightPerItem) / maxWeightPerTurn), `${turns} turns`)
      // A part of an item may be read twice, and by two steps without a pause in between.
      assert.ok(most <= (2 * maxWeightPerTurn) / weightPerItem, `${most} items of ${count} between two turns`)
    }
  })
