import type { riskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type ActingOperator, type AgreementCheck, requireSecondPerson } from '../../kit/second-person.ts'
import { changeMerchant, lockMerchant } from '../merchants/store.ts'
import { addMerchantFileEntry } from './merchant-file.ts'

export type RiskLevel = (typeof riskLevels)[number]

interface SetRiskLevel {
  merchantId: string
  level: RiskLevel
  reason: string
  by: ActingOperator
  /** Asks for a second person where the change takes two. */
  agree?: AgreementCheck
}

/** Sets the risk level of a merchant. While it is fail or abnormal, every withdrawal waits for an operator. */
export const setRiskLevel = (
  deps: Deps,
  { merchantId, level, reason, by, agree }: SetRiskLevel,
): Promise<{ waits: boolean }> =>
  tx(deps.pool, async c => {
    const before = await lockMerchant(c, merchantId)
    if (!before) throw new Refusal('merchant_not_exist')
    const agreed = (await agree?.(c)) ?? 'alone'
    const waits = agreed === 'waits'
    // What two people decided is no step of one of them.
    if (agreed === 'alone') await requireSecondPerson(c, { merchantId, step: 'risk', by, now: deps.clock() })
    if (!waits) await changeMerchant(c, merchantId, { risk_level: level })
    await addMerchantFileEntry(c, deps, {
      merchantId,
      what: waits ? 'risk_requested' : 'risk_set',
      who: by.email,
      text: reason,
      details: { risk_level: level, risk_level_before: before.risk_level },
    })
    return { waits }
  })
