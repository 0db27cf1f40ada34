import type { AccountEvent } from '@coffer/contract/codes.ts'
import { type EventName, findEvent } from '@coffer/contract/events.ts'
import type { Deps } from '../../deps.ts'
import { auditEntries, auditOriginOf } from '../../kit/audit.ts'
import { events, liveHints, type NewEvent } from '../../kit/outbox.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'

/**
 * Adds an event of a merchant to the audit log, with what the table of events says that is told of it, and a live
 * event. `from` is null for actions of the operator. What concerns a person who signs in, `personId`, is in the chain
 * of that person and, with the name, in that of the shop. `told` is another name in the table of events.
 */
export function recordEvent(
  deps: Deps,
  uow: UnitOfWork,
  event: {
    merchantId: string
    personId?: string
    type: AccountEvent
    from: Visitor | null
    params?: Record<string, string>
    told?: EventName
  } & Pick<NewEvent, 'details' | 'isExpected' | 'formerPhone'>,
): void {
  const { merchantId: merchant_id, type, from, personId } = event
  const created_at = deps.clock()
  const { factor, session, ...origin } = auditOriginOf(deps, from)
  const subject = Object.values(event.params ?? {}).join(' ')
  const actor = personId ?? from?.session?.personId ?? merchant_id
  const entry = { type, outcome: 'done' as const, reason: '' as const, factor, subject, ...origin, created_at, session }
  const chains = new Set([merchant_id, personId ?? merchant_id])
  uow.add(
    auditEntries,
    [...chains].map(chain => ({ ...entry, merchant_id: chain, person_id: actor === chain ? '' : actor })),
  )
  const name = event.told ?? `account_${type}`
  if (isEventName(name)) {
    const { details, isExpected, formerPhone } = event
    const params = { ...origin, ...event.params }
    const about = { merchant_id, name, params, details, isExpected, formerPhone, created_at }
    uow.add(events, [{ ...about, ...(personId && { person_id: personId }) }])
  }
  if (type !== 'login') uow.add(liveHints, [{ merchant_id, type: 'account', id: '' }])
}

const isEventName = (name: string): name is EventName => findEvent(name) !== undefined

/** Adds an event of a person, whatever the shop, to the chain of that person. */
export function recordPersonEvent(
  deps: Deps,
  uow: UnitOfWork,
  {
    personId,
    type,
    from,
    subject = '',
  }: { personId: string; type: AccountEvent; from: Visitor | null; subject?: string },
): void {
  const origin = auditOriginOf(deps, from)
  const actor = from?.session?.personId ?? personId
  const person_id = actor === personId ? '' : actor
  const what = { type, outcome: 'done' as const, reason: '' as const, subject }
  uow.add(auditEntries, [{ merchant_id: personId, ...what, ...origin, person_id, created_at: deps.clock() }])
}
