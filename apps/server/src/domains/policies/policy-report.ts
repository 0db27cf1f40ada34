import type { Data } from '@coffer/contract'
import { formatDecimal } from '@coffer/contract/decimal.ts'
import { type PolicyReport, valueDecimals } from '@coffer/core'

/** What one rule of the policy said, as stored and shown. */
export type StoredReport = Data<'GET /api/v1/account/withdrawal'>['policy'][number]

/** Formats the report of a rule. Amounts are in USDT. */
export function policyReport({ rule, allowed, used, limit, left, until }: PolicyReport): StoredReport {
  const text = (value: bigint | null) => (value === null ? '' : formatDecimal(value, valueDecimals))
  return {
    rule: rule.kind,
    per: rule.kind === 'window' ? rule.per : '',
    seconds: rule.kind === 'window' ? rule.seconds : 0,
    allowed,
    used: text(used),
    limit: text(limit),
    left: text(left),
    until: until ?? 0,
  }
}
