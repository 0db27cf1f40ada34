import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { sessionByToken } from './sessions.ts'

/** Reports whether a session is valid. Does not count as use, so that an open page does not extend the session. */
export async function sessionLives(deps: Deps, tokenHash: Buffer): Promise<boolean> {
  const session = await sessionByToken(deps.pool, tokenHash)
  if (!session || session.pending || session.frozen || session.closed) return false
  const now = deps.clock()
  return now - session.created_at < limits.sessionMaxSeconds && now - session.last_seen < limits.sessionIdleSeconds
}
