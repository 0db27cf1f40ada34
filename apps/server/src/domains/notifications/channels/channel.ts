import type { Deps } from '../../../deps.ts'
import type { Delivery } from '../../../outside/delivery.ts'
import type { Message } from '../message.ts'

/** A way to reach people, which the sender knows nothing of. */
export interface Channel {
  /** How many attempts may be under way at a time, for each service of the channel. */
  places: number
  /** Makes one attempt. */
  attempt: (deps: Deps, message: Message) => Promise<Attempted>
}

/**
 * `unwanted`: there is nobody any more who wants it; `postponed`: nothing is sent before a time. `left` are the rows of
 * what was left out because nobody wants it any more.
 */
export type Attempted = (Delivery | { result: 'unwanted' } | { result: 'postponed'; until: number }) & {
  left?: readonly string[]
}

/** Channels of events that a domain above makes the texts of. */
export interface EventChannels {
  isFor: (event: string) => boolean
  channels: Readonly<Record<string, Channel>>
}

/** The outcome for an event without a text here: a server of another version knows it. */
export const describeNoText = ({ events: [{ event }] }: Message): Attempted => ({
  result: 'later',
  error: `no text for ${event}`,
})

interface ChannelParts<Rendered> extends Pick<Channel, 'places'> {
  /** Makes what is sent; undefined for an event that the channel has no text for. */
  render: (deps: Deps, message: Message) => Rendered | undefined
  send: (deps: Deps, message: Message, rendered: Rendered) => Promise<Delivery>
}

export const defineChannel = <Rendered>({ places, render, send }: ChannelParts<Rendered>): Channel => ({
  places,
  async attempt(deps, message) {
    const rendered = render(deps, message)
    return rendered === undefined ? describeNoText(message) : send(deps, message, rendered)
  },
})

/** Describes an error in a line, as it is stored with a message. */
export const describeError = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .replace(/\s+/g, ' ')
    .slice(0, 300)
