import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { until } from '@coffer/local/testing/until.ts'
import { tx } from '../../kit/db.ts'
import { jobStates } from '../../kit/loop.ts'
import { makeApp } from '../../serve.ts'
import { testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { emailsOf, testOperator } from '../../testing/operators.ts'
import { pictureForm } from '../../testing/picture.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { deliverCallbacks } from '../callbacks/jobs.ts'
import { sendTestCallback } from '../callbacks/send-test-callback.ts'
import { changeMerchant } from '../merchants/store.ts'
import { changeRole, removeOperator } from '../operators/change-operator.ts'
import { installationReports } from '../policies/policy.ts'
import { refundOwner } from '../refunds/owner.ts'
import { requestRefund } from '../refunds/request-refund.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { createWorkOrder } from '../work-orders/create-order.ts'
import { makeConsoleApp } from './app.ts'

const world = await withdrawalWorld({ after }, { config: { withdrawTwoAbove: 100 } })
const { deps, merchant } = world
const app = await makeConsoleApp(deps)
after(() => app.close())

/** Sends a call of an operator and returns its body. */
async function ask(token: string, key: string, id: string, body?: object) {
  const [method, path = ''] = key.split(' ')
  const answer = await app.inject({
    method: method as 'GET',
    url: `/api/operator/v1/${path.replace(':id', id)}`,
    headers: { 'x-token': token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return answer.json()
}

const approve = (token: string, id: string) => ask(token, 'POST withdrawals/:id/approve', id)

test('takes two different operators above the limit, also when they approve at once', async () => {
  const one = await testOperator(deps, 'finance')
  const two = await testOperator(deps, 'owner')
  await changeMerchant(deps.pool, merchant.id, { risk_level: 'fail' })
  const id = await world.withdraw('150')
  const same = await Promise.all([approve(one.token, id), approve(one.token, id)])
  assert.deepEqual(same.map(each => each.code).sort(), [10165, 200])
  const { data } = await ask(one.token, 'GET withdrawals/:id', id)
  assert.deepEqual([emailsOf(data.approvals), data.people, data.status], [[one.email], 2, withdrawalStatus.auditing])
  assert.deepEqual((await approve(two.token, id)).data, { waits: false })
  assert.equal((await world.withdrawal(id)).status, withdrawalStatus.transferring)

  const other = await world.withdraw('150')
  const both = await Promise.all([approve(one.token, other), approve(two.token, other)])
  assert.deepEqual(both.map(each => each.data.waits).sort(), [false, true])
  const shown = (await ask(two.token, 'GET withdrawals/:id', other)).data
  assert.deepEqual(
    emailsOf(shown.approvals).toSorted(),
    [one.email, two.email].toSorted(),
    'who approved stays visible',
  )
  const decided = shown.decided.map((each: { event: string }) => each.event)
  assert.deepEqual([decided, emailsOf(shown.approvals).includes(shown.decided[0].who)], [['approved'], true])
  // Whoever comes later changes nothing.
  assert.deepEqual((await approve(one.token, other)).data, { waits: false })
  assert.deepEqual(await world.history(other), ['requested', 'approved'])

  const small = await world.withdraw('50')
  const at = await Promise.all([approve(one.token, small), approve(two.token, small)])
  assert.deepEqual(
    at.map(each => each.data),
    [{ waits: false }, { waits: false }],
  )
  assert.deepEqual(await world.history(small), ['requested', 'approved'])
  await changeMerchant(deps.pool, merchant.id, { risk_level: '' })
})

test('an approval is not taken for the payment of one that failed since the page was read', async () => {
  await changeMerchant(deps.pool, merchant.id, { risk_level: 'abnormal' })
  const one = await testOperator(deps, 'finance')
  const two = await testOperator(deps, 'finance')
  const id = await world.withdraw('20')
  const read = async (token: string) => {
    const { updated_time } = (await ask(token, 'GET withdrawals/:id', id)).data
    return { updated_time }
  }
  const seen = await read(two.token)
  world.deps.pass(60)
  assert.equal((await ask(one.token, 'POST withdrawals/:id/approve', id, await read(one.token))).code, 200)
  const item = { owner: 'withdrawal' as const, merchant_id: merchant.id, id, amount: 1n }
  await tx(deps.pool, (_, uow) => withdrawalOwner(deps).failed(uow, [item], 'reverted'))
  assert.equal((await ask(two.token, 'POST withdrawals/:id/approve', id, seen)).code, 10095)
  assert.equal((await world.withdrawal(id)).status, withdrawalStatus.abnormal)
  assert.equal((await ask(two.token, 'POST withdrawals/:id/approve', id, await read(two.token))).code, 200)
  assert.deepEqual(await world.history(id), ['requested', 'approved', 'failed', 'paid_again'])
  await changeMerchant(deps.pool, merchant.id, { risk_level: '' })
})

test('does not count the approval of somebody who may no longer give one', async () => {
  await changeMerchant(deps.pool, merchant.id, { risk_level: 'fail' })
  const one = await testOperator(deps, 'finance')
  const two = await testOperator(deps, 'finance')
  const three = await testOperator(deps, 'owner')
  const id = await world.withdraw('150')
  assert.deepEqual((await approve(one.token, id)).data, { waits: true })
  await removeOperator(deps, { id: one.id })
  assert.deepEqual((await ask(three.token, 'GET withdrawals/:id', id)).data.approvals, [])
  assert.equal((await ask(three.token, 'GET today', '')).data.second_approvals, 0)
  assert.deepEqual((await approve(two.token, id)).data, { waits: true })
  await changeRole(deps, { id: two.id, role: 'viewer' })
  assert.deepEqual((await approve(three.token, id)).data, { waits: true })
  assert.equal((await world.withdrawal(id)).status, withdrawalStatus.auditing)
  await changeRole(deps, { id: two.id, role: 'finance' })
  assert.deepEqual(
    (await ask(three.token, 'GET withdrawals/:id', id)).data.approvals,
    [two, three].map(({ id, email }) => ({ id, email })),
  )
  assert.equal((await approve(two.token, id)).code, 10261, 'a role that is given again is new')
  assert.deepEqual((await approve(three.token, id)).data, { waits: false })
  await changeMerchant(deps.pool, merchant.id, { risk_level: '' })
})

test('one rejects while another approves: only the first happens', async () => {
  await changeMerchant(deps.pool, merchant.id, { risk_level: 'abnormal' })
  const one = await testOperator(deps, 'finance')
  const two = await testOperator(deps, 'finance')
  const id = await world.withdraw('20')
  const [approved, rejected] = await Promise.all([
    approve(one.token, id),
    ask(two.token, 'POST withdrawals/:id/reject', id, { reason: 'unknown receiver' }),
  ])
  assert.deepEqual([approved.code, rejected.code].sort(), [10095, 200])
  assert.equal((await world.history(id)).length, 2)
  await changeMerchant(deps.pool, merchant.id, { risk_level: '' })
})

/**
 * A refund lists what carried it, also the fee of what was lost, and its payment leads to it. Returns it as shown.
 */
async function assertShowsCarriers(token: string, { id, trade_no }: { id: string; trade_no: string }) {
  const at = { nonce: 900, block: 7 }
  await deps.owner.query(
    `insert into wallets (chain_id, address, role, next_nonce, created_at) values ('eth', 'lost', 'hot', 0, 0) on conflict do nothing`,
  )
  for (const [nonce, outcome, fee] of [
    [at.nonce, 'reverted', '2000000000000000'],
    [at.nonce + 1, 'success', '1000000000000000'],
  ]) {
    await deps.owner.query(
      `insert into outgoing (chain_id, from_address, nonce, intent, gas, state, outcome, txid, block_number, block_hash, fee, created_at, updated_at)
       values ('eth', 'lost', $1, '{}', 1, 'final', $2, $4, 7, '0x7', $3, $1, $1)`,
      [nonce, outcome, fee, `0x${nonce}`],
    )
    await deps.owner.query(
      `insert into outgoing_items (chain_id, from_address, nonce, place, owner, merchant_id, owner_id, amount, live)
       values ('eth', 'lost', $1, 0, 'refund', $2, $3, 1, $4)`,
      [nonce, merchant.id, id, outcome === 'success'],
    )
  }
  const refund = (await ask(token, 'GET refunds/:id', id)).data
  assert.deepEqual(
    refund.transactions.map((each: { state: string; fee: string }) => [each.state, each.fee, refund.fee_token]),
    [
      ['reverted', '0.002', 'ETH'],
      ['paid', '0.001', 'ETH'],
    ],
  )
  const { refunds } = (await ask(token, 'GET payments/:id', trade_no)).data
  assert.deepEqual(
    refunds.map((each: { id: string; receives: string }) => [each.id, each.receives]),
    [[id, '150']],
  )
  return refund
}

test('lists an abnormal refund, which two operators pay again, or one gives up', async () => {
  const one = await testOperator(deps, 'finance')
  const two = await testOperator(deps, 'owner')
  const { trade_no, address } = await world.pay({ amount: '150' })
  await world.eth.add([{ to: address, amount: 150_000_000n }])
  await world.eth.confirm()
  const terms = { kind: 'all', basis: 'token', gasPayer: 'merchant', address: outside, reason: '' } as const
  const proof = await world.proof()
  const id = await requestRefund(deps, { ...terms, merchantId: merchant.id, tradeNo: trade_no, proof, from: visitor })
  const list = async () => (await ask(two.token, 'GET refunds', '')).data.list
  const again = async (token: string, updated_time = 0) =>
    ask(token, 'POST refunds/:id/approve', id, {
      updated_time:
        updated_time || (await firstRow(deps.owner, 'select updated_at from refunds where id = $1', [id]))?.updated_at,
    })
  const cancel = () => ask(one.token, 'POST refunds/:id/cancel', id, { reason: 'refused' })
  const item = { owner: 'refund' as const, merchant_id: merchant.id, id, amount: 1n }
  const fail = () => tx(deps.pool, (_, uow) => refundOwner(deps).failed(uow, [item], 'blocked'))
  const counts = async () => [
    (await ask(one.token, 'GET today', '')).data.refunds,
    (await ask(one.token, 'GET queues', '')).data.queues[0].failed,
  ]
  assert.deepEqual([await list(), await counts(), (await cancel()).code], [[], [0, 0], 10095])
  const before = (await ask(one.token, 'GET today', '')).data
  await fail()
  const { refunds_usdt, refunds_since, withdrawals_since } = (await ask(one.token, 'GET today', '')).data
  assert.deepEqual([Number(refunds_usdt) >= 150, refunds_since > 0], [true, true], `${refunds_usdt} ${refunds_since}`)
  assert.equal(withdrawals_since, before.withdrawals_since, 'no withdrawal waits for it')
  assert.deepEqual(await counts(), [1, 1])
  assert.deepEqual((await again(one.token)).data, { waits: true })
  const [shown, ...more] = await list()
  assert.deepEqual(emailsOf(shown.approvals), [one.email])
  assert.deepEqual(
    [shown.id, shown.mchid, shown.trade_no, shown.receives, shown.reason, shown.people, more],
    [id, merchant.mchid, trade_no, '150', 'blocked', 2, []],
  )
  assert.equal((await again(one.token)).code, 10165)
  assert.deepEqual((await again(two.token)).data, { waits: false })
  assert.deepEqual([await list(), await counts()], [[], [0, 0]])
  deps.pass(60)
  await fail()
  assert.equal((await again(two.token, shown.updated_time)).code, 10095, 'it was read before it failed again')
  assert.deepEqual((await list())[0].approvals, [], 'the approvals were for the last time')
  // One pays it again while the other gives it up: who comes second reads who decided what.
  const people = [one.email, two.email].toSorted()
  assert.deepEqual((await again(one.token)).data, { waits: true })
  const [paid, given] = await Promise.all([again(two.token), cancel()])
  const isPaid = paid.code === 200
  assert.equal((isPaid ? given : paid).code, 10095)
  assert.match((isPaid ? given : paid).msg, isPaid ? / \(paid again by .+, .+\)$/ : / \(canceled by .+\)$/)
  if (isPaid) await fail()
  assert.deepEqual([(await cancel()).code, (await cancel()).code], [200, 200])
  const refused = await again(two.token)
  assert.deepEqual([await list(), refused.code], [[], 10095])
  assert.ok(refused.msg.endsWith(` (canceled by ${one.email})`), refused.msg)
  const { decided } = (await ask(two.token, 'GET refunds', '')).data
  const decisions = decided.map((each: { event: string; who: string[] }) => [each.event, each.who.toSorted()])
  assert.deepEqual(
    decisions.slice(-2 - Number(isPaid)),
    [['released', [one.email]], ...(isPaid ? [['paid_again', people]] : []), ['paid_again', people]],
    'who decided what stays visible',
  )
  assert.deepEqual([decided[0].id, decided[0].status], [id, withdrawalStatus.canceled])
  const refund = await assertShowsCarriers(one.token, { id, trade_no })
  assert.deepEqual(
    [refund.status, refund.trade_no, refund.decided.length],
    [decided[0].status, trade_no, decisions.length],
  )
  assert.equal((await ask(one.token, 'GET refunds/:id', 'none')).code, 10094)
})

test('asks for the removal of an authenticator, which another operator confirms', async () => {
  const { id, mchid } = await testMerchant(deps)
  await testAuthenticator(deps, id)
  const one = await testOperator(deps, 'support')
  const two = await testOperator(deps, 'owner')
  const remove = (token: string) => ask(token, 'POST merchants/:id/remove-authenticator', mchid, { reason: 'lost' })
  assert.deepEqual((await remove(one.token)).data, { waits: true })
  assert.notEqual((await remove(one.token)).code, 200)
  assert.deepEqual((await remove(two.token)).data, { waits: false })
  const { data } = await ask(one.token, 'GET merchants/:id', mchid)
  assert.deepEqual(data.removal_asked_by, [one.email, two.email])
  const { removals } = (await ask(one.token, 'GET today', '')).data
  const { requested_by, confirmed_by } = removals.find((each: { mchid: string }) => each.mchid === mchid)
  assert.deepEqual([requested_by, confirmed_by], [one.email, two.email])
})

test('the removal that an operator requested ends with the account of the operator', async () => {
  const { id, mchid, email } = await testMerchant(deps)
  await testAuthenticator(deps, id)
  const one = await testOperator(deps, 'support')
  const two = await testOperator(deps, 'support')
  const three = await testOperator(deps, 'owner')
  const remove = (token: string) => ask(token, 'POST merchants/:id/remove-authenticator', mchid, { reason: 'lost' })
  assert.deepEqual((await remove(one.token)).data, { waits: true })
  await removeOperator(deps, { id: one.id })
  await deps.delivered()
  assert.match(deps.mails.findLast(each => each.to === email)!.text, /canceled/)
  assert.deepEqual((await remove(two.token)).data, { waits: true })
  await changeRole(deps, { id: two.id, role: 'finance' })
  assert.deepEqual((await remove(three.token)).data, { waits: true })
  const other = await testOperator(deps, 'support')
  assert.deepEqual((await remove(other.token)).data, { waits: false })
  await removeOperator(deps, { id: other.id })
  const { data } = await ask(three.token, 'GET merchants/:id', mchid)
  assert.deepEqual(data.removal_asked_by, [three.email, other.email], 'two people have agreed')
})

test('gives a merchant terms of its own, which the policy names', async () => {
  const { token } = await testOperator(deps, 'finance')
  const { id, mchid } = await testMerchant(deps)
  const none = { fee_bps: null, withdraw_fee_bps: null, withdraw_day_max: null }
  const terms = { ...none, withdraw_single_max: 100, withdraw_approval_above: 50, reason: 'By contract' }
  assert.equal((await ask(token, 'PUT merchants/:id/terms', mchid, terms)).code, 200)
  const [single, window, approval] = await installationReports(deps, deps.pool, id)
  assert.deepEqual([single!.rule.kind, single!.limit], ['single', 100n * 10n ** 18n])
  assert.deepEqual([window!.rule.kind, window!.limit], ['window', 50_000n * 10n ** 18n])
  assert.deepEqual([approval!.rule.kind], ['approval'])
  const { data } = await ask(token, 'GET merchants/:id', mchid)
  assert.deepEqual([data.withdraw_single_max, data.fee_bps, data.standard.fee_bps], [100, null, 40])
})

test('a withdrawal that waits names every limit that requires the approval', async () => {
  const { token } = await testOperator(deps, 'finance')
  const { id: merchantId } = await world.newMerchant()
  await changeMerchant(deps.pool, merchantId, { withdraw_approval_above: 10 })
  for (let digit = 1; digit <= 9; digit++)
    await world.withdraw('9.5', { merchantId, address: `0x${String(digit).repeat(40)}` })
  const id = await world.withdraw('20', { merchantId })
  const { data } = await ask(token, 'GET withdrawals/:id', id)
  assert.equal(data.waits, 'amount')
  assert.deepEqual(data.waits_rules, [
    { per: 'destination', used: '0', limit: '10' },
    { per: 'merchant', used: '85.5', limit: '100' },
  ])
})

test('pauses callbacks until they are resumed', async () => {
  const { token } = await testOperator(deps, 'finance')
  await sendTestCallback(deps, { merchantId: merchant.id, appid: world.appid })
  const reason = { reason: 'their network moves' }
  assert.equal((await ask(token, 'POST queues/:id/pause', 'callbacks', reason)).code, 200)
  assert.equal((await ask(token, 'GET today', '')).data.paused[0].queue, 'callbacks')
  const stop = new AbortController()
  const resolve = async () => {
    throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
  }
  const jobs = deliverCallbacks(deps, stop.signal, { resolve })
  const attempts = async () => (await rowsOf(world.owner, 'select sum(attempts)::int as n from callbacks'))[0].n
  const since = Date.now()
  await until('a pass of the job has ended', () =>
    jobStates().some(each => each.name === 'deliver callbacks' && each.endedAt > since),
  )
  assert.equal(await attempts(), 0)
  assert.equal((await ask(token, 'POST queues/:id/resume', 'callbacks', reason)).code, 200)
  await until('the callback is attempted', attempts)
  stop.abort()
  await jobs
  assert.deepEqual((await ask(token, 'GET today', '')).data.paused, [])
})

test('pictures of a work order are read with a session of its merchant or of an operator only', async t => {
  const merchants = await makeApp(deps)
  t.after(() => merchants.close())
  const support = await testOperator(deps, 'support')
  const viewer = await testOperator(deps, 'viewer')
  const { id: merchantId, token } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const upload = async (server: typeof app, url: string, by: string) => {
    const headers = { ...pictureForm.headers, 'x-token': by }
    const answer = await server.inject({ method: 'POST', url, payload: pictureForm.payload, headers })
    return { status: answer.statusCode, id: answer.json().data?.id as string }
  }
  const sent = await upload(merchants, '/api/v1/work-order/picture', token)
  const order = { merchantId, type: 'other', theme: 'See', description: 'Here' } as const
  const number = await createWorkOrder(deps, { ...order, pictures: [sent.id] })
  const ofOrder = `/api/operator/v1/work-orders/${number}/pictures`
  assert.equal((await upload(app, ofOrder, viewer.token)).status, 403)
  const answered = await upload(app, ofOrder, support.token)
  const answer = { text: 'As here', pictures: [answered.id] }
  assert.equal((await ask(support.token, 'POST work-orders/:id/answer', number, answer)).code, 200)
  const elsewhere = await createWorkOrder(deps, { ...order, pictures: [] })

  const read = async (server: typeof app, url: string, by?: string) => {
    const { statusCode, headers } = await server.inject({ url, headers: by === undefined ? {} : { 'x-token': by } })
    return statusCode === 200 ? [headers['content-type'], headers['cache-control']] : statusCode
  }
  const shown = ['image/png', 'no-store']
  for (const { id } of [sent, answered]) {
    const url = `/api/v1/work-order/picture?id=${id}`
    assert.deepEqual(await read(merchants, url, token), shown)
    assert.deepEqual(await read(app, `${ofOrder}/${id}`, viewer.token), shown)
    assert.equal(await read(merchants, url), 401)
    assert.equal(await read(merchants, url, support.token), 401)
    assert.equal(await read(merchants, url, other.token), 404)
    assert.equal(await read(app, `${ofOrder}/${id}`), 401)
    assert.equal(await read(app, `${ofOrder}/${id}`, token), 401)
    assert.equal(await read(app, `${ofOrder.replace(number, elsewhere)}/${id}`, viewer.token), 404)
    for (const server of [merchants, app]) assert.equal(await read(server, `/uploads/${id}.png`, token), 404)
  }
})
