import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors } from '@coffer/contract'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { invitationIn, invite, joinByInvitation, memberProof, newEmail } from '../../testing/invitations.ts'
import { newSession, password, testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import { checkAudit } from '../audit/check-audit.ts'
import { authenticateSession, isSessionLive } from '../identity/sessions/sessions.ts'
import { acceptAsNewPerson, acceptInvitation, readInvitation } from './accept-invitation.ts'
import { changeMemberRole, leaveShop, removeMember, requireSecondFactor } from './change-member.ts'
import { cancelInvitation, inviteMember, renewInvitation } from './invitations.ts'
import { readPeople } from './list-members.ts'
import { readShops, switchShop } from './switch-shop.ts'

const deps = await withDeps({ after })
const from = visitor
const day = 86_400
const ended = { reason: 'invitation_ended' }

const accept = (invitation: string) =>
  acceptAsNewPerson(deps, { invitation, password, confirm_password: password, from })
const signedIn = (token: string) => authenticateSession(deps, { token, pending: false })
const people = async (owner: { session: Parameters<typeof readPeople>[1] }) => readPeople(deps, owner.session)
const rolesIn = async (owner: Parameters<typeof people>[0]) =>
  Object.fromEntries((await people(owner)).list.map(each => [each.email, each.role]))

/** Removes a member by an owner. */
async function remove(owner: { id: string; session: Parameters<typeof removeMember>[1]['session'] }, id: string) {
  return removeMember(deps, { session: owner.session, id, proof: await memberProof(deps, owner.session), from })
}

/** A session of a person who has a shop of their own, in a form that the helpers take. */
const asOwner = (member: { session: { personId: string } & Parameters<typeof removeMember>[1]['session'] }) => ({
  id: member.session.personId,
  session: member.session,
})

test('an invited address without an account becomes a person with its role', async () => {
  const owner = await testMerchant(deps, { name: 'Corner shop' })
  const { email, invitation } = await invite(deps, owner, 'support')
  const shown = await readInvitation(deps, { invitation, from })
  assert.deepEqual(
    [shown.shop, shown.email, shown.role, shown.invited_by, shown.registered],
    ['Corner shop', email, 'support', owner.email, false],
  )
  const { invitations } = await people(owner)
  assert.deepEqual(
    invitations.map(each => [each.email, each.role, each.invited_by]),
    [[email, 'support', owner.email]],
  )
  const { token } = await accept(invitation)
  const session = await signedIn(token)
  assert.deepEqual([session.merchantId, session.role, session.personId === owner.id], [owner.id, 'support', false])
  assert.deepEqual(await rolesIn(owner), { [owner.email]: 'owner', [email]: 'support' })
  await deps.delivered()
  const told = deps.mails.filter(each => each.to === owner.email && each.subject.includes(email))
  assert.deepEqual(
    told.map(each => each.subject),
    [`${owner.email} invited ${email} (Support)`, `${email} accepted the invitation (Support)`],
  )
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('a link works once, also when it is used twice at the same moment', async () => {
  const owner = await testMerchant(deps)
  const { email, invitation } = await invite(deps, owner, 'viewer')
  const both = await Promise.allSettled([accept(invitation), accept(invitation)])
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(accept(invitation), ended)
  await assert.rejects(readInvitation(deps, { invitation, from }), ended)
  assert.deepEqual(await rolesIn(owner), { [owner.email]: 'owner', [email]: 'viewer' })
})

test('a link ends when it is renewed, canceled, replaced or old', async () => {
  const owner = await testMerchant(deps)
  const { email, invitation: first } = await invite(deps, owner, 'viewer')
  const { id } = (await people(owner)).invitations[0]!
  await renewInvitation(deps, { session: owner.session, id, proof: await memberProof(deps, owner.session), from })
  const second = invitationIn(deps, email)
  await assert.rejects(accept(first), ended)
  const { invitation: third } = await invite(deps, owner, 'clerk', email)
  await assert.rejects(accept(second), ended)
  const [{ id: last } = { id: '' }] = (await people(owner)).invitations
  await cancelInvitation(deps, { session: owner.session, id: last, from })
  await cancelInvitation(deps, { session: owner.session, id: last, from })
  await assert.rejects(accept(third), ended)
  const { invitation: fourth } = await invite(deps, owner, 'clerk', email)
  deps.pass(7 * day)
  await assert.rejects(accept(fourth), ended)
  assert.deepEqual((await people(owner)).invitations, [])
})

test('who invites does not learn whether an address has an account', async () => {
  const owner = await testMerchant(deps)
  const known = await testMerchant(deps)
  const answers = []
  for (const email of [known.email, newEmail()]) {
    const proof = await memberProof(deps, owner.session)
    answers.push(await inviteMember(deps, { session: owner.session, email, role: 'viewer', proof, from }))
  }
  assert.deepEqual(answers[0], answers[1])
  const [one, other] = (await people(owner)).invitations
  assert.deepEqual(Object.keys(one!), Object.keys(other!))
})

test('an address with an account accepts signed in, and only that one', async () => {
  const owner = await testMerchant(deps)
  const guest = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const { invitation } = await invite(deps, owner, 'finance', guest.email)
  assert.equal((await readInvitation(deps, { invitation, from })).registered, true)
  await assert.rejects(accept(invitation), { reason: 'invitation_sign_in' })
  await assert.rejects(acceptInvitation(deps, { session: stranger.session, invitation, from }), {
    reason: 'invitation_of_another',
  })
  const { token } = await acceptInvitation(deps, { session: guest.session, invitation, from })
  await assert.rejects(signedIn(guest.token), { reason: 'login_expired' })
  const session = await signedIn(token)
  assert.deepEqual([session.merchantId, session.personId, session.role], [owner.id, guest.id, 'finance'])
  await assert.rejects(acceptInvitation(deps, { session, invitation, from }), ended)
  assert.deepEqual(
    (await readShops(deps, session)).list.map(each => [each.mchid, each.role, each.current]).sort(),
    [
      [owner.mchid, 'finance', true],
      [guest.mchid, 'owner', false],
    ].sort(),
  )
})

test('an address that gets an account after the invitation accepts by it', async () => {
  const owner = await testMerchant(deps)
  const { email, invitation } = await invite(deps, owner, 'viewer')
  const guest = await testMerchant(deps, { email })
  await assert.rejects(accept(invitation), { reason: 'invitation_sign_in' })
  const { token } = await acceptInvitation(deps, { session: guest.session, invitation, from })
  assert.equal((await signedIn(token)).merchantId, owner.id)
})

test('switching moves the session, and its earlier token is dead', async () => {
  const owner = await testMerchant(deps)
  const guest = await testMerchant(deps)
  const { invitation } = await invite(deps, owner, 'finance', guest.email)
  const { token } = await acceptInvitation(deps, { session: guest.session, invitation, from })
  const session = await signedIn(token)
  const switched = await switchShop(deps, { session, mchid: guest.mchid, from })
  await assert.rejects(signedIn(token), { reason: 'login_expired' })
  const own = await signedIn(switched.token)
  assert.deepEqual([own.merchantId, own.role, own.id], [guest.id, 'owner', session.id])
  await assert.rejects(switchShop(deps, { session, mchid: owner.mchid, from }), { reason: 'login_expired' })
  const foreign = await testMerchant(deps)
  for (const mchid of [foreign.mchid, 'M0000000000'])
    await assert.rejects(switchShop(deps, { session: own, mchid, from }), { reason: 'member_not_exist' })
  // The part of somebody else in a shop is nobody’s way into it.
  await assert.rejects(switchShop(deps, { session: foreign.session, mchid: owner.mchid, from }), {
    reason: 'member_not_exist',
  })
  await remove(owner, guest.id)
  await assert.rejects(switchShop(deps, { session: own, mchid: owner.mchid, from }), { reason: 'member_not_exist' })
})

test('removal ends sessions, pushes and invitations at once, and the account of who is in no other shop', async () => {
  const owner = await testMerchant(deps)
  const member = await joinByInvitation(deps, owner, 'finance')
  const id = member.session.personId
  await deps.owner.query(
    `insert into push_devices (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
     values ($1, $1, $2, $3, $1, '', '', 'en', '', 0, 0)`,
    [id, owner.id, member.session.id],
  )
  assert.deepEqual(await remove(owner, id), { waits: false })
  await assert.rejects(signedIn(member.token), { reason: 'login_expired' })
  const { rows } = await deps.owner.query(
    `select (select count(*)::int from push_devices where person_id = $1) as pushes,
       (select count(*)::int from sessions where person_id = $1) as sessions,
       (select deleted_at is not null and password_hash is null from persons where id = $1) as deleted`,
    [id],
  )
  assert.deepEqual(rows, [{ pushes: 0, sessions: 0, deleted: true }])
  assert.deepEqual(await rolesIn(owner), { [owner.email]: 'owner' })
  await assert.rejects(remove(owner, id), { reason: 'member_not_exist' })
  // The address is free: for another invitation, too.
  const { invitation } = await invite(deps, owner, 'viewer', member.email)
  assert.notEqual((await signedIn((await accept(invitation)).token)).personId, id)
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('who belongs to another shop keeps the account, and comes back as who is new', async () => {
  const owner = await testMerchant(deps)
  const guest = await testMerchant(deps)
  const { invitation } = await invite(deps, owner, 'finance', guest.email)
  const { token } = await acceptInvitation(deps, { session: guest.session, invitation, from })
  const own = await newSession(deps, guest.id)
  await remove(owner, guest.id)
  await assert.rejects(signedIn(token), { reason: 'login_expired' })
  assert.equal((await signedIn(own)).merchantId, guest.id)
  const again = await invite(deps, owner, 'viewer', guest.email)
  deps.pass(5)
  await acceptInvitation(deps, { session: await signedIn(own), invitation: again.invitation, from })
  const member = (await people(owner)).list.find(each => each.id === guest.id)
  assert.deepEqual([member?.role, member?.since], ['viewer', deps.clock()])
})

test('one alone removes, demotes or makes no owner where there are two', async () => {
  const owner = await testMerchant(deps)
  const second = await joinByInvitation(deps, owner, 'owner')
  const other = asOwner(second)
  await assert.rejects(remove(owner, other.id), { reason: 'member_too_new' })
  deps.pass(day)
  assert.deepEqual(await remove(owner, other.id), { waits: true })
  await assert.rejects(remove(owner, other.id), { reason: 'second_owner_needed' })
  const lower = { id: other.id, role: 'viewer' as const, session: owner.session, from }
  const proof = await memberProof(deps, owner.session)
  assert.deepEqual(await changeMemberRole(deps, { ...lower, proof }), { waits: true })
  assert.equal((await rolesIn(owner))[second.email], 'owner')
  const { email } = await invite(deps, owner, 'viewer')
  const { requests, invitations } = await people(owner)
  assert.deepEqual(
    requests.map(each => [each.change, each.email, each.role, each.by]),
    [
      ['remove', second.email, null, [owner.email]],
      ['role', second.email, 'viewer', [owner.email]],
    ],
  )
  const more = newEmail()
  const asked = { session: owner.session, email: more, role: 'owner' as const, from }
  assert.deepEqual(await inviteMember(deps, { ...asked, proof: await memberProof(deps, owner.session) }), {
    waits: true,
  })
  assert.deepEqual(
    invitations.map(each => each.email),
    [email],
  )
  await deps.delivered()
  assert.equal(
    deps.mails.some(each => each.to === more),
    false,
  )
  assert.ok(
    deps.mails.some(
      each => each.to === second.email && each.subject === `${owner.email} asks to remove ${second.email}`,
    ),
  )
  await assert.rejects(remove(owner, owner.id), { reason: 'member_is_self' })
})

test('two of three owners remove the third, whatever happens at the same moment', async () => {
  const owner = await testMerchant(deps)
  const second = asOwner(await joinByInvitation(deps, owner, 'owner'))
  deps.pass(day)
  const third = newEmail()
  for (const each of [owner, second]) {
    const proof = await memberProof(deps, each.session)
    await inviteMember(deps, { session: each.session, email: third, role: 'owner', proof, from })
  }
  const { token } = await accept(invitationIn(deps, third))
  const other = asOwner({ session: await signedIn(token) })
  deps.pass(day)
  const proofs = [await memberProof(deps, second.session), await memberProof(deps, other.session)] as const
  // Two remove each other at the same moment: neither has another owner with it.
  const answers = await Promise.allSettled([
    removeMember(deps, { session: second.session, id: other.id, proof: proofs[0], from }),
    removeMember(deps, { session: other.session, id: second.id, proof: proofs[1], from }),
  ])
  for (const each of answers) assert.ok(each.status === 'rejected' || each.value.waits)
  deps.pass(60)
  const asked = (await people(owner)).requests.find(each => each.change === 'remove')
  const [target, by] = asked?.email === third ? [other, second] : [second, other]
  assert.deepEqual(await remove(owner, target.id), { waits: false })
  assert.deepEqual(
    (await people(owner)).list.map(each => each.id),
    [owner.id, by.id],
  )
  // The request of the removed one ended with it.
  assert.deepEqual((await people(owner)).requests, [])
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('the last owner stays, and who opened the shop may leave it to another', async () => {
  const owner = await testMerchant(deps)
  const leave = async (session: typeof owner.session | Awaited<ReturnType<typeof signedIn>>) =>
    leaveShop(deps, { session, proof: await memberProof(deps, session), from })
  await assert.rejects(leave(owner.session), { reason: 'last_owner_of_shop' })
  const lower = { session: owner.session, id: owner.id, role: 'viewer' as const, from }
  await assert.rejects(changeMemberRole(deps, { ...lower, proof: await memberProof(deps, owner.session) }), {
    reason: 'last_owner_of_shop',
  })
  const second = await joinByInvitation(deps, owner, 'owner')
  const { email: invited, invitation } = await invite(deps, owner, 'viewer')
  await leave(owner.session)
  await assert.rejects(signedIn(owner.token), { reason: 'login_expired' })
  await assert.rejects(accept(invitation), ended, invited)
  assert.deepEqual(await rolesIn(asOwner(second)), { [second.email]: 'owner' })
})

test('whose role was raised is new, and who is no owner any more gives nothing', async () => {
  const owner = await testMerchant(deps)
  const member = await joinByInvitation(deps, owner, 'viewer')
  deps.pass(day)
  const change = { session: owner.session, id: member.session.personId, from }
  const proof = () => memberProof(deps, owner.session)
  await changeMemberRole(deps, { ...change, role: 'support', refund_limit: '50', proof: await proof() })
  const seen = async () => (await people(owner)).list.find(each => each.email === member.email)
  const raised = deps.clock()
  assert.deepEqual(
    [(await seen())?.role, (await seen())?.refund_limit, (await seen())?.since],
    ['support', '50', raised],
  )
  await changeMemberRole(deps, { ...change, role: 'support', refund_limit: '70', proof: await proof() })
  assert.deepEqual([(await seen())?.refund_limit, (await seen())?.since], ['70', raised])
  const { session } = member
  const refused = { reason: 'forbidden' }
  // As if the role had been lowered between the check of the request and its transaction.
  await assert.rejects(
    removeMember(deps, { session, id: owner.id, proof: await memberProof(deps, session), from }),
    refused,
  )
  const given = { session, email: newEmail(), role: 'owner' as const, from }
  await assert.rejects(inviteMember(deps, { ...given, proof: await memberProof(deps, session) }), refused)
  await assert.rejects(
    requireSecondFactor(deps, { session, required: false, proof: await memberProof(deps, session), from }),
    refused,
  )
})

test('removal and acceptance at the same moment leave no account without a shop, and no part without an account', async () => {
  const owner = await testMerchant(deps)
  const other = await testMerchant(deps)
  for (let round = 0; round < 5; round++) {
    const member = await joinByInvitation(deps, owner, 'viewer')
    const { personId } = member.session
    const { invitation } = await invite(deps, other, 'viewer', member.email)
    const proof = await memberProof(deps, owner.session)
    await Promise.allSettled([
      removeMember(deps, { session: owner.session, id: personId, proof, from }),
      acceptInvitation(deps, { session: member.session, invitation, from }),
    ])
    const { rows } = await deps.owner.query(
      `select (select count(*)::int from members where person_id = $1 and removed_at is null) as parts,
         (select count(*)::int from persons where id = $1 and deleted_at is null) as persons`,
      [personId],
    )
    assert.equal(rows[0].parts > 0, rows[0].persons > 0)
  }
})

test('a required second factor keeps out who has none, and an owner without one cannot require it', async t => {
  const owner = await testMerchant(deps)
  const required = async () =>
    requireSecondFactor(deps, {
      session: owner.session,
      required: true,
      proof: await memberProof(deps, owner.session),
      from,
    })
  await assert.rejects(required(), { reason: 'second_factor_needed' })
  const member = await joinByInvitation(deps, owner, 'viewer')
  const { code } = await testAuthenticator(deps, owner.id)
  const proof = () => ({ method: 'google' as const, code: code() })
  await requireSecondFactor(deps, { session: owner.session, required: true, proof: proof(), from })
  assert.equal((await people(owner)).second_factor_required, true)
  assert.equal(await isSessionLive(deps, member.session), false, 'an open stream ends')
  const app = await makeApp(deps)
  t.after(() => app.close())
  const ask = async (token: string, url: string) =>
    (await app.inject({ url, headers: { 'x-token': token } })).json() as { code: number; data: object }
  const list = '/api/v1/transactions/list'
  assert.equal((await ask(owner.token, list)).code, 200)
  assert.equal((await ask(member.token, list)).code, errors.second_factor_needed.code)
  const info = await ask(member.token, '/api/v1/user/info')
  assert.equal('second_factor_needed' in info.data, true)
  assert.equal('second_factor_needed' in (await ask(owner.token, '/api/v1/user/info')).data, false)
  await testAuthenticator(deps, member.session.personId)
  assert.equal((await ask(member.token, list)).code, 200)
})
