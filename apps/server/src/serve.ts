import type { FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { addressBookHandlers } from './domains/address-book/routes.ts'
import { forgetRanges } from './domains/addresses/index-range.ts'
import { addressHandlers } from './domains/addresses/routes.ts'
import { applicationHandlers } from './domains/applications/routes.ts'
import { keyRate, useKey } from './domains/applications/use-key.ts'
import { watchAuditLog } from './domains/audit/check-audit.ts'
import { issueInvoices } from './domains/billing/issue-invoices.ts'
import { billingHandlers } from './domains/billing/routes.ts'
import { deliver } from './domains/callbacks/jobs.ts'
import { updateCallbackMetrics } from './domains/callbacks/metrics.ts'
import { callbackHandlers } from './domains/callbacks/routes.ts'
import { currencyHandlers } from './domains/chains/routes.ts'
import { syncChains } from './domains/chains/sync-chains.ts'
import { updateMetrics } from './domains/chains/update-metrics.ts'
import { makeConsoleApp } from './domains/console/app.ts'
import { follow } from './domains/deposits/follow.ts'
import { native } from './domains/deposits/native.ts'
import { reread } from './domains/deposits/reread.ts'
import { fundFlowHandlers } from './domains/fund-flow/routes.ts'
import { audited } from './domains/identity/audited.ts'
import { removeAuthenticators } from './domains/identity/remove-authenticator.ts'
import { identityHandlers } from './domains/identity/routes.ts'
import { useSession } from './domains/identity/sessions.ts'
import { deleteExpired } from './domains/identity/store.ts'
import { reconcile } from './domains/ledger/reconcile.ts'
import { endAnnouncements } from './domains/notifications/announce.ts'
import { sendPushes } from './domains/notifications/push.ts'
import { ensurePushKeys } from './domains/notifications/push-devices.ts'
import { messageHandlers } from './domains/notifications/routes.ts'
import { onboardingHandlers } from './domains/onboarding/routes.ts'
import { forgetOperatorSessions } from './domains/operators/sessions.ts'
import { measureGas, send } from './domains/outgoing/jobs.ts'
import { updateWalletMetrics } from './domains/outgoing/metrics.ts'
import type { Owners } from './domains/outgoing/owner.ts'
import { paymentLinkHandlers } from './domains/payment-links/routes.ts'
import { checkoutHandlers } from './domains/payments/checkout-routes.ts'
import { expire } from './domains/payments/jobs.ts'
import { payHandlers } from './domains/payments/pay-routes.ts'
import { paymentHandlers } from './domains/payments/routes.ts'
import { mountUploads, pictureHandlers } from './domains/pictures/routes.ts'
import { marketHandlers } from './domains/prices/routes.ts'
import { rechargeHandlers } from './domains/recharges/routes.ts'
import { expireLinks } from './domains/refunds/end-link.ts'
import { refundKeyHandlers } from './domains/refunds/key-routes.ts'
import { refundLinkHandlers } from './domains/refunds/link-routes.ts'
import { refundOwner } from './domains/refunds/owner.ts'
import { refundHandlers } from './domains/refunds/routes.ts'
import { foldStatistics } from './domains/statistics/fold-statistics.ts'
import { statisticsHandlers } from './domains/statistics/routes.ts'
import { sweep } from './domains/sweeps/jobs.ts'
import { sweepOwner } from './domains/sweeps/owner.ts'
import { sweepHandlers } from './domains/sweeps/routes.ts'
import { transferHandlers } from './domains/transfers/routes.ts'
import { approvalHandlers } from './domains/withdrawals/approval-routes.ts'
import { withdrawalKeyHandlers } from './domains/withdrawals/key-routes.ts'
import { withdrawalOwner } from './domains/withdrawals/owner.ts'
import { withdrawalHandlers } from './domains/withdrawals/routes.ts'
import { workOrderHandlers } from './domains/work-orders/routes.ts'
import { makeHttp } from './http/app.ts'
import type { ConnectionLimits } from './http/connections.ts'
import type { Handlers } from './http/context.ts'
import { forgetOldAnswers } from './http/idempotency.ts'
import { closeEventStreams } from './http/sse.ts'
import { foldLists } from './kit/counted-list.ts'
import { loop } from './kit/loop.ts'
import { RateLimiter } from './kit/rate-limiter.ts'
import type { World } from './outside/world.ts'

/** One handler for each route of the contract. A missing handler is a compile error. */
const handlers: Handlers = audited({
  ...addressBookHandlers,
  ...addressHandlers,
  ...applicationHandlers,
  ...callbackHandlers,
  ...checkoutHandlers,
  ...currencyHandlers,
  ...fundFlowHandlers,
  ...billingHandlers,
  ...workOrderHandlers,
  ...identityHandlers,
  ...marketHandlers,
  ...messageHandlers,
  ...onboardingHandlers,
  ...payHandlers,
  ...pictureHandlers,
  ...rechargeHandlers,
  ...refundHandlers,
  ...refundKeyHandlers,
  ...refundLinkHandlers,
  ...statisticsHandlers,
  ...transferHandlers,
  ...paymentHandlers,
  ...paymentLinkHandlers,
  ...withdrawalHandlers,
  ...withdrawalKeyHandlers,
  ...approvalHandlers,
  ...sweepHandlers,
})

/** Makes the HTTP server with the routes of every domain, without listening. `extend` mounts the sandbox's routes. */
export function makeApp(
  deps: Deps,
  {
    extend,
    connections,
  }: { extend?: ((app: FastifyInstance) => Promise<void>) | undefined; connections?: ConnectionLimits } = {},
): Promise<FastifyInstance> {
  const limiter = new RateLimiter(keyRate)
  return makeHttp(deps, {
    handlers,
    updateMetrics: async given => {
      await Promise.all([
        updateMetrics(given),
        updateCallbackMetrics(given.pool, given.clock()),
        updateWalletMetrics(given),
      ])
    },
    connections,
    callers: {
      session: useSession,
      async holder(_deps, asked) {
        const holder = await useKey(deps, asked)
        limiter.take(holder.appid, deps.clock())
        return holder
      },
    },
    async extend(app) {
      mountUploads(app, deps)
      await extend?.(app)
    },
  })
}

/** Starts all background jobs on connections of their own. Returns a function that stops them. */
export function startJobs(all: Deps): () => Promise<void> {
  const deps = { ...all, pool: all.pools.jobs }
  const stop = new AbortController()
  const { signal } = stop
  const { log, live } = deps
  const owners: Owners = { withdrawal: withdrawalOwner(deps), refund: refundOwner(deps), sweep: sweepOwner(deps) }
  const jobs = [
    follow(deps, deps.chains.values(), signal),
    expire(deps, signal),
    reconcile(deps, signal),
    native(deps, signal),
    reread(deps, signal),
    deliver(deps, signal),
    sendPushes(deps, signal),
    send(deps, owners, signal),
    sweep(deps, owners, signal),
    measureGas(deps, signal),
    watchAuditLog(deps, signal),
    loop({ name: 'fold statistics', everyMs: 1_000, log, live, signal, work: () => foldStatistics(deps) }),
    loop({ name: 'fold lists', everyMs: 1_000, log, live, signal, work: () => foldLists(deps) }),
    loop({ name: 'expire refund links', everyMs: 60_000, log, signal, work: () => expireLinks(deps) }),
    loop({ name: 'issue invoices', everyMs: 3_600_000, log, signal, work: () => issueInvoices(deps) }),
    loop({ name: 'end announcements', everyMs: 10_000, log, signal, work: () => endAnnouncements(deps) }),
    loop({ name: 'refresh prices', everyMs: 30_000, log, signal, work: () => deps.prices.refresh().then(() => false) }),
    loop({
      name: 'remove authenticators',
      everyMs: 60_000,
      log,
      signal,
      work: () => removeAuthenticators(deps).then(() => false),
    }),
    loop({
      name: 'delete expired rows',
      everyMs: 3_600_000,
      log,
      signal,
      work: async () => {
        await Promise.all([
          forgetOldAnswers(deps),
          deleteExpired(deps),
          forgetRanges(deps),
          forgetOperatorSessions(deps),
        ])
        return false
      },
    }),
  ]
  return async () => {
    stop.abort()
    await Promise.all(jobs)
  }
}

/** Hook for the routes that only one world has. */
export interface Extension {
  extend?: (app: FastifyInstance, deps: Deps) => Promise<void>
  /** The same for the operator's console. */
  extendConsole?: (app: FastifyInstance, deps: Deps) => Promise<void>
  /** Resolves when orders can be created and paid. */
  ready?: (deps: Deps) => Promise<void>
}

/** Starts the operator's console on its own port, if it has one. */
async function startConsole(deps: Deps, world: Extension): Promise<FastifyInstance | undefined> {
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
export interface Running {
  app: FastifyInstance
  stop: () => Promise<void>
}

/**
 * Starts the HTTP server and the background jobs. `stop` shuts down gracefully within about 8 s: it refuses new requests,
 * then stops the jobs, then closes the database pools.
 */
export async function serve(deps: Deps, world: World & Extension): Promise<Running> {
  await Promise.all([syncChains(deps), ensurePushKeys(deps)])
  const app = await makeApp(deps, { extend: async instance => world.extend?.(instance, deps) })
  await app.listen({ host: deps.config.host, port: deps.config.port })
  const operators = await startConsole(deps, world)
  const stopJobs = startJobs(deps)
  await world.ready?.(deps)
  return {
    app,
    async stop() {
      const late = setTimeout(() => {
        for (const each of [app, operators]) each?.server.closeAllConnections()
      }, 3_000)
      closeEventStreams()
      await Promise.all([app.close(), operators?.close(), stopJobs()])
      clearTimeout(late)
      await Promise.all([deps.live.stop(), deps.prices.stop(), world.stop?.()])
      await Promise.all([deps.pool, deps.pools.jobs, deps.pools.probes].map(pool => pool.end()))
    },
  }
}
