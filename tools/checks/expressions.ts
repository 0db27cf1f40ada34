import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFull } from '@coffer/local/testing/full.ts'
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

/**
 * The expressions that were found to be linear, so that no run judges them again (25 s of processor). `node
 * tools/checks/expressions.ts` writes it; with whole volumes it is not believed.
 */
export const judgedFile = 'tools/checks/judged-expressions.json'

/** What has been found of expressions, by the version of the library that judged. */
interface Judged {
  recheck: string
  linear: string[]
}

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
        : await verdict(nameOf({ source, flags }))
      if (wrong) complaints.push(`${path}:${line} ${isMade ? source : nameOf({ source, flags })} ${wrong}`)
    }
    return complaints
  },
}

/** Verifies that the list of judged expressions is that of the code. */
export const judgedExpressions: Check = {
  name: 'judged expressions',
  async complaints(root) {
    const path = join(root, judgedFile)
    const isSame = existsSync(path) && readFileSync(path, 'utf8') === (await judgedText(root))
    return isSame ? [] : [`${judgedFile} is not that of the code, run: node tools/checks/expressions.ts`]
  },
}

async function judgedText(root: string): Promise<string> {
  const verdict = await verdicts(root)
  const literals = expressionsOf(root).filter(({ isMade }) => !isMade)
  const linear: string[] = []
  for (const name of [...new Set(literals.map(nameOf))].sort()) if ((await verdict(name)) === '') linear.push(name)
  return `${JSON.stringify({ recheck: libraryVersion(), linear } satisfies Judged, null, 2)}\n`
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

const nameOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string => `/${source}/${flags}`

/** Returns what is wrong with an expression, by the library `recheck`; an empty text when nothing is. */
async function verdicts(root: string) {
  const known = new Map(isFull() ? [] : readLinear(root).map(name => [name, '']))
  return async (name: string): Promise<string> => {
    const found = known.get(name) ?? (await judge(name))
    known.set(name, found)
    return found
  }
}

async function judge(name: string): Promise<string> {
  // Its own JavaScript in a thread: the binaries that it also brings are not there on every machine.
  process.env.RECHECK_BACKEND ??= 'worker'
  const { check } = await import('recheck')
  const end = name.lastIndexOf('/')
  return complaintOf(await check(name.slice(1, end), name.slice(end + 1), withoutClock))
}

/** The version of `recheck`, whose verdicts hold for itself alone. */
export function libraryVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('recheck/package.json')), 'utf8'))
  return version
}

/** The expressions that this version of the library has found to be linear. */
function readLinear(root: string): string[] {
  const path = join(root, judgedFile)
  if (!existsSync(path)) return []
  const { recheck, linear }: Judged = JSON.parse(readFileSync(path, 'utf8'))
  return recheck === libraryVersion() ? linear : []
}

function complaintOf(found: Awaited<ReturnType<typeof import('recheck')['check']>>): string {
  if (found.status === 'safe') return ''
  if (found.status === 'unknown') return `cannot be decided (${found.error.kind}): write it more plainly`
  const { summary } = found.complexity
  return `takes more than linear time (${summary}), such as for ${found.attack.pattern}: let it begin at one place only, or cut the text`
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  writeFileSync(join(root, judgedFile), await judgedText(root))
}
