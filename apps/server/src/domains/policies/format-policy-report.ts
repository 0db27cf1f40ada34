import type { RouteData } from '@coffer/contract'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { type PolicyReport, uncheckedSeconds, valueDecimals } from '@coffer/core'

/** What one rule of the policy said, as stored and shown. */
export type StoredPolicyReport = RouteData<'GET /api/v1/account/withdrawal'>['policy'][number]

/** Formats the report of a rule. Amounts are in USDT. */
export function formatPolicyReport({ rule, allowed, per, used, limit, left, until }: PolicyReport): StoredPolicyReport {
  const text = (value: bigint | null) => (value === null ? '' : formatDecimal(value, valueDecimals))
  return {
    rule: rule.kind,
    of_platform: rule.ofPlatform === true,
    per: per ?? '',
    seconds: rule.kind === 'window' ? rule.seconds : per === null ? 0 : uncheckedSeconds,
    allowed,
    used: text(used),
    limit: text(limit),
    left: text(left),
    until: until ?? 0,
  }
}

/** What the policy of withdrawals does not allow. It holds for refunds and transfers, too. */
export const policyRefusals: Record<'withdrawal' | 'refund' | 'transfer', Record<Language, string>> = {
  withdrawal: { en: 'Your withdrawal policy does not allow this withdrawal', 'zh-CN': '提现策略不允许该笔提现' },
  refund: { en: 'Your withdrawal policy does not allow this refund', 'zh-CN': '提现策略不允许该笔退款' },
  transfer: { en: 'Your withdrawal policy does not allow this transfer', 'zh-CN': '提现策略不允许该笔划转' },
}

/** The detail of a refusal that names every rule that refuses a payout (`value` in 10^-18 USDT), with its figures. */
export function formatPolicyRefusal(refusing: readonly PolicyReport[], value: bigint): Record<Language, string> {
  const details = refusing.map(each => ruleDetail(each, value))
  const join = (language: Language, between: string) => details.map(each => each[language]).join(between)
  return { en: join('en', '; '), 'zh-CN': join('zh-CN', '；') }
}

function ruleDetail(report: PolicyReport, value: bigint): Record<Language, string> {
  const { rule, per } = report
  const { used, limit, left } = formatPolicyReport(report)
  const isApproval = rule.kind === 'approval'
  // The rule holds only with what left in the last 24 hours.
  if ((isApproval || rule.kind === 'fresh_factor') && value <= report.limit!)
    return {
      en: `${used} USDT sent in the last 24 hours, limit ${limit} USDT`,
      'zh-CN': `最近 24 小时内已发出 ${used} USDT，上限 ${limit} USDT`,
    }
  const toAll = per === 'merchant'
  const whose = rule.ofPlatform ? { en: 'platform’s ', 'zh-CN': '平台' } : { en: '', 'zh-CN': '' }
  switch (rule.kind) {
    case 'single':
      return {
        en: `${whose.en}per-withdrawal limit: ${limit} USDT`,
        'zh-CN': `${whose['zh-CN']}单笔限额：${limit} USDT`,
      }
    case 'window': {
      const hours = Math.round(rule.seconds / 3_600)
      const inDays = hours > 24 && hours % 24 === 0
      return {
        en: `${whose.en}limit in ${inDays ? `${hours / 24} days` : `${hours} hours`}: ${limit} USDT, ${left} left`,
        'zh-CN': `${whose['zh-CN']}${inDays ? `${hours / 24} 天` : `${hours} 小时`}限额：${limit} USDT，剩余 ${left}`,
      }
    }
    case 'destination':
      return { en: 'the policy allows only addresses of the address book', 'zh-CN': '提现策略仅允许付至地址簿中的地址' }
    case 'hours':
      return { en: 'outside the withdrawal hours of the policy', 'zh-CN': '不在提现策略允许的时段内' }
    case 'approval':
    case 'fresh_factor': {
      const [en, zh] = isApproval
        ? ['a second approval, which is possible for withdrawals only', '双人复核，而双人复核仅适用于提现']
        : ['a passkey', '用通行密钥确认']
      return {
        en: `above ${limit} USDT${toAll ? ' to all recipients' : ''} the policy requires ${en}`,
        'zh-CN': `${toAll ? '向所有收款方累计' : ''}超过 ${limit} USDT 须${zh}`,
      }
    }
  }
}

/** The approvals that a withdrawal needs. */
export const filterNeededApprovals = (policy: readonly StoredPolicyReport[]) =>
  policy.filter(each => each.rule === 'approval' && !each.allowed)

/** Why a withdrawal waits for approval that would not need one by itself; empty for another. */
export function dayApprovalReason(policy: readonly StoredPolicyReport[], value: bigint): string {
  const needed = filterNeededApprovals(policy)
  const isLately = needed.every(each => value <= (parseDecimal(each.limit, valueDecimals) ?? -1n))
  return needed.length > 0 && isLately ? 'policy: with the last 24 hours' : ''
}

/** Says in a mail by which limits a withdrawal needs an approval. */
export function approvalReasons(policy: readonly StoredPolicyReport[]): Record<Language, string> {
  const needed = filterNeededApprovals(policy)
  const english = needed.map(({ per, limit, used }) => {
    const receivers = per === 'merchant' ? 'all recipients' : 'one recipient'
    return `above ${limit} USDT to ${receivers} in 24 hours, ${used || '0'} USDT already sent`
  })
  const chinese = needed.map(({ per, limit, used }) => {
    const receivers = per === 'merchant' ? '所有收款方' : '同一收款方'
    return `24 小时内向${receivers}累计超过 ${limit} USDT（已发出 ${used || '0'} USDT）`
  })
  return { en: english.join('; '), 'zh-CN': chinese.join('；') }
}
