import { merchantStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant, type Merchant } from '../merchants/store.ts'

const audited: readonly number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]

/** Grants merchant permission to who applied for it: from an audit, or after a failed one. */
export async function approveMerchant(deps: Deps, input: { merchantId: string }): Promise<void> {
  const merchant = await review(deps, input.merchantId, 'approved', '', merchant => {
    if (merchant.status === merchantStatus.approved) throw new Refusal('account_opened')
    if (merchant.status === merchantStatus.not_opened) throw new Refusal('not_applied')
    if (![...audited, merchantStatus.failed_audit].includes(merchant.status)) throw new Refusal('operation_failed')
    return merchantStatus.approved
  })
  mailEvent(deps, merchant, 'approved')
}

/** Moves a merchant from the primary audit to the advanced one. The merchant stays under review. */
export async function advanceMerchant(deps: Deps, input: { merchantId: string }): Promise<void> {
  await review(deps, input.merchantId, 'advanced', '', merchant => {
    if (merchant.status !== merchantStatus.primary_audit) throw new Refusal('operation_failed')
    return merchantStatus.advanced_audit
  })
}

/** Fails an audit. The merchant sees the reason and may apply again. */
export async function refuseMerchant(deps: Deps, input: { merchantId: string; reason: string }): Promise<void> {
  const merchant = await review(deps, input.merchantId, 'refused', input.reason, merchant => {
    if (merchant.status === merchantStatus.approved) throw new Refusal('account_opened')
    if (!audited.includes(merchant.status)) throw new Refusal('operation_failed')
    return merchantStatus.failed_audit
  })
  mailEvent(deps, merchant, 'refused', input.reason)
}

function review(
  deps: Deps,
  merchantId: string,
  type: 'approved' | 'refused' | 'advanced',
  reason: string,
  next: (merchant: Merchant) => number,
): Promise<Merchant> {
  return tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    await changeMerchant(c, merchantId, { status: next(merchant), audit_reason: reason })
    recordEvent(deps, uow, { merchantId, type, from: null, params: { reason } })
    return merchant
  })
}
