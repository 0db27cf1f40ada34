import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { lockMerchant, merchantById } from '../merchants/store.ts'
import { checkAuthenticator } from './check-authenticator.ts'
import { openVerifiedSession } from './open-session.ts'
import { countTry, endSession } from './sessions.ts'

/**
 * Completes the second step of a sign-in: exchanges the pending token and an authenticator code for a token with full
 * access. Success or five wrong codes revoke the pending token.
 */
export async function verifyLogin(
  deps: Deps,
  input: { session: { merchantId: string; tokenHash: Buffer }; code: string; from: Visitor },
): Promise<{ token: string }> {
  const { merchantId, tokenHash } = input.session
  const tries = await countTry(deps.pool, tokenHash, limits.codeTriesMax)
  const merchant = await merchantById(deps.pool, merchantId)
  if (tries === undefined || !merchant) throw new Refusal('login_expired')
  try {
    const spend = await checkAuthenticator(deps, merchant, input.code)
    return await tx(deps.pool, async (c, uow) => {
      const locked = await lockMerchant(c, merchantId)
      if (!locked || !(await endSession(c, tokenHash))) throw new Refusal('login_expired')
      await spend(c)
      return { token: await openVerifiedSession(deps, uow, locked, input.from) }
    })
  } catch (error) {
    if (tries >= limits.codeTriesMax) await endSession(deps.pool, tokenHash)
    throw error
  }
}
