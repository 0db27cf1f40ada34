import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { openSessions } from './sessions.ts'

/** Lists the merchant's open sessions and marks the current one. */
export async function listSessions(deps: Deps, input: { session: { merchantId: string; tokenHash: Buffer } }) {
  const now = deps.clock()
  const rows = await openSessions(
    deps.pool,
    input.session.merchantId,
    now - limits.sessionIdleSeconds,
    now - limits.sessionMaxSeconds,
  )
  return rows.map(row => ({
    id: row.id,
    ip: row.ip,
    device: row.device,
    created_time: row.created_at,
    last_seen: row.last_seen,
    current: row.token_hash.equals(input.session.tokenHash),
  }))
}
