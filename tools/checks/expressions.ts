import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Visitor } from 'vite'
import type { Check } from './check.ts'
import { type Parsed, parsedFile } from './parsed.ts'

/** Code that reads what strangers, merchants, payers, nodes and shops send. */
const readers = [
  'apps/server/src/**/*.{ts,js}',
  'apps/web/src/**/*.{ts,tsx}',
  'packages/{contract,core,chains,sdk}/src/**/*.ts',
]
const isTest = /\.(?:test|fixture)\.tsx?$|\/testing\//

/** A regular expression of the code, or the text of one that is only made when it runs. */
export interface Expression {
  path: string
  line: number
  source: string
  flags: string
  isMade: boolean
}

/** Returns the regular expressions of all code that reads input, in the order of the files. */
export const expressionsOf = (root: string): Expression[] =>
  globSync(readers, { cwd: root })
    .filter(path => !isTest.test(path))
    .sort()
    .flatMap(path => expressionsIn(path, parsedFile(root, path)))

function expressionsIn(path: string, { text, tree }: Parsed): Expression[] {
  const found: Expression[] = []
  const add = (start: number, source: string, flags: string, isMade: boolean) =>
    found.push({ path, line: text.slice(0, start).split('\n').length, source, flags, isMade })
  const made = ({ callee, start, end }: { callee: { type: string }; start: number; end: number }) => {
    if ((callee as { name?: string }).name === 'RegExp') add(start, text.slice(start, end), '', true)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node.start, node.regex.pattern, node.regex.flags, false)
    },
    NewExpression: made,
    CallExpression: made,
  }).visit(tree.program)
  return found
}

/** Where verdicts are kept between runs: an expression has the same one until the library changes. */
const cached = 'node_modules/.cache/expressions.json'

/**
 * Rejects regular expressions whose time grows faster than the length of what they read: a few kilobytes would then
 * stop the server. An expression made at run time is rejected, too, since it cannot be read here.
 */
export const expressions: Check = {
  name: 'regular expressions in linear time',
  async complaints(root) {
    const all = expressionsOf(root)
    const verdict = await verdicts(root)
    const complaints: string[] = []
    for (const { path, line, source, flags, isMade } of all) {
      const wrong = isMade
        ? 'is made at run time: write it as a literal, or compare without one'
        : await verdict(source, flags)
      if (wrong) complaints.push(`${path}:${line} ${isMade ? source : `/${source}/${flags}`} ${wrong}`)
    }
    return complaints
  },
}

/**
 * Counts what is read instead of time, so that a busy machine finds the same: a linear expression reads some millions
 * of characters.
 */
const withoutClock = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 50_000_000,
}

/** Returns what is wrong with an expression, by the library `recheck`; an empty text when nothing is. */
async function verdicts(root: string) {
  // Its own JavaScript in a thread: the binaries that it also brings are not there on every machine.
  process.env.RECHECK_BACKEND ??= 'worker'
  const { check } = await import('recheck')
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('recheck/package.json')), 'utf8'))
  const file = join(root, cached)
  const known = new Map<string, string>(readKnown(file, version))
  return async (source: string, flags: string): Promise<string> => {
    const key = `/${source}/${flags}`
    const found = known.get(key) ?? complaintOf(await check(source, flags, withoutClock))
    if (!known.has(key)) {
      known.set(key, found)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify({ version, known: [...known] }))
    }
    return found
  }
}

function readKnown(file: string, version: string): [string, string][] {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    return stored.version === version ? stored.known : []
  } catch {
    return []
  }
}

function complaintOf(found: Awaited<ReturnType<typeof import('recheck')['check']>>): string {
  if (found.status === 'safe') return ''
  if (found.status === 'unknown') return `cannot be decided (${found.error.kind}): write it more plainly`
  const { summary } = found.complexity
  return `takes more than linear time (${summary}), such as for ${found.attack.pattern}: let it begin at one place only, or cut the text`
}
