import type { Data } from '@coffer/contract'
import { formatDecimal, parseDecimal } from '@coffer/contract/decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { type PolicyReport, uncheckedSeconds, valueDecimals } from '@coffer/core'

/** What one rule of the policy said, as stored and shown. */
export type StoredReport = Data<'GET /api/v1/account/withdrawal'>['policy'][number]

/** Formats the report of a rule. Amounts are in USDT. */
export function policyReport({ rule, allowed, per, used, limit, left, until }: PolicyReport): StoredReport {
  const text = (value: bigint | null) => (value === null ? '' : formatDecimal(value, valueDecimals))
  return {
    rule: rule.kind,
    per: per ?? '',
    seconds: rule.kind === 'window' ? rule.seconds : per === null ? 0 : uncheckedSeconds,
    allowed,
    used: text(used),
    limit: text(limit),
    left: text(left),
    until: until ?? 0,
  }
}

/**
 * The detail of a refusal by rules, for a withdrawal (`value` in 10^-18 USDT) that needs an approval or a passkey only with what left in
 * the last 24 hours; nothing for another.
 */
export function detailOf(refusing: readonly PolicyReport[], value: bigint): { detail?: Record<Language, string> } {
  const [report, ...others] = refusing
  if (!report || others.length > 0) return {}
  if ((report.rule.kind !== 'approval' && report.rule.kind !== 'fresh_factor') || value > report.limit!) return {}
  const { used, limit } = policyReport(report)
  return {
    detail: {
      en: `with the ${used} USDT sent in the last 24 hours, limit ${limit} USDT`,
      'zh-CN': `最近 24 小时内已发出 ${used} USDT，上限 ${limit} USDT`,
    },
  }
}

/** The detail of a refusal that names its rule and what it allows. */
export function ruleDetail(report: PolicyReport): Record<Language, string> {
  const { rule } = report
  const { limit, left } = policyReport(report)
  switch (rule.kind) {
    case 'single':
      return { en: `limit of one payout: ${limit} USDT`, 'zh-CN': `单笔限额：${limit} USDT` }
    case 'window': {
      const hours = Math.round(rule.seconds / 3_600)
      return {
        en: `limit of ${hours} h: ${limit} USDT, left ${left} USDT`,
        'zh-CN': `${hours} 小时限额：${limit} USDT，剩余 ${left} USDT`,
      }
    }
    case 'destination':
      return { en: 'the policy pays only addresses of the address book', 'zh-CN': '提现规则仅允许付至地址簿中的地址' }
    case 'hours':
      return { en: 'outside the hours of the policy', 'zh-CN': '不在提现规则允许的时段内' }
    case 'approval':
      return {
        en: `above ${limit} USDT the policy requires an approval, which is for withdrawals only`,
        'zh-CN': `超过 ${limit} USDT 须经审批，而审批仅适用于提现`,
      }
    case 'fresh_factor':
      return { en: `above ${limit} USDT the policy requires a passkey`, 'zh-CN': `超过 ${limit} USDT 须用通行密钥确认` }
  }
}

/** Why a withdrawal waits for approval that would not need one by itself; empty for another. */
export const waitsWithLastDay = (policy: readonly StoredReport[], value: bigint): string =>
  policy.some(
    each => each.rule === 'approval' && !each.allowed && value <= (parseDecimal(each.limit, valueDecimals) ?? -1n),
  )
    ? 'policy: with the last 24 hours'
    : ''
