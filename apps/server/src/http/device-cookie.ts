import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'

const maxAgeSeconds = 180 * 86_400

/** `__Host-` keeps other hosts of the domain from setting the cookie; browsers accept it only over https. */
const isSecure = (deps: Pick<Deps, 'config'>) => deps.config.publicUrl.startsWith('https:')
const nameOf = (deps: Pick<Deps, 'config'>) => (isSecure(deps) ? '__Host-coffer-device' : 'coffer-device')

/** Returns the secret of the device's cookie, or undefined without one. It authenticates nobody. */
export function readDevice(deps: Pick<Deps, 'config'>, request: FastifyRequest): string | undefined {
  const prefix = `${nameOf(deps)}=`
  const pairs = (request.headers.cookie ?? '').split(';').map(pair => pair.trim())
  const token = pairs.find(pair => pair.startsWith(prefix))?.slice(prefix.length)
  return token && /^[\w-]{43}$/.test(token) ? token : undefined
}

/** Sets the device's cookie, which scripts cannot read and other sites do not send. */
export function setDeviceCookie(deps: Pick<Deps, 'config'>, reply: FastifyReply, token: string): void {
  const secure = isSecure(deps) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameOf(deps)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}
