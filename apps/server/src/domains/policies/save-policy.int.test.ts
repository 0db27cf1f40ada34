import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import { tx } from '../../kit/db.ts'
import { approvalWorld } from '../../testing/approval-world.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { type WithdrawalWorld, withdrawalWorld } from '../../testing/withdrawals.ts'
import { approveWithdrawal, rejectWithdrawal, stopWithdrawal } from '../withdrawals/decide-withdrawal.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { pendingPolicy, savePolicy } from './save-policy.ts'

const save = async (world: WithdrawalWorld, rules: StoredPolicyRule[]) =>
  savePolicy(world.deps, {
    merchantId: world.merchant.id,
    rules,
    proof: await world.proof(world.merchant.id, 'withdrawal-settings'),
    from: visitor,
  })

const refused = { reason: 'policy_refused' }
const day = 86_400

test('tightening acts at once, loosening after a day, and both are mailed', async t => {
  const world = await withdrawalWorld(t)
  await save(world, [{ kind: 'single', limit: '100' }])
  await world.deps.delivered()
  assert.match(world.deps.mails.at(-1)!.text, /stricter/)
  await assert.rejects(world.withdraw('100.000001'), { reason: 'withdrawal_too_large' })
  await save(world, [{ kind: 'single', limit: '200' }])
  await world.deps.delivered()
  assert.match(world.deps.mails.at(-1)!.text, /24 hours/)
  await assert.rejects(world.withdraw('150'), { reason: 'withdrawal_too_large' })
  world.deps.pass(day - 1)
  await assert.rejects(world.withdraw('150'), { reason: 'withdrawal_too_large' })
  world.deps.pass(1)
  await world.withdraw('150')
})

test('a stricter policy replaces a looser one that is to come', async t => {
  const world = await withdrawalWorld(t)
  await save(world, [{ kind: 'single', limit: '100' }])
  await save(world, [])
  await save(world, [{ kind: 'single', limit: '50' }])
  world.deps.pass(2 * day)
  await assert.rejects(world.withdraw('51'), { reason: 'withdrawal_too_large' })
})

test('another person who approves an amount alone is a loosening', async t => {
  const world = await withdrawalWorld(t)
  const approvals = (...rules: [above: string, approver?: string][]) =>
    save(
      world,
      rules.map(([above, approver]) => ({ kind: 'approval', above, ...(approver && { approver }) })),
    )
  const one = 'one@example.com'
  const two = 'two@example.com'
  const acts = async (what: RegExp) => {
    await world.deps.delivered()
    assert.match(world.deps.mails.at(-1)!.text, what)
  }
  await approvals(['100', one], ['500'])
  await approvals(['100', one])
  await acts(/24 hours/)
  await approvals(['50', one], ['500'])
  await acts(/stricter/)
  await approvals(['50', one], ['500', two])
  await acts(/stricter/)
  await approvals(['50', two], ['500', two])
  await acts(/24 hours/)
  await approvals(['50'], ['500'])
  await acts(/24 hours/)
})

test('a member in place of the role is stricter, anybody else looser', async t => {
  const w = await approvalWorld(t)
  const bob = await w.join('owner')
  const fay = await w.join('finance')
  const fresh = await w.join('finance', { since: 3_600 })
  const viewer = await w.join('viewer')
  type Named = Pick<Extract<StoredPolicyRule, { kind: 'approval' }>, 'approver' | 'role' | 'person'>
  const changes: [before: Named, after: Named, isLooser: boolean][] = [
    [{ role: 'owner' }, { person: bob.id }, false],
    [{ role: 'finance' }, { person: fay.id }, false],
    [{ role: 'finance' }, { person: fresh.id }, true],
    [{ role: 'finance' }, { person: bob.id }, true],
    [{ person: bob.id }, { person: fay.id }, true],
    [{ person: bob.id }, { role: 'owner' }, true],
    [{ role: 'owner' }, { role: 'finance' }, true],
    [{ role: 'owner' }, {}, true],
    [{}, { role: 'owner' }, true],
    [{ approver: 'out@audit.example' }, { role: 'owner' }, true],
    [{ role: 'owner' }, { approver: 'out@audit.example' }, true],
    [{ role: 'owner' }, { role: 'owner' }, false],
  ]
  for (const [before, after, isLooser] of changes) {
    await w.owner.query('delete from withdrawal_policies')
    await w.inForce({ kind: 'approval', above: '100', ...before })
    await w.save({ kind: 'approval', above: '90', ...after })
    const pending = await pendingPolicy(w.deps.pool, w.merchant.id, w.deps.clock())
    assert.equal(pending !== undefined, isLooser, JSON.stringify([before, after]))
  }
  for (const person of [viewer.id, 'nobody', (await w.newMerchant()).id])
    await assert.rejects(w.save({ kind: 'approval', above: '90', person }), { reason: 'member_not_approving' })
  const alias = fay.email.replace('@', '+audit@')
  await assert.rejects(w.save({ kind: 'approval', above: '90', approver: alias }), { reason: 'approver_is_owner' })
})

test('windows count per destination, and destinations must be known for long enough', async t => {
  const world = await withdrawalWorld(t)
  await save(world, [{ kind: 'window', per: 'destination', seconds: 3_600, limit: '100' }])
  const elsewhere = '0x5555555555555555555555555555555555555555'
  await world.withdraw('80')
  await assert.rejects(world.withdraw('30'), refused)
  await world.withdraw('90', { address: elsewhere })
  world.deps.pass(3_600)
  await world.withdraw('30')
  await save(world, [
    { kind: 'window', per: 'destination', seconds: 3_600, limit: '100' },
    { kind: 'destination', cool_down: day },
  ])
  world.deps.pass(3_600)
  await assert.rejects(world.withdraw('10'), refused)
  await world.owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
     values ($1, '1', 'eth', $2, 'own', $3, $3)`,
    [world.merchant.id, elsewhere, world.deps.clock()],
  )
  await assert.rejects(world.withdraw('10', { address: elsewhere }), refused)
  world.deps.pass(day)
  await world.withdraw('10', { address: elsewhere })
  await assert.rejects(world.withdraw('10'), refused)
})

test('hours are those of the merchant’s time zone', async t => {
  const world = await withdrawalWorld(t)
  // The clock stands at Monday, 10:00 UTC: 18:00 in Shanghai.
  await save(world, [{ kind: 'hours', days: [1, 2, 3, 4, 5], from: 9 * 60, to: 18 * 60 }])
  await world.withdraw('10')
  await world.owner.query(`update merchants set time_zone = 'Asia/Shanghai'`)
  await assert.rejects(world.withdraw('10'), ({ data }: { data: { rule: string; until: number }[] }) => {
    assert.equal(data.find(each => each.rule === 'hours')?.until, world.deps.clock() + 15 * 3_600)
    return true
  })
})

test('a policy needs its own proof; a frozen account, a passkey rule and a crash change nothing', async t => {
  const world = await withdrawalWorld(t)
  const rules: StoredPolicyRule[] = [{ kind: 'single', limit: '1' }]
  const input = { merchantId: world.merchant.id, rules, from: visitor }
  await assert.rejects(savePolicy(world.deps, { ...input, proof: await world.proof() }), { reason: 'proof_needed' })
  await assert.rejects(save(world, [{ kind: 'fresh_factor', above: '1', within: 300 }]), { reason: 'not_bound' })
  const proof = await world.proof(world.merchant.id, 'withdrawal-settings')
  const broken = { ...world.deps, pool: breakOnce(world.deps.pool, /audit_append/) }
  await assert.rejects(savePolicy(broken, { ...input, proof }), /killed here/)
  await world.owner.query('update merchants set frozen = true')
  await assert.rejects(savePolicy(world.deps, { ...input, proof }), { reason: 'account_frozen' })
  assert.deepEqual(await rowsOf(world.owner, 'select * from withdrawal_policies'), [])
})

test('above a limit somebody approves: then it is sent, else its amount comes back', async t => {
  const world = await withdrawalWorld(t)
  const { deps } = world
  await save(world, [{ kind: 'approval', above: '100' }])
  const small = await world.withdraw('100')
  const id = await world.withdraw('101')
  const other = await world.withdraw('102')
  const status = async (of: string) => (await world.withdrawal(of)).status
  assert.deepEqual([await status(small), await status(id)], [withdrawalStatus.transferring, withdrawalStatus.auditing])
  const due = async () => (await withdrawalOwner(deps).due(deps.pool, 'eth', 10)).map(each => each.id)
  assert.deepEqual(await due(), [small])
  await Promise.all([
    approveWithdrawal(deps, { id, by: atShell('a') }),
    approveWithdrawal(deps, { id, by: atShell('a') }),
  ])
  assert.deepEqual((await due()).sort(), [small, id].sort())
  assert.deepEqual(await world.history(id), ['requested', 'approved'])
  await assert.rejects(rejectWithdrawal(deps, { id, reason: 'late' }), { reason: 'withdrawal_cannot_change' })
  await rejectWithdrawal(deps, { id: other, reason: 'unknown receiver' })
  await rejectWithdrawal(deps, { id: other, reason: 'again' })
  await assert.rejects(approveWithdrawal(deps, { id: other, by: atShell('a') }), { reason: 'withdrawal_cannot_change' })
  const row = await world.withdrawal(other)
  assert.deepEqual([row.status, row.reason], [withdrawalStatus.audit_rejected, 'unknown receiver'])
  assert.deepEqual(await world.balances(), ['799000000', '201000000'])
  const notice = await firstRow(world.owner, `select params from notifications where message = 'withdrawal_rejected'`)
  assert.equal(notice.params.reason, 'unknown receiver')
  await assert.rejects(approveWithdrawal(deps, { id: 'none', by: atShell('a') }), { reason: 'withdrawal_not_exist' })
  assert.equal(await stopWithdrawal(deps, { id, reason: 'on request' }), true)
  assert.deepEqual(await world.balances(), ['900000000', '100000000'])
  await assertBooksAgree(world.owner)
})

test('the operator pays an abnormal withdrawal again or releases it', async t => {
  const world = await withdrawalWorld(t)
  const { deps } = world
  const owner = withdrawalOwner(deps)
  const ids = [await world.withdraw('100'), await world.withdraw('50')]
  const items = ids.map(id => ({ owner: 'withdrawal' as const, merchant_id: world.merchant.id, id, amount: 1n }))
  await tx(deps.pool, (_, uow) => owner.failed(uow, items, 'reverted'))
  await approveWithdrawal(deps, { id: ids[0]!, by: atShell('a') })
  assert.deepEqual(
    (await owner.due(deps.pool, 'eth', 10)).map(each => each.id),
    [ids[0]],
  )
  assert.equal(await stopWithdrawal(deps, { id: ids[1]!, reason: 'paid by hand' }), true)
  assert.equal((await world.withdrawal(ids[1]!)).status, withdrawalStatus.canceled)
  assert.deepEqual(await world.balances(), ['900000000', '100000000'])
  await assertBooksAgree(world.owner)
})
