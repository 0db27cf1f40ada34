import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant } from '../merchants/store.ts'
import { endSessions } from './sessions.ts'
import { dropTickets } from './tickets.ts'

/** Removes a lost authenticator. Run by the operator after verifying the merchant's identity. */
export async function removeAuthenticator(deps: Deps, input: { merchantId: string }): Promise<void> {
  const { merchantId } = input
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchantId)
    if (!locked) throw new Refusal('merchant_not_exist')
    if (locked.authenticator_secret === null) throw new Refusal('not_bound')
    await changeMerchant(c, merchantId, {
      authenticator_secret: null,
      authenticator_pending: null,
      authenticator_step: 0,
      factor_changed_at: deps.clock(),
    })
    await dropTickets(c, merchantId)
    await endSessions(c, merchantId, null)
    recordEvent(deps, uow, { merchantId, type: 'authenticator_removed', from: null })
    return locked
  })
  mailEvent(deps, merchant, 'authenticator_removed')
}
