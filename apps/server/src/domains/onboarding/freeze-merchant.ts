import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { endSessions } from '../identity/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchantAlone } from '../merchants/store.ts'

/** The reason is for the audit log, not for the merchant. */
interface Input {
  merchantId: string
  reason?: string
}

/** Freezes an account: ends sessions and blocks keys and sign-ins. Incoming deposits are still credited. */
export const freezeMerchant = (deps: Deps, input: Input) => setFrozen(deps, input, true)

/** Lifts a freeze. Keys work again; the merchant has to sign in again. */
export const unfreezeMerchant = (deps: Deps, input: Input) => setFrozen(deps, input, false)

/** Idempotent: does nothing if the account is already in that state. */
async function setFrozen(deps: Deps, { merchantId, reason = '' }: Input, frozen: boolean): Promise<void> {
  const type = frozen ? 'frozen' : 'unfrozen'
  const changed = await tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchantAlone(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    if (merchant.frozen === frozen) return undefined
    await changeMerchant(c, merchantId, { frozen })
    await endSessions(c, merchantId, null)
    recordEvent(deps, uow, { merchantId, type, from: null, ...(reason && { params: { reason } }) })
    return merchant
  })
  if (changed) mailEvent(deps, changed, type)
}
