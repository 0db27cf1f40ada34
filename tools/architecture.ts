import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from './import-rules.ts'

const path = 'ARCHITECTURE.md'
const drawing = /(<!-- Drawn by tools\/generated\.ts -->\n\n```\n)[^`]*/

/**
 * Draws the domains of the server and what each may import into the section of ARCHITECTURE.md that is marked for it.
 */
export async function generateArchitecture(): Promise<{ path: string; content: string }[]> {
  const { rows } = tables.find(({ folder }) => folder === 'apps/server/src/domains/')!
  const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
  if (!drawing.test(text)) throw new Error(`${path} has no place for the drawing of the domains`)
  return [{ path, content: text.replace(drawing, (_all, start: string) => start + draw(rows)) }]
}

/**
 * Returns a line per domain, those that import most first: its name, and what it imports. Left out is what an import
 * implies, because one of its own imports is the same.
 */
export function draw(rows: Record<string, readonly string[]>): string {
  const below = (name: string): Set<string> => new Set(rows[name]!.flatMap(each => [each, ...below(each)]))
  const height = (name: string): number => Math.max(-1, ...rows[name]!.map(height)) + 1
  const width = Math.max(...Object.keys(rows).map(name => name.length))
  return Object.keys(rows)
    .toSorted((a, b) => height(b) - height(a) || a.localeCompare(b))
    .map(name => {
      const direct = rows[name]!.filter(each => !rows[name]!.some(other => below(other).has(each)))
      return direct.length === 0 ? name : `${name.padEnd(width)}  ->  ${direct.toSorted().join(', ')}`
    })
    .map(line => `${line}\n`)
    .join('')
}
