import type { riskLevels } from '@coffer/contract/operator/merchants.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { mustBeAnother } from '../../kit/second-person.ts'
import { changeMerchant, lockMerchant, type Merchant } from '../merchants/store.ts'

export type RiskLevel = (typeof riskLevels)[number]

/** Sets the risk level of a merchant. While it is fail or abnormal, every withdrawal waits for an operator. */
export const setRiskLevel = (
  deps: Deps,
  { merchantId, level, who }: { merchantId: string; level: RiskLevel; who: string },
): Promise<void> => change(deps, merchantId, { step: 'risk', who }, { risk_level: level })

/** Limits of a merchant's withdrawals in USDT; null for those of the installation. */
export type Limits = Pick<Merchant, 'withdraw_single_max' | 'withdraw_day_max' | 'withdraw_approval_above'>

/** Sets the limits of a merchant's withdrawals, for those that are requested from now on. */
export const setLimits = (
  deps: Deps,
  { merchantId, limits, who }: { merchantId: string; limits: Limits; who: string },
): Promise<void> => change(deps, merchantId, { step: 'limits', who }, limits)

// The merchant does not read these, so they are in the log of operators only.
const change = (
  deps: Deps,
  merchantId: string,
  by: { step: 'risk' | 'limits'; who: string },
  changes: Partial<Merchant>,
): Promise<void> =>
  tx(deps.pool, async c => {
    if (!(await lockMerchant(c, merchantId))) throw new Refusal('merchant_not_exist')
    await mustBeAnother(c, { merchantId, ...by, now: deps.clock() })
    await changeMerchant(c, merchantId, changes)
  })
