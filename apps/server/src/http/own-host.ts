import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Names that nobody can register: without a dot, and of reserved domains. */
const unregistrable = /^[^.]+$|\.(?:localhost|internal)$/

/**
 * Whether a Host header names this server: by address, by the host of its URL, or by a name that nobody on the internet
 * can own. A browser that a page of another site made resolve its own name to this machine (DNS rebinding) sends that
 * name.
 */
export function isOwnHost(header: string | undefined, baseUrl: string): boolean {
  const url = `http://${header}`
  if (!header || !URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return (
    isIP(hostname.replace(/^\[|\]$/g, '')) > 0 || hostname === new URL(baseUrl).hostname || unregistrable.test(hostname)
  )
}

/**
 * Refuses requests whose Host names another server: for ports that stand on a machine of one's own, not on the
 * internet.
 */
export function refuseOtherHosts(app: FastifyInstance, baseUrl: string, setting: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwnHost(request.headers.host, baseUrl))
      return reply.status(421).type('text/plain').send(`This host name is not served: ${setting} may name it.\n`)
  })
}
