import { existsSync } from 'node:fs'
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { covered, forTests, rules, tables, within } from '../import-rules.ts'
import type { Check } from './check.ts'

const folders = ['packages', 'apps', 'tools', 'bench', 'e2e']
const comments = new Map(rules.forbidden!.map(({ name, comment }) => [name, comment]))

/** Enforces the tables and rules of `import-rules.ts`, and rejects import cycles between files or folders. */
export const imports: Check = {
  name: 'imports',
  complaints: async root => {
    const { output } = await cruise(
      folders.filter(each => existsSync(`${root}/${each}`)),
      {
        baseDir: root,
        // Acorn does not parse type imports, and TypeScript 7 has no compiler API.
        parser: 'swc',
        tsPreCompilationDeps: true,
        doNotFollow: { path: 'node_modules' },
        exclude: { path: '/dist/' },
        enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
        validate: true,
        ruleSet: rules,
      },
    )
    const { modules, summary } = output as ICruiseResult
    const broken = summary.violations.map(({ rule, from, to, cycle }) => {
      const path = cycle ? cycle.map(each => each.name).join(', which imports ') : to
      return `${from} imports ${path}: ${comments.get(rule.name)}`
    })
    return [...broken, ...modules.flatMap(outsideTables), ...cyclesOfFolders(modules)]
  },
}

/** Returns a complaint for a file that is in no row of its table. */
function outsideTables({ source }: IModule): string[] {
  const wanted = tables.filter(({ folder }) => new RegExp(covered(folder)).test(source))
  const isIn = wanted.every(({ folder, rows }) => new RegExp(within(folder, Object.keys(rows))).test(source))
  return isIn || forTests.test(source) ? [] : [`${source} is in no row of tools/import-rules.ts: move it, or add a row`]
}

/** Edges from a file or folder to others, each with the import that causes it. */
type Arrows = Map<string, Map<string, string>>

/**
 * Finds cycles that contain a folder: between folders, or with files of their parent. A rule finds cycles of files
 * alone.
 */
function cyclesOfFolders(modules: IModule[]): string[] {
  // Each import is an edge between two children of the deepest folder that contains both files.
  const arrows: Arrows = new Map()
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      if (source === resolved || forTests.test(source) || forTests.test(resolved)) continue
      const from = source.split('/')
      const to = resolved.split('/')
      const end = from.findIndex((name, i) => name !== to[i]) + 1
      const child = from.slice(0, end).join('/')
      if (!arrows.has(child)) arrows.set(child, new Map())
      arrows.get(child)!.set(to.slice(0, end).join('/'), `${source} imports ${resolved}`)
    }
  }
  const files = new Set(modules.map(each => each.source))
  const found = new Map<string, string>()
  for (const [child, others] of arrows) {
    for (const other of others.keys()) {
      const way = shortest(arrows, other, child)
      if (!way || way.every(each => files.has(each))) continue
      const why = way.map((each, i) => arrows.get(way.at(i - 1)!)!.get(each)).join(' and ')
      const key = way.toSorted().join(', ')
      found.set(key, `${key}: a dependency cycle of folders, for ${why}: move what they share below both`)
    }
  }
  return [...found.values()]
}

/** Returns the shortest path along the edges, including both ends. */
function shortest(arrows: Arrows, from: string, to: string): string[] | undefined {
  const ways = new Map([[from, [from]]])
  for (const [at, way] of ways) {
    if (at === to) return way
    for (const next of arrows.get(at)?.keys() ?? []) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  return undefined
}
