import type { Deps } from '../../deps.ts'
import type { ChatMessage } from '../../outside/chat-hooks.ts'
import { describeEvent, describeTime, type EventMessage } from './event-mails.ts'
import { findEventPage } from './event-pages.ts'
import { findNotificationSubject, hasNotificationText, renderMessage } from './render-message.ts'

/**
 * Returns what a chat shows of an event: what the list of notifications has, or the sentence of the mail. It has no
 * link that ends what somebody else does, which everybody in a group could use. Undefined for an event without a text.
 */
export function renderChatMessage(
  deps: Pick<Deps, 'config' | 'clock'>,
  message: EventMessage,
): ChatMessage | undefined {
  const { event, params, language } = message
  const about = event === 'withdrawal_waits' ? '/approvals' : findEventPage(findNotificationSubject(event, params))
  const link = deps.config.publicUrl + about
  if (hasNotificationText(event)) {
    const { title, content } = renderMessage(event, params, language)
    return { title, text: content, link, notes: describeTime(message) }
  }
  const found = describeEvent(deps, message)
  return found && { ...found, link, notes: describeTime(message) }
}
