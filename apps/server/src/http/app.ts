import { randomUUID } from 'node:crypto'
import { limits } from '@coffer/contract'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Deps } from '../deps.ts'
import { ipKey } from '../kit/visitor.ts'
import type { Callers } from './auth.ts'
import type { Handlers } from './context.ts'
import { mountDocs } from './docs/mount.ts'
import { answerError } from './errors.ts'
import { mountLogos } from './logos.ts'
import { mount } from './mount.ts'
import { mountOperations } from './operations.ts'
import { serveWeb } from './web.ts'

/** How long (ms) a request may take to arrive: whoever sends it a byte at a time holds nothing for longer. */
const arrivalMs = 120_000

/** What the domains bring to the HTTP server. */
export interface Parts {
  handlers: Handlers
  callers: Callers
  /** Refreshes the metrics that are read from the database. */
  measure: (deps: Deps) => Promise<void>
  /** Mounts routes outside the contract: uploads, and in the sandbox its pages. */
  extend: (app: FastifyInstance) => Promise<void>
}

/** The whole HTTP server, not yet listening. */
export async function makeHttp(deps: Deps, parts: Parts): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < deps.config.trustProxy,
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: arrivalMs,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200 },
    // An address that is none comes by no hook.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.header('x-content-type-options', 'nosniff')),
  })
  app.setErrorHandler(answerError)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // X-Token tells no cache on the way that an answer is somebody's own.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) =>
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url ?? request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    ),
  )
  // An empty body with a JSON content type is what browsers' clients send for a submission without one.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(Object.assign(new Error('not JSON'), { statusCode: 400 }))
    }
  })
  await app.register(helmet, {
    // What is no page loads nothing and stands in no frame; pages say themselves what they need.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
    hsts: deps.config.publicUrl.startsWith('https:'),
  })
  await app.register(rateLimit, {
    max: deps.config.mode === 'sandbox' ? 100_000 : 1_200,
    timeWindow: 60_000,
    keyGenerator: request => ipKey(request.ip),
  })
  await app.register(multipart, { limits: { fileSize: limits.imageBytesMax, files: 1, fields: 5 } })
  mountOperations(app, deps, parts.measure)
  mountDocs(app, deps)
  mount(app, deps, parts.handlers, parts.callers)
  mountLogos(app)
  await parts.extend(app)
  await serveWeb(app, deps)
  return app
}
