import type { RouteData } from '@coffer/contract'
import { asMerchantRole, type MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { usdtText } from '../../kit/amounts.ts'
import { agreementSeconds, type OwnerRequest } from './by-owners.ts'
import { listInvitations, listMembers, readAgreements, readSecondFactorRequired } from './store.ts'

/** A stored role that is not known may do nothing: it is shown as the least. */
export const asRole = (role: string): MerchantRole => asMerchantRole(role) ?? 'viewer'

const limitText = (units: bigint | null) => (units === null ? null : usdtText(units))

/** Lists who belongs to a shop and who is invited, and what one owner requested and another has not yet. */
export async function readPeople(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  { merchantId, personId }: Session,
): Promise<RouteData<'GET /api/v1/member'>> {
  const now = clock()
  const [members, invitations, agreements, rule] = await Promise.all([
    listMembers(pool, merchantId),
    listInvitations(pool, merchantId, now),
    readAgreements(pool, merchantId, now - agreementSeconds),
    readSecondFactorRequired(pool, merchantId),
  ])
  const emails = new Map(members.map(each => [each.person_id, each.email]))
  return {
    list: members.map(({ person_id, role, refund_limit, invited_by, changes: _, language: __, ...member }) => ({
      ...member,
      id: person_id,
      role: asRole(role),
      refund_limit: limitText(refund_limit),
      invited_by: emails.get(invited_by) ?? '',
      self: person_id === personId,
    })),
    invitations: invitations.map(({ id, email, role, refund_limit, inviter, application, created_at, until }) => ({
      id,
      email,
      role: asRole(role),
      refund_limit: limitText(refund_limit),
      invited_by: inviter,
      ...(application !== '' && { application }),
      created_time: created_at,
      expires_time: until,
    })),
    requests: readRequests(members, agreements),
    second_factor_required: rule?.required ?? false,
  }
}

/** Lists who belongs to a shop and who is invited, for whoever is none of them. */
export async function listMembersAndInvitations({ pool, clock }: Pick<Deps, 'pool' | 'clock'>, merchantId: string) {
  const [members, invitations] = await Promise.all([
    listMembers(pool, merchantId),
    listInvitations(pool, merchantId, clock()),
  ])
  return {
    members,
    invitations: invitations.map(({ id, email, role, created_at, until }) => ({
      id,
      email,
      role: asRole(role),
      created_time: created_at,
      expires_time: until,
    })),
  }
}

/** The same for the operator. */
export async function listMembersForOperator(deps: Pick<Deps, 'pool' | 'clock'>, merchantId: string) {
  const { members, invitations } = await listMembersAndInvitations(deps, merchantId)
  const list = members.map(({ email, role, since }) => ({ email, role: asRole(role), since_time: since }))
  return { list, invitations }
}

type Members = Awaited<ReturnType<typeof listMembers>>

/** What was requested, without what no longer applies: another change came first, or who requested it is no owner. */
function readRequests(members: Members, agreements: Awaited<ReturnType<typeof readAgreements>>) {
  const isOwner = (id: string) => members.some(each => each.person_id === id && each.role === 'owner')
  const groups = Map.groupBy(
    agreements.filter(each => isOwner(each.person_id)),
    each => each.subject,
  )
  return [...groups].flatMap(([subject, given]) => {
    const request: OwnerRequest = JSON.parse(subject)
    const member = request.change === 'invite' ? undefined : members.find(each => each.person_id === request.id)
    if (request.change !== 'invite' && member?.changes !== request.changes) return []
    return [
      {
        change: request.change,
        email: request.change === 'invite' ? request.email : member!.email,
        role: request.change === 'remove' ? null : request.role,
        by: given.map(each => each.email),
        created_time: given[0]!.created_at,
      },
    ]
  })
}
