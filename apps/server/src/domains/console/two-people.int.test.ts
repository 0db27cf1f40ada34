import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { generateSync } from 'otplib'
import { caller } from '../../cli/call.ts'
import type { Deps } from '../../deps.ts'
import { visitor as from, password, testAuthenticator } from '../../testing/merchants.ts'
import { firstRow } from '../../testing/money.ts'
import { testOperator } from '../../testing/operators.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { insertIncidents } from '../chains/store.ts'
import { haltChain } from '../deposits/halt-chain.ts'
import { readFile } from '../onboarding/merchant-file.ts'
import { changeRole } from '../operators/change-operator.ts'
import { readInvitation, useInvitation } from '../operators/invitations.ts'
import { openOperatorSession } from '../operators/sessions.ts'
import { operatorByEmail } from '../operators/store.ts'
import { makeConsoleApp } from './app.ts'

async function office(t: Parameters<typeof withdrawalWorld>[0], more: Partial<Deps['config']> = {}) {
  const config = { withdrawTwoAbove: 100, withdrawApprovalAbove: 10, operatorUrl: 'https://console.example', ...more }
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
    ...{ fee_bps: null, withdraw_fee_bps: null, withdraw_single_max: 900, withdraw_day_max: 900 },
    ...{ withdraw_approval_above: 10, reason: 'a larger shop' },
  }
  const risk = (token: string) =>
    w.ask(token, 'PUT merchants/:id/risk', mchid, { risk_level: 'pass', reason: 'known for years' })
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

const reason = 'the key was replaced'
const resumeWallet = 'POST wallets/:id/resume'

/** An office in which two operators decide above 100 USDT, and a wallet that was halted. */
async function night(t: Parameters<typeof withdrawalWorld>[0]) {
  const w = await office(t, { twoPeopleAbove: 100 })
  t.after(() => w.app.close())
  await w.deps.owner.query(
    `insert into wallets (chain_id, address, role, next_nonce, created_at) values ('eth', '0x${'7'.repeat(40)}', 'hot', 0, 0)
     on conflict do nothing`,
  )
  const halt = () => w.deps.owner.query(`update wallets set halted = 'the key is used elsewhere' where role = 'hot'`)
  const isHalted = async () =>
    (await firstRow(w.deps.owner, `select halted from wallets where role = 'hot'`)).halted !== null
  await halt()
  return { ...w, halt, isHalted, resume: (token: string) => w.ask(token, resumeWallet, 'eth', { reason }) }
}

test('one person resumes no wallet alone, not by asking twice, nor with a new, renewed or removed second person', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'owner')
  assert.equal((await w.ask(one.token, resumeWallet, 'eth', { reason: 'x' })).code, 10285)
  assert.equal((await w.ask(one.token, resumeWallet, 'eth', { reason: 'xxxxxxxxxx' })).code, 10285)
  const stale = await testOperator(w.deps, 'finance', { fresh: false })
  assert.equal((await w.resume(stale.token)).code, 10160, 'a fresh code is needed')
  assert.equal((await w.resume((await testOperator(w.deps, 'support')).token)).code, 403)

  const same = await Promise.all([w.resume(one.token), w.resume(one.token)])
  assert.deepEqual(same.map(each => each.code).sort(), [10165, 200])
  assert.equal((await w.resume(one.token)).code, 10165)
  const mine = 'mine@example.com'
  await w.ask(one.token, 'POST operators', '', { email: mine, role: 'finance' })
  assert.equal((await w.resume(await w.activate(mine))).code, 10261, 'who is new')
  await w.ask(one.token, 'DELETE operators/:id', await w.idOf(mine))
  await w.ask(one.token, 'POST operators/:id/link', stale.id)
  assert.equal((await w.resume(await w.activate(stale.email))).code, 10261, 'who was renewed')
  await w.ask(one.token, 'DELETE operators/:id', stale.id)
  assert.equal((await w.resume(one.token)).code, 10165, 'whoever removes the second person is not alone')
  const demoted = await testOperator(w.deps, 'finance')
  await w.ask(one.token, 'PUT operators/:id', demoted.id, { role: 'viewer' })
  assert.equal((await w.resume(one.token)).code, 10165)
  assert.equal(await w.isHalted(), true)

  const [open] = (await w.ask(demoted.token, 'GET decisions')).data.list
  assert.deepEqual([open.object, open.who, open.reason], ['eth', [one.email], reason])
  const two = await testOperator(w.deps, 'finance')
  assert.deepEqual((await w.resume(two.token)).data, { waits: false })
  assert.equal(await w.isHalted(), false)
  assert.deepEqual((await w.ask(two.token, 'GET decisions')).data.list, [])
  await w.halt()
  assert.deepEqual((await w.resume(two.token)).data, { waits: true }, 'what was agreed on holds once')
})

test('two who ask at once are two, a request ends after a day, and who is alone decides alone', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'finance')
  assert.equal(
    (await w.ask(one.token, 'GET stakes?call=POST+/api/operator/v1/wallets/%3Aid/resume&id=eth')).data.others,
    false,
  )
  assert.deepEqual((await w.resume(one.token)).data, { waits: false }, 'nobody else could')
  const two = await testOperator(w.deps, 'owner')
  await w.halt()
  const both = await Promise.all([w.resume(one.token), w.resume(two.token)])
  assert.deepEqual(both.map(each => each.data.waits).sort(), [false, true])
  assert.equal(await w.isHalted(), false)
  await w.halt()
  assert.deepEqual((await w.resume(one.token)).data, { waits: true })
  w.deps.pass(86_401)
  const { session } = await signedIn(w.deps, two.email)
  assert.deepEqual((await w.resume(session)).data, { waits: true }, 'the first request has ended')
  assert.equal(await w.isHalted(), true)
})

test('a lower risk level, raised limits, a hold, a deposit and stopped withdrawals take two above the limit', async t => {
  const w = await night(t)
  const [one, two] = [await testOperator(w.deps, 'owner'), await testOperator(w.deps, 'owner')]
  const { mchid, id } = w.merchant
  const terms = {
    fee_bps: null,
    withdraw_fee_bps: null,
    withdraw_day_max: null,
    withdraw_approval_above: null,
  }
  await w.deps.owner.query(`update merchants set risk_level = 'fail' where id = $1`, [id])
  await w.deps.owner.query('update merchants set held_at = 1 where id = $1', [id])
  const stop = (name: string) =>
    w.deps.owner.query('insert into switches (name, reason, since) values ($1, $2, 1)', [name, 'less than owed'])
  await stop('withdrawals_stopped:eth:USDT')
  const order = await w.pay({ amount: '200' })
  await w.eth.add([{ to: order.address, amount: 200_000_000n }])
  await w.eth.confirm()
  await w.deps.owner.query('update payments set status = $1', [paymentStatus.in_doubt])
  const deposit = (await firstRow(w.deps.owner, 'update deposits set doubted = true returning id')).id
  const calls: [key: string, id: string, body: object][] = [
    ['PUT merchants/:id/risk', mchid, { risk_level: 'pass' }],
    ['PUT merchants/:id/terms', mchid, { ...terms, withdraw_single_max: 20_000 }],
    ['POST merchants/:id/lift-hold', mchid, {}],
    ['POST queues/:id/resume', 'withdrawals', {}],
    ['POST deposits/:id/undo', deposit, {}],
  ]
  for (const [key, of, body] of calls) {
    const ask = (token: string, more = {}) => w.ask(token, key, of, { ...body, ...more, reason })
    assert.deepEqual((await ask(one.token)).data, { waits: true }, key)
    assert.equal((await ask(one.token)).code, 10165, key)
    if (key.endsWith('terms'))
      assert.deepEqual((await ask(two.token, { withdraw_single_max: 30_000 })).data, { waits: true }, 'another change')
    assert.deepEqual((await ask(two.token)).data, { waits: false }, key)
  }
  const [second, first] = await readFile(w.deps.pool, id)
  assert.deepEqual(
    [second?.what, second?.who, first?.what, first?.who],
    ['risk_set', two.email, 'risk_requested', one.email],
  )
  assert.deepEqual([second?.text, second?.changes], [reason, [{ fact: 'risk_level', from: 'fail', to: 'pass' }]])
  await stop('withdrawals_stopped')
  const pause = await w.ask(one.token, 'POST queues/:id/resume', 'withdrawals', { reason })
  assert.deepEqual(pause.data, { waits: false }, 'a pause that an operator asked for, while nothing is missing')
  const lower = { ...terms, withdraw_single_max: 50 }
  assert.deepEqual((await w.ask(one.token, 'PUT merchants/:id/terms', mchid, { ...lower, reason })).data, {
    waits: false,
  })
})

test('a theft is one incident: its parts, steps, notes and end are one', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const [{ token, email }, other] = [await testOperator(w.deps, 'finance'), await testOperator(w.deps, 'support')]
  const found = { asset_id: 'eth:USDT', block: { number: 9, hash: '0x' }, unseen: [] }
  const shortage = { ...found, ledger: '5000000', held: '1000000', found: '1500000' }
  const at = { chain_id: 'eth', created_at: w.deps.clock() }
  const halted = { wallet: '0x00000000000000000000000000000000000000aa', nonce: 3, reason: 'nonce of another' }
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i1', kind: 'shortage', detail: shortage }])
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i2', kind: 'wallet_halted', detail: halted }])
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i3', kind: 'surplus', detail: shortage }])
  const listed = (await w.ask(token, 'GET incidents')).data.list
  assert.deepEqual(
    listed.map((each: { id: string; with: string[] }) => [each.id, each.with]),
    [
      ['i3', []],
      ['i1', ['wallet_halted']],
    ],
  )
  assert.equal((await w.ask(token, 'GET accounted')).data.waiting.incidents, 2, 'the menu counts causes')
  const { data: before } = await w.ask(token, 'GET incidents/:id', 'i2')
  assert.deepEqual([before.id, before.parts[0].facts[0]], ['i1', { name: 'missing', value: '2.5', unit: 'USDT' }])
  const tick = (done: boolean) => w.ask(other.token, 'POST incidents/:id/tick', 'i1', { step: 'halt_wallet', done })
  assert.equal((await w.ask(other.token, 'POST incidents/:id/take', 'i1')).code, 200)
  for (const done of [true, false, true]) assert.equal((await tick(done)).code, 200)
  assert.equal((await w.ask(token, 'POST incidents/:id/note', 'i2', { text: 'Called the custodian' })).code, 200)
  assert.equal((await w.ask(token, 'POST incidents/:id/note', 'i9', { text: 'of nothing' })).code, 10001)
  const { data } = await w.ask(token, 'GET incidents/:id', 'i1')
  assert.deepEqual([data.who, data.notes], [other.email, 1])
  assert.equal(data.steps.find((each: { step: string }) => each.step === 'halt_wallet').who, other.email)
  assert.equal((await w.ask(token, 'POST incidents/:id/close', 'i1', { reason: 'repaid' })).code, 200)
  const { data: closed } = await w.ask(token, 'GET incidents/:id', 'i1')
  assert.ok(closed.closed_time > 0 && closed.parts.every((each: { closed_time: number }) => each.closed_time > 0))
  assert.deepEqual(closed.history.at(-1).who, email)
  for (const [query, ids] of [
    ['state=open', ['i3']],
    ['state=closed&text=custodian', ['i1']],
    ['state=closed&text=nothing%25', []],
  ] as const) {
    const { data } = await w.ask(token, `GET incidents?${query}`)
    assert.deepEqual(
      data.list.map((each: { id: string }) => each.id),
      ids,
      query,
    )
  }
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i4', kind: 'wallet_halted', detail: halted }])
  assert.equal((await w.ask(token, 'GET incidents/:id', 'i4')).data.id, 'i4', 'a later cause is another one')
})

test('each deposit in doubt is shown with what was decided, and its money stays while the chain is halted', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token } = await testOperator(w.deps, 'finance')
  const order = await w.pay()
  await w.eth.add([{ to: order.address, amount: 10_000_000n, txid: '0xlost' }])
  await w.eth.confirm()
  const { number, hash } = w.eth.reorg(3).ancestor
  await haltChain(w.deps, { chainId: 'eth', ancestor: { number, hash } })
  await assert.rejects(w.withdraw('5'), { reason: 'withdrawal_forbidden' })
  const { id } = await firstRow(w.owner, `select id from incidents where kind = 'deep_reorg'`)
  const read = async () => (await w.ask(token, 'GET incidents/:id/deposits', id)).data.list
  const [deposit, ...more] = await read()
  const { mchid, trade_no, amount, token: coin, state, stands, spent } = deposit
  assert.equal(spent, false, 'a fee is not spent')
  assert.deepEqual(
    [mchid, trade_no, amount, coin, state, stands, more.length],
    [w.merchant.mchid, order.trade_no, '10', 'USDT', 'doubted', 'unknown', 0],
  )
  assert.deepEqual(
    (await w.ask(token, 'GET incidents/:id', id)).data.stops.map((each: { what: string }) => each.what),
    ['chain'],
  )
  const reason = 'its transaction left the chain'
  assert.equal((await w.ask(token, 'POST deposits/:id/undo', deposit.id, { reason })).code, 200)
  assert.equal((await read())[0].state, 'undone')
})
