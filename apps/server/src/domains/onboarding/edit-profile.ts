import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { changeMerchant, type Merchant } from '../merchants/store.ts'

type Profile = Pick<Merchant, 'name' | 'time_zone' | 'address' | 'socials' | 'website'>

/** Changes the given fields of the merchant's profile. */
export async function editProfile(
  deps: Deps,
  input: { merchantId: string; changes: { [key in keyof Profile]?: Profile[key] | undefined }; from: Visitor },
): Promise<void> {
  const given = Object.entries(input.changes).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  await throttleChanges(deps, input.merchantId)
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, input.merchantId)
    await changeMerchant(c, input.merchantId, Object.fromEntries(given))
    recordEvent(deps, uow, { merchantId: input.merchantId, type: 'profile_changed', from: input.from })
  })
}
