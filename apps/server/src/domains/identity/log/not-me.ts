import type { Deps } from '../../../deps.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { mustBeActive } from '../../merchants/active-merchant.ts'
import { mailEvent } from '../../merchants/mails.ts'
import { changeMerchant, lockMerchant } from '../../merchants/store.ts'
import { endSessions, forgetDevices, revokeTickets } from '../store.ts'

/**
 * Reports that somebody else used the account: ends all sessions, the caller's too, forgets the devices, and holds withdrawals and
 * refunds that were not sent, until the operator lifts the hold.
 */
export async function reportForeign(
  deps: Deps,
  { merchantId, from }: { merchantId: string; from: Visitor },
): Promise<void> {
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchant(c, merchantId))
    await changeMerchant(c, merchantId, { held_at: deps.clock() })
    await revokeTickets(c, merchantId)
    await endSessions(c, merchantId, null)
    await forgetDevices(c, merchantId)
    recordEvent(deps, uow, { merchantId, type: 'not_me', from })
    return locked
  })
  mailEvent(deps, merchant, 'not_me')
}

/** Lifts the hold, for the operator, who must have verified the identity of the merchant. Throws Refusal('hold_not_exist'). */
export async function liftHold(deps: Deps, { merchantId }: { merchantId: string }): Promise<void> {
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchantId)
    if (!locked) throw new Refusal('merchant_not_exist')
    if (locked.held_at === 0) throw new Refusal('hold_not_exist')
    await changeMerchant(c, merchantId, { held_at: 0 })
    recordEvent(deps, uow, { merchantId, type: 'hold_lifted', from: null })
    return locked
  })
  mailEvent(deps, merchant, 'hold_lifted')
}
