import { createHash } from 'node:crypto'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import { first, run } from '../../../kit/db.ts'
import { readPushKeys } from '../push-keys.ts'
import { renderMessage } from '../render-message.ts'
import type { Attempted, Channel, Message } from './channel.ts'

/** Reads a device of an operator or an open shop. */
const readDevice = first(
  'message-device',
  `select d.endpoint, d.p256dh, d.auth, d.language from push_devices d left join merchants m on m.id = d.merchant_id
   where d.id = $1 and (d.merchant_id is null or m.deleted_at is null and not m.frozen)`,
)
/** Removes a device that its browser unsubscribed. */
const forget = run('push-device-forget', 'delete from push_devices where id = $1')

/** Makes what a device shows. A repeat replaces what was shown, by the tag, or waits, by the topic. */
function render({ id, event, params }: Message, language: Language) {
  const { title, content } = renderMessage(event, params, language)
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

/** Makes one attempt to show something on a device, in its language. One that its browser unsubscribed is removed. */
export async function pushToDevice(
  deps: Deps,
  id: string,
  render: (language: Language) => { topic: string; payload: string },
): Promise<Attempted> {
  const device = await readDevice(deps.pool, id)
  if (!device) return { result: 'unwanted' }
  const { language, ...to } = device
  const rendered = render(languageOf(language))
  const outcome = await deps.push.send({ device: to, keys: await readPushKeys(deps), ...rendered })
  if (outcome.result === 'refused') await forget(deps.pool, id)
  return outcome
}

/** Pushes to a device, whose id is the address. */
export const pushChannel: Channel = {
  places: 50,
  attempt: (deps, message) => pushToDevice(deps, message.address, language => render(message, language)),
}
