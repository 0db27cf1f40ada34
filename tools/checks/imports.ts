import { covered, forTests, type Rule, rules, tables, within } from '../import-rules.ts'
import type { Check } from './check.ts'
import { type Import, type ImportGraph, readImportGraph } from './import-graph.ts'

/** Enforces the tables and rules of `import-rules.ts`, and rejects import cycles between files or folders. */
export const imports: Check = {
  name: 'imports',
  complaints: root => {
    const graph = readImportGraph(root)
    return [
      ...[...graph].flatMap(([from, each]) => broken(from, each)),
      ...cyclesOfFiles(graph),
      ...[...graph.keys()].flatMap(outsideTables),
      ...cyclesOfFolders(graph),
    ]
  },
}

/** Returns the complaints of the rules about the imports of a file. */
function broken(from: string, all: readonly Import[]): string[] {
  return rules.flatMap(rule => {
    const groups = fits(from, rule.from)
    if (!groups) return []
    const wrong = all.filter(each => isForbidden(each, rule.to, groups)).map(({ to }) => to)
    return [...new Set(wrong)].map(to => `${from} imports ${to}: ${rule.comment}`)
  })
}

function isForbidden({ to, isType, isDynamic }: Import, rule: Rule['to'], groups: readonly string[]): boolean {
  if ((rule.except === 'types' && isType) || (rule.except === 'dynamic' && isDynamic)) return false
  return fits(to, rule, groups) !== undefined
}

/** Returns the groups of the pattern that a path matches, if it does. `$1` stands for a group of the importing file. */
function fits(
  path: string,
  { path: pattern, pathNot = [] }: Rule['from'],
  groups: readonly string[] = [],
): readonly string[] | undefined {
  const matched = pattern === undefined ? [] : expression(pattern, groups).exec(path)
  return matched && ![pathNot].flat().some(each => expression(each, groups).test(path)) ? matched.slice(1) : undefined
}

const made = new Map<string, RegExp>()

function expression(pattern: string, groups: readonly string[]): RegExp {
  const source = pattern.replace(/\$(\d)/g, (_, number) => groups[number - 1] ?? '')
  const found = made.get(source) ?? new RegExp(source)
  made.set(source, found)
  return found
}

/** Returns a complaint for a file that is in no row of its table. */
function outsideTables(path: string): string[] {
  const wanted = tables.filter(({ folder }) => expression(covered(folder), []).test(path))
  const isIn = wanted.every(({ folder, rows }) => expression(within(folder, Object.keys(rows)), []).test(path))
  return isIn || forTests.test(path) ? [] : [`${path} is in no row of tools/import-rules.ts: move it, or add a row`]
}

/** Finds cycles of files, types included. */
function cyclesOfFiles(graph: ImportGraph): string[] {
  const edges = new Map([...graph].map(([from, all]) => [from, new Set(all.map(({ to }) => to))]))
  withoutEnds(edges)
  const found = new Map<string, string>()
  for (const [from, others] of edges)
    for (const to of others) {
      const way = shortest(edges, to, from)
      if (!way) continue
      const key = way.toSorted().join()
      const path = way.join(', which imports ')
      if (!found.has(key))
        found.set(
          key,
          `${from} imports ${path}: a dependency cycle, types included: move what they share to a file below both`,
        )
    }
  return [...found.values()]
}

/** Removes what imports nothing that is left, again and again, so that cycles and what leads to them remain. */
function withoutEnds(edges: Map<string, Set<string>>): void {
  for (let before = -1; before !== edges.size; ) {
    before = edges.size
    for (const [from, others] of edges) {
      for (const to of others) if (!edges.has(to)) others.delete(to)
      if (others.size === 0) edges.delete(from)
    }
  }
}

/** Edges from a file or folder to others, each with the import that causes it. */
type Arrows = Map<string, Map<string, string>>

/**
 * Finds cycles that contain a folder: between folders, or with files of their parent. Cycles of files alone are found
 * before.
 */
function cyclesOfFolders(graph: ImportGraph): string[] {
  // Each import is an edge between two children of the deepest folder that contains both files.
  const arrows: Arrows = new Map()
  for (const [source, imports] of graph) {
    for (const { to: resolved } of imports) {
      if (source === resolved || forTests.test(source) || forTests.test(resolved)) continue
      const from = source.split('/')
      const to = resolved.split('/')
      const end = from.findIndex((name, i) => name !== to[i]) + 1
      const child = from.slice(0, end).join('/')
      if (!arrows.has(child)) arrows.set(child, new Map())
      arrows.get(child)!.set(to.slice(0, end).join('/'), `${source} imports ${resolved}`)
    }
  }
  const found = new Map<string, string>()
  for (const [child, others] of arrows) {
    for (const other of others.keys()) {
      const way = shortest(arrows, other, child)
      if (!way || way.every(each => graph.has(each))) continue
      const why = way.map((each, i) => arrows.get(way.at(i - 1)!)!.get(each)).join(' and ')
      const key = way.toSorted().join(', ')
      found.set(key, `${key}: a dependency cycle of folders, for ${why}: move what they share below both`)
    }
  }
  return [...found.values()]
}

/** Returns the shortest path along the edges, including both ends. */
function shortest(
  edges: ReadonlyMap<string, ReadonlyMap<string, unknown> | ReadonlySet<string>>,
  from: string,
  to: string,
): string[] | undefined {
  const ways = new Map([[from, [from]]])
  for (const [at, way] of ways) {
    if (at === to) return way
    for (const next of edges.get(at)?.keys() ?? []) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  return undefined
}
