import type { FastifyInstance } from 'fastify'
import { Histogram } from 'prom-client'
import { registry } from '../kit/metrics.ts'

const requests = new Histogram({
  name: 'coffer_http_request_seconds',
  help: 'Time to answer a request, by route and class of status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.05, 0.25, 1, 5],
  registers: [registry],
})

/** Measures every request by its route's pattern. Paths without a route share one label, so that strangers add none. */
export function measureRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const method = route === 'none' ? 'any' : request.method
    requests.observe({ method, route, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1_000)
  })
}
