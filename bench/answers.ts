import { verifiedReader } from '@coffer/chains/evm/content.ts'
import type { Header } from '@coffer/chains/evm/decoding.ts'
import { encodeReceipt } from '@coffer/chains/evm/encoding.ts'
import { fastKeccakReady } from '@coffer/chains/evm/keccak.ts'
import { listRoot } from '@coffer/chains/evm/trie.ts'
import { parseNodeAnswer } from '@coffer/chains/nodes/parse.ts'
import { type Figure, median } from './figure.ts'

/**
 * Processor time (ms) that an answer may take in one go, since it holds up everything else; and sizes of answers (MB).
 */
const limitMs = 50
const sizes = [1, 4, 16, 64]
const rounds = 3

const receipt = JSON.stringify({
  type: '0x2',
  status: '0x1',
  cumulativeGasUsed: '0x1234',
  transactionHash: `0x${'1'.repeat(64)}`,
  logsBloom: `0x${'0'.repeat(512)}`,
  logs: [{ address: `0x${'2'.repeat(40)}`, topics: [`0x${'3'.repeat(64)}`], data: `0x${'4'.repeat(64)}` }],
})
/** Texts of a length in characters, by their shape: true ones, and such as are slow to parse. */
const shapes: Record<string, (length: number) => string> = {
  receipts: length => listOf(receipt, length),
  'empty objects': length => listOf('{}', length),
  'nested lists': length => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'short keys': length => keysOf(4, length),
  'long keys': length => keysOf(10, length),
  'objects of 40 keys': length => {
    const count = length / (40 * 20)
    return `[${Array.from({ length: count }, (_, i) => keysOf(15, 40 * 20, 40 * i)).join()}]`
  },
}

const listOf = (item: string, length: number) => `[${`${item},`.repeat(length / (item.length + 1))}0]`

/** An object of different keys of so many characters. */
function keysOf(digits: number, length: number, from = 0): string {
  const count = Math.floor(length / (digits + 5))
  return `{${Array.from({ length: count }, (_, i) => `"${(from + i).toString(36).padStart(digits, '0')}":0`).join()}}`
}

/**
 * How long the answers of nodes hold up everything else in one go until they are parsed or refused, by their size and
 * shape.
 */
export async function answers(): Promise<Figure[]> {
  await fastKeccakReady
  const figures: Figure[] = []
  for (const size of sizes)
    for (const [shape, make] of Object.entries(shapes)) {
      // As received: one piece of memory.
      const text = Buffer.from(make(size * 2 ** 20)).toString()
      figures.push(await figureOf(`answer of ${size} MB: ${shape}`, () => parseNodeAnswer(200, text)))
    }
  for (const size of sizes) {
    const value = JSON.parse(shapes.receipts!(size * 2 ** 20)).slice(0, -1)
    const receiptsRoot = listRoot(value.map(encodeReceipt))
    const block = { header: { receiptsRoot } as Header, transactions: { length: value.length } as never }
    figures.push(await figureOf(`receipts of ${size} MB verified`, () => verifiedReader.receipts(block, value)))
  }
  return figures
}

async function figureOf(what: string, work: () => Promise<unknown>): Promise<Figure> {
  const times: { longest: number; all: number }[] = []
  for (let round = 0; round < rounds; round++) times.push(await measured(work))
  const ms = median(times.map(({ longest }) => longest))
  const all = median(times.map(each => each.all))
  return {
    what,
    value: `${ms.toFixed(0)} of ${all.toFixed(0)} ms in one go`,
    comparison: `${(ms / limitMs).toFixed(2)} of ${limitMs} ms`,
    holds: ms <= limitMs,
  }
}

/** Processor time (ms) of this thread for some work, and the most between two turns of others. */
async function measured(work: () => Promise<unknown>): Promise<{ longest: number; all: number }> {
  let longest = 0
  let all = 0
  let isDone = false
  let before = process.threadCpuUsage()
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1_000
    longest = Math.max(longest, ms)
    all += ms
    before = process.threadCpuUsage()
    if (!isDone) setImmediate(turn)
  }
  // An answer that is refused took its time, too.
  await Promise.all([new Promise<void>(resolve => setImmediate(() => resolve(turn()))), work().catch(() => {})])
  isDone = true
  turn()
  return { longest, all }
}
