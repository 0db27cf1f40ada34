import type { riskLevels } from '@coffer/contract/operator/risk-levels.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Agree, mustBeAnother } from '../../kit/second-person.ts'
import { changeMerchant, lockMerchant, type Merchant } from '../merchants/store.ts'

export type RiskLevel = (typeof riskLevels)[number]

interface By {
  who: string
  /** Asks for a second person where the change takes two. */
  agree?: Agree
}

/** Sets the risk level of a merchant. While it is fail or abnormal, every withdrawal waits for an operator. */
export const setRiskLevel = (
  deps: Deps,
  { merchantId, level, ...by }: { merchantId: string; level: RiskLevel } & By,
): Promise<{ waits: boolean }> => change(deps, merchantId, { step: 'risk', ...by }, { risk_level: level })

/** Limits of a merchant's withdrawals in USDT; null for those of the installation. */
export type Limits = Pick<Merchant, 'withdraw_single_max' | 'withdraw_day_max' | 'withdraw_approval_above'>

/** Sets the limits of a merchant's withdrawals, for those that are requested from now on. */
export const setLimits = (
  deps: Deps,
  { merchantId, limits, ...by }: { merchantId: string; limits: Limits } & By,
): Promise<{ waits: boolean }> => change(deps, merchantId, { step: 'limits', ...by }, limits)

// The merchant does not read these, so they are in the log of operators only.
const change = (
  deps: Deps,
  merchantId: string,
  { step, who, agree }: { step: 'risk' | 'limits' } & By,
  changes: Partial<Merchant>,
): Promise<{ waits: boolean }> =>
  tx(deps.pool, async c => {
    if (!(await lockMerchant(c, merchantId))) throw new Refusal('merchant_not_exist')
    const agreed = (await agree?.(c)) ?? 'alone'
    if (agreed === 'waits') return { waits: true }
    // What two people decided is no step of one of them.
    if (agreed === 'alone') await mustBeAnother(c, { merchantId, step, who, now: deps.clock() })
    await changeMerchant(c, merchantId, changes)
    return { waits: false }
  })
