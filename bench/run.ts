/**
 * `npm run bench [-- <name>...]`: measures performance, each figure compared with a peer or limit in the same run.
 * `--rows 10000000` sets the number of payments that `records` creates first, and of postings that `flow` does, and `--keep <folder>` keeps and reuses them.
 * `--blocks 100000` sets the number of blocks that `scan` follows while it watches memory.
 */
import { parseArgs } from 'node:util'
import { addresses } from './addresses.ts'
import { bytes } from './bytes.ts'
import { create } from './create.ts'
import { credit } from './credit.ts'
import { crowd } from './crowd.ts'
import type { Figure } from './figure.ts'
import { flow } from './flow.ts'
import { gas } from './gas.ts'
import { latency } from './latency.ts'
import { nodes } from './nodes.ts'
import { page } from './page.ts'
import { phone } from './phone.ts'
import { records } from './records.ts'
import { scan } from './scan.ts'
import { verify } from './verify.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    blocks: { type: 'string', default: '2000' },
  },
})
const benches: Record<string, () => Promise<Figure[]>> = {
  addresses,
  bytes,
  create,
  credit,
  crowd,
  flow: () => flow(Number(values.rows), values.keep),
  gas,
  latency,
  nodes,
  page,
  phone,
  records: () => records(Number(values.rows), values.keep),
  scan: () => scan(Number(values.blocks)),
  verify,
}

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  for (const { what, value, comparison, holds } of await bench()) {
    const verdict = holds === undefined ? '' : holds ? ' | met' : ' | NOT MET'
    console.log(`  ${what.padEnd(52)} ${value.padStart(12)}   ${comparison}${verdict}`)
  }
}
process.exit()
