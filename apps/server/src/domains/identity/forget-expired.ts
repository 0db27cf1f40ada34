import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { forgetThrottles } from '../../kit/throttle.ts'
import { forgetCodes } from './codes.ts'
import { forgetSessions } from './sessions.ts'
import { forgetTickets } from './tickets.ts'

/** Removes expired sessions, codes, tickets and rate-limit counters. Returns the number of rows. */
export async function forgetExpired(deps: Deps): Promise<number> {
  const now = deps.clock()
  const counts = await Promise.all([
    forgetSessions(deps.pool, now - limits.sessionIdleSeconds),
    forgetCodes(deps.pool, now - limits.codeTtlSeconds),
    forgetTickets(deps.pool, now),
    forgetThrottles(deps.pool, now - 86_400),
  ])
  return counts.reduce((sum, n) => sum + n, 0)
}
