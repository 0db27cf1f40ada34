import { setTimeout as sleep } from 'node:timers/promises'
import type { RouteKey } from '@coffer/contract'
import type { FastifyInstance } from 'fastify'
import type { CallbackProtocols } from './callback-form.ts'
import type { Deps } from './deps.ts'
import type { Job } from './domain.ts'
import {
  applicationKeyRateLimit,
  authenticateKey,
  createCachedAuthenticateKey,
} from './domains/applications/authenticate-key.ts'
import { recheckKeyScope, requireKeyScope } from './domains/applications/key-scopes.ts'
import { makeConsoleApp } from './domains/console/app.ts'
import { auditCalls } from './domains/identity/log/audit-calls.ts'
import { authenticateSession } from './domains/identity/sessions/sessions.ts'
import { findEmbedderOrigin } from './domains/payments/embed/embed.ts'
import { makeHttpServer } from './http/app.ts'
import type { ConnectionLimits } from './http/connections.ts'
import type { RouteHandlers } from './http/context.ts'
import { beginDraining } from './http/draining.ts'
import { deleteOldIdempotentAnswers } from './http/idempotency.ts'
import { closeEventStreams } from './http/sse.ts'
import { foldLists } from './kit/counted-list.ts'
import { runJobLoop } from './kit/loop.ts'
import { RateLimiter } from './kit/rate-limiter.ts'
import { beatMs, deleteOldServers, ServerShare } from './kit/work-share.ts'
import type { ExternalServices } from './outside/world.ts'
import type { OutgoingOwners } from './owner.ts'

/** The fronts of all domains: what the server serves and does in the background. */
const domains = (
  await Promise.all([
    import('./domains/address-book/domain.ts'),
    import('./domains/addresses/domain.ts'),
    import('./domains/applications/domain.ts'),
    import('./domains/approvals/domain.ts'),
    import('./domains/audit/domain.ts'),
    import('./domains/backups/domain.ts'),
    import('./domains/billing/domain.ts'),
    import('./domains/callbacks/domain.ts'),
    import('./domains/chains/domain.ts'),
    import('./domains/console/domain.ts'),
    import('./domains/deposits/domain.ts'),
    import('./domains/destinations/domain.ts'),
    import('./domains/fund-flow/domain.ts'),
    import('./domains/identity/domain.ts'),
    import('./domains/installation/domain.ts'),
    import('./domains/ledger/domain.ts'),
    import('./domains/members/domain.ts'),
    import('./domains/notifications/domain.ts'),
    import('./domains/onboarding/domain.ts'),
    import('./domains/outgoing/domain.ts'),
    import('./domains/payment-links/domain.ts'),
    import('./domains/payments/domain.ts'),
    import('./domains/people/domain.ts'),
    import('./domains/pictures/domain.ts'),
    import('./domains/policies/domain.ts'),
    import('./domains/prices/domain.ts'),
    import('./domains/proof/domain.ts'),
    import('./domains/recharges/domain.ts'),
    import('./domains/refunds/domain.ts'),
    import('./domains/shop-protocols/domain.ts'),
    import('./domains/statistics/domain.ts'),
    import('./domains/sweeps/domain.ts'),
    import('./domains/transfers/domain.ts'),
    import('./domains/withdrawals/domain.ts'),
    import('./domains/work-orders/domain.ts'),
  ])
).map(({ default: domain }) => domain)

type Served = (typeof domains)[number] extends infer D ? (D extends { handlers: infer H } ? keyof H : never) : never
/** Refuses a contract with a route of no domain. */
const noneLeft = <_Unserved extends never>(handlers: object) => handlers as RouteHandlers
const handlers = auditCalls(
  noneLeft<Exclude<RouteKey, Served>>(Object.assign({}, ...domains.map(domain => domain.handlers))),
)

/** Makes the HTTP server with the routes of every domain, without listening. `extend` mounts the sandbox's routes. */
export function makeApp(
  deps: Deps,
  {
    extend,
    connections,
  }: { extend?: ((app: FastifyInstance) => Promise<void>) | undefined; connections?: ConnectionLimits } = {},
): Promise<FastifyInstance> {
  const limiter = new RateLimiter(applicationKeyRateLimit)
  const useKeyAgain = createCachedAuthenticateKey()
  return makeHttpServer(deps, {
    handlers,
    embedderOf: findEmbedderOrigin,
    updateMetrics: async given => {
      await Promise.all(domains.map(domain => domain.updateMetrics?.(given)))
    },
    connections,
    refusalForms: Object.assign({}, ...domains.map(domain => domain.refusalForms)),
    callers: {
      session: authenticateSession,
      async holder(_deps, request) {
        const holder = await (request.isChecked ? useKeyAgain : authenticateKey)(deps, request)
        limiter.take(holder.appid, deps.clock())
        return holder
      },
      requireScope: requireKeyScope,
      recheckScope: recheckKeyScope,
    },
    async extend(app) {
      for (const domain of domains) domain.mount?.(app, deps)
      await extend?.(app)
    },
  })
}

/** Starts all background jobs on connections of their own. Returns a function that stops them. */
export function startJobs(all: Deps): () => Promise<void> {
  const share = new ServerShare({ pool: all.pools.jobs }, all.config)
  const deps = { ...all, pool: all.pools.jobs, share }
  const stop = new AbortController()
  const { signal } = stop
  const { log, live } = deps
  const owners: OutgoingOwners = Object.assign({}, ...domains.map(domain => domain.owners?.(deps)))
  const forms: CallbackProtocols = Object.assign({}, ...domains.map(domain => domain.callbackForms))
  const own: Job[] = [
    { name: 'fold lists', everyMs: 1_000, work: () => foldLists(deps) },
    {
      name: 'delete expired rows',
      everyMs: 3_600_000,
      work: async () => {
        await Promise.all([
          deleteOldServers(deps.pool),
          deleteOldIdempotentAnswers(deps),
          ...domains.map(domain => domain.deleteExpired?.(deps)),
        ])
        return false
      },
    },
  ]
  const jobs = [...domains.flatMap(domain => domain.jobs?.(deps, signal, owners, forms) ?? []), ...own].map(job =>
    job instanceof Promise
      ? job
      : runJobLoop({ ...job, log, live, signal, share: job.isEverywhere ? undefined : deps.share }),
  )
  const beats = runJobLoop({
    name: 'share work',
    everyMs: beatMs,
    log,
    signal,
    work: () => share.beat().then(() => false),
  })
  return async () => {
    stop.abort()
    await Promise.all([...jobs, beats])
    await share.end()
  }
}

/** Hook for the routes that only one world has. */
export interface ServerExtension {
  extend?: (app: FastifyInstance, deps: Deps) => Promise<void>
  /** The same for the operator's console. */
  extendConsole?: (app: FastifyInstance, deps: Deps) => Promise<void>
  /** Resolves when orders can be created and paid. */
  ready?: (deps: Deps) => Promise<void>
}

/** Starts the operator's console on its own port, if it has one. */
async function startConsole(deps: Deps, world: ServerExtension): Promise<FastifyInstance | undefined> {
  const { operatorHost: host, operatorPort: port, mode } = deps.config
  if (port === 0) return undefined
  const app = await makeConsoleApp(deps, async instance => world.extendConsole?.(instance, deps))
  await app.listen({ host, port }).catch(error => {
    if (mode === 'production') throw error
    // The page /sandbox leads to it at any port.
    return app.listen({ host, port: 0 })
  })
  return app
}

/** A running server. */
export interface RunningServer {
  app: FastifyInstance
  stop: () => Promise<void>
}

/**
 * Starts the HTTP server and the background jobs. `stop` shuts down gracefully within about 8 s after the time of
 * draining (`COFFER_DRAIN_SECONDS`): it stops the jobs, lets proxies send requests elsewhere, ends those under way,
 * then closes the database pools.
 */
export async function startCofferServer(deps: Deps, world: ExternalServices & ServerExtension): Promise<RunningServer> {
  await Promise.all(domains.map(domain => domain.prepare?.(deps)))
  const app = await makeApp(deps, { extend: async instance => world.extend?.(instance, deps) })
  await app.listen({ host: deps.config.host, port: deps.config.port })
  const operators = await startConsole(deps, world)
  const stopJobs = startJobs(deps)
  await world.ready?.(deps)
  return {
    app,
    async stop() {
      // The work goes to other servers at once, requests when proxies have noticed.
      const jobsEnded = stopJobs()
      for (const each of [app, operators]) if (each) beginDraining(each)
      await sleep(deps.config.drainSeconds * 1_000)
      const late = setTimeout(() => {
        for (const each of [app, operators]) each?.server.closeAllConnections()
      }, 3_000)
      closeEventStreams()
      await Promise.all([app.close(), operators?.close(), jobsEnded])
      clearTimeout(late)
      await Promise.all([deps.live.stop(), deps.prices.stop(), world.stop?.()])
      await Promise.all([deps.pool, ...Object.values(deps.pools), deps.replica].map(each => each?.end()))
    },
  }
}
