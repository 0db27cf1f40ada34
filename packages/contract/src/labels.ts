import type { InvoiceItem } from './billing/items.ts'
import type { CallbackState, DepositState, PaymentException, PaymentState, WithdrawalState } from './codes.ts'
import * as accountEn from './labels/account-en.ts'
import * as accountZh from './labels/account-zh-CN.ts'
import * as billingEn from './labels/billing-en.ts'
import * as billingZh from './labels/billing-zh-CN.ts'
import * as en from './labels/en.ts'
import * as flowEn from './labels/fund-flow-en.ts'
import * as flowZh from './labels/fund-flow-zh-CN.ts'
import * as payoutsEn from './labels/payouts-en.ts'
import * as payoutsZh from './labels/payouts-zh-CN.ts'
import * as zh from './labels/zh-CN.ts'
import type { Language } from './languages.ts'

/** Display names of payment states. A page loads only the labels of its language, from `labels/<language>.ts`. */
export const paymentLabels: Record<Language, Record<PaymentState, string>> = { en: en.payment, 'zh-CN': zh.payment }
export const callbackLabels: Record<Language, Record<CallbackState, string>> = { en: en.callback, 'zh-CN': zh.callback }
export const paymentExceptionLabels: Record<Language, Record<PaymentException, string>> = {
  en: en.exception,
  'zh-CN': zh.exception,
}
export const depositStateLabels: Record<Language, Record<DepositState, string>> = {
  en: en.depositState,
  'zh-CN': zh.depositState,
}
export const withdrawalLabels: Record<Language, Record<WithdrawalState, string>> = {
  en: en.withdrawal,
  'zh-CN': zh.withdrawal,
}
/** Names of the events of accounts, of attempts at them, and of what confirms an identity. */
export const accountEventLabels: Record<Language, typeof accountEn> = { en: accountEn, 'zh-CN': accountZh }

export const invoiceItemLabels: Record<Language, Record<InvoiceItem, string>> = {
  en: billingEn.invoiceItem,
  'zh-CN': billingZh.invoiceItem,
}

/** Why payouts wait or ended, by what the server stores. */
export const payoutReasons: Record<Language, Record<string, string>> = {
  en: payoutsEn.payoutReasons,
  'zh-CN': payoutsZh.payoutReasons,
}

/** Names of types, payment types, accounts and directions of the fund flow. */
export const fundFlowLabels: Record<Language, typeof flowEn> = { en: flowEn, 'zh-CN': flowZh }

/** Formats codes with their labels for documentation: '1 To be paid, 2 Account paid'. */
export const formatCodeList = <Name extends string>(
  codes: Record<Name, number>,
  labels: Record<Language, Record<Name, string>>,
): Record<Language, string> => {
  const list = (language: Language) =>
    (Object.keys(codes) as Name[]).map(name => `${codes[name]} ${labels[language][name]}`)
  return { en: list('en').join(', '), 'zh-CN': list('zh-CN').join('，') }
}
