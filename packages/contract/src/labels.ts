import type { PaymentException, PaymentState } from './codes.ts'
import * as en from './labels/en.ts'
import * as zh from './labels/zh-CN.ts'
import type { Language } from './languages.ts'

/** Names of states as people read them. A page loads those of its language alone, from `labels/<language>.ts`. */
export const paymentLabels: Record<Language, Record<PaymentState, string>> = { en: en.payment, 'zh-CN': zh.payment }
export const exceptionLabels: Record<Language, Record<PaymentException, string>> = {
  en: en.exception,
  'zh-CN': zh.exception,
}

/** A numbered set in one line, as documentation lists it: '1 To be paid, 2 Account paid'. */
export const listed = <Name extends string>(
  codes: Record<Name, number>,
  labels: Record<Name, string>,
  separator = ', ',
): string => (Object.keys(codes) as Name[]).map(name => `${codes[name]} ${labels[name]}`).join(separator)
