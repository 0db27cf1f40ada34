import { type ErrorName, errors, type Language } from '@coffer/contract'
import { formatAmount } from '@coffer/contract/format-amount.ts'
import { payoutReasons } from '@coffer/contract/labels.ts'
import { type MessageKey, messages } from './messages.ts'

/** What an order asks in its own currency, after its number; Chinese has a space there without one. */
const worthText: Record<Language, (worth: string) => string> = {
  en: worth => worth && ` (${worth})`,
  'zh-CN': worth => (worth ? `（${worth}）` : ' '),
}

/** Parameters that are amounts. */
const amounts = new Set(['amount', 'asked'])

/** Renders a notification in a language. A missing parameter is empty; an unknown key is shown as it is. */
export function renderMessage(key: string, params: Record<string, string>, language: Language) {
  const texts = key in messages ? messages[key as MessageKey] : undefined
  const { title, content } = texts?.[language] ?? { title: key, content: '' }
  const { fiat_name, fiat_amount } = params
  const worth = fiat_name ? `${formatAmount(fiat_amount ?? '', language, fiat_name)} ${fiat_name}` : ''
  const textOf = (name: string, value = '') =>
    name === 'worth'
      ? worthText[language](worth)
      : amounts.has(name)
        ? formatAmount(value, language)
        : name === 'reason'
          ? reasonText(value, language)
          : value
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => textOf(name, params[name]))
  return { title: fill(title), content: fill(content) }
}

/** Formats a reason: the name of an error, one that is stored with a payout, or a text that a person wrote. */
function reasonText(reason: string, language: Language): string {
  const known = payoutReasons[language]
  const text = Object.hasOwn(errors, reason)
    ? errors[reason as ErrorName][language]
    : Object.hasOwn(known, reason)
      ? known[reason]!
      : reason
  // The sentence around it has an end of its own.
  return text.replace(/[.。]$/, '')
}
