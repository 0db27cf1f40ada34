import { languageOf } from '@coffer/contract/languages.ts'
import type { MessageChannelKind } from '@coffer/contract/notifications/channel-routes.ts'
import type { Deps } from '../../../deps.ts'
import { tx } from '../../../kit/db.ts'
import { events } from '../../../kit/outbox.ts'
import { type ChatHookKind, type ChatMessage, chatHookKinds } from '../../../outside/chat-hooks.ts'
import type { Delivery } from '../../../outside/delivery.ts'
import {
  channelAddressAt,
  channelById,
  channelSecretAt,
  forgetChannel,
  moveChannel,
  noteChannel,
  stopChannel,
} from '../channel-store.ts'
import { renderChatMessage } from '../render-chat.ts'
import { type Channel, describeNoText } from './channel.ts'
import { postToSystem } from './hook.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof channelById>>>

const buttons = { en: 'Open', 'zh-CN': '查看' }

const isChatHook = (kind: MessageChannelKind): kind is ChatHookKind => chatHookKinds.some(each => each === kind)

/** Makes one attempt to send to a chat or system, and notes there how that ended. `id` names the message. */
export async function sendToChannel(
  deps: Deps,
  { id: channelId, kind: stored, address, secret: sealed, language }: Stored,
  sent: { id: string; event: string; created_at: number; message: ChatMessage },
): Promise<Delivery> {
  const kind = stored as MessageChannelKind
  const { seal, pool, clock } = deps
  const url = seal.open(address, channelAddressAt(channelId))
  const secret = sealed && seal.open(sealed, channelSecretAt(channelId))
  const outcome = await (isChatHook(kind)
    ? deps.chat.post({ kind, url, secret }, sent.message)
    : kind === 'hook'
      ? postToSystem(deps, { id: channelId, url, secret: sealed }, sent)
      : sendToTelegram(deps, channelId, url, { ...sent.message, button: buttons[languageOf(language)] }))
  if (outcome.result === 'refused') await endChannel(deps, channelId, outcome)
  else await noteChannel(pool, channelId, outcome.result === 'later' ? outcome.error : '', clock())
  return outcome
}

/** Stops or removes a chat or system that takes no messages, and tells whoever added it, once. */
const endChannel = (
  { pool, clock }: Deps,
  channelId: string,
  { setup, error }: Extract<Delivery, { result: 'refused' }>,
): Promise<void> =>
  tx(pool, async (c, uow) => {
    const ended = setup ? await stopChannel(c, channelId, setup, error) : await forgetChannel(c, channelId)
    if (!ended) return
    const { person_id, merchant_id, name } = ended
    const params = { name, refused: setup ?? 'gone' }
    uow.add(events, [{ merchant_id, person_id, name: 'channel_refused', params, created_at: clock() }])
  })

async function sendToTelegram(
  { telegram, pool, seal }: Deps,
  channelId: string,
  chatId: string,
  message: ChatMessage & { button: string },
): Promise<Delivery> {
  if (!telegram) return { result: 'later', error: 'no bot of Telegram is configured' }
  const { movedTo, ...outcome } = await telegram.send(chatId, message)
  if (movedTo) await moveChannel(pool, channelId, seal.seal(movedTo, channelAddressAt(channelId)))
  return outcome
}

/** Chats and systems of members, each in the language in which it was added; the address is the id of one of them. */
export const chatChannel: Channel = {
  places: 20,
  async attempt(deps, message) {
    const channel = await channelById(deps.pool, message.address)
    if (!channel) return { result: 'unwanted' }
    // What was queued before it stopped.
    if (channel.refused) return { result: 'refused', error: channel.error }
    const rendered = renderChatMessage(deps, { ...message, language: languageOf(channel.language) })
    return rendered
      ? sendToChannel(deps, channel, { ...message.events[0], id: message.id, message: rendered })
      : describeNoText(message)
  },
}
