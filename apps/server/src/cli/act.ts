import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { Refusal } from '../kit/refusal.ts'
import {
  type CallName,
  type OperatorCall,
  type OperatorCallInput,
  type OperatorCallKey,
  operatorCallRoutes,
} from './call.ts'
import type { Command } from './command.ts'

/**
 * A command that makes one call. The first word is the id in its path; the others are its reason, or what `body` makes
 * of them. Its help is the call's summary.
 */
export function createApiCommand<N extends CallName>(
  usage: string,
  name: N,
  done: (
    id: string,
    data: OperatorData<OperatorCallKey<N>>,
    call: OperatorCall,
    words: string[],
  ) => string | Promise<string>,
  {
    body,
    ...more
  }: { body?: (...words: string[]) => OperatorCallInput['body'] } & Partial<
    Pick<Command, 'help' | 'failureText' | 'asks'>
  > = {},
): Command {
  const { summary, body: schema } = operatorCallRoutes.get(name)!
  const takesReason = schema !== undefined && 'shape' in schema && 'reason' in (schema.shape as object)
  const reasonOf = (words: string[]) => words.join(' ').trim() || (usage.includes('[reason]') ? 'operator' : '')
  return {
    usage,
    help: decapitalised(String(summary)),
    ...more,
    async run(call, [id = '', ...words]) {
      const sent = body ? { body: body(...words) } : takesReason ? { body: { reason: reasonOf(words) } } : {}
      const data = await call(name, { params: { id }, ...sent } as never)
      return done(id, data, call, words)
    },
  }
}

/** Says that somebody else has to do the same; undefined when it is done. */
export const describePendingApproval = ({ waits }: { waits: boolean }): string | undefined =>
  waits ? 'Recorded. Nothing happens until another operator does the same, within 24 hours.' : undefined

/** What a call that may take two people concerns, such as `: deposits 2, 30 USDT`; empty without anything. */
export async function describeAffectedItems(
  call: OperatorCall,
  of: TwoOperatorCall,
  id: string,
  nonce?: number,
): Promise<string> {
  const { facts } = await call('GET stakes', {
    query: { call: of, id, ...(nonce !== undefined && { nonce: String(nonce) }) },
  })
  const shown = facts.filter(each => each.name !== 'nonce')
  const text = shown.map(({ name, value, unit }) =>
    name === 'amount' ? `${value} ${unit}` : `${name} ${value} ${unit}`.trim(),
  )
  return text.length === 0 ? '' : `: ${text.join(', ')}`
}

/** What a command prints that may take a second operator. */
export const withPendingApprovalNotice =
  (done: (id: string, data: unknown, call: OperatorCall) => string | Promise<string>) =>
  (id: string, data: { waits: boolean }, call: OperatorCall) =>
    describePendingApproval(data) ?? done(id, data, call)

export const decapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Calls that only a browser makes: they need a session or a passkey. */
const isOfBrowsers = (key: string) => key.includes('passkey') || /^[A-Z]+ (?:public\/|session|releases)/.test(key)

/** Any call of the contract, for scripts: prints its data as JSON. */
export const callCommand: Command = {
  usage: 'call <GET|POST|PUT|DELETE> <path> [JSON body]',
  help: 'make any call of the operator’s contract, such as GET "withdrawals?group=ended"; without path: list them',
  async run(call, [method = '', given = '', json]) {
    const [path = '', search = ''] = given.split('?')
    const parts = path.split('/')
    const name = [...operatorCallRoutes.keys()].find(key => {
      const [verb, pattern = ''] = key.split(' ')
      const wanted = pattern.split('/')
      const fits =
        wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at])
      return verb === method.toUpperCase() && fits && !isOfBrowsers(key)
    })
    if (!name) throw new Refusal('not_found', { field: `${method} ${path}` })
    const names = name.split(' ')[1]!.split('/')
    const params = names.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[at]!)]] : [],
    )
    const input: OperatorCallInput = {
      params: Object.fromEntries(params),
      query: Object.fromEntries(new URLSearchParams(search)),
      body: json === undefined ? undefined : bodyOf(json),
    }
    return JSON.stringify(await call(name as CallName, input as never), null, 2)
  },
}

function bodyOf(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new Refusal('parameter_error', { field: 'JSON body' })
  }
}
