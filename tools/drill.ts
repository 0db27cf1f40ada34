/**
 * `npm run drill [-- <part>...]`: does on this machine what operators do, with the files that they use, and prints what
 * it measured, each figure beside its limit. Exits with 1 when a limit is not met. `--from <commit>` names the version
 * that is upgraded, by default the last release, for `release` the first one.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clusterDrill } from './drill/cluster.ts'
import { containerDrill } from './drill/containers.ts'
import { copyDrill } from './drill/copies.ts'
import type { DrillPart } from './drill/part.ts'
import { recoveryDrill } from './drill/recovery.ts'
import { releaseDrill } from './drill/release.ts'
import { systemDrill } from './drill/system.ts'
import { upgradeDrill } from './drill/upgrade.ts'

/** The parts, in the order in which they run. */
const parts: Record<string, DrillPart> = {
  upgrade: upgradeDrill,
  release: releaseDrill,
  recovery: recoveryDrill,
  copies: copyDrill,
  cluster: clusterDrill,
  system: systemDrill,
  containers: containerDrill,
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '' } },
})
const unknown = wanted.find(name => !(name in parts))
if (unknown !== undefined) {
  const known = Object.entries(parts).map(([name, { what }]) => `  ${name.padEnd(10)} ${what}`)
  console.error(`There is no part ${unknown}. Parts:\n${known.join('\n')}`)
  process.exit(1)
}

/** Runs a part in a folder of its own, prints what it measured, and ends what it started. */
async function runPart(name: string, part: DrillPart): Promise<number> {
  console.log(`\n${name}: ${part.what}`)
  const folder = mkdtempSync(join(tmpdir(), `coffer-drill-${name}-`))
  ends.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  try {
    const figures = await part.run({
      folder,
      from: values.from,
      log: line => console.log(`  ${line}`),
      after: end => void ends.push(end),
    })
    // Before the end, which takes a while.
    for (const { what, value, limit, holds } of figures)
      console.log(`  ${what.padEnd(60)} ${value.padStart(12)}   ${limit} | ${holds ? 'met' : 'NOT MET'}`)
    return figures.filter(each => !each.holds).length
  } catch (error) {
    console.log(`  failed: ${error instanceof Error ? error.message : error}`)
    return 1
  } finally {
    await endAll()
  }
}

/** What must end with the part that runs. */
const ends: (() => Promise<void> | void)[] = []
async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(130)))

const chosen = Object.keys(parts).filter(name => wanted.length === 0 || wanted.includes(name))
let failed = 0
// Each of several in a process of its own: what a part keeps in memory belongs to its database.
for (const name of chosen) {
  if (chosen.length === 1) failed += await runPart(name, parts[name]!)
  else {
    const words = [import.meta.filename, name, '--from', values.from]
    if (spawnSync(process.execPath, words, { stdio: 'inherit' }).status !== 0) failed++
  }
}
console.log(failed === 0 ? `\n${chosen.join(', ')}: passed` : `\n${chosen.join(', ')}: ${failed} FAILED`)
process.exit(failed === 0 ? 0 : 1)
