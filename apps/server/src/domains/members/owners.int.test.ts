import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Session } from '../../http/context.ts'
import { withDeps } from '../../testing/deps.ts'
import { invite, joinByInvitation, memberProof } from '../../testing/invitations.ts'
import { codeIn, password, testMerchant, visitor } from '../../testing/merchants.ts'
import { sendEmailCode } from '../identity/codes/send-code.ts'
import type { Proof } from '../identity/proofs/check-proof.ts'
import { authenticateSession } from '../identity/sessions/sessions.ts'
import { holdAfterFactorChange, merchantById } from '../merchants/store.ts'
import { closeAccount, readAccountClosingObstacles } from '../onboarding/close-account.ts'
import { acceptAsNewPerson, acceptInvitation } from './accept-invitation.ts'
import { changeMemberRole, leaveShop } from './change-member.ts'
import { readShops } from './switch-shop.ts'

const deps = await withDeps({ after })
const from = visitor

const accept = (invitation: string) =>
  acceptAsNewPerson(deps, { invitation, password, confirm_password: password, from })
const signedIn = (token: string) => authenticateSession(deps, { token, pending: false })

/** Lets time pass and returns a proof for closing the account. */
async function closingProof(session: Session): Promise<Proof> {
  deps.pass(60)
  await sendEmailCode(deps, { purpose: emailCodePurpose.closeAccount, email: undefined, session, from })
  return { method: 'email', code: codeIn(deps.mails.at(-1)) }
}

test('nobody closes a shop that another owner has, and only who may leave is offered to', async () => {
  const owner = await testMerchant(deps)
  const close = (proof: Proof) => closeAccount(deps, { merchantId: owner.id, proof, from })
  const obstacles = async () => (await readAccountClosingObstacles(deps, owner.id)).blocked_by
  const mayLeave = async (session: Session) => (await readShops(deps, session)).may_leave
  const clerk = await joinByInvitation(deps, owner, 'clerk')
  assert.deepEqual([await obstacles(), await mayLeave(owner.session), await mayLeave(clerk.session)], [[], false, true])
  const second = await joinByInvitation(deps, owner, 'owner')
  assert.deepEqual([await obstacles(), await mayLeave(owner.session)], [['owners'], true])
  const proof = await closingProof(owner.session)
  await assert.rejects(close(proof), { reason: 'shop_of_other_owners' })
  await leaveShop(deps, { session: second.session, proof: await memberProof(deps, second.session), from })
  await close(proof)
  await assert.rejects(signedIn(owner.token), { reason: 'login_expired' })
})

test('closing and joining as another owner at the same moment exclude each other', async () => {
  const owner = await testMerchant(deps)
  const { invitation } = await invite(deps, owner, 'owner')
  const closing = closeAccount(deps, { merchantId: owner.id, proof: await closingProof(owner.session), from })
  const both = await Promise.allSettled([closing, accept(invitation)])
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
})

test('who becomes an owner holds the shop as long as an own factor has just changed', async () => {
  const owner = await testMerchant(deps)
  const heldSince = async () => (await merchantById(deps.pool, owner.id))!.factor_changed_at
  const { session } = await joinByInvitation(deps, owner, 'finance')
  deps.pass(10)
  const changed = deps.clock()
  await holdAfterFactorChange(deps.pool, session.personId, changed)
  assert.equal(await heldSince(), 0, 'of no owner yet')
  deps.pass(10)
  const raise = { session: owner.session, id: session.personId, role: 'owner' as const, from }
  await changeMemberRole(deps, { ...raise, proof: await memberProof(deps, owner.session) })
  assert.equal(await heldSince(), changed)

  const other = await testMerchant(deps)
  const { invitation } = await invite(deps, other, 'owner', owner.email)
  await holdAfterFactorChange(deps.pool, owner.id, deps.clock())
  await acceptInvitation(deps, { session: owner.session, invitation, from })
  assert.equal((await merchantById(deps.pool, other.id))!.factor_changed_at, deps.clock())
})
