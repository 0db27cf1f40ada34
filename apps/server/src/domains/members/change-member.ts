import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { agreeWithOwner, endInvitationsByOne, findMember, isOwner, lockShop, lockShopForOwner } from './by-owners.ts'
import { endMembership, endOwnerParts, findKnownKeys } from './end-membership.ts'
import { type Part, toRefundLimit } from './invitations.ts'
import { asRole } from './list-members.ts'
import { notifyMember, notifyOwners } from './mails.ts'
import { holdForNewOwner, setMemberRole, setSecondFactorRequired } from './store.ts'

type Asking = { session: Session; proof: Proof; from: Visitor }

/**
 * Changes the role of a member, from the next call on. What makes or ends another owner takes two where there are two;
 * the last owner keeps the role. Whoever has a new role is nobody's second person for a day.
 */
export async function changeMemberRole(deps: Deps, input: Asking & Part & { id: string }): Promise<{ waits: boolean }> {
  const { session, id, role, from } = input
  const { merchantId } = session
  const limit = toRefundLimit(input)
  const data = { id, role, refund_limit: input.refund_limit ?? '' }
  const consume = await checkProof(deps, { by: session, proof: input.proof, action: 'members', data })
  return tx(deps.pool, async (c, uow) => {
    const locked = await lockShopForOwner(c, session)
    await consume(c)
    const member = findMember(locked, id)
    const { shop, owners, actor } = locked
    if (isOwner(member) && role !== 'owner' && owners.length === 1) throw new Refusal('last_owner_of_shop')
    const isOfOwner = isOwner(member) !== (role === 'owner') && member !== actor
    const request = { change: 'role', ...data, changes: member.changes } as const
    const change = { change: 'role', email: member.email, role, by: actor.email } as const
    if (isOfOwner && !(await agreeWithOwner(deps, uow, locked, { request, about: member.email, from }))) {
      notifyOwners(deps, uow, shop, { ...change, waits: 'yes' })
      return { waits: true }
    }
    const keys = member.role === role ? undefined : await findKnownKeys(deps, uow, locked, member)
    // The same role with another limit is not a new role.
    const since = member.role === role ? member.since : deps.clock()
    await setMemberRole(c, id, shop.id, role, limit, since, deps.clock())
    if (isOwner(member) && role !== 'owner') await endOwnerParts(uow, locked, member)
    if (!isOwner(member) && role === 'owner') {
      await endInvitationsByOne(deps, uow, { ...locked, from })
      await holdForNewOwner(c, shop.id, id)
    }
    const params = { email: member.email, role, ...(limit !== null && { refund_limit: input.refund_limit! }) }
    recordEvent(deps, uow, { merchantId, type: 'member_role_changed', from, params })
    notifyOwners(deps, uow, shop, { ...change, keys }, member.role === role ? undefined : id)
    if (member.role !== role) notifyMember(deps, uow, shop, { ...change, person_id: id })
    return { waits: false }
  })
}

/** Removes a member, with all that the part gave. Another owner is removed by two. */
export async function removeMember(deps: Deps, input: Asking & { id: string }): Promise<{ waits: boolean }> {
  const { session, id, from } = input
  if (id === session.personId) throw new Refusal('member_is_self', { field: 'id' })
  const consume = await checkProof(deps, { by: session, proof: input.proof, action: 'members', data: { id } })
  return tx(deps.pool, async (c, uow) => {
    const locked = await lockShopForOwner(c, session)
    await consume(c)
    const member = findMember(locked, id)
    const request = { change: 'remove', id, changes: member.changes } as const
    const { shop, actor } = locked
    const change = { change: 'removed', email: member.email, role: asRole(member.role), by: actor.email } as const
    if (isOwner(member) && !(await agreeWithOwner(deps, uow, locked, { request, about: member.email, from }))) {
      notifyOwners(deps, uow, shop, { ...change, waits: 'yes' })
      return { waits: true }
    }
    const keys = await endMembership(deps, uow, locked, { member, type: 'member_removed', from })
    notifyOwners(deps, uow, shop, { ...change, keys }, id)
    notifyMember(deps, uow, shop, { ...change, person_id: id })
    return { waits: false }
  })
}

/** Leaves the shop. The last owner stays: the account is closed instead. */
export async function leaveShop(deps: Deps, { session, proof, from }: Asking): Promise<void> {
  const consume = await checkProof(deps, { by: session, proof, action: 'members' })
  await tx(deps.pool, async (c, uow) => {
    const locked = await lockShop(c, session)
    await consume(c)
    const { owners, actor } = locked
    if (isOwner(actor) && owners.length === 1) throw new Refusal('last_owner_of_shop')
    const keys = await endMembership(deps, uow, locked, { member: actor, type: 'member_left', from })
    const { email, role, person_id } = actor
    notifyOwners(deps, uow, locked.shop, { change: 'left', email, role: asRole(role), by: email, keys }, person_id)
  })
}

/**
 * Requires a second factor of every member, or no longer. Throws Refusal('second_factor_needed') for an owner who has
 * none, who would be the first to be kept out.
 */
export async function requireSecondFactor(deps: Deps, input: Asking & { required: boolean }): Promise<void> {
  const { session, required, from } = input
  const { merchantId } = session
  const data = { required: String(required) }
  const consume = await checkProof(deps, { by: session, proof: input.proof, action: 'members', data })
  await tx(deps.pool, async (c, uow) => {
    const { shop, actor } = await lockShopForOwner(c, session)
    await consume(c)
    if (required && !actor.authenticator && !actor.passkey) throw new Refusal('second_factor_needed')
    await setSecondFactorRequired(c, shop.id, required)
    const params = { rule: required ? 'required' : 'optional' }
    recordEvent(deps, uow, { merchantId, type: 'second_factor_rule_changed', from, params })
  })
}
