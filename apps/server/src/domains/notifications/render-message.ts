import { type ErrorName, errors, type Language } from '@coffer/contract'
import { findEvent, type ListedEvent } from '@coffer/contract/events.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import { payoutReasons } from '@coffer/contract/labels.ts'
import { adviseOnChannel } from './channel-advice.ts'
import { notificationMessages } from './messages.ts'

/** What stands beside an amount or a number where it is known. */
const beside: Record<Language, Record<'worth' | 'to' | 'own', (text: string) => string>> = {
  en: {
    worth: worth => ` (${worth})`,
    to: address => ` to ${mask(address)}`,
    own: number => ` (${number})`,
  },
  'zh-CN': {
    worth: worth => `（${worth}）`,
    to: address => `（收款地址 ${mask(address)}）`,
    own: number => `（${number}）`,
  },
}

/** Parameters that are amounts. */
const amounts = new Set(['amount', 'asked'])

/** Renders a notification in a language. A missing parameter is empty; an unknown key is shown as it is. */
export function renderMessage(key: string, params: Record<string, string>, language: Language) {
  const texts = key in notificationMessages ? notificationMessages[key as ListedEvent] : undefined
  const { title, content } = texts?.[language] ?? { title: key, content: '' }
  const { fiat_name, fiat_amount } = params
  const known: Record<string, string | undefined> = {
    ...params,
    order: params.out_trade_no ?? params.trade_no,
    own: params.out_no,
    worth: fiat_name && `${formatAmount(fiat_amount ?? '', language, fiat_name)} ${fiat_name}`,
  }
  const textOf = (name: string) => {
    const value = known[name] ?? ''
    if (Object.hasOwn(beside.en, name)) return value && beside[language][name as keyof typeof beside.en](value)
    if (name === 'advice') return adviseOnChannel(params.refused ?? '', language)
    if (amounts.has(name)) return formatAmount(value, language)
    return name === 'reason' ? reasonText(value, language) : value
  }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => textOf(name))
  return { title: fill(title), content: fill(content) }
}

/** Whether the list of notifications has a text for an event. */
export const hasNotificationText = (key: string): boolean => Object.hasOwn(notificationMessages, key)

/** What a notification is about; undefined for one without a page, or from before its number was stored. */
export function findNotificationSubject(key: string, params: Record<string, string>) {
  const [kind, parameter] = findEvent(key)?.about ?? []
  const id = parameter === undefined ? '' : params[parameter]
  return kind && id !== undefined ? { kind, id } : undefined
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
