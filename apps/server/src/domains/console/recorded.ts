import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { operatorRoles } from '@coffer/contract/operator/roles.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { beginAction, recordAction } from '../operators/action-log.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { operatorById } from '../operators/store.ts'
import type { ConsoleHandlers } from './context.ts'

type Input = Record<string, unknown>
type Context = Visitor & { deps: Deps; operator: OperatorSession; params?: Input; body?: Input }
type Handler = (context: Context) => Promise<unknown>
type Read = (deps: Deps, id: string) => Promise<object | undefined>

/** What an action of the console changes, by the beginning of its path: how its state is read before and after. */
const states: Record<string, Read> = {
  operators: async ({ pool }, id) => {
    const found = await operatorById(pool, id)
    return found && { email: found.email, role: found.role, active: found.password_hash !== null }
  },
}

const prefix = '/api/operator/v1/'

/** Wraps the handlers of calls that change something: each is recorded before it runs, and again with its outcome. */
export function recorded(handlers: ConsoleHandlers): ConsoleHandlers {
  const wrapped = Object.keys(operatorRoutes)
    .filter(key => Object.hasOwn(operatorRoles, key) && !key.startsWith('GET '))
    .map(key => [key, record(key, (handlers as unknown as Record<string, Handler>)[key]!)])
  const signIns = ['POST /api/operator/v1/public/login', 'POST /api/operator/v1/public/login/verification'].map(key => [
    key,
    recordRefused((handlers as unknown as Record<string, Handler>)[key]!),
  ])
  return { ...handlers, ...Object.fromEntries([...wrapped, ...signIns]) }
}

function record(key: string, handler: Handler): Handler {
  const [method = '', path = ''] = key.split(' ')
  const [area = ''] = path.slice(prefix.length).split('/')
  return async context => {
    const { deps, operator, params = {}, body = {} } = context
    const on = String(params.id ?? body.email ?? '')
    const state = async () => (on && ((await states[area]?.(deps, on)) as Input | undefined)) || null
    // Secrets are in no body of these calls.
    const action = `${method} ${path.slice(prefix.length)}`
    const end = await beginAction(deps, { who: operator.email, action, on, from: context }, await state())
    try {
      const answer = await handler(context)
      await end({ ...body, ...(await state()) })
      return answer
    } catch (error) {
      if (error instanceof Refusal) await end({ ...body }, error.reason)
      throw error
    }
  }
}

/** Records a sign-in that was refused, within the limits of `signIn`. */
const recordRefused =
  (handler: Handler): Handler =>
  async context =>
    handler(context).catch(async error => {
      const who = context.operator?.email ?? String(context.body?.email ?? '')
      if (error instanceof Refusal && error.reason !== 'frequent_operation')
        await recordAction(context.deps, { who, action: 'login', on: '', from: context }, error.reason)
      throw error
    })
