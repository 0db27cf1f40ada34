import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { endSessions } from './sessions.ts'

/** Ends all other sessions of the merchant, pending ones included. Returns the number ended. */
export async function endOtherSessions(
  deps: Deps,
  input: { session: { merchantId: string; tokenHash: Buffer }; from: Visitor },
): Promise<number> {
  const { merchantId, tokenHash } = input.session
  return tx(deps.pool, async (c, uow) => {
    const ended = await endSessions(c, merchantId, tokenHash)
    if (ended > 0) recordEvent(deps, uow, { merchantId, type: 'sessions_ended', from: input.from })
    return ended
  })
}
