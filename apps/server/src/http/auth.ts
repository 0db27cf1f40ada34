import type { RouteAuth, RouteDefinition } from '@coffer/contract'
import { type MerchantRole, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
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

/** What a route asks of its caller. */
type Needed = { auth: RouteAuth; who?: RouteDefinition['who']; checksKey?: boolean } & Partial<RequiredScope>

/**
 * Authenticates a request as the route demands.
 * @throws Refusal('login_expired'), Refusal('bad_key'), for another role or scope, Refusal('forbidden')
 *   or Refusal('scope_missing'), or Refusal('second_factor_needed')
 */
export async function authenticate(
  deps: Deps,
  callers: Callers,
  { auth, who = [], checksKey = false, ...route }: Needed,
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
  const session = await callers.session(deps, { token: requireSessionToken(request), pending: auth === 'pending' })
  if (auth === 'token') requireRole(session, who)
  // What concerns the person alone stays open, such as binding one.
  if (auth === 'token' && who !== 'oneself' && session.factorMissing) throw new Refusal('second_factor_needed')
  return { session }
}

/** Refuses a member whose role may not make a call. @throws Refusal('forbidden') */
export function requireRole({ role }: Pick<Session, 'role'>, who: NonNullable<RouteDefinition['who']>): void {
  if (who !== 'oneself' && !who.includes(role)) throw createRoleRefusal(role)
}

/** The refusal of what a role may not do. */
export function createRoleRefusal(role: MerchantRole): Refusal {
  const { name } = merchantRoleTexts[role]
  return new Refusal('forbidden', {
    detail: { en: `your role is ${name.en}`, 'zh-CN': `您的角色是${name['zh-CN']}` },
  })
}

/** Returns the token of a request; throws Refusal('login_expired') without one. */
export function requireSessionToken(request: FastifyRequest): string {
  const token = request.headers['x-token']
  if (typeof token !== 'string' || token.length > 200 || token === '') throw new Refusal('login_expired')
  return token
}
