import type { RouteAuth } from '@coffer/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Queryable } from '../kit/db.ts'
import { Refusal } from '../kit/refusal.ts'
import type { CallingKey, KeyHolder, RequiredScope, Session } from './context.ts'

/** Who sent a request: a merchant, a merchant's server, an operator, or nobody that is known. */
export interface Caller {
  session?: Session
  holder?: CallingKey
  /** The session of an operator. The domain of operators knows its fields. */
  operator?: { operatorId: string; email: string }
}

/** Looks up callers. The domains implement it; `serve.ts` passes it in. */
export interface Callers {
  /** Finds the session of a token. Throws Refusal('login_expired') unless it is live and in the requested state. */
  session: (deps: Deps, request: { token: string; pending: boolean }) => Promise<Session>
  /**
   * Finds the application of an API key. Throws Refusal('bad_key') unless the key is valid from this address,
   * Refusal('frequent_operation') above its rate limit. `isChecked`: the call checks the key again, so that it may be
   * remembered.
   */
  holder: (deps: Deps, request: { key: string; ip: string; isChecked: boolean }) => Promise<KeyHolder>
  /** Refuses a key without a scope. */
  requireScope: (holder: KeyHolder, needed: RequiredScope) => void
  /** The same in a transaction, by what the application allows by then. */
  recheckScope: (c: Queryable, holder: KeyHolder, needed: RequiredScope) => Promise<void>
}

const keyHeader = {
  en: 'Authorization: Bearer, followed by the secret key sk_live_... or sk_test_...',
  'zh-CN': 'Authorization 请求头：Bearer 加密钥 sk_live_... 或 sk_test_...',
}

/**
 * Authenticates a request as the route demands.
 * @throws Refusal('login_expired') or Refusal('bad_key')
 */
export async function authenticate(
  deps: Deps,
  callers: Callers,
  { auth, checksKey = false, ...route }: { auth: RouteAuth; checksKey?: boolean } & Partial<RequiredScope>,
  request: FastifyRequest,
): Promise<Caller> {
  if (auth === 'public') return {}
  if (auth === 'key') {
    const [, key] = /^Bearer (sk_(?:test|live)_[A-Za-z0-9_-]{20,100})$/.exec(request.headers.authorization ?? '') ?? []
    if (!key) throw new Refusal('bad_key', { field: 'Authorization', detail: keyHeader })
    const isChecked = checksKey && request.headers['idempotency-key'] === undefined
    const holder = await callers.holder(deps, { key, ip: request.ip, isChecked })
    const { scope, ...more } = route
    if (!scope) return { holder: { ...holder, recheck: async () => {} } }
    const needed = { scope, ...more }
    callers.requireScope(holder, needed)
    return { holder: { ...holder, recheck: c => callers.recheckScope(c, holder, needed) } }
  }
  return { session: await callers.session(deps, { token: requireSessionToken(request), pending: auth === 'pending' }) }
}

/** Returns the token of a request; throws Refusal('login_expired') without one. */
export function requireSessionToken(request: FastifyRequest): string {
  const token = request.headers['x-token']
  if (typeof token !== 'string' || token.length > 200 || token === '') throw new Refusal('login_expired')
  return token
}
