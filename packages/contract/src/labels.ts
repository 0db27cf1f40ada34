import type { CallbackState, PaymentException, PaymentState } from './codes.ts'
import type { Language } from './languages.ts'

/** Names of states as people read them. */
export const paymentLabels: Record<Language, Record<PaymentState, string>> = {
  en: {
    open: 'To be paid',
    paid: 'Account paid',
    timed_out: 'Transaction timeout',
    closed: 'Transaction closed',
    refunding: 'Under refund',
    refunded: 'Refunded',
    in_doubt: 'Error',
    dropped: 'Chain confirmation failure',
  },
  'zh-CN': {
    open: '待支付',
    paid: '已支付',
    timed_out: '交易超时',
    closed: '交易关闭',
    refunding: '退款中',
    refunded: '已退款',
    in_doubt: '异常',
    dropped: '链上确认失败',
  },
}
export const exceptionLabels: Record<Language, Record<PaymentException, string>> = {
  en: { none: 'None', partial: 'Partly paid', over: 'Overpaid', late: 'Late' },
  'zh-CN': { none: '无', partial: '部分支付', over: '超额支付', late: '逾期到账' },
}
export const callbackLabels: Record<Language, Record<CallbackState, string>> = {
  en: { pending: 'To be confirmed', delivered: 'Success', retrying: 'Failed', given_up: 'Callback timeout' },
  'zh-CN': { pending: '待确认', delivered: '成功', retrying: '失败', given_up: '回调超时' },
}

/** A numbered set in one line, as documentation lists it: '1 To be paid, 2 Account paid'. */
export const listed = <Name extends string>(
  codes: Record<Name, number>,
  labels: Record<Name, string>,
  separator = ', ',
): string => (Object.keys(codes) as Name[]).map(name => `${codes[name]} ${labels[name]}`).join(separator)
