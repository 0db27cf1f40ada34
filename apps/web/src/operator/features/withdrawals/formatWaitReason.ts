import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'

type Row = Pick<OperatorData<'GET /api/operator/v1/withdrawals/:id'>, 'waits' | 'waits_rules' | 'risk_level'>

/** Why a withdrawal waits for an operator, in words. */
export function formatWaitReason(t: Messages<'operator'>, { waits, waits_rules, risk_level }: Row): string {
  if (waits === 'risk') return t.waitsRisk(risk_level ? t.risks[risk_level] : '')
  if (waits === 'amount') {
    const amount = (text: string) => formatAmount(text || '0', language.get())
    const rules = waits_rules.map(({ per, limit, used }) =>
      (per === 'merchant' ? t.waitsAboveInAll : t.waitsAbove)(amount(limit), amount(used)),
    )
    return [t.waitsApproval, ...rules].join(' · ')
  }
  return { failed: t.waitsFailed, second: t.waitsSecond, '': '' }[waits]
}
