import type { Language } from '@coffer/contract'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import { usdtDecimals } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { throttle } from '../../kit/throttle.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { Application } from '../applications/store.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import type { Merchant } from '../merchants/store.ts'
import { agreeWithOwner, type LockedMembers, lockShopForOwner } from './by-owners.ts'
import { asRole } from './list-members.ts'
import { mailInvitation, notifyOwners } from './mails.ts'
import { deleteInvitation, type Invitation, listInvitations, personByEmail, putInvitation } from './store.ts'

const linkSeconds = 7 * 86_400
/** Mails to invited addresses, also to the same one. */
const mailLimit = { max: 30, seconds: 86_400 }
/** Mails to one address, of all shops together: whoever is invited everywhere is being annoyed. */
const addressLimit = { max: 10, seconds: 3_600 }

/** Counts a mail of an invitation by whoever `by` names, and to its address. */
export async function throttleInvitation(deps: Deps, by: string, email: string): Promise<void> {
  await throttle(deps, `invitations ${by}`, mailLimit)
  await throttle(deps, `invitations to ${email}`, addressLimit)
}

/** What a member may do: `refund_limit` is text of USDT, and only for the role that refunds within a limit. */
export interface Part {
  role: MerchantRole
  refund_limit?: string | undefined
}

/** Returns the limit of a part as stored. Throws Refusal('bad_amount'). */
export function toRefundLimit({ role, refund_limit }: Part): bigint | null {
  if (role !== 'support' || refund_limit === undefined) return null
  const units = parseDecimal(refund_limit, usdtDecimals)
  if (units === null) throw new Refusal('bad_amount', { field: 'refund_limit' })
  return units
}

/**
 * Invites an address to a shop, by a link that its mail alone has. An owner is invited by two owners where there are
 * two. All owners are notified. The answer is the same whether or not the address has an account.
 */
export async function inviteMember(
  deps: Deps,
  input: Part & { session: Session; email: string; proof: Proof; from: Visitor },
): Promise<{ waits: boolean }> {
  const { session, email, role, from } = input
  const refundLimit = toRefundLimit(input)
  const data = { email, role, refund_limit: input.refund_limit ?? '' }
  const consume = await checkProof(deps, { by: session, proof: input.proof, action: 'members', data })
  await throttleInvitation(deps, session.merchantId, email)
  const { shop, by, link } = await tx(deps.pool, async (c, uow) => {
    const locked = await lockShopForOwner(c, session)
    await consume(c)
    await refuseKnown(c, locked, { email, now: deps.clock() })
    const request = { change: 'invite', email, role } as const
    const agreed = role !== 'owner' || (await agreeWithOwner(deps, uow, locked, { request, about: email, from }))
    const { shop } = locked
    const by = locked.actor.email
    notifyOwners(deps, uow, shop, { change: 'invited', email, role, by, ...(!agreed && { waits: 'yes' }) })
    if (!agreed) return { shop, by, link: undefined }
    const invited = { shop, email, role, refundLimit, invitedBy: session.personId, from }
    return { shop, by, link: (await storeInvitation(deps, uow, invited)).link }
  })
  if (link) await sendInvitation(deps, { shop, email, role, by, link, language: from.language })
  return { waits: link === undefined }
}

/**
 * Returns the open invitation of an address. Throws Refusal('member_exists') for the address of a member,
 * Refusal('limit_reached') when the shop is full.
 */
export async function refuseKnown(
  c: Queryable,
  { shop, members }: Pick<LockedMembers, 'shop' | 'members'>,
  { email, now }: { email: string; now: number },
): Promise<Invitation | undefined> {
  if (members.some(each => each.email === email)) throw new Refusal('member_exists', { field: 'email' })
  const open = await listInvitations(c, shop.id, now)
  const others = open.filter(each => each.email !== email)
  if (members.length + others.length >= limits.membersMax) throw new Refusal('limit_reached')
  return open.find(each => each.email === email)
}

/**
 * Stores an invitation in place of an earlier one, and returns it with its link. `application`: by its key; `invitedBy`
 * is who made that, and empty for the operator, whose `from` is null.
 */
export async function storeInvitation(
  deps: Deps,
  uow: UnitOfWork,
  given: {
    shop: Merchant
    email: string
    role: MerchantRole
    refundLimit: bigint | null
    invitedBy: string
    application?: Pick<Application, 'appid' | 'name'> | undefined
    from: Visitor | null
  },
): Promise<{ id: string; link: string; created_time: number; expires_time: number }> {
  const { shop, email, role, refundLimit, invitedBy, application, from } = given
  const secret = newSecret()
  const hash = hashSecret(secret)
  const id = newId()
  const now = deps.clock()
  const until = now + linkSeconds
  const appid = application?.appid ?? ''
  await putInvitation(uow.c, shop.id, email, id, role, refundLimit, hash, until, invitedBy, now, appid)
  const params = { email, role, ...(application && { application: describeApplication(application) }) }
  recordEvent(deps, uow, { merchantId: shop.id, type: 'member_invited', from, params })
  const link = `${deps.config.publicUrl}/login#invitation=${secret}`
  return { id, link, created_time: now, expires_time: until }
}

/** An application in the log. */
export const describeApplication = ({ appid, name }: Pick<Application, 'appid' | 'name'>): string =>
  `${name} (${appid})`

/**
 * Mails a link, in the language of its reader where that is known. Throws Refusal('mail_failed'): it can be renewed.
 */
export async function sendInvitation(
  deps: Deps,
  { language: spoken, ...given }: Omit<Parameters<typeof mailInvitation>[2], 'publicUrl'> & { language: Language },
): Promise<void> {
  const person = await personByEmail(deps.pool, given.email)
  const language = person ? languageOf(person.language) : spoken
  await mailInvitation(deps, language, { ...given, publicUrl: deps.config.publicUrl })
}

/** Sends an invitation again: its link is a new one, and the one before ends. */
export async function renewInvitation(
  deps: Deps,
  { session, id, proof, from }: { session: Session; id: string; proof: Proof; from: Visitor },
): Promise<void> {
  const { merchantId, personId } = session
  const consume = await checkProof(deps, { by: session, proof, action: 'members', data: { id } })
  await throttle(deps, `invitations ${merchantId}`, mailLimit)
  const sent = await tx(deps.pool, async (c, uow) => {
    const { shop, actor } = await lockShopForOwner(c, session)
    await consume(c)
    const found = (await listInvitations(c, merchantId, deps.clock())).find(each => each.id === id)
    if (!found) throw new Refusal('invitation_ended', { field: 'id' })
    const { email, refund_limit: refundLimit } = found
    const role = asRole(found.role)
    await throttle({ ...deps, pool: c }, `invitations to ${email}`, addressLimit)
    const { link } = await storeInvitation(deps, uow, { shop, email, role, refundLimit, invitedBy: personId, from })
    notifyOwners(deps, uow, shop, { change: 'invited', email, role, by: actor.email })
    return { shop, email, role, by: actor.email, link, language: from.language }
  })
  await sendInvitation(deps, sent)
}

/** Cancels an invitation, whose link ends. Canceling it again does nothing. */
export const cancelInvitation = (
  deps: Deps,
  { session, id, from }: { session: Session; id: string; from: Visitor },
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const { shop } = await lockShopForOwner(c, session)
    const found = (await listInvitations(c, shop.id, deps.clock())).find(each => each.id === id)
    if (!found || !(await deleteInvitation(c, shop.id, id))) return
    recordEvent(deps, uow, {
      merchantId: shop.id,
      type: 'invitation_canceled',
      from,
      params: { email: found.email },
    })
  })
