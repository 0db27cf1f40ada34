import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { maxWeightPerTurn, weightPerItem } from '../nodes/pace.ts'
import { blockIdOf, computeTronLeaf, computeTronRoot, readTronBlocksPaced } from './content.ts'
import { parseTransactionInfosPaced } from './responses.ts'

const count = 8_000
const raws = Array.from({ length: count }, (_, i) => Buffer.from(`transaction ${i}`.padEnd(300)))
const transactions = raws.map(raw => ({
  txID: hash('sha256', raw),
  raw_data_hex: raw.toString('hex'),
  ret: [{ contractRet: 'SUCCESS' }],
}))
const header = {
  timestamp: 1_700_000_000_000,
  txTrieRoot: Buffer.from(computeTronRoot(raws.map(raw => computeTronLeaf(raw, [], ['SUCCESS'])))),
  parentHash: Buffer.alloc(32),
  number: 1,
  witness_address: Buffer.alloc(21),
}
const inHex = (value: number | Buffer) => (typeof value === 'number' ? value : value.toString('hex'))
const block = {
  blockID: blockIdOf(header).toString('hex'),
  block_header: { raw_data: Object.fromEntries(Object.entries(header).map(([name, each]) => [name, inHex(each)])) },
  transactions,
}

/** Does work, and returns how often others had their turn meanwhile. */
async function turnsOf<T>(work: Promise<T>): Promise<[T, number]> {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work.finally(() => {
    isDone = true
  })
  return [result, turns]
}

test('a large block of TRON, alone or in a range, and its results are read with pauses', async () => {
  const least = Math.floor((count * weightPerItem) / maxWeightPerTurn)
  const [blocks, turns] = await turnsOf(readTronBlocksPaced({ block: [block, block] }))
  assert.ok(blocks.length === 2 && blocks.every(each => each.isProven && each.transactions.length === count))
  // It is read, hashed and put into the root.
  assert.ok(turns >= 2 * 3 * least, `${turns} turns`)
  const [infos, others] = await turnsOf(parseTransactionInfosPaced(transactions.map(({ txID }) => ({ id: txID }))))
  assert.ok(infos.length === count && others >= 2 * least, `${others} turns`)
})
