import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands in place of guarded source; '' drops it. A function is given the source that it replaces. */
export type Replacement = string | ((guarded: string) => string)

const root = join(import.meta.dirname, '..', '..')

/**
 * A marker names the source that a guard takes out. `// guard: name` on a line of its own marks the statement below it: the
 * next line and those that belong to it by their indentation. In SQL, and for a part of a statement, the two comments
 * `/* guard: name *\/ ... /* end *\/` stand around it.
 */
const marked = (name: string) =>
  new RegExp(
    [
      `/\\* guard: ${name} \\*/ ([\\s\\S]*?) ?/\\* end \\*/`,
      `^([ \\t]*)// guard: ${name}\\n((?:\\2.*\\n)(?:\\2(?:[ \\t]|[)\\]}]).*\\n)*)`,
    ].join('|'),
    'gm',
  )

/** Paths of the product's sources with a marker, from the root, and the names of the markers in each. */
export function markersOfSources(): Map<string, string[]> {
  const paths = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).sort()
  const names = (path: string) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\/[/*] guard: (\S+)/g)].map(([, name]) => name!)
  return new Map(paths.map(path => [path, names(path)] as const).filter(([, found]) => found.length > 0))
}

/** Replaces the source at a marker; undefined when the marker is not in it. */
export function replaceMarked(source: string, name: string, by: Replacement): string | undefined {
  const put = (guarded: string) => (typeof by === 'string' ? by : by(guarded))
  let count = 0
  const replaced = source.replace(marked(name), (_, part?: string, indent?: string, statement?: string) => {
    count++
    return part === undefined ? `${indent}${put(statement!.trim())}\n` : put(part)
  })
  return count === 0 ? undefined : replaced
}
