import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { endSession } from './sessions.ts'

/** Ends the session. Has no effect on an ended one. */
export async function logout(
  deps: Deps,
  input: { session: { merchantId: string; tokenHash: Buffer }; from: Visitor },
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    if (!(await endSession(c, input.session.tokenHash))) return
    recordEvent(deps, uow, { merchantId: input.session.merchantId, type: 'logout', from: input.from })
  })
}
