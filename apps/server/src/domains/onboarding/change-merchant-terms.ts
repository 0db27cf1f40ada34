import { formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import { type OwnMerchantTerms, pickMerchantTerms } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type ActingOperator, type AgreementCheck, requireSecondPerson } from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { changeMerchant, lockMerchant } from '../merchants/store.ts'
import { getMerchantTerms } from '../merchants/terms.ts'

interface ChangeTermsInput {
  merchantId: string
  terms: OwnMerchantTerms
  by: ActingOperator
  /** Asks for a second person where the change takes two. */
  agree?: AgreementCheck
}

/**
 * Sets the terms of a merchant, for what is credited or requested from now on: all of them, or none. The merchant is
 * notified of new fees; limits are in the log of operators only.
 */
export async function changeMerchantTerms(
  deps: Deps,
  { merchantId, terms, by, agree }: ChangeTermsInput,
): Promise<{ waits: boolean }> {
  const { fee_bps, withdraw_fee_bps } = getMerchantTerms(deps, terms)
  const params = { payments: formatBasisPoints(fee_bps), withdrawals: formatBasisPoints(withdraw_fee_bps) }
  return tx(deps.pool, async (c, uow) => {
    const before = await lockMerchant(c, merchantId)
    if (!before) throw new Refusal('merchant_not_exist')
    const agreed = (await agree?.(c)) ?? 'alone'
    if (agreed === 'waits') return { waits: true }
    // What two people decided is no step of one of them.
    if (agreed === 'alone') await requireSecondPerson(c, { merchantId, step: 'limits', by, now: deps.clock() })
    await changeMerchant(c, merchantId, pickMerchantTerms(terms))
    if (before.fee_bps === terms.fee_bps && before.withdraw_fee_bps === terms.withdraw_fee_bps) return { waits: false }
    recordEvent(deps, uow, { merchantId, type: 'fees_changed', from: null, params })
    return { waits: false }
  })
}
