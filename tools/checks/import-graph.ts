import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Parsed, parsedFile } from './parsed.ts'

/** An import of a file. */
export interface Import {
  /** Path in the repository, or the name of a package. */
  to: string
  /** Whether it takes types alone, by `import type` or `export type`. */
  isType: boolean
  isDynamic: boolean
}

/** The imports of each file of the repository, by its path. */
export type ImportGraph = ReadonlyMap<string, readonly Import[]>

const code = '{packages,apps,tools,bench,e2e}/**/*.{ts,tsx,mjs,js}'
const exclude = ['**/node_modules/**', '**/dist/**']

/** Reads the imports of all code, types included. Names of packages of this repository become paths. */
export function readImportGraph(root: string): ImportGraph {
  const packages = readPackages(root)
  const resolve = (from: string, name: string): string => {
    if (name.startsWith('.')) return join(dirname(from), name.replace(/\?.*/, ''))
    const [, workspace = '', rest] = /^(@coffer\/\w+)(?:\/(.+))?$/.exec(name) ?? []
    return packages.get(workspace)?.(rest) ?? name
  }
  return new Map(
    globSync(code, { cwd: root, exclude })
      .sort()
      .map(path => [path, importsIn(parsedFile(root, path)).map(each => ({ ...each, to: resolve(path, each.to) }))]),
  )
}

/** Returns, by name of a package, what finds one of its files: the index, or the one of a path behind the name. */
function readPackages(root: string): Map<string, (rest: string | undefined) => string> {
  const manifests = globSync('packages/*/package.json', { cwd: root })
  return new Map(
    manifests.map(manifest => {
      const folder = dirname(manifest)
      const { exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
      const fileOf = (rest: string | undefined) =>
        join(folder, rest === undefined ? exports['.'] : exports['./*'].replace('*', rest))
      return [`@coffer/${folder.replace('packages/', '')}`, fileOf]
    }),
  )
}

/** Returns what a file imports, in its own words. */
function importsIn({ text, tree }: Parsed): Import[] {
  const { staticImports, staticExports, dynamicImports } = tree.module
  const isType = (start: number) => /^(?:import|export)\s+type\b/.test(text.slice(start, start + 40))
  const taken = staticImports.map(each => ({
    to: each.moduleRequest.value,
    isType: isType(each.start),
    isDynamic: false,
  }))
  const passedOn = staticExports.flatMap(({ start, entries }) =>
    entries.slice(0, 1).flatMap(({ moduleRequest }) => {
      return moduleRequest ? [{ to: moduleRequest.value, isType: isType(start), isDynamic: false }] : []
    }),
  )
  const loaded = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, to] = /^['"`]([^'"`$]+)['"`]$/.exec(text.slice(start, end)) ?? []
    return to === undefined ? [] : [{ to, isType: false, isDynamic: true }]
  })
  return [...taken, ...passedOn, ...loaded]
}
