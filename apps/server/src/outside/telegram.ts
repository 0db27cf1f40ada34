import { z } from 'zod'
import type { ChatMessage } from './chat-hooks.ts'
import { joinChatText } from './chat-hooks.ts'
import type { Delivery } from './delivery.ts'

/** Most bytes of a text; Telegram counts 4,096 characters. */
const bytesMax = 4_000
const timeoutMs = 10_000
/** How long (s) Telegram holds a request for updates that are not there yet. */
const waitSeconds = 25

const answerShape = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().default(''),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).default({}),
})
type Answer = z.output<typeof answerShape>
const named = z.object({ username: z.string() })

const updatesShape = z.array(
  z.object({
    update_id: z.number(),
    message: z
      .object({
        text: z.string().default(''),
        from: z.object({ language_code: z.string().default('') }).optional(),
        chat: z.object({
          id: z.number(),
          type: z.string(),
          title: z.string().default(''),
          username: z.string().default(''),
        }),
      })
      .optional(),
  }),
)

/** What somebody wrote to the bot. */
export interface TelegramText {
  id: number
  /** The chat; undefined for an update that is no text. */
  chat?: { id: string; name: string; isPrivate: boolean }
  text: string
  /** The tag of the writer's language; absent where it is not known. */
  language?: string
}

/** The bot of an installation or merchant (Bot API 9, https://core.telegram.org/bots/api). */
export interface TelegramBot {
  /** Returns the name by which people find the bot. Throws for a token that is none. */
  name: () => Promise<string>
  /** Sends a message with a button that opens its page. A chat that became another one tells its new id. */
  send: (chatId: string, message: ChatMessage & { button: string }) => Promise<Delivery & { movedTo?: string }>
  /** Returns what was written after `after`, and waits for it. Only one caller at a time may wait (409 otherwise). */
  read: (after: number, signal: AbortSignal) => Promise<TelegramText[]>
}

/** Errors that no later attempt changes: the bot was blocked or removed, or the chat is gone. */
const isGone = ({ error_code, description }: Answer) =>
  error_code === 403 || (error_code === 400 && /chat not found|user is deactivated|PEER_ID_INVALID/i.test(description))

/** Opens the bot of a token. `at` is another host than Telegram's, for tests. The token is in no error. */
export function openTelegramBot(token: string, at = 'https://api.telegram.org'): TelegramBot {
  const call = async (method: string, body: object, signal: AbortSignal): Promise<Answer> => {
    const answer = await fetch(`${at}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })
    const parsed = answerShape.safeParse(await answer.json().catch(() => undefined))
    return parsed.data ?? { ok: false, result: null, error_code: answer.status, description: '', parameters: {} }
  }
  const must = async (method: string, body: object, signal: AbortSignal) => {
    const answer = await call(method, body, signal)
    if (!answer.ok) throw new Error(`Telegram: ${answer.error_code} ${answer.description}`)
    return answer.result
  }
  /** The name, once it was read: it does not change while a server runs. */
  let known: string | undefined
  return {
    async name() {
      known ??= named.parse(await must('getMe', {}, AbortSignal.timeout(timeoutMs))).username
      return known
    },
    async send(chatId, { link, button, ...message }) {
      // Telegram takes buttons to public hosts only.
      const hasButton = /^https:/.test(link)
      const body = {
        chat_id: chatId,
        text: joinChatText({ ...message, link: hasButton ? '' : link }, { bytesMax }),
        entities: [{ type: 'bold', offset: 0, length: message.title.length }],
        link_preview_options: { is_disabled: true },
        ...(hasButton && { reply_markup: { inline_keyboard: [[{ text: button, url: link }]] } }),
      }
      const answer = await call('sendMessage', body, AbortSignal.timeout(timeoutMs)).catch(() => undefined)
      if (!answer) return { result: 'later', error: 'Telegram does not answer' }
      if (answer.ok) return { result: 'accepted' }
      const error = `${answer.error_code} ${answer.description}`
      const { retry_after: retryAfter, migrate_to_chat_id: moved } = answer.parameters
      if (moved !== undefined) return { result: 'later', error, retryAfter: 1, movedTo: String(moved) }
      return isGone(answer) ? { result: 'refused', error } : { result: 'later', error, retryAfter }
    },
    async read(after, signal) {
      const body = { offset: after + 1, timeout: waitSeconds, allowed_updates: ['message'] }
      const until = AbortSignal.any([signal, AbortSignal.timeout((waitSeconds + 10) * 1_000)])
      return updatesShape.parse(await must('getUpdates', body, until)).map(({ update_id: id, message }) => ({
        id,
        text: message?.text ?? '',
        ...(message && {
          ...(message.from?.language_code && { language: message.from.language_code }),
          chat: {
            id: String(message.chat.id),
            name: message.chat.title || message.chat.username,
            isPrivate: message.chat.type === 'private',
          },
        }),
      }))
    },
  }
}
