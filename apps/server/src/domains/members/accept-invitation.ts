import type { RouteData } from '@coffer/contract'
import { languages } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { throttleIp } from '../../kit/throttle.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { networkKey, type Visitor } from '../../kit/visitor.ts'
import { checkNewPassword } from '../identity/factors/new-password.ts'
import { recordEvent, recordPersonEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant, type Merchant, merchantById } from '../merchants/store.ts'
import { rememberDevice } from '../people/devices.ts'
import { moveSession, noteMemberUse, startSession } from '../people/sessions.ts'
import { endInvitationsByOne, isOwner } from './by-owners.ts'
import { asRole } from './list-members.ts'
import { notifyOwners } from './mails.ts'
import {
  deleteInvitation,
  findInvitation,
  holdForNewOwner,
  type Invitation,
  insertMember,
  insertPerson,
  lockMembers,
  lockPerson,
  personByEmail,
} from './store.ts'

const ipLimit = { max: 60, seconds: 3_600 }

const ended = () => new Refusal('invitation_ended')

async function find(deps: Deps, c: Queryable, invitation: string): Promise<Invitation> {
  const found = await findInvitation(c, hashSecret(invitation), deps.clock())
  if (!found) throw ended()
  return found
}

/** Reads what a link invites to, for whoever has its mail. */
export async function readInvitation(
  deps: Deps,
  { invitation, from }: { invitation: string; from: Visitor },
): Promise<RouteData<'POST /api/v1/public/invitation'>> {
  await throttleIp(deps, 'invitation', from.ip, ipLimit)
  const { merchant_id, email, role, inviter, until } = await find(deps, deps.pool, invitation)
  const shop = await merchantById(deps.pool, merchant_id)
  if (!shop || shop.frozen) throw ended()
  return {
    shop: shop.name,
    email,
    role: asRole(role),
    invited_by: inviter,
    registered: (await personByEmail(deps.pool, email)) !== undefined,
    expires_time: until,
  }
}

/** Locks the shop of an invitation, reads both again, and makes the person a member. */
async function join(
  deps: Deps,
  uow: UnitOfWork,
  { invitation: secret, from }: { invitation: string; from: Visitor },
  personOf: (invitation: Invitation) => Promise<string>,
): Promise<{ shop: Merchant; personId: string }> {
  const { c } = uow
  const { merchant_id } = await find(deps, c, secret)
  const locked = await lockMerchant(c, merchant_id)
  if (!locked || locked.frozen) throw ended()
  const shop = requireActiveMerchant(locked)
  // It may have been used, renewed or canceled while this waited.
  const invitation = await find(deps, c, secret)
  const { email, role, refund_limit, invited_by, id } = invitation
  const personId = await personOf(invitation)
  const members = await lockMembers(c, merchant_id)
  if (!(await insertMember(c, personId, merchant_id, role, refund_limit, deps.clock(), invited_by)))
    throw new Refusal('member_exists')
  await deleteInvitation(c, merchant_id, id)
  const owners = members.filter(isOwner)
  const inside = from.session ? from : { ...from, session: { name: '', personId, merchantId: merchant_id } }
  recordEvent(deps, uow, { merchantId: merchant_id, type: 'member_joined', from: inside, params: { email, role } })
  if (isOwner({ role })) {
    await endInvitationsByOne(deps, uow, { shop, owners, from: inside })
    await holdForNewOwner(c, merchant_id, personId)
  }
  notifyOwners(deps, uow, shop, { change: 'joined', email, role: asRole(role), by: email }, personId)
  return { shop, personId }
}

/**
 * Accepts an invitation to the address of the signed-in person, whose session is for that shop from now on; returns its
 * new token. Throws Refusal('invitation_of_another').
 */
export async function acceptInvitation(
  deps: Deps,
  input: { session: Session; invitation: string; from: Visitor },
): Promise<{ token: string }> {
  const { session, from } = input
  await throttleIp(deps, 'invitation', from.ip, ipLimit)
  const token = newSecret()
  await tx(deps.pool, async (c, uow) => {
    const joined = await join(deps, uow, input, async ({ email }) => {
      const person = await lockPerson(c, session.personId)
      if (!person) throw new Refusal('login_expired')
      if (person.email !== email) throw new Refusal('invitation_of_another')
      return person.id
    })
    if (!(await moveSession(c, session.tokenHash, hashSecret(token), joined.shop.id)))
      throw new Refusal('login_expired')
    await noteMemberUse(c, session.personId, joined.shop.id, deps.clock())
  })
  return { token }
}

/**
 * Accepts an invitation to an address without an account: makes a person with a password, and signs in. Throws
 * Refusal('invitation_sign_in') when the address has one.
 */
export async function acceptAsNewPerson(
  deps: Deps,
  input: { invitation: string; password: string; confirm_password: string; from: Visitor },
): Promise<{ token: string }> {
  const { password, from } = input
  if (password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  await throttleIp(deps, 'invitation', from.ip, ipLimit)
  const { email } = await find(deps, deps.pool, input.invitation)
  await checkNewPassword(deps, password, email)
  const hash = await deps.passwords.hash(password, networkKey(from.ip))
  return tx(deps.pool, async (c, uow) => {
    const { personId, shop } = await join(deps, uow, input, async ({ email }) => {
      const id = newId()
      if (!(await insertPerson(c, id, email, hash, languages[from.language].tag, deps.clock())))
        throw new Refusal('invitation_sign_in')
      recordPersonEvent(deps, uow, { personId: id, type: 'registered', from })
      return id
    })
    await rememberDevice(c, personId, from, deps.clock())
    const { token } = await startSession(deps, c, { personId, merchantId: shop.id, from })
    return { token }
  })
}
