/**
 * `npm run bench`: what is claimed about speed, each figure beside its peer or limit of the same run. Words choose among
 * the benchmarks. `--rows 10000000` is for `records`, which makes as many payments first; `--keep <folder>` uses them again.
 * `--blocks 100000` is for `scan`: so many blocks are followed while memory is watched.
 */
import { parseArgs } from 'node:util'
import { bytes } from './bytes.ts'
import { create } from './create.ts'
import type { Figure } from './figure.ts'
import { latency } from './latency.ts'
import { page } from './page.ts'
import { records } from './records.ts'
import { scan } from './scan.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '200000' },
    keep: { type: 'string' },
    blocks: { type: 'string', default: '2000' },
  },
})
const benches: Record<string, () => Promise<Figure[]>> = {
  bytes,
  create,
  latency,
  page,
  records: () => records(Number(values.rows), values.keep),
  scan: () => scan(Number(values.blocks)),
}

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  for (const { what, value, beside, holds } of await bench()) {
    const verdict = holds === undefined ? '' : holds ? ' | holds' : ' | DOES NOT HOLD'
    console.log(`  ${what.padEnd(52)} ${value.padStart(12)}   ${beside}${verdict}`)
  }
}
process.exit()
