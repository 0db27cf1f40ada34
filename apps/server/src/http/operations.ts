import type { FastifyInstance } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Deps } from '../deps.ts'
import { run } from '../kit/db.ts'
import { registry } from '../kit/metrics.ts'

const selectOne = run('ready', 'select 1')

/** What the operator's tools ask: alive, ready, metrics (Prometheus text). Metrics are for this machine alone. */
export function mountOperations(app: FastifyInstance, deps: Deps, measure: (deps: Deps) => Promise<void>): void {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await selectOne(deps.pool)
      return { ok: true }
    } catch {
      return reply.status(503).send({ ok: false, why: 'the database does not answer' })
    }
  })
  app.get('/metrics', async (request, reply) => {
    // A proxy on this machine is local too, but whoever asked it is not.
    const passedOn = request.headers['x-forwarded-for'] ?? request.headers.forwarded
    const local = passedOn === undefined && ipaddr.process(request.ip).range() === 'loopback'
    if (!local) return reply.status(404).send()
    await measure(deps).catch(error => request.log.warn({ err: error }, 'metrics without what is in the database'))
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
