import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'

export type MessageParams = Record<string, string>

/** An event that somebody is told of. */
export interface ToldEvent {
  event: string
  params: MessageParams
  /** When it happened (Unix seconds). */
  created_at: number
}

/** Who is told. */
export interface Reader {
  person_id: string
  /** An e-mail address or phone number, or the id of a device or chat. */
  address: string
  language: Language
  /** The zone of the reader's clock; null where none is known. */
  time_zone: string | null
}

/** What is sent about an event, to whom. */
export interface EventMessage extends ToldEvent, Reader {}

/** A message to one address, of one event or of several, oldest first. A repeat has the same id. */
export interface Message extends Reader {
  id: string
  realm: string
  /** The name of the shop; empty for the installation. */
  shop: string
  /** What the reader is there now; undefined for who is no member any more. */
  role: MerchantRole | undefined
  events: readonly [MessageEvent, ...MessageEvent[]]
}

/** An event that a message tells of, with the row that it stands in. */
export interface MessageEvent extends ToldEvent {
  id: string
}

/** Makes what is sent of one event or of several, with what makes each. */
export function renderEither<Rendered>(
  { events, ...reader }: Message,
  renderOne: (message: EventMessage) => Rendered,
  renderGroup: (events: readonly ToldEvent[]) => Rendered,
): Rendered {
  return events.length === 1 ? renderOne({ ...reader, ...events[0] }) : renderGroup(events)
}
