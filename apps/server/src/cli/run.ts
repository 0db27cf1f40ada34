import type { Deps } from '../deps.ts'
import { beginOperatorAction } from '../domains/operators/action-log.ts'
import { formatRefusalText } from '../http/errors.ts'
import { Refusal } from '../kit/refusal.ts'
import { callCommand } from './act.ts'
import { auditCommands } from './audit.ts'
import { backupCommands } from './backup-commands.ts'
import { createOperatorCall, type OperatorCall, readShellUserName } from './call.ts'
import { type Command, CommandFailure } from './command.ts'
import {
  type CommandHelpLine,
  parseCommandWords,
  renderShellCompletion,
  renderUsage,
  renderUsageError,
  shells,
} from './help.ts'
import { hookCommands } from './hooks.ts'
import { incidentCommands } from './incidents.ts'
import { memberCommands } from './members.ts'
import { merchantCommands } from './merchants.ts'
import { operationCommands } from './operations.ts'
import { payoutCommands } from './payouts.ts'
import { announcementCommands, operatorCommands, workOrderCommands } from './people.ts'
import { proofCommands } from './proof.ts'
import { secretCommands } from './secret.ts'
import { statusCommands } from './status.ts'
import { sweeperCommands } from './sweeper.ts'

const completionCommand: Command = {
  usage: `completion <${shells.join('|')}>`,
  help: 'print a script with which a shell completes the words of "coffer"; make that an alias of "npm run coffer --"',
  async run(_, [name]) {
    const shell = shells.find(each => each === name)
    if (!shell) throw new Refusal('parameter_error', { field: `shell: ${shells.join(', ')}` })
    return renderShellCompletion(lines, shell)
  },
}

const commands: Command[] = [
  ...statusCommands,
  ...incidentCommands,
  ...merchantCommands,
  ...memberCommands,
  ...operatorCommands,
  ...hookCommands,
  ...operationCommands,
  ...payoutCommands,
  ...announcementCommands,
  ...workOrderCommands,
  ...auditCommands,
  ...secretCommands,
  ...backupCommands,
  ...proofCommands,
  ...sweeperCommands,
  callCommand,
  completionCommand,
]

const lines: CommandHelpLine[] = [
  ...commands.map(({ usage, help, asks }) => ({ usage, help: asks ? `${help} (asks first)` : help })),
  { usage: 'config check', help: 'check all settings and try database, mail, nodes and prices, without starting' },
  { usage: 'migrate', help: 'bring the database up to date as its owner (DATABASE_OWNER_URL)' },
  {
    usage: 'backup <file|folder> [--verify] [--keep n]',
    help: 'back up database, signer and settings, encrypted; check it by restoring it; keep the newest n of a folder',
  },
  { usage: 'backup verify <file>', help: 'restore a backup into a database of its own, check it, and drop that' },
  { usage: 'backup key <file>', help: 'make a private key of backups in a new file, and print its public key' },
  { usage: 'backup record <name>', help: 'note that a backup made otherwise was restored and checked' },
  {
    usage: 'restore <file> [--settings file] [--signer folder]',
    help: 'restore a backup into an empty database (DATABASE_OWNER_URL), and files where there are none',
  },
  { usage: 'signer init', help: "create the signer's seed and policy; shows the recovery phrase once" },
  { usage: 'signer restore', help: "create the signer's seed from a recovery phrase, which it asks for" },
  { usage: 'signer vault <folder>', help: 'create the folder of a signer without the keys of deposit addresses' },
  {
    usage: 'sweeper authorize <chain> <count> [start]',
    help: 'sign offline that deposit addresses may be swept, from an index on; prints a line each',
  },
]

export const formatCommandUsage = (words: string[] = []): string => renderUsage(lines, words)
export const formatUsageError = (words: string[]): string => renderUsageError(lines, words)

/** Finds the command and its arguments; undefined when there is none or a required argument is missing. */
export function findCommand(words: string[]): { command: Command; args: string[] } | undefined {
  for (const command of commands) {
    const name = parseCommandWords(command)
    if (!name.every((word, index) => words[index] === word)) continue
    const args = words.slice(name.length)
    const needed = command.usage.replace(/\[[^\][]*\]/g, '').match(/</g)?.length ?? 0
    return args.length < needed ? undefined : { command, args }
  }
  return undefined
}

/** A command that asks first was not answered. */
export class NotConfirmed extends Error {}

interface Options {
  /** Print the server's answer instead of a text. */
  json?: boolean
  /** Whether questions count as answered, but those that only a word of their own answers. */
  yes?: boolean
  /**
   * Answers the question of a command that moves money or undoes something; `word` answers it in a script.
   * @throws NotConfirmed
   */
  confirm?: (question: string, word: string) => Promise<void>
}

/**
 * Runs a command. What it changes is recorded with its outcome; what only reads is not. Returns its exit code and what
 * to print.
 */
export async function runCommand(
  deps: Deps,
  { command, args: typed }: { command: Command; args: string[] },
  { json = false, yes = false, confirm = async () => {} }: Options = {},
): Promise<{ code: number; text: string }> {
  const { saidBy } = command
  const args = typed.filter(word => word !== saidBy)
  const isAsked = saidBy === undefined ? !yes : args.length === typed.length
  const action = {
    by: { operatorId: '', email: readShellUserName() },
    action: parseCommandWords(command).join(' '),
    on: args.join(' ').slice(0, 500),
    from: null,
  }
  const shown = (code: number, text: string, data: unknown) => ({
    code,
    text: json ? JSON.stringify(data, null, 2) : text,
  })
  const fail = (error: string, message: string) => shown(1, message, { error, message })
  let end: Awaited<ReturnType<typeof beginOperatorAction>> | undefined
  try {
    const call = createOperatorCall(deps)
    const questions = (await command.asks?.(call, args, deps)) ?? ''
    for (const question of [questions].flat()) if (question && isAsked) await confirm(question, saidBy ?? '--yes')
    end = command.changes && (await beginOperatorAction(deps, action, null))
    let answer: unknown
    const noting = (async (...given: Parameters<OperatorCall>) => {
      answer = await call(...given)
      return answer
    }) as OperatorCall
    const output = await command.run(noting, args, deps)
    await end?.(null)
    if (typeof output !== 'string') return shown(0, output.text, output.data)
    return shown(0, output, answer ?? { text: output })
  } catch (error) {
    if (error instanceof NotConfirmed) return { ...fail('not_confirmed', error.message), code: 2 }
    if (error instanceof CommandFailure) {
      await end?.(null, 'operation_failed')
      return fail('operation_failed', error.message)
    }
    if (!(error instanceof Refusal)) throw error
    const { reason, field, detail } = error
    await end?.(null, reason)
    if (reason === 'operation_failed' && command.failureText) return fail(reason, command.failureText)
    return fail(reason, formatRefusalText(reason, 'en', detail) + (field && !detail ? ` (${field})` : ''))
  }
}
