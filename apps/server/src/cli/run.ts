import type { Deps } from '../deps.ts'
import { beginAction } from '../domains/operators/action-log.ts'
import { refusalText } from '../http/errors.ts'
import { Refusal } from '../kit/refusal.ts'
import { callCommand } from './act.ts'
import { auditCommands } from './audit.ts'
import { caller, person } from './call.ts'
import { CheckFailure, type Command } from './command.ts'
import { merchantCommands } from './merchants.ts'
import { operationCommands } from './operations.ts'
import { payoutCommands } from './payouts.ts'
import { announcementCommands, operatorCommands, workOrderCommands } from './people.ts'
import { secretCommands } from './secret.ts'
import { sweeperCommands } from './sweeper.ts'

const commands: Command[] = [
  ...merchantCommands,
  ...operatorCommands,
  ...operationCommands,
  ...payoutCommands,
  ...announcementCommands,
  ...workOrderCommands,
  ...auditCommands,
  ...secretCommands,
  ...sweeperCommands,
  callCommand,
]

const lines: Pick<Command, 'usage' | 'help'>[] = [
  ...commands,
  { usage: 'config check', help: 'check all settings and try database, mail, nodes and prices, without starting' },
  { usage: 'migrate', help: 'bring the database up to date as its owner (DATABASE_OWNER_URL)' },
  { usage: 'signer init', help: "create the signer's seed and policy; shows the recovery phrase once" },
  { usage: 'signer restore', help: "create the signer's seed from a recovery phrase, which it asks for" },
  { usage: 'signer vault <folder>', help: 'create the folder of a signer without the keys of deposit addresses' },
  {
    usage: 'sweeper authorize <chain> <count> [start]',
    help: 'sign offline that deposit addresses may be swept, from an index on; prints a line each',
  },
]

/** Help text: the commands that begin with these words, else those of the same group, else all. */
export function usage(words: string[] = []): string {
  const fits = (line: { usage: string }) =>
    nameOf(line).every((word, index) => [word, undefined].includes(words[index]))
  const group = lines.filter(line => nameOf(line)[0] === words[0])
  const shown = [lines.filter(fits), group, lines].find(each => each.length > 0) ?? lines
  const width = Math.max(...shown.map(line => line.usage.length))
  return [
    'Usage: npm run coffer -- <command>',
    '',
    ...shown.map(line => `  ${line.usage.padEnd(width)}  ${line.help}`),
  ].join('\n')
}

/** Says in one line why the words are no command, and which one is meant. */
export function usageError(words: string[]): string {
  const short = lines.find(line => nameOf(line).every((word, index) => words[index] === word))
  if (short) return `Missing argument: ${short.usage}`
  const group = lines.filter(line => nameOf(line)[0] === words[0] && nameOf(line).length > 1)
  if (words.length === 1 && group.length > 0)
    return `"${words[0]}" needs a subcommand: ${group.map(line => nameOf(line).slice(1).join(' ')).join(', ')}.`
  const typed = words.slice(0, 2).join(' ')
  const near = (group.length > 0 ? group : lines)
    .map(line => nameOf(line).join(' '))
    .map(name => ({ name, away: name.includes(typed) ? 0 : distance(typed, name) }))
    .sort((a, b) => a.away - b.away)[0]!
  const hint = near.away <= 3 ? `Did you mean "${near.name}"?` : 'See "npm run coffer -- help".'
  return `Unknown command "${words.join(' ')}". ${hint}`
}

/** Number of characters to insert, delete or replace between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let at = 1; at <= b.length; at++)
      next.push(Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + (letter === b[at - 1] ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

/** The words of a command, without its arguments. */
const nameOf = ({ usage }: { usage: string }): string[] => usage.split(/ [<[]/, 1)[0]?.split(' ') ?? []

/** Finds the command and its arguments; undefined when there is none or a required argument is missing. */
export function findCommand(words: string[]): { command: Command; args: string[] } | undefined {
  for (const command of commands) {
    const name = nameOf(command)
    if (!name.every((word, index) => words[index] === word)) continue
    const args = words.slice(name.length)
    const needed = command.usage.replace(/\[.*\]/, '').match(/</g)?.length ?? 0
    return args.length < needed ? undefined : { command, args }
  }
  return undefined
}

/** Runs a command. What it changes is recorded with its outcome; what only reads is not. Returns its exit code and what to print. */
export async function runCommand(
  deps: Deps,
  { command, args }: { command: Command; args: string[] },
): Promise<{ code: number; text: string }> {
  const action = { who: person(), action: nameOf(command).join(' '), on: args.join(' ').slice(0, 500), from: null }
  const end = command.changes && (await beginAction(deps, action, null))
  try {
    const text = await command.run(caller(deps), args, deps)
    await end?.(null)
    return { code: 0, text }
  } catch (error) {
    if (error instanceof CheckFailure) {
      await end?.(null, 'operation_failed')
      return { code: 1, text: error.message }
    }
    if (!(error instanceof Refusal)) throw error
    const { reason, field, detail } = error
    await end?.(null, reason)
    if (reason === 'operation_failed' && command.failureText) return { code: 1, text: command.failureText }
    return { code: 1, text: refusalText(reason, 'en', detail) + (field && !detail ? ` (${field})` : '') }
  }
}
