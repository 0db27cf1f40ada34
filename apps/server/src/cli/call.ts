import { hostname, userInfo } from 'node:os'
import type { RouteDefinition } from '@coffer/contract/kit/route.ts'
import {
  type OperatorBody,
  type OperatorData,
  type OperatorKey,
  type OperatorParams,
  type OperatorQuery,
  operatorRoutes,
} from '@coffer/contract/operator/index.ts'
import { ZodError } from 'zod'
import type { Deps } from '../deps.ts'
import { operatorHandlers } from '../domains/console/handlers.ts'
import { recordCalls } from '../domains/console/record-calls.ts'
import { describeBadInput } from '../http/describe-bad-input.ts'
import { Refusal } from '../kit/refusal.ts'

/** A call of the operator's contract without its prefix, such as `POST chains/:id/resume`. */
export type CallName = OperatorKey extends infer K
  ? K extends `${infer M} ${Prefix}${infer Path}`
    ? `${M} ${Path}`
    : never
  : never
type Prefix = '/api/operator/v1/'
export type OperatorCallKey<N extends CallName> = OperatorKey &
  (N extends `${infer M} ${infer Path}` ? `${M} ${Prefix}${Path}` : never)
interface Input<K extends OperatorKey = OperatorKey> {
  params?: OperatorParams<K>
  query?: OperatorQuery<K>
  body?: OperatorBody<K>
}

/** Makes a call of the operator's contract. Throws the Refusal that the console would answer with. */
export type OperatorCall = <N extends CallName>(
  name: N,
  input?: Input<OperatorCallKey<N>>,
) => Promise<OperatorData<OperatorCallKey<N>>>

/** Who types, as the audit log names people. */
export const readShellUserName = (): string => `${process.env.SUDO_USER ?? userInfo().username}@${hostname()}`

const prefix: Prefix = '/api/operator/v1/'
export const operatorCallRoutes = new Map<string, RouteDefinition>(
  Object.entries(operatorRoutes).map(([key, route]) => [key.replace(prefix, ''), route]),
)

export interface OperatorCallInput {
  params?: Record<string, string> | undefined
  query?: Record<string, string> | undefined
  body?: unknown
}

const handlers = recordCalls(operatorHandlers) as unknown as Record<string, (context: object) => Promise<unknown>>

/**
 * Makes calls in this process, as the person who types, who has every role. Those that change something are recorded
 * with their outcome.
 */
export const createOperatorCall = (deps: Deps): OperatorCall =>
  ((name: string, input?: OperatorCallInput) => makeCall(deps, name, input)) as OperatorCall

async function makeCall(
  deps: Deps,
  name: string,
  { params = {}, query = {}, body }: OperatorCallInput = {},
): Promise<unknown> {
  const route = operatorCallRoutes.get(name)!
  const handler = handlers[name.replace(' ', ` ${prefix}`)]!
  const operator = {
    operatorId: '',
    email: readShellUserName(),
    role: 'owner',
    tokenHash: Buffer.alloc(0),
    freshUntil: 0,
  }
  const parse = () => ({
    params: route.params?.parse(params, { reportInput: true }),
    query: route.query?.parse(query, { reportInput: true }),
    body: route.body?.parse(body, { reportInput: true }),
  })
  try {
    return await handler({ deps, operator, ...parse(), ip: '', device: readShellUserName(), language: 'en' })
  } catch (error) {
    if (error instanceof ZodError) {
      const { name: reason, field, detail } = describeBadInput(error, true)
      throw new Refusal(reason, { field, ...(detail && { detail }) })
    }
    const unnamed = error instanceof Refusal && (error.reason === 'merchant_not_exist' || error.field === 'id')
    throw unnamed && params.id ? new Refusal(error.reason, { field: params.id }) : error
  }
}
