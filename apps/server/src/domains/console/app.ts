import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { makeConsoleServer } from '../../http/app.ts'
import { requireSessionToken } from '../../http/auth.ts'
import { assertOperatorMayCall, authenticateOperatorSession } from '../operators/sessions.ts'
import { operatorHandlers } from './handlers.ts'
import { recordCalls } from './record-calls.ts'

const handlers = recordCalls(operatorHandlers)

/** Makes the HTTP server of the operator's console, without listening. `extend` mounts the sandbox's routes. */
export const makeConsoleApp = (
  deps: Deps,
  extend?: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> =>
  makeConsoleServer(
    deps,
    {
      routes: operatorRoutes,
      handlers,
      async authenticate(key, { auth }, request) {
        if (auth === 'public') return {}
        const operator = await authenticateOperatorSession(deps, {
          token: requireSessionToken(request),
          pending: auth === 'pending',
        })
        assertOperatorMayCall(operator, key, deps.clock())
        return { operator }
      },
    },
    extend,
  )
