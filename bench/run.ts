/** `npm run bench`: what is claimed about speed, each figure beside its peer or limit of the same run. */
import { bytes } from './bytes.ts'
import { create } from './create.ts'
import type { Figure } from './figure.ts'
import { latency } from './latency.ts'
import { page } from './page.ts'

const benches: Record<string, () => Promise<Figure[]>> = { bytes, create, latency, page }
const wanted = process.argv.slice(2)

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  for (const { what, value, beside } of await bench())
    console.log(`  ${what.padEnd(44)} ${value.padStart(12)}   ${beside}`)
}
process.exit()
