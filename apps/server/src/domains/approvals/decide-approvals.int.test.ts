import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import fc from 'fast-check'
import { tx } from '../../kit/db.ts'
import { approvalWorld } from '../../testing/approval-world.ts'
import { breakOnce, runBefore } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testAuthenticator, visitor } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { outside, paidReceipt } from '../../testing/withdrawals.ts'
import { authenticateKey } from '../applications/authenticate-key.ts'
import { rotateApplicationSecret } from '../applications/change-application.ts'
import { createApplication } from '../applications/create-application.ts'
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts'
import { approveWithdrawal } from '../withdrawals/decide-withdrawal.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { resendApprovalLink } from './approval-link.ts'
import { listApprovals } from './list-approvals.ts'

const { auditing, audit_rejected, transferring, canceled } = withdrawalStatus
const notYours = { reason: 'approval_not_yours' }
const elsewhere = '0x5555555555555555555555555555555555555555'
const byOwner = { kind: 'approval', above: '50', role: 'owner' } as const

test('finance asks three times, the owner finds them with what is known, and approves all with one passkey', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  await w.inForce(byOwner)
  await w.owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
     values ($1, '1', 'eth', $2, 'Treasury', 9, 9)`,
    [w.merchant.id, outside],
  )
  const paid = await w.ask(w.ann, '10')
  const item = { owner: 'withdrawal' as const, merchant_id: w.merchant.id, id: paid, amount: 1n }
  await tx(w.deps.pool, (_, uow) => withdrawalOwner(w.deps).final(uow, [item], paidReceipt))
  const ids = [await w.ask(fay, '60'), await w.ask(fay, '70'), await w.ask(fay, '80', { address: elsewhere })]
  const notices = () =>
    rowsOf(w.owner, `select message, params from notifications where merchant_id = $1 and person_id = '' order by id`, [
      w.merchant.id,
    ])
  assert.equal((await notices()).filter(each => each.message === 'withdrawal_waits').length, 3)
  assert.deepEqual(await w.queue(w.ann), [...ids].sort())
  assert.deepEqual(await w.queue(fay), [])
  const list = await listApprovals(w.deps, w.ann.session)
  const first = list.find(each => each.id === ids[0])!
  assert.deepEqual(
    [first.requester, first.amount, first.destination.label, first.destination.paid, first.destination.paid_value],
    [fay.email, '60', 'Treasury', 1, '10'],
  )
  const third = list.find(each => each.id === ids[2])!.destination
  assert.deepEqual([third.label, third.paid, third.last_time, third.warnings], ['', 0, 0, ['first_payment']])
  const key = await w.addPasskey(w.ann)
  await w.decide(w.ann, ids, { proof: await w.sign(key, w.ann, ids) })
  for (const id of ids) {
    const row = await w.withdrawal(id)
    assert.deepEqual([row.status, row.approved_by, row.approved_for], [transferring, w.ann.email, 'role:owner'])
    assert.deepEqual(await w.history(id), ['requested', 'approved'])
  }
  assert.deepEqual(await rowsOf(w.owner, 'select distinct person_id, decision from withdrawal_decisions'), [
    { person_id: w.ann.id, decision: 'approved' },
  ])
  const told = (await notices()).filter(each => each.message === 'withdrawal_approved')
  assert.deepEqual([told.length, told[0]!.params.by], [3, w.ann.email])
  await assertBooksAgree(w.owner)
})

test('a rejection says why to who asked, and releases the amount', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  await w.inForce(byOwner)
  const id = await w.ask(fay, '60')
  await w.decide(w.ann, [id], { decision: 'reject', reason: ' unknown receiver ' })
  const row = await w.withdrawal(id)
  assert.deepEqual([row.status, row.reason, row.approved_by], [audit_rejected, 'unknown receiver', ''])
  assert.deepEqual(await w.balances(), ['1000000000', '0'])
  const [notice] = await rowsOf(w.owner, `select params from notifications where message = 'withdrawal_rejected'`)
  assert.equal(notice!.params.reason, 'unknown receiver')
  await assert.rejects(w.decide(w.ann, [id]), { reason: 'withdrawal_cannot_change' })
})

test('who asks approves by no session, key, link or second account', async t => {
  const w = await approvalWorld(t)
  const bob = await w.join('owner')
  const alias = await w.join('owner', { email: w.ann.email.replace('@', '+2@') })
  await w.inForce(byOwner)
  const byPage = await w.ask(w.ann, '60')
  const byKey = { appid: w.appid, outNo: 'out 1', bodyHash: Buffer.from('x'), madeBy: w.ann.id }
  const withKey = await w.withdraw('70', { byKey, proof: undefined, address: elsewhere })
  for (const id of [byPage, withKey])
    for (const person of [w.ann, alias]) await assert.rejects(w.decide(person, [id]), notYours)
  assert.deepEqual([await w.queue(w.ann), await w.queue(alias)], [[], []])
  assert.deepEqual(await w.queue(bob), [byPage, withKey].sort())
  // The database holds it, too, whatever runs statements as the server.
  const insertDecision = ({ id }: typeof bob) =>
    w.deps.pool.query(
      `insert into withdrawal_decisions (merchant_id, withdrawal_id, person_id, decision, decided_at)
       values ($1, $2, $3, 'approved', 1)`,
      [w.merchant.id, byPage, id],
    )
  await assert.rejects(insertDecision(w.ann), { code: '42501', message: /own withdrawal/ })
  await assert.rejects(insertDecision(bob), { code: '42501', message: /only with its entry in the audit log/ })
  await w.decide(bob, [byPage, withKey])
  assert.deepEqual([await w.status(byPage), await w.status(withKey)], [transferring, transferring])
})

test('no link goes to a mailbox of who asks, whoever the policy names', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  const approver = fay.email.replace('@', '+audit@')
  await w.inForce({ kind: 'approval', above: '50', approver })
  const id = await w.ask(fay, '60')
  assert.deepEqual(await rowsOf(w.owner, 'select * from withdrawal_approvals'), [], 'the operator approves')
  const again = resendApprovalLink(w.deps, { merchantId: w.merchant.id, id, from: w.fromOf(fay) })
  await assert.rejects(again, { reason: 'withdrawal_cannot_change' })
  await w.ask(w.ann, '70', { address: elsewhere })
  assert.equal(
    (await rowsOf(w.owner, 'select * from withdrawal_approvals')).length,
    1,
    'it may approve what others ask',
  )
})

test('whose mailbox was another one before is still who asked, by a link and by the account that has it now', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance', { email: 'audit@example.com' })
  await w.inForce({ kind: 'approval', above: '50', approver: 'audit@example.com' })
  const id = await w.ask(fay, '60')
  await w.owner.query(`insert into former_emails values ($1, 'audit@example.com', $2)`, [fay.id, w.deps.clock()])
  await w.owner.query(`update persons set email = 'fay@example.com' where id = $1`, [fay.id])
  const again = resendApprovalLink(w.deps, { merchantId: w.merchant.id, id, from: w.fromOf(fay) })
  await assert.rejects(again, { reason: 'withdrawal_cannot_change' })
  await w.inForce({ kind: 'approval', above: '50', role: 'finance' })
  w.deps.pass(1)
  const twin = await w.join('finance', { email: 'audit@example.com' })
  await assert.rejects(w.decide(twin, [id]), notYours)
  assert.deepEqual([await w.queue(twin), await w.queue(w.ann)], [[], [id]], 'an owner decides')
})

test('with a key asks who made its secret, also that of the replaced one while it works', async t => {
  const w = await approvalWorld(t)
  const bob = await w.join('owner')
  const settings = {
    name: 'Payroll',
    payouts_allowed: true,
    ip_whitelist_enabled: true,
    ip_whitelist: [visitor.ip],
  }
  const proofOf = (person: typeof bob) => w.proof(person.id, 'application')
  const { merchantId } = bob.session
  const by = async (person: typeof bob) => ({ merchantId, proof: await proofOf(person), from: w.fromOf(person) })
  const made = await createApplication(w.deps, { ...(await by(bob)), settings })
  const { appid } = made
  const makerOf = async (key: string) => (await authenticateKey(w.deps, { key, ip: visitor.ip })).madeBy
  assert.equal(await makerOf(made.secret_key), bob.id)
  const renew = { appid, target: 'secret_key', keepSeconds: 86_400 } as const
  const renewed = await rotateApplicationSecret(w.deps, { ...(await by(w.ann)), ...renew })
  assert.deepEqual([await makerOf(renewed.secret_key!), await makerOf(made.secret_key)], [w.ann.id, bob.id])

  await w.inForce(byOwner)
  const asked = await w.withdraw('60', {
    byKey: { appid, outNo: 'out 1', bodyHash: Buffer.from('x'), madeBy: await makerOf(made.secret_key) },
    proof: undefined,
  })
  await assert.rejects(w.decide(bob, [asked]), notYours)
  await w.decide(w.ann, [asked])
})

test('only who may decide does: another role, a new member, who left, another shop', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  const viewer = await w.join('viewer')
  const fresh = await w.join('owner', { since: 86_399 })
  await w.inForce(byOwner)
  const id = await w.ask(fay, '60')
  for (const person of [fay, viewer, fresh]) await assert.rejects(w.decide(person, [id]), notYours)
  w.deps.pass(1)
  assert.deepEqual(await w.queue(fresh), [id], 'a day after joining')
  await w.owner.query('update members set removed_at = 1 where person_id = $1', [fresh.id])
  await assert.rejects(w.decide(fresh, [id]), { reason: 'login_expired' })
  const other = await w.newMerchant()
  const stranger = { ...w.ann, id: other.id, session: other.session }
  await assert.rejects(w.decide(stranger, [id]), ({ reason, data }: { reason: string; data: object }) => {
    assert.deepEqual([reason, data], ['withdrawal_not_exist', { ids: [id] }])
    return true
  })
  assert.equal(await w.status(id), auditing)
})

test('a role lowered between the proof and the commit decides nothing', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  const bob = await w.join('owner')
  await w.inForce(byOwner)
  const id = await w.ask(fay, '60')
  for (const change of [`role = 'viewer'`, 'removed_at = 1']) {
    const changed = { times: 0 }
    const pool = runBefore(w.deps.pool, /and m.id = \$1 for no key update/, async () => {
      changed.times++
      await w.owner.query(`update members set ${change} where person_id = $1`, [bob.id])
    })
    await assert.rejects(w.decide(bob, [id], { on: { ...w.deps, pool } }))
    assert.equal(changed.times, 1)
    assert.equal(await w.status(id), auditing)
    await w.owner.query(`update members set role = 'owner', removed_at = null where person_id = $1`, [bob.id])
  }
})

test('of two who decide at once, one does', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  const bob = await w.join('owner')
  await w.inForce(byOwner)
  const ids = [await w.ask(fay, '60'), await w.ask(fay, '70')]
  const results = await Promise.allSettled([
    w.decide(w.ann, ids),
    w.decide(bob, ids.toReversed(), { decision: 'reject', reason: 'unknown receiver' }),
  ])
  assert.deepEqual(results.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  const is = results[0]!.status === 'fulfilled' ? transferring : audit_rejected
  for (const id of ids) assert.equal(await w.status(id), is)
  await assertBooksAgree(w.owner)
})

test('a signature counts once, for these withdrawals, this decision, and as they are', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  await w.inForce(byOwner)
  const one = await w.ask(fay, '60')
  const two = await w.ask(fay, '70')
  const three = await w.ask(fay, '80')
  const key = await w.addPasskey(w.ann)
  const wrong = { reason: 'passkey_error' }
  for (const ids of [[one], [one, two, three], [one, three]])
    await assert.rejects(w.decide(w.ann, ids, { proof: await w.sign(key, w.ann, [one, two]) }), wrong)
  const reject = { decision: 'reject', reason: 'no' } as const
  await assert.rejects(w.decide(w.ann, [one], { ...reject, proof: await w.sign(key, w.ann, [one]) }), wrong)
  const shownOtherwise = await w.sign(key, w.ann, [one], 'approve', { address: elsewhere })
  await assert.rejects(w.decide(w.ann, [one], { proof: shownOtherwise }), wrong)
  const less = await w.sign(key, w.ann, [one], 'approve', { amount: '6' })
  await assert.rejects(w.decide(w.ann, [one], { proof: less }), wrong)
  const proof = await w.sign(key, w.ann, [two, one])
  await w.decide(w.ann, [one, two, one], { proof })
  await assert.rejects(w.decide(w.ann, [one, two], { proof }))
  assert.deepEqual([await w.status(one), await w.status(two), await w.status(three)], [3, 3, auditing])
})

test('one that has ended refuses all, and is named', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  await w.inForce(byOwner)
  const one = await w.ask(fay, '60')
  const two = await w.ask(fay, '70')
  await cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id: one, from: visitor })
  await assert.rejects(w.decide(w.ann, [one, two]), ({ reason, data }: { reason: string; data: object }) => {
    assert.deepEqual([reason, data], ['withdrawal_cannot_change', { ids: [one] }])
    return true
  })
  assert.deepEqual([await w.status(one), await w.status(two)], [canceled, auditing])
})

test('what is approved at once is counted one after the other: above the limit of the operator nothing leaves', async t => {
  const w = await approvalWorld(t, { config: { withdrawApprovalAbove: 100 } })
  const fay = await w.join('finance')
  await w.inForce(byOwner)
  const ids = [await w.ask(fay, '60'), await w.ask(fay, '60')].sort()
  assert.deepEqual(await w.queue(w.ann), ids, 'each alone is within it')
  await assert.rejects(w.decide(w.ann, ids), { ...notYours, data: { ids: [ids[1]] } })
  assert.deepEqual([await w.status(ids[0]!), await w.status(ids[1]!)], [auditing, auditing])
  await w.decide(w.ann, [ids[0]!])
  assert.deepEqual(await w.queue(w.ann), [], 'the operator decides about the other')
  const large = await w.ask(fay, '150')
  await assert.rejects(w.decide(w.ann, [large]), notYours)
  await approveWithdrawal(w.deps, { id: large, by: atShell('operator') })
  assert.equal(await w.status(large), transferring)
})

test('no order of requests and of decisions at once lets members pass the limit of the operator', async t => {
  const w = await approvalWorld(t, { config: { withdrawApprovalAbove: 100 } })
  const fay = await w.join('finance')
  await w.inForce({ ...byOwner, above: '10' })
  const step = fc.record({
    units: fc.integer({ min: 5, max: 60 }),
    decides: fc.boolean(),
    most: fc.integer({ min: 1, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async steps => {
      w.deps.pass(86_401)
      const since = w.deps.clock()
      for (const { units, decides, most } of steps) {
        await w.ask(fay, String(units))
        const ids = (await w.queue(w.ann)).slice(-most)
        if (decides && ids.length > 0)
          await w.decide(w.ann, ids).catch(error => assert.equal(error.reason, 'approval_not_yours'))
      }
      const [left] = await rowsOf(
        w.owner,
        `select coalesce(sum(usdt_value), 0) / 1e18 as value from withdrawals where status = $1 and created_at >= $2`,
        [transferring, since],
      )
      assert.ok(Number(left!.value) <= 100)
      for (const { id } of await rowsOf(w.owner, 'select id from withdrawals where status = $1', [auditing]))
        await cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor })
    }),
    // Of the 1,000 that the shop has.
    { numRuns: 6 },
  )
})

test('decisions and requests at the same moment count each other for the limit of the operator', async t => {
  const w = await approvalWorld(t, { config: { withdrawApprovalAbove: 100 } })
  const fay = await w.join('finance')
  const bob = await w.join('owner')
  await w.inForce(byOwner)
  const left = async () => {
    const sql = 'select coalesce(sum(usdt_value), 0) / 1e18 as value from withdrawals where status = $1'
    return Number((await rowsOf(w.owner, sql, [transferring]))[0]!.value)
  }
  for (let round = 0; round < 6; round++) {
    const ids = [await w.ask(fay, '60'), await w.ask(fay, '60')] as const
    const other = round % 2 === 0 ? () => w.decide(bob, [ids[1]]) : () => w.ask(fay, '45')
    await Promise.allSettled([w.decide(w.ann, [ids[0]]), other()])
    assert.ok((await left()) <= 100, `${await left()} USDT left, of which the operator knows nothing`)
    const rows = await rowsOf(w.owner, 'select id from withdrawals where status = any($1)', [[auditing, transferring]])
    for (const { id } of rows) await cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor })
  }
})

test('an approval counts for the approver of the policy, not for another one', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  await w.inForce({ kind: 'approval', above: '100', role: 'finance' })
  const id = await w.ask(w.ann, '150')
  await w.decide(fay, [id])
  assert.equal(await w.status(await w.ask(w.ann, '90')), transferring, 'what was approved does not count')
  await w.inForce({ kind: 'approval', above: '100', role: 'owner' })
  assert.equal(await w.status(await w.ask(fay, '20')), auditing, 'owners have approved nothing of it')
})

test('while the account is held, nobody approves, and everybody may reject', async t => {
  const w = await approvalWorld(t, { config: { withdrawHoldHours: 24 } })
  const fay = await w.join('finance')
  for (const { id } of [w.ann, fay]) await testAuthenticator(w.deps, id)
  await w.inForce(byOwner)
  const id = await w.ask(fay, '60')
  await w.owner.query('update merchants set held_at = $1', [w.deps.clock()])
  await assert.rejects(w.decide(w.ann, [id]), { reason: 'account_held' })
  await w.decide(w.ann, [id], { decision: 'reject', reason: 'unknown receiver' })
  assert.equal(await w.status(id), audit_rejected)
  await w.owner.query('update merchants set held_at = 0')
  await w.inForce({ ...byOwner, role: 'finance' })
  const next = await w.ask(w.ann, '60')
  await w.owner.query('update persons set factor_changed_at = $2 where id = $1', [fay.id, w.deps.clock()])
  await assert.rejects(w.decide(fay, [next]), { reason: 'account_held' }, 'a factor of this member has changed')
  await w.decide(fay, [next], { decision: 'reject', reason: 'unknown receiver' })
})

test('a crash decides nothing and keeps the proof', async t => {
  const w = await approvalWorld(t)
  const fay = await w.join('finance')
  await w.inForce(byOwner)
  const ids = [await w.ask(fay, '60'), await w.ask(fay, '70')]
  const proof = await w.proof(w.ann.id, 'approval')
  for (const statement of [/into withdrawal_decisions/, /into withdrawal_events/, /audit_append/]) {
    const on = { ...w.deps, pool: breakOnce(w.deps.pool, statement) }
    await assert.rejects(w.decide(w.ann, ids, { on, proof }), /killed here/, String(statement))
  }
  assert.deepEqual(await rowsOf(w.owner, 'select * from withdrawal_decisions'), [])
  await w.decide(w.ann, ids, { proof })
})
