import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { caller } from '../../cli/call.ts'
import type { Deps } from '../../deps.ts'
import { visitor as from, password, testAuthenticator } from '../../testing/merchants.ts'
import { testOperator } from '../../testing/operators.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { changeRole } from '../operators/change-operator.ts'
import { readInvitation, useInvitation } from '../operators/invitations.ts'
import { openOperatorSession } from '../operators/sessions.ts'
import { operatorByEmail } from '../operators/store.ts'
import { makeConsoleApp } from './app.ts'

async function office(t: Parameters<typeof withdrawalWorld>[0]) {
  const config = { withdrawTwoAbove: 100, withdrawApprovalAbove: 10, operatorUrl: 'https://console.example' }
  const world = await withdrawalWorld(t, { config })
  const { deps } = world
  const app = await makeConsoleApp(deps)
  const ask = async (token: string, key: string, id = '', body?: object) => {
    const [method = '', path = ''] = key.split(' ')
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api/operator/v1/${path.replace(':id', id)}`,
      headers: { 'x-token': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const linkTo = (email: string) =>
    deps.mails
      .filter(each => each.to === email)
      .flatMap(each => /#invitation=(\S+)/.exec(each.text)?.[1] ?? [])
      .at(-1)
  /** Opens an account by the link that was mailed; returns a session that may make every call. */
  const activate = async (email: string) => {
    const invitation = linkTo(email)!
    const { secret, offer } = await readInvitation(deps, { invitation, from })
    const code = () => generateSync({ secret, epoch: deps.clock() })
    const { token } = await useInvitation(deps, { invitation, password, offer, code: code(), from })
    deps.pass(30)
    assert.equal((await ask(token, 'POST session/fresh', '', { google_code: code() })).code, 200)
    return token
  }
  return {
    ...world,
    app,
    ask,
    linkTo,
    activate,
    idOf: async (email: string) => (await operatorByEmail(deps.pool, email))!.id,
  }
}

/** Opens a session of an operator that may make every call. */
const signedIn = async (deps: Deps, email: string) => {
  const { id } = (await operatorByEmail(deps.pool, email))!
  return { session: await openOperatorSession(deps, deps.pool, id, from, { freshFor: 3_600 }) }
}

test('the one-time link goes to the invited address only, and every owner is notified', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token, email } = await testOperator(w.deps, 'owner')
  const invited = 'new@example.com'
  const answer = await w.ask(token, 'POST operators', '', { email: invited, role: 'finance' })
  assert.deepEqual([answer.code, answer.data.waits, answer.data.link], [200, false, ''])
  const secret = w.linkTo(invited)!
  assert.ok(!JSON.stringify(answer).includes(secret))
  assert.equal(w.linkTo(email), undefined)
  assert.ok(w.deps.mails.some(each => each.to === email && each.text.includes(invited)))
  await w.activate(invited)
  const renewed = await w.ask(token, 'POST operators/:id/link', await w.idOf(invited))
  assert.deepEqual([renewed.code, renewed.data.link], [200, ''])
  assert.notEqual(w.linkTo(invited), secret)
})

test('a link that cannot be mailed is not made', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token } = await testOperator(w.deps, 'owner')
  w.deps.mail.send = async () => {
    throw new Error('no mail')
  }
  assert.equal(
    (await w.ask(token, 'POST operators', '', { email: 'x@example.com', role: 'viewer' })).data?.link,
    undefined,
  )
  assert.equal(await operatorByEmail(w.deps.pool, 'x@example.com'), undefined)
})

test('the command line prints the link of the first owner only', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const call = caller(w.deps)
  const first = await call('POST operators', { body: { email: 'first@example.com', role: 'owner' } })
  assert.match(first.link, /#invitation=/)
  assert.equal(w.linkTo('first@example.com'), undefined)
  const invitation = first.link.split('#invitation=')[1]!
  const { secret, offer } = await readInvitation(w.deps, { invitation, from })
  const code = generateSync({ secret, epoch: w.deps.clock() })
  await useInvitation(w.deps, { invitation, password, offer, code, from })
  const second = await call('POST operators', { body: { email: 'second@example.com', role: 'owner' } })
  assert.equal(second.link, '')
  assert.ok(w.linkTo('second@example.com'))
})

test('where there are two owners, one alone neither adds, renews, promotes nor removes an owner', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const [one, two] = [await testOperator(w.deps, 'owner'), await testOperator(w.deps, 'owner')]
  const victim = await testOperator(w.deps, 'finance')
  const invited = { email: 'mine@example.com', role: 'finance' }
  const changes: [key: string, id: string, body?: object][] = [
    ['POST operators', '', invited],
    ['POST operators/:id/link', victim.id],
    ['PUT operators/:id', victim.id, { role: 'owner' }],
    ['DELETE operators/:id', two.id],
  ]
  for (const [key, id, body] of changes) {
    assert.deepEqual((await w.ask(one.token, key, id, body)).data.waits, true, key)
    assert.equal((await w.ask(one.token, key, id, body)).code, 10165, `${key}: again by the same`)
  }
  assert.equal(w.linkTo(invited.email), undefined)
  assert.equal(w.linkTo(victim.email), undefined)
  assert.equal((await operatorByEmail(w.deps.pool, victim.email))!.role, 'finance')
  assert.ok(await operatorByEmail(w.deps.pool, two.email))
  assert.ok(w.deps.mails.some(each => each.to === two.email && each.text.includes(invited.email)))

  assert.equal((await w.ask(two.token, 'POST operators', '', invited)).data.waits, false)
  assert.ok(w.linkTo(invited.email))
  assert.equal((await w.ask(two.token, 'POST operators/:id/link', victim.id)).data.waits, false)
  assert.equal((await w.ask(two.token, 'POST operators/:id/link', victim.id)).data.waits, true, 'agreed once')
  assert.equal(
    (await w.ask(one.token, 'DELETE operators/:id', victim.id)).data.waits,
    false,
    'who is no owner leaves at once',
  )
})

test('who is new or renewed is nobody’s second person for 24 hours', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token } = await testOperator(w.deps, 'owner')
  const mine = 'mine@example.com'
  await w.ask(token, 'POST operators', '', { email: mine, role: 'owner' })
  const fresh = await w.activate(mine)
  const id = await w.withdraw('150')
  assert.deepEqual((await w.ask(token, 'POST withdrawals/:id/approve', id)).data, { waits: true })
  assert.equal((await w.ask(fresh, 'POST withdrawals/:id/approve', id)).code, 10261)
  const { mchid } = w.merchant
  await testAuthenticator(w.deps, w.merchant.id)
  assert.deepEqual((await w.ask(token, 'POST merchants/:id/remove-authenticator', mchid, { reason: 'lost' })).data, {
    waits: true,
  })
  assert.equal((await w.ask(fresh, 'POST merchants/:id/remove-authenticator', mchid, { reason: 'lost' })).code, 10261)
  w.deps.pass(86_400)
  const { session } = await signedIn(w.deps, mine)
  assert.deepEqual((await w.ask(session, 'POST withdrawals/:id/approve', id)).data, { waits: false })
})

test('who lifts a risk level neither raises limits nor approves, and who raises limits does not approve', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { mchid } = w.merchant
  const owner = await testOperator(w.deps, 'owner')
  const terms = {
    ...{ fee_permille: null, withdraw_fee_permille: null, withdraw_single_max: 900, withdraw_day_max: 900 },
    withdraw_approval_above: 10,
  }
  const risk = (token: string) => w.ask(token, 'PUT merchants/:id/risk', mchid, { risk_level: 'pass', reason: 'known' })
  const limits = (token: string) => w.ask(token, 'PUT merchants/:id/terms', mchid, terms)
  const stale = await testOperator(w.deps, 'viewer', { fresh: false })
  await changeRole(w.deps, { id: stale.id, role: 'support' })
  assert.notEqual((await risk(stale.token)).code, 200, 'a fresh code is needed')

  const alone = await w.withdraw('50')
  for (const answer of [await risk(owner.token), await limits(owner.token)]) assert.equal(answer.code, 200)
  assert.equal((await w.ask(owner.token, 'POST withdrawals/:id/approve', alone)).code, 200, 'nobody else could')

  const two = await testOperator(w.deps, 'owner')
  const three = await testOperator(w.deps, 'finance')
  const id = await w.withdraw('50')
  assert.equal((await limits(owner.token)).code, 10165)
  assert.equal((await w.ask(owner.token, 'POST withdrawals/:id/approve', id)).code, 10165)
  assert.equal((await limits(two.token)).code, 200)
  assert.equal((await w.ask(two.token, 'POST withdrawals/:id/approve', id)).code, 10165)
  assert.deepEqual((await w.ask(three.token, 'POST withdrawals/:id/approve', id)).data, { waits: false })
})
