import type { AuditedObjectKind, CommandDeclaration } from '@coffer/contract/kit/operator-route.ts'
import { operatorChangeCalls } from '@coffer/contract/operator/calls.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import type { z } from 'zod'
import { decapitalised, describeAffectedItems, describePendingApproval } from './act.ts'
import type { CallName, OperatorCall } from './call.ts'
import type { Command } from './command.ts'
import { describeObject } from './objects.ts'

interface Declared {
  object: AuditedObjectKind | null
  summary: string
  second?: string
  command?: CommandDeclaration
  params?: z.ZodObject
  body?: z.ZodType & { shape?: z.ZodRawShape }
}

/** How the help calls what a command is about. */
const objectNames: Partial<Record<AuditedObjectKind, string>> = {
  merchant: 'mchid',
  withdrawal: 'number',
  refund: 'number',
  work_order: 'number',
  wallet: 'chain',
  deposit: 'deposit',
  asset: 'asset',
  incident: 'incident',
  alert_hook: 'hook',
}

/** The values that a part can have, or else its name. */
const argumentOf = (name: string, schema: unknown) => {
  const { options } = schema as { options?: readonly string[] }
  return options ? options.join('|') : name
}

const isOptional = (schema: unknown) => (schema as z.ZodType).def.type === 'optional'
const isNumber = (schema: unknown) => (schema as z.ZodType).def.type === 'number'

/** The commands that calls about a kind of object declare, in the order of the contract. */
export const declaredCommands = (...kinds: AuditedObjectKind[]): Command[] =>
  operatorChangeCalls.flatMap(key => {
    const declared: Declared = operatorRoutes[key]
    return declared.command && declared.object && kinds.includes(declared.object)
      ? [commandOf(key, { ...declared, command: declared.command, object: declared.object })]
      : []
  })

type Commanded = Declared & { command: CommandDeclaration; object: AuditedObjectKind }

function commandOf(key: string, { command, object, summary, params, body, second }: Commanded): Command {
  const name = key.replace('/api/operator/v1/', '') as CallName
  const parts = Object.entries(body?.shape ?? {}).filter(([, schema]) => !isOptional(schema))
  const values = parts.filter(([part]) => part !== 'reason')
  const takesReason = values.length < parts.length
  const id = argumentOf(objectNames[object] ?? 'id', params?.shape.id)
  const shown = [id, ...values.map(([part, schema]) => argumentOf(part, schema))].map(each => `<${each}>`)
  const reason = takesReason ? [command.reason === undefined ? '<reason>' : '[reason]'] : []

  /** What was typed, by its name. */
  const typed = ([id = '', ...words]: string[]) => {
    const given = Object.fromEntries(
      values.map(([part, schema], at) => [part, isNumber(schema) ? Number(words[at]) : (words[at] ?? '')]),
    )
    const why = words.slice(values.length).join(' ').trim() || (command.reason ?? '')
    return { id, given: { ...given, ...(takesReason && { reason: why }) } }
  }
  const fill = async (text: string, call: OperatorCall, words: string[]) => {
    const { id, given } = typed(words)
    const nonce = 'nonce' in given ? Number(given.nonce) : undefined
    const facts: Record<string, string> = {
      ...Object.fromEntries(Object.entries(given).map(([part, value]) => [part, String(value)])),
      id,
      ...(text.includes('{object}') && { object: await describeObject(call, object, id) }),
      ...(text.includes('{stakes}') && {
        stakes: await describeAffectedItems(call, key as TwoOperatorCall, id, nonce),
      }),
    }
    return text.replace(/\{(\w+)\}/g, (whole, part: string) => facts[part] ?? whole)
  }
  return {
    usage: [command.name, ...shown, ...reason].join(' '),
    help: command.help ?? decapitalised(summary),
    ...(command.failure && { failureText: command.failure }),
    ...(command.asks && { asks: (call: OperatorCall, words: string[]) => fill(command.asks!, call, words) }),
    async run(call, words) {
      const { id, given } = typed(words)
      const data = await call(name, { params: { id }, ...(body && { body: given }) } as never)
      const waits = second === 'value' && describePendingApproval(data as { waits: boolean })
      return waits || fill(command.done, call, words)
    },
  }
}
