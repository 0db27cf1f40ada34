import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  findLockedTables,
  isOnline,
  type LaterPart,
  type MigrationStep,
  readStatements,
} from '../../apps/server/src/migrations/online-step.ts'
import type { Check } from './check.ts'

const folder = 'apps/server/src/migrations/steps'
/** Tables of which one step may take locks, each for a fifth of a second: no writer waits for a whole one. */
const lockedMost = 3

/** Statements that are legal as they are, whatever exists. */
const harmless = [
  /^create table/,
  /^create (?:type|domain|sequence|view) /,
  /^create function /,
  /^comment on /,
  /^grant /,
  /^alter default privileges .* grant /,
]
/** The actions of `alter table` that take a short lock, change no row and refuse nothing that older servers write. */
const shortActions = [/^set \(/, /^alter (?:column )?\w+ set (?:statistics|storage)/]
const volatileDefault = /\bdefault\b.*\b(?:now|random|gen_random_uuid|clock_timestamp|nextval)\b|serial\b|\bgenerated\b/

/**
 * Rejects steps that servers of the release before cannot go on with, or that keep writers waiting, unless they say
 * why they need a stop (docs/recipes/migration.md).
 */
export const onlineSteps: Check = {
  name: 'steps of migrations run while servers do',
  complaints: async root => {
    const files = readdirSync(join(root, folder)).filter(file => /^\d{4}_/.test(file))
    const found = files.map(async file => {
      const name = file.slice(0, -3)
      const step = (await import(join(root, folder, file))) as MigrationStep
      if (!isOnline(name, step)) return []
      return judgeStep({ ...step, statements: await readStatements(step) }).map(
        why => `${folder}/${file} ${why}, or export needsStop = 'why'`,
      )
    })
    return (await Promise.all(found)).flat()
  },
}

/** Returns what is wrong with a step that claims to be online: empty when nothing is. */
export function judgeStep({
  statements: texts,
  later = [],
  ...step
}: Pick<MigrationStep, 'fits' | 'later'> & { statements: string[] }): string[] {
  const statements = texts.flatMap(splitStatements)
  const created = new Set(statements.flatMap(text => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []))
  const fits = new Set(Object.keys(step.fits ?? {}))
  const wrong = statements.flatMap(text => judgeStatement(text, created, fits))
  const locked = findLockedTables(texts)
  if (locked.length > lockedMost) wrong.push(`locks ${locked.join(', ')} at once: divide it`)
  return [...wrong, ...later.flatMap(part => judgePart(part, fits))]
}

/** Splits SQL at its semicolons, in small letters and without comments, texts and bodies of functions. */
function splitStatements(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map(text => text.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
}

const short = (text: string) => `"${text.slice(0, 60)}"`
const unexplained = (name: string) =>
  `adds ${name} to what exists: say in "fits" why servers of the release before do not run into it`

function judgeStatement(text: string, created: Set<string>, fits: Set<string>): string[] {
  if (harmless.some(pattern => pattern.test(text))) return []
  const [, altered, actions] = /^alter table (?:only )?(?:if exists )?(\w+) (.*)$/.exec(text) ?? []
  if (altered) return created.has(altered) ? [] : splitActions(actions!).flatMap(each => judgeAction(each, fits))
  const [, index, table] = /^create (?:unique )?index (\w+) on (\w+)/.exec(text) ?? []
  if (index) return created.has(table!) ? [] : [`builds ${index} while writers wait: name it in "later"`]
  const [, trigger, of] = /^create trigger (\w+) .* on (\w+)/.exec(text) ?? []
  if (trigger) return created.has(of!) || fits.has(trigger) ? [] : [unexplained(trigger)]
  const [, replaced] = /^create or replace function (\w+)/.exec(text) ?? []
  if (replaced) return fits.has(replaced) ? [] : [unexplained(replaced)]
  const [, revoked] = /^revoke .* on ([\w, ]+) from/.exec(text) ?? []
  if (revoked?.split(', ').every(name => created.has(name))) return []
  if (/^insert into \w+ (?:\([^)]*\) )?values /.test(text)) return []
  return [`has ${short(text)}, which servers or writers may not be able to go on with`]
}

/** Splits the actions of `alter table` at commas that stand in no parentheses. */
function splitActions(text: string): string[] {
  let depth = 0
  const ends = [...text].flatMap((letter, index) => {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    return letter === ',' && depth === 0 ? [index] : []
  })
  return [...ends, text.length].map((end, i) => text.slice((ends[i - 1] ?? -1) + 1, end).trim())
}

function judgeAction(text: string, fits: Set<string>): string[] {
  if (shortActions.some(pattern => pattern.test(text))) return []
  const [, constraint] = /^add constraint (\w+) (?:check|foreign key) ?\(.*\) not valid$/.exec(text) ?? []
  if (constraint) return fits.has(constraint) ? [] : [unexplained(constraint)]
  if (/^add constraint /.test(text)) return [`has ${short(text)}: add it as "not valid", and check the rows in "later"`]
  const [, column, type] = /^add (?:column )?(?:if not exists )?(\w+) (.*)$/.exec(text) ?? []
  if (!column || !type) return [`has ${short(text)}, which servers or writers may not be able to go on with`]
  if (/\b(?:check|references|unique|primary key)\b/.test(type))
    return [`checks all rows for ${column} while writers wait: add a constraint as "not valid"`]
  if (volatileDefault.test(type)) return [`writes all rows for ${column} while writers wait: give it no such default`]
  if (/\bnot null\b/.test(type) && !/\bdefault\b/.test(type))
    return [`adds ${column}, which servers of the release before do not write: give it a default`]
  return []
}

const judgePart = (part: LaterPart, fits: Set<string>): string[] =>
  part.kind === 'index' && part.isUnique && !fits.has(part.name) ? [unexplained(part.name)] : []
