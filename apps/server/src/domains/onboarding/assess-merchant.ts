import type { riskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type AgreementCheck, requireSecondPerson } from '../../kit/second-person.ts'
import { changeMerchant, lockMerchant, type Merchant } from '../merchants/store.ts'
import { addMerchantFileEntry } from './merchant-file.ts'

export type RiskLevel = (typeof riskLevels)[number]

interface By {
  who: string
  /** Asks for a second person where the change takes two. */
  agree?: AgreementCheck
}

/** Sets the risk level of a merchant. While it is fail or abnormal, every withdrawal waits for an operator. */
export const setRiskLevel = (
  deps: Deps,
  { merchantId, level, reason, ...by }: { merchantId: string; level: RiskLevel; reason: string } & By,
): Promise<{ waits: boolean }> =>
  change(deps, merchantId, { step: 'risk', ...by }, { risk_level: level }, async (c, { risk_level }, waits) =>
    addMerchantFileEntry(c, deps, {
      merchantId,
      what: waits ? 'risk_requested' : 'risk_set',
      who: by.who,
      text: reason,
      details: { risk_level: level, risk_level_before: risk_level },
    }),
  )

/** Limits of a merchant's withdrawals in USDT; null for those of the installation. */
export type MerchantWithdrawalLimits = Pick<
  Merchant,
  'withdraw_single_max' | 'withdraw_day_max' | 'withdraw_approval_above'
>

/** Sets the limits of a merchant's withdrawals, for those that are requested from now on. */
export const setWithdrawalLimits = (
  deps: Deps,
  { merchantId, limits, ...by }: { merchantId: string; limits: MerchantWithdrawalLimits } & By,
): Promise<{ waits: boolean }> => change(deps, merchantId, { step: 'limits', ...by }, limits)

// The merchant does not read these, so they are in the log of operators only.
const change = (
  deps: Deps,
  merchantId: string,
  { step, who, agree }: { step: 'risk' | 'limits' } & By,
  changes: Partial<Merchant>,
  record: (c: Queryable, before: Merchant, waits: boolean) => Promise<unknown> = async () => {},
): Promise<{ waits: boolean }> =>
  tx(deps.pool, async c => {
    const before = await lockMerchant(c, merchantId)
    if (!before) throw new Refusal('merchant_not_exist')
    const agreed = (await agree?.(c)) ?? 'alone'
    if (agreed === 'waits') {
      await record(c, before, true)
      return { waits: true }
    }
    // What two people decided is no step of one of them.
    if (agreed === 'alone') await requireSecondPerson(c, { merchantId, step, who, now: deps.clock() })
    await changeMerchant(c, merchantId, changes)
    await record(c, before, false)
    return { waits: false }
  })
