import { asMerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { type ApproverRole, approverRoles } from '@coffer/contract/policies/approver-roles.ts'
import type { Approver } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { newPersonSeconds, sameMailbox } from '../../kit/same-person.ts'
import type { Merchant } from '../merchants/store.ts'
import { listActiveMembers, readMailboxes } from '../people/members.ts'
import { readAskedApprover } from './policy.ts'

/** A member who may approve: `since` is from when the person acts in the role. */
export interface ApprovingMember {
  id: string
  email: string
  role: ApproverRole
  since: number
}

/** Who asked for a payout, with the addresses that this person reads, or did. */
export interface Asker {
  id: string
  emails: readonly string[]
}

/**
 * Who decides about a withdrawal that waits, besides the operator, who may decide about each. `approver` is whom the
 * policy names; members who stand in for somebody who is no longer there decide for that approver.
 */
export type Deciders =
  | { by: 'operator' }
  | { by: 'link'; approver: Approver; email: string }
  | { by: 'members'; approver: Approver; members: ApprovingMember[] }

const operator: Deciders = { by: 'operator' }

/** Lists the members of a shop who have a role that may approve. */
export async function listApprovingMembers(c: Queryable, merchantId: string): Promise<ApprovingMember[]> {
  return (await listActiveMembers(c, merchantId)).flatMap(({ role, ...member }) => {
    const known = approverRoles.find(each => each === asMerchantRole(role))
    return known ? [{ ...member, role: known }] : []
  })
}

/**
 * Chooses who decides for an approver of the policy. Who asked does not, under whatever address, and neither does who
 * became a member within the day. Where nobody of a role, or not the person, can, other owners do, then the operator.
 */
export function chooseDeciders(
  approver: Approver | null,
  { members, asker, owner, now }: { members: readonly ApprovingMember[]; asker: Asker; owner: string; now: number },
): Deciders {
  if (!approver) return operator
  const isAsker = (email: string) => asker.emails.some(own => sameMailbox(own, email))
  if (approver.includes('@'))
    return isAsker(approver) || sameMailbox(owner, approver) ? operator : { by: 'link', approver, email: approver }
  const others = members.filter(
    ({ id, email, since }) => id !== asker.id && !isAsker(email) && since + newPersonSeconds <= now,
  )
  const named = others.filter(({ id, role }) => [`role:${role}`, `person:${id}`].includes(approver))
  const chosen = named.length > 0 ? named : others.filter(({ role }) => role === 'owner')
  return chosen.length > 0 ? { by: 'members', approver, members: chosen } : operator
}

/** What is decided about. Requests from before people were known were made by the owner. */
type Decidable = Parameters<Awaited<ReturnType<typeof readAskedApprover>>>[0] & { requested_by: string }

/** Returns a function that finds who may decide now about a withdrawal of a merchant that waits. */
export async function readDeciders(
  deps: Pick<Deps, 'config' | 'clock'>,
  c: Queryable,
  merchant: Merchant,
): Promise<(row: Decidable) => Promise<Deciders>> {
  const findAsked = await readAskedApprover(deps, c, merchant)
  const members = await listApprovingMembers(c, merchant.id)
  return async row => {
    const approver = await findAsked(row)
    if (!approver) return operator
    const id = row.requested_by || merchant.id
    const emails = (await readMailboxes(c, id)).map(each => each.email)
    return chooseDeciders(approver, { members, asker: { id, emails }, owner: merchant.email, now: deps.clock() })
  }
}
