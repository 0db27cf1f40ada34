import type { Deps } from '../../deps.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { Application } from '../applications/store.ts'
import { endPerson } from '../identity/end-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { endSessionsOfMember } from '../people/sessions.ts'
import type { LockedMembers } from './by-owners.ts'
import { isOwner } from './by-owners.ts'
import { describeApplication } from './invitations.ts'
import type { KnownKeys } from './mails.ts'
import {
  deleteAgreementsBy,
  deleteInvitationsBy,
  hasShop,
  listKeysMadeBy,
  listShopKeysMadeBy,
  lockPerson,
  type Member,
  passContact,
  setMemberRemoved,
} from './store.ts'

/**
 * Ends somebody's part in a shop, with all that it gave: sessions and pushes for the shop, invitations and requests by
 * this person, and the account itself unless the person belongs to another shop. Returns the names of keys that this
 * person still knows.
 */
export async function endMembership(
  deps: Deps,
  uow: UnitOfWork,
  locked: LockedMembers,
  {
    member,
    type,
    from,
    application,
  }: {
    member: Member
    type: 'member_removed' | 'member_left'
    from: Visitor | null
    /** By its key. */
    application?: Pick<Application, 'appid' | 'name'>
  },
): Promise<KnownKeys> {
  const { c } = uow
  const { shop } = locked
  const { person_id, email, role } = member
  // Locked before the other shops of the person are read: an invitation may be accepted meanwhile.
  await lockPerson(c, person_id)
  await setMemberRemoved(c, person_id, shop.id, deps.clock())
  await endSessionsOfMember(c, person_id, shop.id)
  await endOwnerParts(uow, locked, member)
  const params = { email, role, ...(application && { application: describeApplication(application) }) }
  recordEvent(deps, uow, { merchantId: shop.id, type, from, params })
  await endPersonOfNoShop(deps, uow, { merchantId: shop.id, member, from })
  return findKnownKeys(deps, uow, locked, member)
}

/** Ends what only an owner has: invitations and requests by this person, and being whose address the shop has. */
export async function endOwnerParts(
  { c }: UnitOfWork,
  { shop, owners }: LockedMembers,
  { person_id }: Pick<Member, 'person_id'>,
): Promise<void> {
  await deleteInvitationsBy(c, shop.id, person_id)
  await deleteAgreementsBy(c, shop.id, person_id)
  const heirs = owners.filter(each => isOwner(each) && each.person_id !== person_id)
  const [heir] = heirs.sort((one, other) => one.since - other.since)
  if (heir) await passContact(c, shop.id, person_id, heir.person_id)
}

/** Names the keys that somebody still knows who left or has another role. They are not ended: shops work with them. */
export async function findKnownKeys(
  { clock }: Pick<Deps, 'clock'>,
  { c }: UnitOfWork,
  { shop }: Pick<LockedMembers, 'shop'>,
  { person_id }: Pick<Member, 'person_id'>,
): Promise<KnownKeys> {
  const applications = await listKeysMadeBy(c, shop.id, person_id, clock())
  const shops = await listShopKeysMadeBy(c, shop.id, person_id, clock())
  return {
    applications: applications.map(({ name }) => name),
    shops: shops.map(({ id, application }) => `${id} (${application})`),
  }
}

/** Ends a person who belongs to no shop any more. */
async function endPersonOfNoShop(
  deps: Deps,
  uow: UnitOfWork,
  { merchantId, member, from }: { merchantId: string; member: Member; from: Visitor | null },
): Promise<void> {
  const { person_id: personId, email } = member
  if (await hasShop(uow.c, personId)) return
  // In the chain of who opened the shop, which is the shop's, too, this says whose account it is.
  if (personId === merchantId)
    recordEvent(deps, uow, { merchantId, type: 'closed', from, params: { email }, isExpected: true })
  await endPerson(deps, uow, { personId, merchantId, from })
}
