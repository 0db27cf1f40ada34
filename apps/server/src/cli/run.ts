import { errorText } from '@coffer/contract'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { announcementCommands } from './announcement.ts'
import { chainCommands } from './chain.ts'
import { type Command, Complaint } from './command.ts'
import { ledgerCommands } from './ledger.ts'
import { merchantCommands } from './merchant.ts'

const commands: Command[] = [...merchantCommands, ...chainCommands, ...ledgerCommands, ...announcementCommands]

/** What the operator can type, one line each. */
export function usage(): string {
  const lines = [
    ...commands,
    { usage: 'signer init', help: "make the signer's seed and policy; shows the recovery phrase once" },
  ]
  const width = Math.max(...lines.map(line => line.usage.length))
  return [
    'Usage: npm run coffer -- <command>',
    '',
    ...lines.map(line => `  ${line.usage.padEnd(width)}  ${line.help}`),
  ].join('\n')
}

/** The command that the words call, with what stands after it; undefined when there is none or the count does not fit. */
export function findCommand(words: string[]): { command: Command; args: string[] } | undefined {
  for (const command of commands) {
    const name = command.usage.split(/ [<[]/, 1)[0]?.split(' ') ?? []
    if (!name.every((word, index) => words[index] === word)) continue
    const args = words.slice(name.length)
    const needed = command.usage.replace(/\[.*\]/, '').match(/</g)?.length ?? 0
    return args.length < needed ? undefined : { command, args }
  }
  return undefined
}

/** Runs it; gives what to print and the exit code. */
export async function runCommand(
  deps: Deps,
  { command, args }: { command: Command; args: string[] },
): Promise<{ code: number; text: string }> {
  try {
    return { code: 0, text: await command.run(deps, args) }
  } catch (error) {
    if (error instanceof Complaint) return { code: 1, text: error.message }
    if (!(error instanceof Refusal)) throw error
    return { code: 1, text: errorText(error.reason, 'en-US') + (error.field ? ` (${error.field})` : '') }
  }
}
