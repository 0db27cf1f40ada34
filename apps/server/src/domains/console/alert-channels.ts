import { isAlertName } from '@coffer/contract/events.ts'
import type { AlertKind } from '@coffer/contract/operator/names.ts'
import type { Deps } from '../../deps.ts'
import { quietHoursEnd } from '../../kit/quiet-hours.ts'
import type { Attempted, Channel, EventChannels } from '../notifications/channels/channel.ts'
import { mailChannel, sendMail } from '../notifications/channels/mail.ts'
import { pushChannel } from '../notifications/channels/push.ts'
import type { Message, MessageEvent } from '../notifications/message.ts'
import { pushAlert } from './alert-devices.ts'
import { postAlert, readAlertHook } from './alert-hooks.ts'
import { type OperatorAlert, renderAlertMail, unreadableAlert } from './alert-mails.ts'
import { alertMakers, kindOfAlert } from './alert-makers.ts'
import { readAlertSettings } from './alert-settings.ts'

/** An alert as it is sent now. */
export interface MadeAlert {
  subject: string
  kind: AlertKind
  object: string
  created_at: number
  alert: OperatorAlert
}

/** Makes an alert; undefined once nobody has to act on it. One that cannot be made leads to the console. */
async function makeAlert(deps: Deps, { event, params, created_at }: MessageEvent): Promise<MadeAlert | undefined> {
  if (!isAlertName(event)) return undefined
  const { subject = '', object = '' } = params
  try {
    const alert = await alertMakers[event](deps, object)
    return alert && { subject, kind: kindOfAlert(event), object, created_at, alert }
  } catch (error) {
    deps.log.error({ err: error, subject }, 'alert not made')
    return { subject, kind: kindOfAlert(event), object, created_at, alert: unreadableAlert(deps.config.operatorUrl) }
  }
}

/**
 * Sends what a receiver gets now of a message: not what is over or switched off, and nothing in quiet hours unless
 * something of it is urgent.
 */
const attemptOf =
  (send: (deps: Deps, message: Message, alerts: [MadeAlert, ...MadeAlert[]]) => Promise<Attempted>) =>
  async (deps: Deps, message: Message): Promise<Attempted> => {
    const settings = await readAlertSettings(deps.pool, message.person_id)
    const left: string[] = []
    const wanted: MadeAlert[] = []
    for (const event of message.events) {
      const made = await makeAlert(deps, event)
      if (made && (made.alert.urgent || !settings.off.includes(made.kind))) wanted.push(made)
      else left.push(event.id)
    }
    const [first, ...others] = wanted
    if (!first) return { result: 'unwanted' }
    const until = wanted.some(each => each.alert.urgent) ? undefined : quietHoursEnd(deps.clock(), settings)
    if (until !== undefined) return { result: 'postponed', until }
    return { ...(await send(deps, message, [first, ...others])), left }
  }

const hookChannel: Channel = {
  places: 20,
  attempt: attemptOf(async (deps, { address }, [made]) => {
    const hook = await readAlertHook(deps, address)
    return hook ? postAlert(deps, hook, made) : { result: 'unwanted' }
  }),
}

/** How alerts are sent: all of a mail together, each by itself to devices and systems. */
export const alertChannels: EventChannels = {
  isFor: isAlertName,
  channels: {
    mail: {
      ...mailChannel,
      attempt: attemptOf((deps, message, made) =>
        sendMail(
          deps,
          message,
          renderAlertMail(
            made.map(each => each.alert),
            deps.config.operatorUrl,
          ),
        ),
      ),
    },
    push: { ...pushChannel, attempt: attemptOf((deps, { address }, [made]) => pushAlert(deps, address, made)) },
    hook: hookChannel,
  },
}
