import type { rolesWithoutSession } from '@coffer/contract/kit/merchant-roles.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isOwner, lockShopMembers } from './by-owners.ts'
import { endMembership } from './end-membership.ts'
import { refuseKnown, sendInvitation, storeInvitation, throttleInvitation } from './invitations.ts'
import { asRole } from './list-members.ts'
import { doneByOperator, notifyMember, notifyOwners } from './mails.ts'

/**
 * Invites an address to a shop from the server's command line, as a role that moves no money. All owners are notified,
 * and the log of the shop has it as the operator's.
 */
export async function inviteMemberByOperator(
  deps: Deps,
  { merchantId, email, role }: { merchantId: string; email: string; role: (typeof rolesWithoutSession)[number] },
): Promise<{ expires_time: number }> {
  await throttleInvitation(deps, `by the operator ${merchantId}`, email)
  const { shop, invitation } = await tx(deps.pool, async (c, uow) => {
    const locked = await lockShopMembers(c, merchantId)
    const earlier = await refuseKnown(c, locked, { email, now: deps.clock() })
    // What owners agreed on stays theirs.
    if (earlier && earlier.invited_by !== '') throw new Refusal('member_exists', { field: email })
    const given = { shop: locked.shop, email, role, refundLimit: null, invitedBy: '', from: null }
    notifyOwners(deps, uow, locked.shop, { change: 'invited', email, role, ...doneByOperator })
    return { ...locked, invitation: await storeInvitation(deps, uow, given) }
  })
  await sendInvitation(deps, { shop, email, role, link: invitation.link, language: languageOf(shop.language) })
  return { expires_time: invitation.expires_time }
}

/** Removes a member who is no owner from the server's command line. All owners are notified. */
export async function removeMemberByOperator(
  deps: Deps,
  { merchantId, email }: { merchantId: string; email: string },
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const locked = await lockShopMembers(c, merchantId)
    const member = locked.members.find(each => each.email === email)
    if (!member) throw new Refusal('member_not_exist', { field: email })
    if (isOwner(member)) throw new Refusal('member_is_owner', { field: email })
    const keys = await endMembership(deps, uow, locked, { member, type: 'member_removed', from: null })
    const { shop } = locked
    const change = { change: 'removed', email, role: asRole(member.role), ...doneByOperator } as const
    notifyOwners(deps, uow, shop, { ...change, keys })
    notifyMember(deps, uow, shop, { ...change, person_id: member.person_id })
  })
}
