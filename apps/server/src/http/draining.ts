import type { FastifyInstance } from 'fastify'

const leaving = new WeakSet<FastifyInstance>()

/** Whether the server will stop soon: proxies must send it no new requests. It still answers those that come. */
export const isDraining = (app: FastifyInstance): boolean => leaving.has(app)

/** Lets probes say that the server leaves, and each answer close its connection. */
export function beginDraining(app: FastifyInstance): void {
  leaving.add(app)
}

/** Mounts what tells clients on open connections to open their next one elsewhere. */
export function closeConnectionsOfDrained(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (leaving.has(app)) reply.header('connection', 'close')
    return payload
  })
}
