import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { limits, type RouteDefinition, routes } from '@coffer/contract'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { Histogram } from 'prom-client'
import type { Deps } from '../deps.ts'
import { registry } from '../kit/metrics.ts'
import { isTooDeep } from '../kit/too-deep.ts'
import { plainIp, toIpRateLimitKey } from '../kit/visitor.ts'
import { authenticate, type Callers } from './auth.ts'
import { type ConnectionLimits, connectionLimits, connectionOptions, limitConnections } from './connections.ts'
import type { RouteHandlers } from './context.ts'
import { createDocumentation } from './docs/documentation.ts'
import { mountDocs } from './docs/mount.ts'
import { consoleRoutePolicies, publicRoutePolicies, type RoutePolicies } from './doors.ts'
import { closeConnectionsOfDrained } from './draining.ts'
import { answerError } from './errors.ts'
import { normalizeForwardedIps } from './forwarded.ts'
import { mountLogos } from './logos.ts'
import { mountMcp } from './mcp.ts'
import { type MountedRoutes, mountRoutes } from './mount.ts'
import { mountHealthAndMetrics } from './operations.ts'
import { refuseOtherHosts } from './own-host.ts'
import { commonForms } from './refusal-forms.ts'
import { refuseUnknown } from './unknown-paths.ts'
import { enforceRoutePolicies, ipRateLimit, type RefusalForms } from './wall.ts'
import { type FindEmbedderOrigin, serveConsole, serveWeb } from './web.ts'

const compress = promisify(gzip)
/** Length (characters) from which answers to the back-office are compressed. */
const compressedFrom = 1_000

/** What the domains contribute to the HTTP server. */
export interface HttpServerParts {
  handlers: RouteHandlers
  callers: Callers
  /** Refreshes the metrics that are read from the database. */
  updateMetrics: (deps: Deps) => Promise<void>
  /** Replaces the limits of connections, in tests. */
  connections?: ConnectionLimits | undefined
  /** The forms of refusals of the domains. */
  refusalForms: Partial<RefusalForms>
  /** Decides which pages may frame a checkout. */
  embedderOf: FindEmbedderOrigin
  /** Mounts routes outside the contract: uploads, and the pages of the sandbox. */
  extend: (app: FastifyInstance) => Promise<void>
}

/** Builds the HTTP server of merchants and payers, not yet listening. */
export async function makeHttpServer(deps: Deps, parts: HttpServerParts): Promise<FastifyInstance> {
  const { app, answerUnknown } = await makeServer(deps, {
    connections: parts.connections ?? connectionLimits,
    baseUrl: deps.config.publicUrl,
    doors: publicRoutePolicies,
    forms: { ...commonForms, ...parts.refusalForms },
  })
  if (deps.config.mode === 'sandbox') refuseOtherHosts(app, deps.config.publicUrl, 'COFFER_PUBLIC_URL')
  mountHealthAndMetrics(app, deps, parts.updateMetrics)
  const docs = createDocumentation(deps.config.publicUrl)
  mountDocs(app, deps, docs)
  mountMcp(app, deps, docs, request => authenticate(deps, parts.callers, { auth: 'key' }, request))
  mountRoutes(app, deps, {
    routes,
    handlers: parts.handlers,
    authenticate: (key, route, request) =>
      authenticate(deps, parts.callers, { ...neededBy(route), checksKey: key === 'POST /api/v1/pay/orders' }, request),
  })
  mountLogos(app)
  await parts.extend(app)
  await serveWeb(app, deps, answerUnknown, parts.embedderOf)
  return app
}

/** Builds the HTTP server of the operator's console, not yet listening. It shares no route with the other one. */
export async function makeConsoleServer(
  deps: Deps,
  mounted: MountedRoutes,
  extend?: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> {
  const { app, answerUnknown } = await makeServer(deps, {
    connections: connectionLimits,
    baseUrl: deps.config.operatorUrl,
    doors: consoleRoutePolicies,
    forms: commonForms,
  })
  refuseOtherHosts(app, deps.config.operatorUrl, 'COFFER_OPERATOR_URL')
  mountRoutes(app, deps, mounted)
  mountLogos(app)
  await extend?.(app)
  await serveConsole(app, deps, answerUnknown)
  return app
}

/** Builds a server with what every port has: limits, logging, errors and security headers. */
async function makeServer(
  deps: Deps,
  {
    connections,
    baseUrl,
    doors,
    forms,
  }: { connections: ConnectionLimits; baseUrl: string; doors: RoutePolicies; forms: Partial<RefusalForms> },
) {
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < deps.config.trustProxy,
    bodyLimit: limits.bodyBytesMax,
    // What still arrives is answered while the server stops.
    return503OnClosing: false,
    ...connectionOptions(connections),
    logController: new LogController({ disableRequestLogging: true }),
    // An order number has up to 64 characters of 4 bytes, each of which takes three characters in a URL.
    routerOptions: { maxParamLength: 800 },
    // Malformed URLs bypass hooks.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.header('x-content-type-options', 'nosniff')),
  })
  limitConnections(app.server, connections, deps.config.mode === 'production' && deps.config.trustProxy === 0)
  app.decorateRequest('account', '')
  app.decorateRequest('refusal', '')
  app.setErrorHandler(answerError)
  enforceRoutePolicies(app, doors, forms, deps.config.mode === 'sandbox')
  const answerUnknown = refuseUnknown(app)
  measureRequests(app)
  normalizeForwardedIps(app, deps)
  nameAndLogRequests(app)
  compressAnswers(app)
  closeConnectionsOfDrained(app)
  parseJson(app)
  await app.register(helmet, {
    // Non-HTML responses: deny all, forbid framing. Pages set a policy of their own.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
    hsts: baseUrl.startsWith('https:'),
  })
  await limitRates(app, deps)
  await app.register(multipart, { limits: { fileSize: limits.imageBytesMax, files: 1, fields: 5 } })
  return { app, answerUnknown }
}

function nameAndLogRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) =>
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url ?? request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: plainIp(request.ip),
        ...(request.account && { account: request.account }),
        ...(request.refusal && { refusal: request.refusal }),
      },
      'request',
    ),
  )
}

function compressAnswers(app: FastifyInstance): void {
  // Only for browsers that are signed in: other sites cannot send X-Token, so that sizes of answers reveal nothing to
  // them.
  app.addHook('onSend', async (request, reply, payload) => {
    const accepted = request.headers['x-token'] && String(request.headers['accept-encoding']).includes('gzip')
    if (typeof payload !== 'string' || payload.length < compressedFrom || !accepted) return payload
    reply.removeHeader('content-length').header('content-encoding', 'gzip')
    return compress(payload)
  })
}

function parseJson(app: FastifyInstance): void {
  // Browser clients send a JSON content type with an empty body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    const refuse = (why: string) => done(Object.assign(new Error(why), { statusCode: 400 }))
    let parsed: unknown
    try {
      parsed = JSON.parse(body as string)
    } catch {
      return refuse('not JSON')
    }
    if (isTooDeep(parsed)) return refuse('lists in lists')
    done(null, parsed)
  })
}

/** Limits the requests of an address, also to paths that do not exist. */
async function limitRates(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(rateLimit, {
    max: deps.config.mode === 'sandbox' ? 100_000 : ipRateLimit.max,
    timeWindow: ipRateLimit.seconds * 1_000,
    keyGenerator: request => toIpRateLimitKey(request.ip),
  })
  // The plugin limits routes only.
  const limit = app.rateLimit()
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await limit.call(app, request, reply)
  })
}

const requests = new Histogram({
  name: 'coffer_http_request_seconds',
  help: 'Time to answer a request, by route and class of status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.05, 0.25, 1, 5],
  registers: [registry],
})

/** Measures every request by its route's pattern. Paths without a route share one label, so that strangers add none. */
function measureRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const method = route === 'none' ? 'any' : request.method
    requests.observe({ method, route, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1_000)
  })
}

/** What a route asks of its caller. */
const neededBy = (route: RouteDefinition) =>
  route.auth === 'key'
    ? { auth: route.auth, scope: route.scope, ...(route.beforeScopes && { beforeScopes: route.beforeScopes }) }
    : { auth: route.auth, ...(route.who && { who: route.who }) }
