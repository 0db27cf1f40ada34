import { parse } from '@coffer/chains/nodes/transport.ts'
import { type Figure, median } from './figure.ts'

/** Processor time (ms) that parsing an answer may take, since it holds up everything else; and sizes of answers (MB). */
const limitMs = 50
const sizes = [1, 4, 16, 64]
const rounds = 3

const receipt = JSON.stringify({
  ...{ type: '0x2', status: '0x1', cumulativeGasUsed: '0x1234', transactionHash: `0x${'1'.repeat(64)}` },
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
}

const listOf = (item: string, length: number) => `[${`${item},`.repeat(length / (item.length + 1))}0]`

/** An object of different keys of so many characters. */
function keysOf(digits: number, length: number): string {
  const count = Math.floor(length / (digits + 5))
  return `{${Array.from({ length: count }, (_, i) => `"${i.toString(36).padStart(digits, '0')}":0`).join()}}`
}

/** How long the answers of nodes hold up everything else until they are parsed or refused, by their size and shape. */
export async function answers(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes)
    for (const [shape, make] of Object.entries(shapes)) {
      // As received: one piece of memory.
      const text = Buffer.from(make(size * 2 ** 20)).toString()
      const times = Array.from({ length: rounds }, () => parsedMs(text))
      const ms = median(times)
      figures.push({
        what: `answer of ${size} MB: ${shape}`,
        value: `${ms.toFixed(0)} ms`,
        comparison: `${(ms / limitMs).toFixed(2)} of ${limitMs} ms`,
        holds: ms <= limitMs,
      })
    }
  return figures
}

function parsedMs(text: string): number {
  const before = process.threadCpuUsage()
  try {
    parse(200, text)
  } catch {
    // Refused.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
