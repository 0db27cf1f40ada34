import type { EventName } from '@coffer/contract/events.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { nameMailedEvent } from './event-mails.ts'
import { hasNotificationText, renderMessage } from './render-message.ts'

/** Names of events whose title says more than what they are. */
const names: Partial<Record<EventName, Record<Language, string>>> = {
  deposit_callback_given_up: { en: 'Callback timeout of a deposit', 'zh-CN': '充值回调超时' },
  work_order_message: { en: 'Message in a work order', 'zh-CN': '工单消息' },
  membership_changed: { en: 'Your role or membership changed', 'zh-CN': '您的角色或成员资格变更' },
  members_changed: { en: 'People of the shop changed', 'zh-CN': '商户成员变更' },
}

/** Names an event for its readers. */
export function nameEvent(event: EventName, language: Language): string {
  const name = names[event]?.[language]
  if (name) return name
  return hasNotificationText(event) ? renderMessage(event, {}, language).title : nameMailedEvent(event, language)
}
