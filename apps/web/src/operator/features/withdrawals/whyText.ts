import { formatAmount } from '@coffer/contract/format-amount.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'

type Row = Pick<OperatorData<'GET /api/operator/v1/withdrawals/:id'>, 'waits' | 'waits_above' | 'risk_level'>

/** Why a withdrawal waits for an operator, in words. */
export function whyText(t: Messages<'operator'>, { waits, waits_above, risk_level }: Row): string {
  if (waits === 'risk') return t.waitsRisk(risk_level ? t.risks[risk_level] : '')
  if (waits === 'amount') return waits_above ? t.waitsAbove(formatAmount(waits_above, language.get())) : t.waitsApproval
  return { failed: t.waitsFailed, second: t.waitsSecond, '': '' }[waits]
}
