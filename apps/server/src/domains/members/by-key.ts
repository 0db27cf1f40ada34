import type { ParsedBody, RouteData } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { CallingKey, KeyHolder } from '../../http/context.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { authenticateKeyHash } from '../applications/authenticate-key.ts'
import { type Application, applicationById } from '../applications/store.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { assertAccountNotHeld } from '../merchants/hold.ts'
import { lockMerchant } from '../merchants/store.ts'
import { isOwner, type LockedShop } from './by-owners.ts'
import { endMembership } from './end-membership.ts'
import { refuseKnown, sendInvitation, storeInvitation, throttleInvitation } from './invitations.ts'
import { asRole, listMembersAndInvitations } from './list-members.ts'
import { doneByKey, notifyMember, notifyOwners } from './mails.ts'
import { lockMembers, type Member } from './store.ts'

/** A key is as much as the owner who made its secret. Throws Refusal('secret_of_no_owner') when that is no owner. */
function requireMaker<M extends Pick<Member, 'person_id' | 'role'>>(members: M[], { madeBy }: KeyHolder): M {
  const maker = members.find(each => each.person_id === madeBy && isOwner(each))
  if (!maker) throw new Refusal('secret_of_no_owner')
  return maker
}

/**
 * Locks the shop of a key and its members, with the owner who made the key, and checks again all that admitted it: the
 * key, the scope or the owner may have ended since.
 */
async function lockShopForKey(
  deps: Deps,
  c: Queryable,
  { merchantId, appid, key, recheck }: CallingKey,
): Promise<LockedShop & { application: Application }> {
  const shop = requireActiveMerchant(await lockMerchant(c, merchantId))
  // Keeps the application as it is, and locks it before members, as changes of applications do.
  await recheck(c)
  const holder = await authenticateKeyHash({ pool: c, clock: deps.clock }, key)
  const application = await applicationById(c, merchantId, appid)
  if (!application) throw new Refusal('bad_key')
  const members = await lockMembers(c, merchantId)
  const actor = requireMaker(members, holder)
  return { shop, members, owners: members.filter(isOwner), actor, application }
}

/** Lists who belongs to the shop of a key, and who is invited. */
export async function listMembersByKey(
  deps: Pick<Deps, 'pool' | 'clock'>,
  holder: KeyHolder,
): Promise<RouteData<'GET /api/v1/pay/members'>> {
  const { members, invitations } = await listMembersAndInvitations(deps, holder.merchantId)
  requireMaker(members, holder)
  const list = members.map(({ person_id: id, email, role, since }) => ({ id, email, role: asRole(role), since }))
  return { list, invitations }
}

/**
 * Invites an address by a key, as a role that moves no money. All owners are notified. The answer is the same whether
 * or not the address has an account.
 */
export async function inviteMemberByKey(
  deps: Deps,
  { holder, email, role, from }: ParsedBody<'POST /api/v1/pay/members'> & { holder: CallingKey; from: Visitor },
): Promise<RouteData<'POST /api/v1/pay/members'>> {
  // Apart from that of owners, who must not run out of it by a stolen key.
  await throttleInvitation(deps, `by keys ${holder.merchantId}`, email)
  const { shop, invitation } = await tx(deps.pool, async (c, uow) => {
    const locked = await lockShopForKey(deps, c, holder)
    assertAccountNotHeld(deps, locked.shop)
    const earlier = await refuseKnown(c, locked, { email, now: deps.clock() })
    if (earlier?.appid === '') throw createInvitedByOwnerRefusal()
    const { shop, actor, application } = locked
    const given = { shop, email, role, refundLimit: null, invitedBy: actor.person_id, application, from }
    notifyOwners(deps, uow, shop, { change: 'invited', email, role, ...doneByKey(application) })
    return { shop, invitation: await storeInvitation(deps, uow, given) }
  })
  const { link, ...made } = invitation
  await sendInvitation(deps, { shop, email, role, link, language: from.language })
  return { ...made, email, role }
}

const createInvitedByOwnerRefusal = () =>
  new Refusal('member_exists', {
    field: 'email',
    detail: { en: 'an owner has invited this address', 'zh-CN': '所有者已邀请该邮箱' },
  })

/** A stolen key does not remove everybody before an owner has read the mail. */
const removalLimit = { max: 30, seconds: 86_400 }
const listedOnly = {
  en: 'id: of a person in the list of members',
  'zh-CN': 'id：成员列表中的 ID',
}

/** Removes a member who is no owner, by a key. All owners are notified. */
export async function removeMemberByKey(
  deps: Deps,
  { holder, id, from }: { holder: CallingKey; id: string; from: Visitor },
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const locked = await lockShopForKey(deps, c, holder)
    const member = locked.members.find(each => each.person_id === id)
    if (!member) throw new Refusal('member_not_exist', { field: 'id', detail: listedOnly })
    if (isOwner(member)) throw new Refusal('member_is_owner', { field: 'id' })
    await throttle({ ...deps, pool: c }, `removals by keys ${holder.merchantId}`, removalLimit)
    const { application, shop } = locked
    const keys = await endMembership(deps, uow, locked, { member, type: 'member_removed', from, application })
    const done = doneByKey(application)
    const change = { change: 'removed', email: member.email, role: asRole(member.role), ...done } as const
    notifyOwners(deps, uow, shop, { ...change, keys })
    notifyMember(deps, uow, shop, { ...change, person_id: id })
  })
}
