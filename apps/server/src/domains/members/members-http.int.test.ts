import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type RouteData, type RouteKey } from '@coffer/contract'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { type MerchantRole, merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { invitationIn, joinByInvitation, newEmail } from '../../testing/invitations.ts'
import { codeIn, newSession, password, type TestMerchant, testMerchant, visitor } from '../../testing/merchants.ts'
import { startSession } from '../people/sessions.ts'

/* Attacks on members as they arrive: requests over HTTP, each with the code that its page would ask for. */

const deps = await withDeps({ after })
const app = await makeApp(deps)
after(() => app.close())
const day = 86_400

interface Answer {
  code: number
  msg: string
  data: { waits: boolean; token: string } & RouteData<'GET /api/v1/member'>
}
let sent = 0
/** Makes a call; `token` of who is signed in. */
async function ask(key: RouteKey, token: string | undefined, payload?: object): Promise<Answer> {
  const [method = '', url] = key.split(' ')
  const answer = await app.inject({
    method: method as 'GET',
    url: url!,
    remoteAddress: `10.1.${(++sent >> 8) & 255}.${sent & 255}`,
    headers: { ...(token && { 'x-token': token }) },
    ...(payload && { payload }),
  })
  return answer.json()
}

/** Makes a call with a code that was mailed for it. */
async function confirm(key: RouteKey, token: string, payload: object = {}): Promise<Answer> {
  deps.pass(61)
  const code = await ask('POST /api/v1/public/email/send-verification-code', token, { type: emailCodePurpose.members })
  if (code.code !== 200) return code
  return ask(key, token, { ...payload, proof: { method: 'email', code: codeIn(deps.mails.at(-1)) } })
}

const invitation = 'POST /api/v1/member/invitation'
const invite = (token: string, email: string, role: MerchantRole) => confirm(invitation, token, { email, role })
const encoded = Buffer.from(password).toString('base64')
const accept = (email: string) =>
  ask('POST /api/v1/public/invitation/accept', undefined, {
    invitation: invitationIn(deps, email),
    password: encoded,
    confirm_password: encoded,
  })
const people = async (token: string) => (await ask('GET /api/v1/member', token)).data
const ended = errors.invitation_ended.code

/** A shop and a session of its owner that lasts. */
async function shop(): Promise<TestMerchant> {
  const owner = await testMerchant(deps)
  return { ...owner, token: await newSession(deps, owner.id) }
}

test('every member leaves with a mailed code, whatever the role', async () => {
  const owner = await shop()
  for (const role of merchantRoleNames) {
    const member = await joinByInvitation(deps, owner, role)
    const left = await confirm('POST /api/v1/member/leave', member.token)
    assert.equal(left.code, 200, `${role}: ${left.msg}`)
    assert.equal((await ask('GET /api/v1/user/info', member.token)).code, 401)
  }
  assert.deepEqual(
    (await people(await newSession(deps, owner.id))).list.map(each => each.id),
    [owner.id],
  )
})

test('what an owner alone prepared makes no further owner once there are two', async () => {
  const owner = await shop()
  const partner = newEmail()
  const alias = newEmail()
  const clerk = newEmail()
  for (const email of [alias, partner]) assert.equal((await invite(owner.token, email, 'owner')).data.waits, false)
  await invite(owner.token, clerk, 'clerk')
  const { token } = (await accept(partner)).data
  assert.equal((await accept(alias)).code, ended, 'the partner has agreed to nobody')
  assert.equal((await accept(clerk)).code, 200, 'others than owners are invited by one')
  const { list, invitations } = await people(token)
  assert.deepEqual(
    list
      .filter(each => each.role === 'owner')
      .map(each => each.email)
      .sort(),
    [owner.email, partner].sort(),
  )
  assert.deepEqual(invitations, [])
})

test('nor what was prepared before a member became the second owner', async () => {
  const owner = await shop()
  const alias = newEmail()
  const member = await joinByInvitation(deps, owner, 'finance')
  const token = await newSession(deps, owner.id)
  await invite(token, alias, 'owner')
  const raised = { id: member.session.personId, role: 'owner' }
  assert.equal((await confirm('PUT /api/v1/member', token, raised)).data.waits, false)
  assert.equal((await accept(alias)).code, ended)
})

test('two accounts of one mailbox are one owner', async () => {
  const owner = await shop()
  const signIn = async (personId: string) =>
    (await startSession(deps, deps.pool, { personId, merchantId: owner.id, from: visitor })).token
  const idOf = async (email: string) => {
    const { list } = await people(await signIn(owner.id))
    return list.find(each => each.email === email)!.id
  }
  const alias = owner.email.replace('@', '+2@')
  const partner = newEmail()
  await invite(owner.token, alias, 'owner')
  await accept(alias)
  deps.pass(day)
  assert.equal((await invite(await signIn(owner.id), partner, 'owner')).data.waits, false, 'one person alone')
  await accept(partner)
  deps.pass(day)
  const id = await idOf(partner)
  for (const each of [owner.id, await idOf(alias)]) {
    const { data } = await confirm('DELETE /api/v1/member', await signIn(each), { id })
    assert.equal(data.waits, true, 'the same person twice')
  }
  assert.equal(await idOf(partner), id)
})

test('an invitation that has expired is renewed by nobody, and takes no place', async () => {
  const owner = await shop()
  const email = newEmail()
  await invite(owner.token, email, 'viewer')
  const { id } = (await people(owner.token)).invitations[0]!
  const renew = async () => confirm('PUT /api/v1/member/invitation', await newSession(deps, owner.id), { id })
  deps.pass(7 * day)
  assert.equal((await renew()).code, ended)
  await deps.owner.query(
    `insert into member_invitations (merchant_id, email, id, role, hash, until, invited_by, created_at)
     select $1, n || '@example.com', gen_random_uuid(), 'viewer', sha256(n::text::bytea), $2, $1, 0
     from generate_series(1, 200) n`,
    [owner.id, deps.clock()],
  )
  assert.equal((await invite(await newSession(deps, owner.id), newEmail(), 'viewer')).code, 200)
})

test('owners hear of a renewed invitation, and one address is not written to without end', async () => {
  const owner = await shop()
  const second = await joinByInvitation(deps, owner, 'owner')
  const email = newEmail()
  const token = await newSession(deps, owner.id)
  await invite(token, email, 'viewer')
  const told = async () => {
    await deps.delivered()
    return deps.mails.filter(each => each.to === second.email && each.subject.includes(email)).length
  }
  const before = await told()
  const { id } = (await people(token)).invitations[0]!
  await confirm('PUT /api/v1/member/invitation', token, { id })
  assert.equal(await told(), before + 1)
  const answers = []
  for (let shops = 0; shops < 11; shops++) answers.push((await invite((await shop()).token, email, 'viewer')).code)
  assert.equal(answers.at(-1), errors.frequent_operation.code)
  const mails = deps.mails.filter(each => each.to === email)
  assert.ok(mails.length <= 10)
})
