import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { sendEmailCode } from '../domains/identity/codes/send-code.ts'
import type { Proof } from '../domains/identity/proofs/check-proof.ts'
import { authenticateSession } from '../domains/identity/sessions/sessions.ts'
import { acceptAsNewPerson } from '../domains/members/accept-invitation.ts'
import { inviteMember } from '../domains/members/invitations.ts'
import type { Session } from '../http/context.ts'
import type { MemberOfShop } from '../kit/member.ts'
import type { TestDeps } from './deps.ts'
import { codeIn, password, type TestMerchant, visitor } from './merchants.ts'

/** Returns the secret of the last invitation mailed to an address. */
export function invitationIn(deps: TestDeps, email: string): string {
  const mail = deps.mails.findLast(each => each.to === email && each.text.includes('#invitation='))
  return /#invitation=([\w-]+)/.exec(mail?.text ?? '')![1]!
}

/** Lets time pass, so that another code may be mailed, and returns a proof for a change of members. */
export async function memberProof(deps: TestDeps, session: MemberOfShop): Promise<Extract<Proof, { code: string }>> {
  deps.pass(60)
  await sendEmailCode(deps, { purpose: emailCodePurpose.members, email: undefined, session, from: visitor })
  return { method: 'email', code: codeIn(deps.mails.at(-1)) }
}

/** Invites a new address and returns the secret of its link. */
export async function invite(deps: TestDeps, owner: TestMerchant, role: MerchantRole, email = newEmail()) {
  const proof = await memberProof(deps, owner.session)
  await inviteMember(deps, { session: owner.session, email, role, proof, from: visitor })
  return { email, invitation: invitationIn(deps, email) }
}

export const newEmail = () => `${crypto.randomUUID()}@example.com`

/** A member of a shop, who signed in by an invitation. */
export interface InvitedMember {
  email: string
  token: string
  session: Session
}

/** Makes a new person a member of a shop. */
export async function joinByInvitation(
  deps: TestDeps,
  owner: TestMerchant,
  role: MerchantRole,
): Promise<InvitedMember> {
  const { email, invitation } = await invite(deps, owner, role)
  const given = { invitation, password, confirm_password: password, from: visitor }
  const { token } = await acceptAsNewPerson(deps, given)
  return { email, token, session: await authenticateSession(deps, { token, pending: false }) }
}
