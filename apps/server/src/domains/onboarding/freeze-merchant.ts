import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { changeMerchant, lockMerchantExclusively } from '../merchants/store.ts'
import { endSessionsOfShop } from '../people/sessions.ts'
import { addMerchantFileEntry } from './merchant-file.ts'

interface Input {
  merchantId: string
  /** The operator's e-mail. */
  who?: string
  /** For operators. */
  reason?: string
  /** Whether the merchant may read the reason. */
  show_reason?: boolean | undefined
  /** Asks for a second person where the change takes two. */
  agree?: AgreementCheck
}

/**
 * Freezes an account: blocks sessions, keys and sign-ins. Open pages say why, as the sign-in does. Incoming deposits
 * are still credited.
 */
export const freezeMerchant = (deps: Deps, input: Input) => setFrozen(deps, input, true)

/** Lifts a freeze, once it is agreed. Keys work again; sessions end, so that the merchant has to sign in again. */
export const unfreezeMerchant = (deps: Deps, input: Input) => setFrozen(deps, input, false)

/** Idempotent: does nothing if the account is already in that state. */
async function setFrozen(
  deps: Deps,
  { merchantId, who, reason = '', show_reason = false, agree }: Input,
  frozen: boolean,
): Promise<{ waits: boolean }> {
  const type = frozen ? 'frozen' : 'unfrozen'
  return tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchantExclusively(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    if (merchant.frozen === frozen) return { waits: false }
    if ((await agree?.(c)) === 'waits') return { waits: true }
    const frozen_reason = show_reason ? reason : ''
    await changeMerchant(c, merchantId, { frozen, frozen_reason })
    if (!frozen) await endSessionsOfShop(c, merchantId)
    const details = { shown: frozen_reason }
    recordEvent(deps, uow, { merchantId, type, from: null, ...(reason && { params: { reason } }), details })
    await addMerchantFileEntry(c, deps, { merchantId, what: type, who, text: reason })
    return { waits: false }
  })
}
