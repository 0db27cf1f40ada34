import type { Language } from '@coffer/contract'

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

const statuses: Record<number, Texts> = {
  1: { en: 'To be paid', 'zh-CN': '待支付' },
  2: { en: 'Account paid', 'zh-CN': '已支付' },
  3: { en: 'Transaction timeout', 'zh-CN': '交易超时' },
  4: { en: 'Transaction closed', 'zh-CN': '交易关闭' },
  5: { en: 'Under refund', 'zh-CN': '退款中' },
  6: { en: 'Refunded', 'zh-CN': '已退款' },
  7: { en: 'Error', 'zh-CN': '异常' },
  8: { en: 'Chain confirmation failure', 'zh-CN': '链上确认失败' },
}

const exceptions: Record<string, Texts> = {
  none: { en: '', 'zh-CN': '' },
  partial: { en: 'Partly paid', 'zh-CN': '部分支付' },
  over: { en: 'Overpaid', 'zh-CN': '超额支付' },
  late: { en: 'Late', 'zh-CN': '逾期到账' },
}

export const sheetName: Texts = { en: 'Payments', 'zh-CN': '收款记录' }

/** What a payment's status is called; a number that is not known stays a number. */
export const statusText = (status: number, language: Language) => statuses[status]?.[language] ?? String(status)
/** What is unusual about a payment's money, in words; nothing for nothing. */
export const exceptionText = (exception: string, language: Language) => exceptions[exception]?.[language] ?? exception
