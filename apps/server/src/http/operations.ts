import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Deps } from '../deps.ts'
import { run } from '../kit/db.ts'
import { registry } from '../kit/metrics.ts'
import { isDraining } from './draining.ts'

const selectOne = run('ready', 'select 1')

/**
 * Mounts /healthz, /readyz and /metrics (Prometheus text format), on connections of their own. Metrics are served with
 * the token of COFFER_METRICS_TOKEN; in the sandbox also to this machine. In production a proxy that forgets
 * `X-Forwarded-For` would make everybody this machine.
 */
export function mountHealthAndMetrics(
  app: FastifyInstance,
  all: Deps,
  updateMetrics: (deps: Deps) => Promise<void>,
): void {
  const deps = { ...all, pool: all.pools.probes }
  app.get('/healthz', async () => ({ ok: true }))
  app.get<{ Querystring: { leaving?: string } }>('/readyz', async (request, reply) => {
    // HAProxy takes 404 for "no new requests, those under way end", and 503 for "dead" (ops/cluster/haproxy.cfg).
    if (isDraining(app))
      return reply.status(request.query.leaving === '404' ? 404 : 503).send({ ok: false, why: 'draining' })
    try {
      await selectOne(deps.pool)
      return { ok: true }
    } catch {
      return reply.status(503).send({ ok: false, why: 'the database does not answer' })
    }
  })
  app.get('/metrics', async (request, reply) => {
    const { mode, metricsToken } = deps.config
    if (!(mode === 'sandbox' && isLocal(request)) && !hasToken(request, metricsToken)) return reply.status(404).send()
    await updateMetrics(deps).catch(error =>
      request.log.warn({ err: error }, 'serving metrics without those read from the database'),
    )
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function isLocal(request: FastifyRequest): boolean {
  // A proxy on this machine is local too, but its clients are not.
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded
  return forwarded === undefined && ipaddr.process(request.ip).range() === 'loopback'
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  // Hashes have one length, which timingSafeEqual requires.
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return token !== '' && timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`))
}
