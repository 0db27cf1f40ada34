import { findUrgency } from '@coffer/contract/events.ts'
import { asMerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { audiencesOfRole, mayOperatorCall } from '../../kit/audience.ts'
import { runSendQueue } from '../../kit/send-queue.ts'
import { type Attempted, type Channel, describeError } from './channels/channel.ts'
import { chatChannel } from './channels/chat.ts'
import { mailChannel } from './channels/mail.ts'
import { pushChannel } from './channels/push.ts'
import { textChannel } from './channels/text.ts'
import { endMessage, type LeasedMessage, leaseMessages, postponeMessage } from './message-store.ts'
import { countMessageAttempt } from './metrics.ts'
import { ServicePlaces } from './services.ts'

const channels: Record<string, Channel> = { mail: mailChannel, text: textChannel, push: pushChannel, chat: chatChannel }

export const messageChannels: readonly string[] = Object.keys(channels)

/** Seconds after which a message is sent again whose attempt was never recorded (crash). Longer than one takes. */
const leaseSeconds = 120
/** Seconds until the next attempt after each failed one; then the last of them. */
const pauses = [30, 120, 600, 3_600]
/** For how long (seconds) a message is tried, by the urgency of its event. */
const patience = { lost: 3 * 86_400, decide: 3 * 86_400, know: 86_400 }

/**
 * What sends messages to people: at least once, each with an id that a repeat has, too. One that is sent just before a
 * crash is sent again once its lease is over.
 */
export function makeMessageSender(deps: Deps) {
  const places = new ServicePlaces(
    deps.clock,
    Object.fromEntries(Object.entries(channels).map(([name, { places }]) => [name, places])),
  )
  return {
    async lease(): Promise<LeasedMessage[]> {
      const { limit, ...room } = places.free()
      if (limit <= 0) return []
      const now = deps.clock()
      const [free, of, share] = [room.free, room.places, room.shares].map(each => JSON.stringify(each))
      return leaseMessages(deps.pool, now, now + leaseSeconds, limit, free!, of!, share!)
    },
    async send(message: LeasedMessage): Promise<void> {
      const done = places.start(message)
      const outcome = await attempt(deps, message)
      done(outcome)
      await record(deps, message, outcome)
    },
  }
}

/** Sends what is due until `signal` aborts. */
export function sendMessages(deps: Deps, signal: AbortSignal): Promise<void> {
  const sender = makeMessageSender(deps)
  return runSendQueue({
    name: 'send messages',
    log: deps.log,
    live: deps.live,
    signal,
    listen: wake => deps.live.onType('message', wake),
    lease: sender.lease,
    send: sender.send,
    about: ({ id }) => ({ message: id }),
  })
}

/**
 * Whether the event still concerns the reader. What is about one person is mailed to the address whatever the role; a
 * device serves a shop.
 */
const isConcerned = ({ realm, audience, role, channel }: LeasedMessage) =>
  (audience === 'self' && channel !== 'push') ||
  (realm === 'console'
    ? mayOperatorCall(role ?? '', audience)
    : audiencesOfRole(asMerchantRole(role ?? '')).includes(audience))

async function attempt(deps: Deps, leased: LeasedMessage): Promise<Attempted> {
  const { channel: name, language, ...message } = leased
  if (!isConcerned(leased)) return { result: 'unwanted' }
  try {
    return await channels[name]!.attempt(deps, { ...message, language: languageOf(language ?? '') })
  } catch (error) {
    return { result: 'later', error: describeError(error) }
  }
}

async function record(deps: Deps, message: LeasedMessage, outcome: Attempted): Promise<void> {
  const { id, tries, created_at, channel, event } = message
  const now = deps.clock()
  if (outcome.result !== 'later') {
    countMessageAttempt(channel, outcome.result)
    const error = outcome.result === 'refused' ? outcome.error : ''
    if (error) deps.log.warn({ message: id, channel, event, error }, 'message refused')
    await endMessage(deps.pool, id, tries, now, outcome.result, error)
    return
  }
  const { error, retryAfter = 0 } = outcome
  const next = now + Math.max(pauses[tries - 1] ?? pauses.at(-1)!, retryAfter)
  if (next - created_at <= patience[findUrgency(event)]) await postponeMessage(deps.pool, id, tries, next, error)
  else {
    deps.log.error({ message: id, channel, event, error }, 'message given up')
    await endMessage(deps.pool, id, tries, now, 'expired', error)
  }
}

/** Sends what is due now, one after the other, until nothing is. Tests use it in place of the job. */
export async function sendDueMessages(deps: Deps, sender = makeMessageSender(deps)): Promise<void> {
  for (let due = await sender.lease(); due.length > 0; due = await sender.lease())
    for (const message of due.toSorted((one, other) => (one.id < other.id ? -1 : 1))) await sender.send(message)
}
