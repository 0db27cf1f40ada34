import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { sessionByToken, touchSession } from './sessions.ts'

/** How often (s) a session in use is noted as used: not at every call. */
const touchEvery = 30
/** How long (s) a sign-in waits for its authenticator code. */
const pendingSeconds = 600

/**
 * Gives the session of a token, or refuses with `login_expired`. Looked up at every call, so that a logout, a new
 * password and a freeze act at once. A pending token opens only what asks for a pending one, and nothing else does.
 */
export async function useSession(
  deps: Deps,
  input: { token: string; pending: boolean },
): Promise<{ id: string; merchantId: string; tokenHash: Buffer }> {
  const now = deps.clock()
  const tokenHash = hashSecret(input.token)
  const session = await sessionByToken(deps.pool, tokenHash)
  if (!session || session.pending !== input.pending || session.frozen || session.closed)
    throw new Refusal('login_expired')
  const longest = session.pending ? pendingSeconds : limits.sessionMaxSeconds
  if (now - session.created_at >= longest || now - session.last_seen >= limits.sessionIdleSeconds)
    throw new Refusal('login_expired')
  if (now - session.last_seen >= touchEvery) await touchSession(deps.pool, tokenHash, now, touchEvery)
  return { id: session.id, merchantId: session.merchant_id, tokenHash }
}
