import { createHash } from 'node:crypto'
import { languageOf } from '@coffer/contract/languages.ts'
import { first, run } from '../../../kit/db.ts'
import { readPushKeys } from '../push-keys.ts'
import { renderMessage } from '../render-message.ts'
import type { Channel, Message } from './channel.ts'

/** Reads a device of an open shop. */
const readDevice = first(
  'message-device',
  `select d.endpoint, d.p256dh, d.auth, d.language from push_devices d join merchants m on m.id = d.merchant_id
   where d.id = $1 and m.deleted_at is null and not m.frozen`,
)
/** Removes a device that its browser unsubscribed. */
const forget = run('push-device-forget', 'delete from push_devices where id = $1')

/** Makes what a device shows. A repeat replaces what was shown, by the tag, or waits, by the topic. */
function render({ id, event, params }: Message, language: string) {
  const { title, content } = renderMessage(event, params, languageOf(language))
  const payload = {
    title,
    // Begins with the amount.
    body: content,
    tag: id,
    trade_no: params.trade_no ?? '',
    ...(event === 'withdrawal_waits' && { page: '/m/approvals' }),
  }
  const topic = createHash('sha256').update(id).digest('base64url').slice(0, 32)
  return { topic, payload: JSON.stringify(payload) }
}

/** Pushes to a device, whose id is the address, in the language of the device. */
export const pushChannel: Channel = {
  places: 50,
  async attempt(deps, message) {
    const device = await readDevice(deps.pool, message.address)
    if (!device) return { result: 'unwanted' }
    const { language, ...to } = device
    const outcome = await deps.push.send({ device: to, keys: await readPushKeys(deps), ...render(message, language) })
    if (outcome.result === 'refused') await forget(deps.pool, message.address)
    return outcome
  },
}
