import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** One import in a source file. */
export type Import = {
  /** The file it stands in, and the file of ours or the package (`pg`, `node:fs`) it names. Paths from the root. */
  from: string
  to: string
  line: number
  /** `import type`, which is gone at run time. */
  isType: boolean
  /** `import('...')`, which loads only when that line runs. */
  isDynamic: boolean
}

const folders = '{packages,apps,tools,bench,e2e}'
const excluded = ['**/node_modules/**', '**/dist/**']

/** Gives the paths of all TypeScript and JavaScript of ours, from the root, sorted. */
export function sourceFiles(root: string): string[] {
  return globSync(`${folders}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: excluded }).sort()
}

/** Says whether a file is a test or helps only tests. */
export function isForTests(path: string): boolean {
  return /\.(?:test|fixture)\.tsx?$|\/testing\/|^(?:e2e|bench)\//.test(path)
}

const patterns: { pattern: RegExp; isDynamic: boolean }[] = [
  { pattern: /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm, isDynamic: false },
  { pattern: /\b()import\(\s*'([^']+)'/g, isDynamic: true },
]

/** Gives every import of a source file, resolved to a path from the root or to the name of a package. */
export function importsOf(root: string, from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8')
  return patterns.flatMap(({ pattern, isDynamic }) =>
    [...text.matchAll(pattern)].map(match => ({
      from,
      to: resolveImport(root, from, match[2] ?? ''),
      line: text.slice(0, match.index).split('\n').length,
      isType: match[1] !== undefined && match[1] !== '',
      isDynamic,
    })),
  )
}

function resolveImport(root: string, from: string, name: string): string {
  if (name.startsWith('.')) return normalize(join(dirname(from), name.replace(/\?.*$/, '')))
  const [scope, workspace = '', ...rest] = name.split('/')
  if (scope === '@coffer') {
    const folder = existsSync(join(root, 'apps', workspace)) ? `apps/${workspace}` : `packages/${workspace}`
    return `${folder}/src/${rest.join('/') || 'index.ts'}`
  }
  return name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
