import type { Auth } from '@coffer/contract'
import type { FastifyRequest } from 'fastify'
import { useKey } from '../commands/use-key.ts'
import { useSession } from '../commands/use-session.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import type { KeyHolder, Session } from './context.ts'
import { KeyPace } from './key-pace.ts'

const pace = new KeyPace()

/** Who asks. Throws Refusal('login_expired') or Refusal('bad_key') when the route wants somebody and nobody fit came. */
export async function authenticate(
  deps: Deps,
  auth: Auth,
  request: FastifyRequest,
): Promise<{ session?: Session; holder?: KeyHolder }> {
  if (auth === 'public') return {}
  if (auth === 'key') {
    const [, key] = /^Bearer (sk_(?:test|live)_[A-Za-z0-9_-]{20,100})$/.exec(request.headers.authorization ?? '') ?? []
    if (!key) throw new Refusal('bad_key')
    const holder = await useKey(deps, { key, ip: request.ip })
    pace.take(holder.appid, deps.clock())
    return { holder }
  }
  const token = request.headers['x-token']
  if (typeof token !== 'string' || token.length > 200 || token === '') throw new Refusal('login_expired')
  return { session: await useSession(deps, { token, pending: auth === 'pending' }) }
}
