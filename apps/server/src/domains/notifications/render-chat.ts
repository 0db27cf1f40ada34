import type { Deps } from '../../deps.ts'
import type { ChatMessage } from '../../outside/chat-hooks.ts'
import { describeReasonInChat } from './describe-reason.ts'
import { describeEvent, describeTime } from './event-mails.ts'
import { findPageOfEvent } from './event-pages.ts'
import { type Message, renderEither } from './message.ts'
import { describeGroup } from './render-group.ts'
import { hasNotificationText, renderMessage } from './render-message.ts'

/** Events of which a message to a chat has a line. */
const linesMax = 10

/**
 * Returns what a chat shows of events: what the list of notifications has, or the sentence of the mail. It has no link
 * that ends what somebody else does, which everybody in a group could use. Undefined for an event without a text.
 */
export function renderChatMessage(deps: Pick<Deps, 'config' | 'clock'>, message: Message): ChatMessage | undefined {
  const reason = describeReasonInChat(deps, message)
  return renderEither<ChatMessage | undefined>(
    message,
    one => {
      const { event, params, language } = one
      const more = { link: deps.config.publicUrl + findPageOfEvent(one), notes: `${describeTime(one)}\n${reason}` }
      if (hasNotificationText(event)) {
        const { title, content } = renderMessage(event, params, language)
        return { title, text: content, ...more }
      }
      const found = describeEvent(deps, one)
      return found && { ...found, ...more }
    },
    events => {
      const group = describeGroup(events, message, linesMax)
      if (!group) return undefined
      const { title, kinds, lines, zone, page } = group
      const text = [...(kinds.length > 1 ? kinds : []), ...lines].join('\n')
      return { title, text, link: deps.config.publicUrl + page, notes: `${zone}\n${reason}` }
    },
  )
}
