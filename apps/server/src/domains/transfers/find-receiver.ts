import { isMchid } from '@coffer/contract/kit/validators.ts'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { RateLimiter } from '../../kit/rate-limiter.ts'
import { Refusal } from '../../kit/refusal.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchantAgainstClosing, type Merchant, merchantByEmail, merchantByMchid } from '../merchants/store.ts'

/** Lookups of one merchant: enough to correct a typing mistake, too few to search for accounts. */
const lookups = new RateLimiter({ burst: 30, perSecond: 30 / 3_600 })

const field = 'account'

/**
 * Returns the merchant with this merchant ID or email, if it can receive from `merchantId`. Throws
 * Refusal('merchant_not_exist') also for a merchant that is frozen or not approved, which nobody else has to know.
 */
export async function findReceiver(deps: Deps, c: Queryable, merchantId: string, account: string): Promise<Merchant> {
  lookups.take(merchantId, deps.clock())
  const found = await (isMchid(account) ? merchantByMchid(c, account) : merchantByEmail(c, account))
  if (found?.id === merchantId) throw new Refusal('transfer_to_self', { field })
  return mustReceive(found)
}

/** Locks the receiver against closing and freezing; refuses one that cannot receive any more. */
export const lockReceiver = async (c: Queryable, id: string): Promise<Merchant> =>
  mustReceive(await lockMerchantAgainstClosing(c, id))

function mustReceive(merchant: Merchant | undefined): Merchant {
  try {
    return requireActiveMerchant(merchant, { approved: true })
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('merchant_not_exist', { field })
    throw error
  }
}

/** Masks a name as others see it: `C***p`. */
export const maskName = (name: string): string => {
  const letters = [...name.trim()]
  return letters.length < 2 ? '***' : `${letters[0]}***${letters.length > 2 ? letters.at(-1) : ''}`
}
