import type { Language } from '@coffer/contract'

type Texts = Record<'en' | 'zh', string>

/** Columns of the export of payment records, in order, with their widths in characters. */
export const exportColumns = [
  { key: 'application', width: 20, en: 'Application', zh: '应用' },
  { key: 'appid', width: 26, en: 'App ID', zh: '应用 ID' },
  { key: 'out_trade_no', width: 24, en: 'Merchant order number', zh: '商户订单号' },
  { key: 'trade_no', width: 34, en: 'Platform order number', zh: '平台订单号' },
  { key: 'status', width: 20, en: 'Status', zh: '状态' },
  { key: 'exception', width: 12, en: 'Remark', zh: '备注' },
  { key: 'usdt_amount', width: 14, en: 'USDT amount', zh: 'USDT 金额' },
  { key: 'fiat_amount', width: 14, en: 'Fiat amount', zh: '法币金额' },
  { key: 'fiat_name', width: 8, en: 'Fiat', zh: '法币' },
  { key: 'amount', width: 16, en: 'Amount', zh: '数量' },
  { key: 'paid_amount', width: 16, en: 'Paid', zh: '实付' },
  { key: 'fees', width: 12, en: 'Fees', zh: '手续费' },
  { key: 'token', width: 8, en: 'Token', zh: '代币' },
  { key: 'chain', width: 18, en: 'Chain', zh: '链' },
  { key: 'contract', width: 44, en: 'Contract', zh: '合约' },
  { key: 'address', width: 44, en: 'Receiving address', zh: '收款地址' },
  { key: 'txid', width: 68, en: 'Transaction', zh: '交易哈希' },
  { key: 'created', width: 20, en: 'Created', zh: '创建时间' },
  { key: 'paid_time', width: 20, en: 'Paid at', zh: '支付时间' },
] as const satisfies readonly (Texts & { key: string; width: number })[]

const statuses: Record<number, Texts> = {
  1: { en: 'To be paid', zh: '待支付' },
  2: { en: 'Account paid', zh: '已支付' },
  3: { en: 'Transaction timeout', zh: '交易超时' },
  4: { en: 'Transaction closed', zh: '交易关闭' },
  5: { en: 'Under refund', zh: '退款中' },
  6: { en: 'Refunded', zh: '已退款' },
  7: { en: 'Error', zh: '异常' },
  8: { en: 'Chain confirmation failure', zh: '链上确认失败' },
}

const exceptions: Record<string, Texts> = {
  none: { en: '', zh: '' },
  partial: { en: 'Partly paid', zh: '部分支付' },
  over: { en: 'Overpaid', zh: '超额支付' },
  late: { en: 'Late', zh: '逾期到账' },
}

export const sheetName: Texts = { en: 'Payments', zh: '收款记录' }

export const inLanguage = (texts: Texts, language: Language) => texts[language === 'zh-CN' ? 'zh' : 'en']
/** What a payment's status is called; a number that is not known stays a number. */
export const statusText = (status: number, language: Language) =>
  statuses[status] ? inLanguage(statuses[status], language) : String(status)
/** What is unusual about a payment's money, in words; nothing for nothing. */
export const exceptionText = (exception: string, language: Language) =>
  exceptions[exception] ? inLanguage(exceptions[exception], language) : exception
