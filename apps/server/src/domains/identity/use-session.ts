import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { sessionByToken, touchSession } from './sessions.ts'

/** Minimum interval (s) between updates of the time of last use. */
const touchEvery = 30
/** Lifetime (s) of a pending session. */
const pendingSeconds = 600

/**
 * Returns the session of a token, or refuses with `login_expired`. It is looked up at every call, so that logouts, password
 * changes and freezes take effect immediately. Pending tokens are accepted only where a pending one is required.
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
