import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { generateSync } from 'otplib'
import { createOperatorCall } from '../../cli/call.ts'
import { breakOnce } from '../../testing/break.ts'
import { visitor as from, password, testAuthenticator } from '../../testing/merchants.ts'
import { firstRow } from '../../testing/money.ts'
import { office, signedIn } from '../../testing/office.ts'
import { testOperator } from '../../testing/operators.ts'
import { insertIncidents } from '../chains/store.ts'
import { haltChain } from '../deposits/halt-chain.ts'
import { removeOperatorByOwner } from '../operators/by-owners.ts'
import { changeRole } from '../operators/change-operator.ts'
import { readInvitation, redeemInvitation } from '../operators/invitations.ts'
import { operatorByEmail } from '../operators/store.ts'

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
  assert.ok(!w.deps.mails.some(each => each.to === email), 'owners are told by the sender')
  await w.deps.delivered()
  assert.ok(w.deps.mails.some(each => each.to === email && each.text.includes(invited)))
  await w.activate(invited)
  const renewed = await w.ask(token, 'POST operators/:id/link', await w.idOf(invited))
  assert.deepEqual([renewed.code, renewed.data.link], [200, ''])
  assert.notEqual(w.linkTo(invited), secret)
})

test('owners are told of what was done, although the mail server was away, and only those who still are owners', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token, email } = await testOperator(w.deps, 'owner')
  const other = await testOperator(w.deps, 'owner')
  const victim = await testOperator(w.deps, 'viewer')
  const told = () => w.deps.mails.filter(each => each.text.includes(victim.email)).map(each => each.to)
  const pool = breakOnce(w.deps.pool, /^insert into messages/)
  const by = { operatorId: '', email: 'root' }
  await assert.rejects(removeOperatorByOwner({ ...w.deps, pool }, { id: victim.id, by }), /killed here/)
  await w.deps.delivered()
  assert.deepEqual(told(), [], 'nothing was done')
  assert.ok(await operatorByEmail(w.deps.pool, victim.email))
  const { send } = w.deps.mail
  w.deps.mail.send = async () => {
    throw new Error('no mail')
  }
  assert.equal((await w.ask(token, 'DELETE operators/:id', victim.id)).data.waits, false)
  await w.deps.delivered()
  w.deps.mail.send = send
  await changeRole(w.deps, { id: other.id, role: 'finance' })
  w.deps.pass(60)
  await w.deps.delivered()
  assert.deepEqual(told(), [email])
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
  const call = createOperatorCall(w.deps)
  const first = await call('POST operators', { body: { email: 'first@example.com', role: 'owner' } })
  assert.match(first.link, /#invitation=/)
  assert.equal(w.linkTo('first@example.com'), undefined)
  const invitation = first.link.split('#invitation=')[1]!
  const { secret, offer } = await readInvitation(w.deps, { invitation, from })
  const code = generateSync({ secret, epoch: w.deps.clock() })
  await redeemInvitation(w.deps, { invitation, password, offer, code, from })
  const second = await call('POST operators', { body: { email: 'second@example.com', role: 'owner' } })
  assert.equal(second.link, '')
  assert.ok(w.linkTo('second@example.com'))
})

test('where there are two owners, one alone neither adds, renews, promotes nor removes an owner', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const one = await testOperator(w.deps, 'owner')
  const two = await testOperator(w.deps, 'owner')
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
  await w.deps.delivered()
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
    fee_bps: null,
    withdraw_fee_bps: null,
    withdraw_single_max: 900,
    withdraw_day_max: 900,
    withdraw_approval_above: 10,
    reason: 'a larger shop',
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

test('a theft is one incident: its parts, steps, notes and end are one', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token, email } = await testOperator(w.deps, 'finance')
  const other = await testOperator(w.deps, 'support')
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
  assert.equal((await w.ask(token, 'POST incidents/:id/close', 'i1', { reason: 'repaid by the insurance' })).code, 200)
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

test('a halted wallet names the payouts that wait for it, on Today and its page, until it is closed', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token } = await testOperator(w.deps, 'finance')
  for (const amount of ['5', '7']) await w.withdraw(amount)
  const { n, text } = await firstRow(
    w.owner,
    `select count(*)::int as n, trim_scale(sum(receives) / 1000000)::text as text from withdrawals where status = ${withdrawalStatus.transferring}`,
  )
  assert.equal(n, 1, 'the other waits for an operator, not for the wallet')
  const detail = { wallet: '0x00000000000000000000000000000000000000aa', nonce: 3, reason: 'nonce of another' }
  const row = { id: 'i1', kind: 'wallet_halted', chain_id: 'eth', detail, created_at: w.deps.clock() }
  await insertIncidents(w.deps.pool, [row])
  const factsOf = async () => (await w.ask(token, 'GET incidents/:id', 'i1')).data.parts[0].facts
  assert.deepEqual((await factsOf())[0], { name: 'queued', value: text, unit: 'USDT' })
  const [alarm] = (await w.ask(token, 'GET today')).data.open
  assert.deepEqual([alarm.id, alarm.amount, alarm.token], ['i1', text, 'USDT'])
  const shortage = { asset_id: 'eth:USDT', block: { number: 9 }, ledger: '5000000', held: '0', found: '1500000' }
  await insertIncidents(w.deps.pool, [{ ...row, id: 'i2', kind: 'shortage', detail: shortage }])
  const [theft, ...others] = (await w.ask(token, 'GET today')).data.open
  assert.deepEqual(
    [theft.id, theft.fact, theft.amount, others],
    ['i1', 'missing', '3.5', []],
    'what is missing comes first',
  )
  await w.owner.query('update incidents set resolved_at = $1', [w.deps.clock()])
  assert.ok((await factsOf()).every((each: { name: string }) => each.name !== 'queued'))
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
  const doubted = async () => {
    const { state, doubted } = (await w.ask(token, 'GET accounted')).data
    return [state, ...doubted.map((each: Record<string, string>) => `${each.amount} ${each.token} ${each.incident}`)]
  }
  assert.deepEqual(await doubted(), ['doubted', `10 USDT ${id}`], 'as every page says')
  const [named] = (await w.ask(token, 'GET today')).data.open
  assert.deepEqual([named.id, named.amount, named.token], [id, '10', 'USDT'])
  const reason = 'its transaction left the chain'
  assert.equal((await w.ask(token, 'POST deposits/:id/undo', deposit.id, { reason })).code, 200)
  assert.equal((await read())[0].state, 'undone')
  const [logged] = (await w.ask(token, 'GET log')).data.list
  const of = { trade_no, txid: deposit.txid, amount: '10', token: 'USDT' }
  assert.equal(logged.action, 'POST deposits/:id/undo')
  assert.deepEqual(logged.before, { ...of, status: 'credited', doubted: true })
  assert.deepEqual(logged.after, { ...of, reason, status: 'undone', doubted: false })
  assert.equal((await doubted()).length, 1, 'what is decided is in doubt no more')
})
