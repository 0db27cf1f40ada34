import type { Server } from 'node:http'
import { toIpRateLimitKey } from '../kit/visitor.ts'

/** Limits of connections, against silent, slow and greedy clients. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Time for the headers of a request to arrive, from the opening of its connection. */
  headersMs: number
  /** Time for a whole request to arrive. */
  requestMs: number
  /**
   * Time without a byte in either direction, such as from a client that does not read. Event streams send more often.
   */
  silentMs: number
  /** Time between two requests. Longer than proxies keep a connection, so that they close it first. */
  keepAliveMs: number
  requestsPerConnection: number
  /** How often the first two limits are checked. */
  checkMs: number
  /** Connections of one IPv4 address or IPv6 /64. */
  perAddress: number
  all: number
}

export const connectionLimits: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  silentMs: 120_000,
  keepAliveMs: 72_000,
  requestsPerConnection: 10_000,
  checkMs: 5_000,
  perAddress: 256,
  all: 10_000,
}

/** Returns the limits as options of Fastify, which passes `http` on to Node's server. */
export const connectionOptions = (limits: ConnectionLimits) => ({
  requestTimeout: limits.requestMs,
  connectionTimeout: limits.silentMs,
  keepAliveTimeout: limits.keepAliveMs,
  maxRequestsPerSocket: limits.requestsPerConnection,
  http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkMs },
})

/**
 * Closes connections beyond the limits as they arrive. `perAddress` is false behind a proxy, whose address all clients
 * have, and in the sandbox, where all run on one machine.
 */
export function limitConnections(server: Server, limits: ConnectionLimits, perAddress: boolean): void {
  server.maxConnections = limits.all
  if (!perAddress) return
  const open = new Map<string, number>()
  server.on('connection', socket => {
    const key = toIpRateLimitKey(socket.remoteAddress ?? '')
    const count = (open.get(key) ?? 0) + 1
    open.set(key, count)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
    if (count > limits.perAddress) socket.destroy()
  })
}
