import { merchantStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { changeMerchant, changePerson, lockMerchant, type Merchant } from '../merchants/store.ts'
import { addMerchantFileEntry } from './merchant-file.ts'

/**
 * Requests merchant permission, which starts the primary audit. Allowed before the first audit and after a failed one.
 * A phone given here is unverified contact data and does not replace a bound phone.
 */
export async function requestMerchantPermission(
  deps: Deps,
  input: Pick<Merchant, 'name' | 'time_zone' | 'address' | 'socials' | 'website' | 'phone' | 'area_code'> & {
    merchantId: string
    from: Visitor
  },
): Promise<{ status: number }> {
  const { merchantId, from, phone, area_code, ...profile } = input
  if ((phone === '') !== (area_code === '')) throw new Refusal('phone_and_area_code', { field: 'phone' })
  const status = merchantStatus.primary_audit
  await tx(deps.pool, async (c, uow) => {
    const merchant = requireActiveMerchant(await lockMerchant(c, merchantId))
    if (merchant.status === merchantStatus.approved) throw new Refusal('account_opened')
    if (merchant.status !== merchantStatus.not_opened && merchant.status !== merchantStatus.failed_audit)
      throw new Refusal('account_under_review')
    await changeMerchant(c, merchantId, { ...profile, status, audit_reason: '' })
    // Only who opened the shop has its chain, which says so.
    if (merchant.person_id === merchantId && !merchant.phone_verified)
      await changePerson(c, merchantId, { phone, area_code: area_code.replace('+', '') })
    recordEvent(deps, uow, { merchantId, type: 'opening_requested', from })
    const { name, website, address, socials } = profile
    const number = phone && `+${area_code.replace('+', '')} ${phone}`
    const details = { name, website, phone: number, ...address, ...socials }
    await addMerchantFileEntry(c, deps, { merchantId, what: 'applied', details })
  })
  return { status }
}
