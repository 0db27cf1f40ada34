import type { Language } from '@coffer/contract'
import { nameOf, type PaymentException, paymentStatus } from '@coffer/contract/codes.ts'
import { exceptionLabels, paymentLabels } from '@coffer/contract/labels.ts'

type Texts = Record<Language, string>

/** Columns of the export of payment records, in order, with their widths in characters. */
export const exportColumns = [
  { key: 'application', width: 20, en: 'Application', 'zh-CN': '应用' },
  { key: 'appid', width: 26, en: 'App ID', 'zh-CN': '应用 ID' },
  { key: 'out_trade_no', width: 24, en: 'Merchant order number', 'zh-CN': '商户订单号' },
  { key: 'trade_no', width: 34, en: 'Platform order number', 'zh-CN': '平台订单号' },
  { key: 'status', width: 20, en: 'Status', 'zh-CN': '状态' },
  { key: 'exception', width: 12, en: 'Remark', 'zh-CN': '备注' },
  { key: 'usdt_amount', width: 14, en: 'USDT amount', 'zh-CN': 'USDT 金额' },
  { key: 'fiat_amount', width: 14, en: 'Fiat amount', 'zh-CN': '法币金额' },
  { key: 'fiat_name', width: 8, en: 'Fiat', 'zh-CN': '法币' },
  { key: 'amount', width: 16, en: 'Amount', 'zh-CN': '数量' },
  { key: 'paid_amount', width: 16, en: 'Paid', 'zh-CN': '实付' },
  { key: 'fees', width: 12, en: 'Fees', 'zh-CN': '手续费' },
  { key: 'token', width: 8, en: 'Token', 'zh-CN': '代币' },
  { key: 'chain', width: 18, en: 'Chain', 'zh-CN': '链' },
  { key: 'contract', width: 44, en: 'Contract', 'zh-CN': '合约' },
  { key: 'address', width: 44, en: 'Receiving address', 'zh-CN': '收款地址' },
  { key: 'txid', width: 68, en: 'Transaction', 'zh-CN': '交易哈希' },
  { key: 'created', width: 20, en: 'Created', 'zh-CN': '创建时间' },
  { key: 'paid_time', width: 20, en: 'Paid at', 'zh-CN': '支付时间' },
] as const satisfies readonly (Texts & { key: string; width: number })[]

export const sheetName: Texts = { en: 'Payments', 'zh-CN': '收款记录' }

/** The state of a payment in words; a code that is not known stays a number. */
export function statusText(status: number, language: Language): string {
  const state = nameOf(paymentStatus, status)
  return state ? paymentLabels[language][state] : String(status)
}
/** What is unusual about the money of a payment, in words; '' for nothing. */
export const exceptionText = (exception: PaymentException, language: Language) =>
  exception === 'none' ? '' : exceptionLabels[language][exception]
