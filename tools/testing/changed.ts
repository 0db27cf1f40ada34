import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ImportGraph, readImportGraph } from '../checks/import-graph.ts'

/** What a change needs to run: its test files, those that import it by the fewest steps first. */
export interface Selection {
  tests: string[]
  /** Says what was compared and found. */
  summary: string
}

/** What may have changed anything: no import says what depends on it. */
const reachesAll =
  /(?:^|\/)(?:package(?:-lock)?|tsconfig(?:\.base)?)\.json$|\/migrations\/steps\/|\/generated\/|^tools\/test\.ts$|^packages\/local\/src\/testing\/(?:run-files|batch)\.ts$/
const isCode = /\.(?:ts|tsx|mjs|js)$/
const isBrowserTest = /^e2e\/.*\.e2e\.test\.ts$/

/**
 * Selects the test files that reach what has changed since `base`, with what is not committed or tracked. By default
 * since this branch left main; on main itself, since the last commit.
 * @param tests all test files, by their paths in the repository
 */
export function selectChanged(root: string, base: string | undefined, tests: readonly string[]): Selection {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const list = (...args: string[]) =>
    git(...args)
      .split('\0')
      .filter(Boolean)
  const from = base ?? (git('branch', '--show-current') === 'main' ? 'HEAD' : 'main')
  const untracked = list('ls-files', '--others', '--exclude-standard', '-z')
  const changed = [...list('diff', '--name-only', '--no-renames', '-z', git('merge-base', from, 'HEAD')), ...untracked]
  const files = new Set([...list('ls-files', '-z'), ...changed])
  const graph = readImportGraph(root)
  const selected = select(graph, namedFiles(root, graph, files), changed, tests)
  return {
    tests: selected,
    summary: `Files changed since ${from}: ${changed.length}. Test files that they reach: ${selected.length}`,
  }
}

/** Links from a file to others that are not imported, but loaded or started. */
export type Links = ReadonlyMap<string, readonly string[]>

/** Returns the test files that a change reaches, the nearest first. Types are left out: the compiler checks them. */
export function select(
  graph: ImportGraph,
  links: Links,
  changed: readonly string[],
  tests: readonly string[],
): string[] {
  const linked = new Set([...links.values()].flat())
  const isUnknown = (path: string) =>
    !isCode.test(path) && !path.endsWith('.md') && !path.startsWith('apps/web/') && !linked.has(path)
  if (changed.some(path => reachesAll.test(path) || isUnknown(path))) return [...tests]
  const near = distances(graph, links, changed)
  const inPages = importedBy(
    graph,
    [...graph.keys()].filter(path => path.startsWith('apps/web/')),
  )
  const needsBrowser = changed.some(path => path.startsWith('apps/web/') || inPages.has(path))
  const ofBrowserTests = distances(
    graph,
    links,
    changed.filter(path => path.startsWith('e2e/')),
  )
  const distance = (test: string) => {
    if (!isBrowserTest.test(test)) return near.get(test)
    return ofBrowserTests.get(test) ?? (needsBrowser ? Number.POSITIVE_INFINITY : undefined)
  }
  const reached = tests.filter(test => distance(test) !== undefined)
  return reached.toSorted((a, b) => (distance(a) === distance(b) ? 0 : distance(a)! - distance(b)!))
}

/** Returns how many imports lie between each file and the nearest of `targets`; without those that reach none. */
function distances(graph: ImportGraph, links: Links, targets: readonly string[]): Map<string, number> {
  const importers = new Map<string, string[]>()
  const add = (from: string, to: string) => {
    const others = importers.get(to)
    if (others) others.push(from)
    else importers.set(to, [from])
  }
  for (const [from, imports] of graph) for (const { to, isType } of imports) if (!isType) add(from, to)
  for (const [from, others] of links) for (const to of others) add(from, to)
  const found = new Map(targets.map(target => [target, 0]))
  for (const [at, distance] of found)
    for (const next of importers.get(at) ?? []) if (!found.has(next)) found.set(next, distance + 1)
  return found
}

/** Returns the files that these import, directly or not. */
function importedBy(graph: ImportGraph, files: readonly string[]): Set<string> {
  const found = new Set(files)
  for (const at of found) for (const { to, isType } of graph.get(at) ?? []) if (!isType) found.add(to)
  return found
}

/** Finds files that code names in a text, from its own folder or the root, such as a program that it starts. */
function namedFiles(root: string, graph: ImportGraph, files: ReadonlySet<string>): Links {
  const named = /['"`]([\w./@-]+\.\w+)['"`]/g
  return new Map(
    [...graph.keys()].map(path => {
      const names = [...readFileSync(join(root, path), 'utf8').matchAll(named)].map(([, name = '']) => name)
      return [path, names.flatMap(name => [join(dirname(path), name), join(name)]).filter(each => files.has(each))]
    }),
  )
}
