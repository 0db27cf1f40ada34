import { formatBasisPoints } from '../kit/basis-points.ts'
import type { Language } from '../languages.ts'
import { isFeeTerm, type MerchantTermName } from '../merchants/terms.ts'

/** Names of a merchant's terms. */
export const merchantTermLabels: Record<Language, Record<MerchantTermName, string>> = {
  en: {
    fee_bps: 'Payment fee',
    withdraw_fee_bps: 'Withdrawal fee',
    withdraw_single_max: 'Per-withdrawal limit',
    withdraw_day_max: '24-hour limit',
    withdraw_approval_above: 'Second approval above',
  },
  'zh-CN': {
    fee_bps: '收款手续费',
    withdraw_fee_bps: '提现手续费',
    withdraw_single_max: '单笔限额',
    withdraw_day_max: '24 小时限额',
    withdraw_approval_above: '超过此金额须双人复核',
  },
}

interface TermWords {
  never: string
  standard: string
  withStandard: (value: string) => string
  withUnit: (label: string, unit: string) => string
}
const words: Record<Language, TermWords> = {
  en: {
    never: 'never',
    standard: 'default',
    withStandard: value => `${value} (default)`,
    withUnit: (label, unit) => `${label} (${unit})`,
  },
  'zh-CN': {
    never: '无需复核',
    standard: '默认',
    withStandard: value => `${value}（默认）`,
    withUnit: (label, unit) => `${label}（${unit}）`,
  },
}

/** Returns the name of a term with the unit in which it is entered. */
export const formatMerchantTermField = (language: Language, name: MerchantTermName): string =>
  words[language].withUnit(merchantTermLabels[language][name], isFeeTerm(name) ? '%' : 'USDT')

/**
 * Formats a term in words: 0.40%, 10,000 USDT, or "never" for an approval that nothing needs. Null is that of the
 * installation: its value is shown where `standard` is given.
 */
export function formatMerchantTerm(
  language: Language,
  name: MerchantTermName,
  value: number | null,
  standard?: number,
): string {
  const { never, standard: isStandard, withStandard } = words[language]
  if (value === null)
    return standard === undefined ? isStandard : withStandard(formatMerchantTerm(language, name, standard))
  if (isFeeTerm(name)) return formatBasisPoints(value)
  if (name === 'withdraw_approval_above' && value === 0) return never
  return `${new Intl.NumberFormat(language).format(value)} USDT`
}
