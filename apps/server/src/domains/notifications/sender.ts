import { findUrgency } from '@coffer/contract/events.ts'
import { asMerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { audiencesOfRole, mayOperatorCall } from '../../kit/audience.ts'
import { isCopy } from '../../kit/copy-switch.ts'
import { findSendTime } from '../../kit/quiet-hours.ts'
import { runSendQueue } from '../../kit/send-queue.ts'
import { type Attempted, type Channel, describeError, type EventChannels } from './channels/channel.ts'
import { chatChannel } from './channels/chat.ts'
import { mailChannel } from './channels/mail.ts'
import { pushChannel } from './channels/push.ts'
import { textChannel } from './channels/text.ts'
import type { MessageEvent } from './message.ts'
import {
  endMessage,
  giveBackMessage,
  type LeasedMessage,
  leaseMessages,
  messagesSentWith,
  messagesToPlace,
  placeMessages,
  postponeMessage,
} from './message-store.ts'
import { countMessageAttempt } from './metrics.ts'
import { ServicePlaces } from './services.ts'

const channels: Record<string, Channel> = { mail: mailChannel, text: textChannel, push: pushChannel, chat: chatChannel }

export const messageChannels: readonly string[] = [...Object.keys(channels), 'hook']

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
export function makeMessageSender(deps: Deps, others: readonly EventChannels[] = []) {
  const all = Object.assign({}, ...others.map(each => each.channels), channels) as typeof channels
  const places = new ServicePlaces(
    deps.clock,
    Object.fromEntries(Object.entries(all).map(([name, { places }]) => [name, places])),
  )
  /** When, at the latest, messages are looked for whose time is to be found. */
  let placesAt = 0
  const channelOf = ({ event, channel }: LeasedMessage): Channel | undefined =>
    (others.find(each => each.isFor(event))?.channels ?? channels)[channel]
  return {
    /** Says that there may be messages whose time is to be found. */
    noteNew() {
      placesAt = 0
    },
    async lease(): Promise<LeasedMessage[]> {
      const { limit, ...room } = places.free()
      if (limit <= 0 || (await isCopy(deps.pool))) return []
      const now = deps.clock()
      if (now >= placesAt) {
        // Before the statement: what is new meanwhile is looked for again.
        placesAt = now + placingSeconds
        await findSendTimes(deps)
      }
      const [free, of, share] = [room.free, room.places, room.shares].map(each => JSON.stringify(each))
      return leaseMessages(deps.pool, now, now + leaseSeconds, limit, free!, of!, share!)
    },
    async send(message: LeasedMessage): Promise<void> {
      const done = places.start(message)
      const { outcome, unwanted } = await attempt(deps, message, channelOf(message))
      done(outcome)
      await record(deps, message, outcome, unwanted)
    },
  }
}

/** Sends what is due until `signal` aborts. `others` are channels of events that other domains make the texts of. */
export function sendMessages(deps: Deps, signal: AbortSignal, others: readonly EventChannels[] = []): Promise<void> {
  const sender = makeMessageSender(deps, others)
  return runSendQueue({
    name: 'send messages',
    log: deps.log,
    live: deps.live,
    signal,
    listen: wake =>
      deps.live.onType('message', () => {
        sender.noteNew()
        wake()
      }),
    lease: sender.lease,
    send: sender.send,
    about: ({ id }) => ({ message: id }),
  })
}

/**
 * Seconds after which messages whose time is to be found are looked for without a hint: what waits for an hour, or for
 * the morning, has time.
 */
const placingSeconds = 10

/** Messages whose time is found in one step. */
const placedMax = 500

/**
 * Finds when messages are due that do not go at once. The clock of a reader is asked here, and not in the transaction
 * of the event, which a zone that PostgreSQL does not know must not fail.
 */
async function findSendTimes({ pool }: Deps): Promise<void> {
  for (let found = placedMax; found === placedMax; ) {
    const rows = await messagesToPlace(pool, placedMax)
    const placed = rows.map(row => ({ id: row.id, due_at: findSendTimeOf(row) }))
    if (rows.length > 0) await placeMessages(pool, JSON.stringify(placed))
    found = rows.length
  }
}

type Waiting = Pick<LeasedMessage, 'event' | 'created_at' | 'mode' | 'time_zone' | 'quiet_from' | 'quiet_until'>

/** When a message is to be sent first. What may cost money waits for nothing. */
function findSendTimeOf({ event, created_at, mode, time_zone, quiet_from, quiet_until }: Waiting): number {
  if (findUrgency(event) === 'lost') return created_at
  const quiet = { quiet_from: quiet_from ?? 0, quiet_until: quiet_until ?? 0, time_zone: time_zone ?? 'UTC' }
  return findSendTime(created_at, mode, quiet)
}

/**
 * Whether the event still concerns the reader. What is about one person is mailed to the address whatever the role; a
 * device serves a shop.
 */
const isConcerned = ({ realm, role, channel }: LeasedMessage, { audience }: { audience: string }) =>
  (audience === 'self' && channel !== 'push') ||
  (realm === 'console'
    ? mayOperatorCall(role ?? '', audience)
    : audiencesOfRole(asMerchantRole(role ?? '')).includes(audience))

const toEvent = ({ id, event, params, created_at }: MessageEvent): MessageEvent => ({ id, event, params, created_at })

/** Makes one attempt, and names what of it concerns its reader no more, which is left out. */
async function attempt(
  deps: Deps,
  leased: LeasedMessage,
  channel: Channel | undefined,
): Promise<{ outcome: Attempted; unwanted: string[] }> {
  try {
    const rest = leased.together === null ? [] : await messagesSentWith(deps.pool, leased.id)
    const { true: [first, ...others] = [], false: unwanted = [] } = Object.groupBy([leased, ...rest], each =>
      isConcerned(leased, each) ? 'true' : 'false',
    )
    if (!first) return { outcome: { result: 'unwanted' }, unwanted: [] }
    if (!channel) return { outcome: { result: 'later', error: `no channel for ${leased.event}` }, unwanted: [] }
    const { id, realm, person_id, address, time_zone, shop } = leased
    const role = realm === 'shop' ? asMerchantRole(leased.role ?? '') : undefined
    const language = languageOf(leased.language ?? '')
    const events = [toEvent(first), ...others.map(toEvent)] as const
    const message = { id, realm, shop, role, person_id, address, time_zone, language, events }
    const outcome = await channel.attempt(deps, message)
    return { outcome, unwanted: [...unwanted.map(each => each.id), ...(outcome.left ?? [])] }
  } catch (error) {
    return { outcome: { result: 'later', error: describeError(error) }, unwanted: [] }
  }
}

async function record(deps: Deps, message: LeasedMessage, outcome: Attempted, unwanted: string[]): Promise<void> {
  const { id, tries, channel, event } = message
  const now = deps.clock()
  if (outcome.result === 'postponed') {
    await giveBackMessage(deps.pool, id, tries, outcome.until)
    return
  }
  if (outcome.result !== 'later') {
    countMessageAttempt(channel, outcome.result)
    const error = outcome.result === 'refused' ? outcome.error : ''
    const answer = outcome.result === 'accepted' ? outcome.answer : undefined
    if (error) deps.log.warn({ message: id, channel, event, error }, 'message refused')
    await endMessage(deps.pool, id, tries, now, outcome.result, answer ?? error, unwanted)
    return
  }
  const { error, retryAfter = 0 } = outcome
  const next = now + Math.max(pauses[tries - 1] ?? pauses.at(-1)!, retryAfter)
  if (next - findSendTimeOf(message) <= patience[findUrgency(event)])
    await postponeMessage(deps.pool, id, tries, next, error)
  else {
    deps.log.error({ message: id, channel, event, error }, 'message given up')
    await endMessage(deps.pool, id, tries, now, 'expired', error, [])
  }
}

/** Sends what is due now, one after the other, until nothing is. Tests use it in place of the job. */
export async function sendDueMessages(deps: Deps, sender = makeMessageSender(deps)): Promise<void> {
  for (let due = await sender.lease(); due.length > 0; due = await sender.lease())
    for (const message of due.toSorted((one, other) => (one.id < other.id ? -1 : 1))) await sender.send(message)
}
