import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { trackedFiles } from './artefacts.ts'

const parts = ['hand-written', 'tests', 'generated'] as const
type Part = (typeof parts)[number]

/**
 * Reports the lines of the whole repository. It is a report and no limit: a total is met by denser lines, whereas
 * functions and files have limits of their own.
 */
export function countedLines(root: string): string {
  const counted = { 'hand-written': 0, tests: 0, generated: 0 }
  for (const path of trackedFiles(root)) {
    if (!/\.(ts|tsx|mjs|js|css|html|sol)$/.test(path)) continue
    counted[partOf(path)] += readFileSync(join(root, path), 'utf8').split('\n').length - 1
  }
  return parts.map(part => `${part} ${counted[part]}`).join(', ')
}

function partOf(path: string): Part {
  if (path.includes('/generated/')) return 'generated'
  return /^e2e\/|\/testing\/|\.(test|fixture)\.tsx?$/.test(path) ? 'tests' : 'hand-written'
}
