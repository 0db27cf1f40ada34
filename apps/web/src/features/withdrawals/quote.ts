import type { RouteData } from '@coffer/contract'
import type { Messages } from '../../i18n/areas.ts'

export type WithdrawalQuote = RouteData<'GET /api/v1/account/cost'>
export type PolicyReport = WithdrawalQuote['policy'][number]

const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds

/** The name of a rule of the policy, with what its window counts. */
export function formatRuleName({ rule, per, seconds, of_platform }: PolicyReport, t: Messages<'withdrawals'>): string {
  const whole = seconds % daySeconds === 0
  const span = t.span(whole ? seconds / daySeconds : 0, Math.ceil(seconds / hourSeconds))
  const name = rule === 'window' ? t.rules.window[per || 'merchant'](span) : t.rules[rule]
  return of_platform ? t.ofPlatform(name) : name
}

/** The answer of a rule: allowed, not allowed, or something more than the request is required. */
export const ruleAnswerOf = ({ rule, allowed }: PolicyReport): 'allowed' | 'notAllowed' | 'required' =>
  allowed ? 'allowed' : rule === 'approval' || rule === 'fresh_factor' ? 'required' : 'notAllowed'

/** Why a quote cannot be requested now; empty if it can. */
export const formatQuoteRefusal = ({ refused, methods }: WithdrawalQuote, t: Messages<'withdrawals'>): string =>
  refused === 'passkey_needed'
    ? methods.includes('passkey')
      ? ''
      : t.needsFactor
    : refused !== ''
      ? (t.refused[refused] ?? t.cannot)
      : ''

/** Why a quote needs an approval: by its own value, or only with what left in the last 24 hours. */
export const formatApprovalReason = ({ policy, usdt_value }: WithdrawalQuote, t: Messages<'withdrawals'>): string =>
  policy.some(each => each.rule === 'approval' && !each.allowed && Number(usdt_value) > Number(each.limit))
    ? t.needsApproval
    : t.needsApprovalLately
