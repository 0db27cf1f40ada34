import type { Deps } from '../../deps.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordPersonEvent } from '../merchants/account-events.ts'
import { removePerson } from '../people/end-person.ts'
import { revokeTickets, unlinkIdentities } from './store.ts'

/**
 * Ends a person who was in the shop `merchantId` and is in none any more: what signed in is forgotten, and the email is
 * free for a new account.
 */
export async function endPerson(
  deps: Deps,
  uow: UnitOfWork,
  { personId, merchantId, from }: { personId: string; merchantId: string; from: Visitor | null },
): Promise<void> {
  // Who opened the shop has its chain, which says so.
  if (personId !== merchantId) recordPersonEvent(deps, uow, { personId, type: 'closed', from })
  await revokeTickets(uow.c, personId)
  await unlinkIdentities(uow.c, personId)
  await removePerson(uow.c, personId, deps.clock())
}
