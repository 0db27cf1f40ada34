import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import type { Delivery } from '../../outside/delivery.ts'
import type { channelById } from './channel-store.ts'
import { sendToChannel } from './channels/chat.ts'

const texts = {
  en: { title: 'Test message', text: 'Messages of this shop arrive here.' },
  'zh-CN': { title: '测试消息', text: '该商户的消息将发送到这里。' },
}

/** Sends a message that says it is a test, once, and returns how that ended. */
export const sendTestMessage = (
  deps: Deps,
  channel: NonNullable<Awaited<ReturnType<typeof channelById>>>,
): Promise<Delivery> => {
  const message = { ...texts[languageOf(channel.language)], link: `${deps.config.publicUrl}/user/messages`, notes: '' }
  return sendToChannel(deps, channel, { id: newId(), event: 'test', created_at: deps.clock(), message })
}
