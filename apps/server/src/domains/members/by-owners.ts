import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { countPersons, newPersonSeconds } from '../../kit/same-person.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant, type Merchant } from '../merchants/store.ts'
import {
  deleteAgreements,
  deleteOwnerInvitations,
  insertAgreement,
  lockMembers,
  type Member,
  readAgreements,
} from './store.ts'

/** Seconds for which what one owner requested waits for another. */
export const agreementSeconds = 7 * 86_400

/** A shop whose members are locked. */
export interface LockedMembers {
  shop: Merchant
  members: Member[]
  owners: Member[]
}

/** The same with which of them acts. */
export interface LockedShop extends LockedMembers {
  actor: Member
}

/** Locks a shop and its members. Throws Refusal('forbidden') unless the person is an owner by then. */
export async function lockShopForOwner(c: Queryable, session: Pick<Session, 'personId' | 'merchantId'>) {
  const locked = await lockShop(c, session)
  if (locked.actor.role !== 'owner') throw new Refusal('forbidden')
  return locked
}

/** Locks a shop and its members. Throws Refusal('login_expired') unless the person belongs to it by then. */
export async function lockShop(
  c: Queryable,
  { personId, merchantId }: Pick<Session, 'personId' | 'merchantId'>,
): Promise<LockedShop> {
  const locked = await lockShopMembers(c, merchantId)
  const actor = locked.members.find(each => each.person_id === personId)
  if (!actor) throw new Refusal('login_expired')
  return { ...locked, actor }
}

/** Locks a shop and its members, for whoever is none of them. */
export async function lockShopMembers(c: Queryable, merchantId: string): Promise<LockedMembers> {
  const shop = requireActiveMerchant(await lockMerchant(c, merchantId))
  const members = await lockMembers(c, merchantId)
  return { shop, members, owners: members.filter(isOwner) }
}

export const isOwner = ({ role }: Pick<Member, 'role'>): boolean => role === 'owner'

/** Returns a locked member. Throws Refusal('member_not_exist'). */
export function findMember({ members }: Pick<LockedShop, 'members'>, personId: string): Member {
  const found = members.find(each => each.person_id === personId)
  if (!found) throw new Refusal('member_not_exist', { field: 'id' })
  return found
}

/**
 * A change that takes two owners where there are two. What it says is compared as text; `changes` counts what happened
 * to the member, so that a later change needs another agreement.
 */
export type OwnerRequest =
  | { change: 'invite'; email: string; role: MerchantRole }
  | { change: 'role'; id: string; role: MerchantRole; refund_limit: string; changes: number }
  | { change: 'remove'; id: string; changes: number }

/** Counts the people among owners: two accounts of one mailbox are one. */
const countOwners = (owners: readonly Pick<Member, 'person_id' | 'email'>[]): number =>
  countPersons(owners.map(({ person_id: id, email }) => ({ id, email })))

/**
 * Ends the invitations of further owners once a second one joins: one alone made them, and from now on it takes both.
 * `owners` are those of before.
 */
export async function endInvitationsByOne(
  deps: Deps,
  uow: UnitOfWork,
  { shop, owners, from }: Pick<LockedShop, 'shop' | 'owners'> & { from: Visitor },
): Promise<void> {
  if (owners.length > 1) return
  for (const { email } of await deleteOwnerInvitations(uow.c, shop.id))
    recordEvent(deps, uow, { merchantId: shop.id, type: 'invitation_canceled', from, params: { email } })
}

/**
 * Records that an owner requests a change, and returns whether enough owners have. One is enough where there is one.
 * Throws Refusal('second_owner_needed') when the same owner requests it again, Refusal('member_too_new') for one who
 * became an owner within the day.
 */
export async function agreeWithOwner(
  deps: Deps,
  uow: UnitOfWork,
  { shop, owners, actor }: LockedShop,
  { request, about, from }: { request: OwnerRequest; about: string; from: Visitor },
): Promise<boolean> {
  if (countOwners(owners) < 2) return true
  const { c } = uow
  const now = deps.clock()
  const isNew = (each: Member) => each.since > now - newPersonSeconds
  if (isNew(actor)) throw new Refusal('member_too_new')
  const subject = JSON.stringify(request)
  const requested = (await readAgreements(c, shop.id, now - agreementSeconds)).filter(each => each.subject === subject)
  // What was requested long ago counts no more, also when it is requested again.
  if (requested.length === 0) await deleteAgreements(c, shop.id, subject)
  if (await insertAgreement(c, shop.id, subject, actor.person_id, now))
    recordEvent(deps, uow, {
      merchantId: shop.id,
      type: 'member_agreed',
      from,
      params: { change: request.change, about },
    })
  else if (requested.length < 2) throw new Refusal('second_owner_needed')
  const agreed = new Set([...requested.map(each => each.person_id), actor.person_id])
  if (countOwners(owners.filter(each => agreed.has(each.person_id) && !isNew(each))) < 2) return false
  await deleteAgreements(c, shop.id, subject)
  return true
}
