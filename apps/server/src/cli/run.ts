import { errors } from '@coffer/contract'
import type { Deps } from '../deps.ts'
import { Refusal } from '../kit/refusal.ts'
import { announcementCommands } from './announcement.ts'
import { auditCommands, recordCommand } from './audit.ts'
import { chainCommands } from './chain.ts'
import { CheckFailure, type Command } from './command.ts'
import { ledgerCommands } from './ledger.ts'
import { mailCommands } from './mail.ts'
import { merchantCommands } from './merchant.ts'
import { operatorCommands } from './operator.ts'
import { orderCommands } from './order.ts'
import { queueCommands } from './queue.ts'
import { refundCommands } from './refund.ts'
import { secretCommands } from './secret.ts'
import { sweeperCommands } from './sweeper.ts'
import { walletCommands } from './wallet.ts'
import { withdrawalCommands } from './withdrawal.ts'

const commands: Command[] = [
  ...merchantCommands,
  ...operatorCommands,
  ...chainCommands,
  ...ledgerCommands,
  ...withdrawalCommands,
  ...refundCommands,
  ...auditCommands,
  ...announcementCommands,
  ...orderCommands,
  ...walletCommands,
  ...queueCommands,
  ...mailCommands,
  ...secretCommands,
  ...sweeperCommands,
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

/** Says in one line why the words are no command. */
export function usageError(words: string[]): string {
  const typed = words.join(' ')
  const short = lines.find(line => nameOf(line).every((word, index) => words[index] === word))
  if (short) return `Missing argument: ${short.usage}`
  const isGroup = words.length === 1 && lines.some(line => nameOf(line)[0] === words[0] && nameOf(line).length > 1)
  return isGroup ? `"${typed}" needs a subcommand.` : `Unknown command "${typed}".`
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

/** Runs a command, which the audit log records first. Returns its exit code and what to print. */
export async function runCommand(
  deps: Deps,
  { command, args }: { command: Command; args: string[] },
): Promise<{ code: number; text: string }> {
  const words = [...nameOf(command), ...args].join(' ')
  await recordCommand(deps, words)
  try {
    return { code: 0, text: await command.run(deps, args) }
  } catch (error) {
    if (error instanceof CheckFailure) return { code: 1, text: error.message }
    if (!(error instanceof Refusal)) throw error
    await recordCommand(deps, words, error.reason)
    if (error.reason === 'operation_failed' && command.failureText) return { code: 1, text: command.failureText }
    return { code: 1, text: errors[error.reason].en + (error.field ? ` (${error.field})` : '') }
  }
}
