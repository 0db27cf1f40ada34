import { createHash } from 'node:crypto'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import { first, run } from '../../../kit/db.ts'
import { type Message, renderEither, type ToldEvent } from '../message.ts'
import { readPushKeys } from '../push-keys.ts'
import { describeGroup } from '../render-group.ts'
import { renderMessage } from '../render-message.ts'
import type { Attempted, Channel } from './channel.ts'

/** Reads a device of an operator or an open shop. */
const readDevice = first(
  'message-device',
  `select d.endpoint, d.p256dh, d.auth, d.language from push_devices d left join merchants m on m.id = d.merchant_id
   where d.id = $1 and (d.merchant_id is null or m.deleted_at is null and not m.frozen)`,
)
/** Removes a device that its browser unsubscribed. */
const forget = run('push-device-forget', 'delete from push_devices where id = $1')

/** Events of which a device shows a line. */
const linesMax = 3

/** What a device shows: the amount first, and the page that it opens. */
const show = (message: Message) =>
  renderEither<{ title: string; body: string; trade_no: string; page?: string } | undefined>(
    message,
    one => {
      const { title, content: body } = renderMessage(one.event, one.params, message.language)
      return { title, body, trade_no: one.params.trade_no ?? '', ...pageOf(one) }
    },
    events => {
      const group = describeGroup(events, message, linesMax)
      return group && { title: group.title, body: group.lines.join('\n'), trade_no: '', ...pageOf(events[0]!) }
    },
  )

const pageOf = ({ event }: ToldEvent) => (event === 'withdrawal_waits' ? { page: '/m/approvals' } : {})

/** Makes what is pushed. A repeat replaces what was shown, by the tag, or waits, by the topic. */
function render(message: Message) {
  const shown = show(message)
  if (!shown) return undefined
  const { title, body, ...page } = shown
  const topic = createHash('sha256').update(message.id).digest('base64url').slice(0, 32)
  return { topic, payload: JSON.stringify({ title, body, tag: message.id, ...page }) }
}

/** Makes one attempt to show something on a device, in its language. One that its browser unsubscribed is removed. */
export async function pushToDevice(
  deps: Deps,
  id: string,
  render: (language: Language) => { topic: string; payload: string } | undefined,
): Promise<Attempted> {
  const device = await readDevice(deps.pool, id)
  if (!device) return { result: 'unwanted' }
  const { language, ...to } = device
  const rendered = render(languageOf(language))
  if (!rendered) return { result: 'later', error: 'no text' }
  const outcome = await deps.push.send({ device: to, keys: await readPushKeys(deps), ...rendered })
  if (outcome.result === 'refused') await forget(deps.pool, id)
  return outcome
}

/** Pushes to a device, whose id is the address. */
export const pushChannel: Channel = {
  places: 50,
  attempt: (deps, message) => pushToDevice(deps, message.address, language => render({ ...message, language })),
}
