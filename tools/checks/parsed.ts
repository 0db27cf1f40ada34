import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** A file of code, with its tree. */
export interface Parsed {
  text: string
  tree: ReturnType<typeof parseSync>
}

const known = new Map<string, Parsed>()

/** Reads and parses a file; the checks of one run share its tree. */
export function parsedFile(root: string, path: string): Parsed {
  const file = join(root, path)
  const found = known.get(file) ?? parse(path, readFileSync(file, 'utf8'))
  known.set(file, found)
  return found
}

/** Parses the text of a file of code. */
export const parse = (path: string, text: string): Parsed => ({ text, tree: parseSync(path, text) })
