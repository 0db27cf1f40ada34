import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAuthenticator } from '../../testing/merchants.ts'
import { night, office, signedIn } from '../../testing/office.ts'
import { testOperator } from '../../testing/operators.ts'
import { checkAudit } from '../audit/check-audit.ts'
import { changeRole, removeOperator } from './change-operator.ts'
import { addOperator } from './invitations.ts'
import { authenticateOperatorSession } from './sessions.ts'

const day = 86_400
const approve = 'POST withdrawals/:id/approve'
const refused = { second: 10165, tooNew: 10261, another: 10143 }

/** An office with an owner, and another account whose holder leaves and is invited again. */
async function leaving(t: Parameters<typeof office>[0]) {
  const w = await office(t)
  t.after(() => w.app.close())
  const owner = await testOperator(w.deps, 'owner')
  const former = await testOperator(w.deps, 'owner')
  const comeBack = async (email: string) => {
    await removeOperator(w.deps, { id: former.id })
    await addOperator(w.deps, { email, role: 'owner' }, async link => {
      await w.deps.mail.send({ to: email, subject: '', text: link })
    })
    return w.activate(email)
  }
  return { ...w, owner, former, comeBack }
}

for (const email of ['again@example.com', undefined])
  test(`who was removed and invited again ${email ? 'under another address' : 'under the same'} is one person`, async t => {
    const w = await leaving(t)
    const id = await w.withdraw('150')
    assert.deepEqual((await w.ask(w.former.token, approve, id)).data, { waits: true })
    const token = await w.comeBack(email ?? w.former.email)
    assert.equal((await w.ask(token, approve, id)).code, refused.tooNew)
    w.deps.pass(day)
    const back = (await signedIn(w.deps, email ?? w.former.email)).session
    assert.deepEqual(
      (await w.ask(back, approve, id)).data,
      { waits: true },
      'the approval of the former account is void',
    )
    assert.equal((await w.ask(back, approve, id)).code, refused.second)
    const { approvals } = (await w.ask(back, 'GET withdrawals/:id', id)).data
    assert.deepEqual(
      approvals.map((each: { email: string }) => each.email),
      [email ?? w.former.email],
    )
    const { session } = await signedIn(w.deps, w.owner.email)
    assert.deepEqual((await w.ask(session, approve, id)).data, { waits: false })
  })

test('an account that began after a risk level was lifted is not the other person who then approves', async t => {
  const w = await leaving(t)
  const { mchid } = w.merchant
  const lifted = await w.ask(w.former.token, 'PUT merchants/:id/risk', mchid, {
    risk_level: 'pass',
    reason: 'known well',
  })
  assert.equal(lifted.code, 200)
  const id = await w.withdraw('50')
  const token = await w.comeBack('again@example.com')
  assert.equal((await w.ask(token, approve, id)).code, refused.tooNew)
  assert.deepEqual((await w.ask(w.owner.token, approve, id)).data, { waits: false }, 'who was there before may')
})

test('whose role was raised is nobody’s second person for a day', async t => {
  const w = await leaving(t)
  const viewer = await testOperator(w.deps, 'viewer')
  const id = await w.withdraw('150')
  assert.deepEqual((await w.ask(w.former.token, approve, id)).data, { waits: true })
  await changeRole(w.deps, { id: viewer.id, role: 'finance', by: w.former.id })
  assert.equal((await w.ask(viewer.token, approve, id)).code, refused.tooNew)
  w.deps.pass(day)
  const { session } = await signedIn(w.deps, viewer.email)
  await changeRole(w.deps, { id: viewer.id, role: 'finance', by: w.former.id })
  assert.deepEqual((await w.ask(session, approve, id)).data, { waits: false }, 'the same role is no new one')
})

test('two accounts of one mailbox are one person', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const one = await testOperator(w.deps, 'owner', { email: 'ann@example.com' })
  const same = await testOperator(w.deps, 'owner', { email: 'ann+second@example.com' })
  const id = await w.withdraw('150')
  assert.deepEqual((await w.ask(one.token, approve, id)).data, { waits: true })
  assert.equal((await w.ask(same.token, approve, id)).code, refused.second)

  const { mchid } = w.merchant
  await testAuthenticator(w.deps, w.merchant.id)
  const remove = 'POST merchants/:id/remove-authenticator'
  assert.deepEqual((await w.ask(one.token, remove, mchid, { reason: 'lost' })).data, { waits: true })
  assert.equal((await w.ask(same.token, remove, mchid, { reason: 'lost' })).code, refused.another)

  const invited = { email: 'new@example.com', role: 'finance' }
  assert.equal((await w.ask(one.token, 'POST operators', '', invited)).data.waits, false, 'there is no second owner')
  const other = await testOperator(w.deps, 'owner')
  const more = { ...invited, email: 'more@example.com' }
  assert.equal((await w.ask(one.token, 'POST operators', '', more)).data.waits, true)
  assert.equal((await w.ask(same.token, 'POST operators', '', more)).code, refused.second)
  assert.equal((await w.ask(other.token, 'POST operators', '', more)).data.waits, false)
  assert.deepEqual((await w.ask(other.token, approve, id)).data, { waits: false })
})

test('a decision names the persons who asked for it, with the addresses that they had', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'owner', { email: 'ann@example.com' })
  const same = await testOperator(w.deps, 'finance', { email: 'ann+second@example.com' })
  const other = await testOperator(w.deps, 'finance')
  assert.deepEqual((await w.resume(one.token)).data, { waits: true })
  assert.equal((await w.resume(same.token)).code, refused.second)
  const [request] = (await w.ask(other.token, 'GET decisions')).data.list
  assert.deepEqual(request.who, [{ id: one.id, email: one.email }])
  await w.deps.owner.query(`update persons set email = 'renamed@example.com' where id = $1`, [one.id])
  assert.equal((await w.resume(one.token)).code, refused.second, 'under another address')
  assert.deepEqual((await w.ask(other.token, 'GET decisions')).data.list[0].who, [
    { id: one.id, email: 'ann@example.com' },
  ])
  assert.deepEqual((await w.resume(other.token)).data, { waits: false })
})

test('the log tells two accounts of one address apart, and names who did it in each entry', async t => {
  const w = await leaving(t)
  const { mchid } = w.merchant
  const note = async (token: string) =>
    assert.equal((await w.ask(token, 'POST merchants/:id/note', mchid, { text: 'called' })).code, 200)
  await note(w.former.token)
  assert.deepEqual((await w.ask(w.former.token, approve, await w.withdraw('150'))).data, { waits: true })
  const back = await w.comeBack(w.former.email)
  await note(back)
  const { operatorId } = await authenticateOperatorSession(w.deps, { token: back, pending: false })
  assert.notEqual(operatorId, w.former.id)
  await w.ask('', 'POST public/login', '', { email: 'nobody@example.com', password: btoa('Wrong1Horse') })

  type Entry = { person: string; who: string; action: string }
  const read = async (who: string): Promise<Entry[]> => (await w.ask(back, `GET log?who=${who}`)).data.list
  const notes = (await read(w.former.email)).filter(each => each.action === 'POST merchants/:id/note')
  assert.deepEqual(
    notes.map(each => [each.person, each.who]),
    [operatorId, w.former.id].map(id => [id, w.former.email]),
  )
  const [stranger] = await read('nobody')
  assert.deepEqual([stranger!.person, stranger!.who], ['', 'nobody@example.com'])

  const { rows } = await w.deps.owner.query<{ person_id: string; subject: string }>(
    `select person_id, subject from audit_log where type in ('operator_approved', 'operator_changed') order by seq`,
  )
  const by = (part: string) => rows.filter(each => each.subject.includes(part)).map(each => each.person_id)
  assert.deepEqual(by(`${w.former.email} withdrawal`), [w.former.id])
  assert.deepEqual(by(`${operatorId} ${w.former.email} active`), [operatorId])
  assert.deepEqual(by(`${w.former.email} removed`), [''], 'by the command line')
  assert.deepEqual(await checkAudit(w.deps).then(each => each.faults), [])
})

test('who changes an account is named in the entry about it', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const owner = await testOperator(w.deps, 'owner')
  const other = await testOperator(w.deps, 'support')
  assert.deepEqual((await w.ask(owner.token, 'PUT operators/:id', other.id, { role: 'viewer' })).data, { waits: false })
  assert.equal((await w.ask(owner.token, 'POST operators/:id/link', other.id)).code, 200)
  assert.deepEqual((await w.ask(owner.token, 'DELETE operators/:id', other.id)).data, { waits: false })
  const { rows } = await w.deps.owner.query<{ person_id: string; subject: string }>(
    `select person_id, subject from audit_log where type = 'operator_changed' and subject like $1 order by seq`,
    [`${other.id} %`],
  )
  const subjects = ['viewer', 'invited', 'removed'].map(what =>
    what === 'invited' ? `${other.id} invited` : `${other.id} ${other.email} ${what}`,
  )
  assert.deepEqual(
    rows.filter(each => each.person_id !== ''),
    subjects.map(subject => ({ person_id: owner.id, subject })),
  )
})

test('the list of operators says who invited whom', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const owner = await testOperator(w.deps, 'owner')
  await w.ask(owner.token, 'POST operators', '', { email: 'new@example.com', role: 'viewer' })
  const { list } = (await w.ask(owner.token, 'GET operators')).data
  assert.deepEqual(
    list.map((each: { email: string; invited_by: string }) => [each.email, each.invited_by]),
    [
      ['new@example.com', owner.email],
      [owner.email, ''],
    ],
  )
})

test('whoever has no password, as the operator of the sandbox, is no second owner', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { id, token } = await testOperator(w.deps, 'owner')
  await w.deps.owner.query('update persons set password_hash = null, authenticator_secret = null where id = $1', [id])
  const invite = (email: string) => w.ask(token, 'POST operators', '', { email, role: 'owner' })
  assert.equal((await invite('first@example.com')).data.waits, false)
  await w.activate('first@example.com')
  assert.equal((await invite('second@example.com')).data.waits, false, 'one owner can sign in')
})
