import { merchantStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { changeMerchant, lockMerchant, type Merchant } from '../merchants/store.ts'
import { addMerchantFileEntry } from './merchant-file.ts'

interface Reviewed {
  merchantId: string
  /** The operator's e-mail. */
  who?: string
}

const audited: readonly number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]

/** Grants merchant permission to who applied for it: from an audit, or after a failed one. */
export async function approveMerchant(deps: Deps, input: Reviewed): Promise<void> {
  await review(deps, input, 'approved', merchant => {
    if (merchant.status === merchantStatus.approved) throw new Refusal('account_opened')
    if (merchant.status === merchantStatus.not_opened) throw new Refusal('not_applied')
    if (![...audited, merchantStatus.failed_audit].includes(merchant.status)) throw new Refusal('operation_failed')
    return merchantStatus.approved
  })
}

/** Moves a merchant from the primary audit to the advanced one. The merchant stays under review. */
export async function advanceMerchantReview(deps: Deps, input: Reviewed): Promise<void> {
  await review(deps, input, 'advanced', merchant => {
    if (merchant.status !== merchantStatus.primary_audit) throw new Refusal('operation_failed')
    return merchantStatus.advanced_audit
  })
}

/** Fails an audit. The merchant sees the reason and may apply again. */
export async function refuseMerchant(deps: Deps, input: Reviewed & { reason: string }): Promise<void> {
  await review(deps, input, 'refused', merchant => {
    if (merchant.status === merchantStatus.approved) throw new Refusal('account_opened')
    if (!audited.includes(merchant.status)) throw new Refusal('operation_failed')
    return merchantStatus.failed_audit
  })
}

function review(
  deps: Deps,
  { merchantId, who, reason = '' }: Reviewed & { reason?: string },
  type: 'approved' | 'refused' | 'advanced',
  next: (merchant: Merchant) => number,
): Promise<void> {
  return tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('merchant_not_exist')
    await changeMerchant(c, merchantId, { status: next(merchant), audit_reason: reason })
    recordEvent(deps, uow, { merchantId, type, from: null, params: { reason } })
    await addMerchantFileEntry(c, deps, { merchantId, what: type, who, text: reason })
  })
}
