import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { makeConsole } from '../../http/app.ts'
import { tokenOf } from '../../http/auth.ts'
import { mayCall, useOperatorSession } from '../operators/sessions.ts'
import { mountUploads } from '../pictures/routes.ts'
import { accountHandlers } from './account-routes.ts'
import { announcementHandlers } from './announcement-routes.ts'
import type { ConsoleHandlers } from './context.ts'
import { merchantHandlers } from './merchant-routes.ts'
import { operationHandlers } from './operation-routes.ts'
import { recorded } from './recorded.ts'
import { refundQueueHandlers } from './refund-routes.ts'
import { releaseHandlers } from './release-routes.ts'
import { withdrawalQueueHandlers } from './withdrawal-routes.ts'
import { workOrderQueueHandlers } from './work-order-routes.ts'

/** One handler for each call of the console. A missing handler is a compile error. */
const handlers: ConsoleHandlers = recorded({
  ...accountHandlers,
  ...merchantHandlers,
  ...withdrawalQueueHandlers,
  ...refundQueueHandlers,
  ...releaseHandlers,
  ...workOrderQueueHandlers,
  ...announcementHandlers,
  ...operationHandlers,
})

/** Makes the HTTP server of the operator's console, without listening. `extend` mounts the sandbox's routes. */
export const makeConsoleApp = (
  deps: Deps,
  extend?: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> =>
  makeConsole(
    deps,
    {
      routes: operatorRoutes,
      handlers,
      async authenticate(key, { auth }, request) {
        if (auth === 'public') return {}
        const operator = await useOperatorSession(deps, { token: tokenOf(request), pending: auth === 'pending' })
        mayCall(operator, key, deps.clock())
        return { operator }
      },
    },
    async app => {
      mountUploads(app, deps)
      await extend?.(app)
    },
  )
