import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { trackedFiles } from './artefacts.ts'
import type { Check } from './check.ts'

/** The most lines of each part. Lower a limit when the code has shrunk; raising one needs a reason. */
const limits = { 'hand-written': 121_850, tests: 60_400, generated: 1_980 }

type Part = keyof typeof limits

/** Limits the lines of the whole repository, and prints them. */
export const lines: Check & { figures: (root: string) => string } = {
  name: 'lines of code',
  complaints: root => {
    const counted = countLines(root)
    return parts
      .filter(part => counted[part] > limits[part])
      .map(part => `${counted[part]} lines ${part}, more than ${limits[part]}: make it shorter elsewhere`)
  },
  figures: root => {
    const counted = countLines(root)
    return parts.map(part => `${part} ${counted[part]} of ${limits[part]}`).join(', ')
  },
}

const parts = Object.keys(limits) as Part[]

function countLines(root: string): Record<Part, number> {
  const counted = { 'hand-written': 0, tests: 0, generated: 0 }
  for (const path of trackedFiles(root)) {
    if (!/\.(ts|tsx|mjs|js|css|html|sol)$/.test(path)) continue
    counted[partOf(path)] += readFileSync(join(root, path), 'utf8').split('\n').length - 1
  }
  return counted
}

function partOf(path: string): Part {
  if (path.includes('/generated/')) return 'generated'
  return /^e2e\/|\/testing\/|\.(test|fixture)\.tsx?$/.test(path) ? 'tests' : 'hand-written'
}
