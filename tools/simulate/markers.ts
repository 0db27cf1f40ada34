import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replacement of guarded source; '' removes it. A function receives the source that it replaces. */
export type Replacement = string | ((guarded: string) => string)

const root = join(import.meta.dirname, '..', '..')

/**
 * Matches the source of a guard. `// guard: name` on its own line marks the statement below: the next line and its
 * continuation lines, recognized by indentation. In SQL, and for a part of a statement, the comments
 * `/* guard: name *\/ ... /* end *\/` enclose the marked text.
 */
const marked = (name: string) =>
  new RegExp(
    [
      `/\\* guard: ${name} \\*/ ([\\s\\S]*?) ?/\\* end \\*/`,
      `^([ \\t]*)// guard: ${name}\\n((?:\\2.*\\n)(?:\\2(?:[ \\t]|[)\\]}]).*\\n)*)`,
    ].join('|'),
    'gm',
  )

/** Returns the marker names in each product source that has any, by path from the root. */
export function markersOfSources(): Map<string, string[]> {
  const paths = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).sort()
  const names = (path: string) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\/[/*] guard: (\S+)/g)].map(([, name]) => name!)
  return new Map(paths.map(path => [path, names(path)] as const).filter(([, found]) => found.length > 0))
}

/** Replaces the source at a marker; returns undefined when the marker is missing. */
export function replaceMarked(source: string, name: string, by: Replacement): string | undefined {
  const put = (guarded: string) => (typeof by === 'string' ? by : by(guarded))
  let count = 0
  const replaced = source.replace(marked(name), (_, part?: string, indent?: string, statement?: string) => {
    count++
    return part === undefined ? `${indent}${put(statement!.trim())}\n` : put(part)
  })
  return count === 0 ? undefined : replaced
}
