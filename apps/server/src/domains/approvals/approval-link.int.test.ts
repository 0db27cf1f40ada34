import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { pendingPolicy, savePolicy } from '../policies/save-policy.ts'
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts'
import { decideApprovalByLink, readLinkedApproval, resendApprovalLink, sendApprovalCode } from './approval-link.ts'

const approver = 'second@example.com'

async function approvalWorld(t: Parameters<typeof withdrawalWorld>[0], config = {}) {
  const world = await withdrawalWorld(t, { config })
  const { deps, merchant } = world
  const save = async (rules: StoredPolicyRule[]) =>
    savePolicy(deps, {
      merchantId: merchant.id,
      rules,
      proof: await world.proof(merchant.id, 'withdrawal-settings'),
      from: visitor,
    })
  await save([{ kind: 'approval', above: '50', approver }])
  const mailsTo = (to: string) => deps.mails.filter(mail => mail.to === to)
  return {
    ...world,
    save,
    /** The secret of the latest link. */
    link: () =>
      mailsTo(approver)
        .flatMap(mail => /approve#(\S+)/.exec(mail.text)?.[1] ?? [])
        .at(-1)!,
    code: async (token: string) => {
      await sendApprovalCode(deps, token, visitor)
      return /\d{6}/.exec(mailsTo(approver).at(-1)!.subject)![0]
    },
    decide: (token: string, code: string, decision: 'approve' | 'reject' = 'approve', on = deps) =>
      decideApprovalByLink(on, { token, decision, code, reason: 'unknown receiver', from: visitor }),
  }
}

test('the approver of the policy gets a link, which approves once with a code', async t => {
  const w = await approvalWorld(t)
  await w.withdraw('50')
  assert.equal(w.link(), undefined, 'only above the limit')
  const id = await w.withdraw('60')
  const token = w.link()
  const shown = await readLinkedApproval(w.deps, token, visitor)
  assert.deepEqual([shown.state, shown.amount, shown.token, shown.requester], ['open', '60', 'USDT', w.merchant.email])
  assert.ok(!JSON.stringify(shown).includes(approver), 'its own address is masked')
  await assert.rejects(w.decide(token, '000000'), { reason: 'email_code_error' })
  const code = await w.code(token)
  await assert.rejects(w.code(token), { reason: 'frequent_operation' })
  const broken = { ...w.deps, pool: breakOnce(w.deps.pool, /insert into withdrawal_events/) }
  await assert.rejects(w.decide(token, code, 'approve', broken as never), /killed here/)
  await Promise.all([w.decide(token, code), w.decide(token, code)])
  const row = await w.withdrawal(id)
  assert.deepEqual([row.status, row.approved_by], [3, approver])
  assert.deepEqual(await w.history(id), ['requested', 'approved'])
  await w.decide(token, code)
  await assert.rejects(w.decide(token, code, 'reject'), { reason: 'withdrawal_cannot_change' })
  assert.equal((await readLinkedApproval(w.deps, token, visitor)).state, 'approved')
  await assert.rejects(readLinkedApproval(w.deps, 'x'.repeat(43), visitor), { reason: 'link_not_valid' })
  await assertBooksAgree(w.deps.owner)
})

test('a rejection releases the amount, and a code is worth five attempts', async t => {
  const w = await approvalWorld(t)
  const id = await w.withdraw('60')
  const token = w.link()
  const code = await w.code(token)
  const wrong = code === '111111' ? '222222' : '111111'
  for (let i = 0; i < 5; i++) await assert.rejects(w.decide(token, wrong, 'reject'), { reason: 'email_code_error' })
  await assert.rejects(w.decide(token, code, 'reject'), { reason: 'email_code_error' })
  w.deps.pass(61)
  await w.decide(token, await w.code(token), 'reject')
  const row = await w.withdrawal(id)
  assert.deepEqual([row.status, row.reason], [2, 'unknown receiver'])
  assert.deepEqual(await w.balances(), ['1000000000', '0'])
})

test('the right code is no attempt while the account refuses the decision', async t => {
  const w = await approvalWorld(t)
  const id = await w.withdraw('60')
  const token = w.link()
  const code = await w.code(token)
  const freeze = (frozen: boolean) => w.deps.owner.query('update merchants set frozen = $1', [frozen])
  await freeze(true)
  for (let i = 0; i < 6; i++) await assert.rejects(w.decide(token, code), { reason: 'account_frozen' })
  await freeze(false)
  await w.decide(token, code)
  assert.equal((await w.withdrawal(id)).approved_by, approver)
})

test('a link ends with time, with the next one, with its withdrawal and with its approver', async t => {
  const w = await approvalWorld(t)
  const id = await w.withdraw('60')
  const again = (merchantId = w.merchant.id) => resendApprovalLink(w.deps, { merchantId, id, from: visitor })
  const old = w.link()
  await again()
  const token = w.link()
  assert.notEqual(token, old)
  await assert.rejects(readLinkedApproval(w.deps, old, visitor), { reason: 'link_not_valid' })
  w.deps.pass(72 * 3_600)
  await assert.rejects(readLinkedApproval(w.deps, token, visitor), { reason: 'link_not_valid' })
  await again()
  const code = await w.code(w.link())
  await w.deps.owner.query('update persons set email = $1 where id = $2', [approver, w.merchant.id])
  await assert.rejects(w.decide(w.link(), code), { reason: 'approver_is_owner' })
  await w.deps.owner.query('update persons set email = $1 where id = $2', [
    approver.replace('@', '+shop@'),
    w.merchant.id,
  ])
  await assert.rejects(w.decide(w.link(), code), { reason: 'approver_is_owner' })
  await w.deps.owner.query('update persons set email = $1 where id = $2', ['o@example.com', w.merchant.id])
  await w.deps.owner.query('update merchants set frozen = true where id = $1', [w.merchant.id])
  await assert.rejects(w.decide(w.link(), code), { reason: 'account_frozen' })
  await w.deps.owner.query('update merchants set frozen = false')
  await cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor })
  assert.equal((await readLinkedApproval(w.deps, w.link(), visitor)).state, 'closed')
  await assert.rejects(w.decide(w.link(), code), { reason: 'withdrawal_cannot_change' })
  await assert.rejects(again(), { reason: 'withdrawal_cannot_change' })
  const next = await w.withdraw('60')
  const link = w.link()
  const good = await w.code(w.link())
  await w.save([{ kind: 'approval', above: '50', approver: 'third@example.com' }])
  assert.ok(await pendingPolicy(w.deps.pool, w.merchant.id, w.deps.clock()), 'another approver waits for a day')
  w.deps.pass(86_401)
  await assert.rejects(w.decide(link, good), { reason: 'email_code_error' })
  w.deps.pass(61)
  await assert.rejects(w.decide(link, await w.code(link)), { reason: 'link_not_valid' })
  assert.equal((await w.withdrawal(next)).status, 1)
})

test('the owner cannot approve, and what the operator must approve has no link', async t => {
  const w = await approvalWorld(t, { withdrawApprovalAbove: 100 })
  const alias = w.merchant.email.replace('@', '+second@')
  for (const own of [w.merchant.email, alias, alias.toUpperCase()])
    await assert.rejects(
      w.save([{ kind: 'approval', above: '50', approver: own }]),
      { reason: 'approver_is_owner' },
      own,
    )
  const id = await w.withdraw('150')
  assert.equal(w.link(), undefined)
  const again = resendApprovalLink(w.deps, { merchantId: w.merchant.id, id, from: visitor })
  await assert.rejects(again, { reason: 'withdrawal_cannot_change' })
})

test('what the operator must approve meanwhile, or two approvers, one of them does not approve by a link', async t => {
  const w = await approvalWorld(t)
  const id = await w.withdraw('60')
  const code = await w.code(w.link())
  await w.deps.owner.query(`update merchants set risk_level = 'fail'`)
  await assert.rejects(w.decide(w.link(), code), { reason: 'link_not_valid' })
  await w.deps.owner.query(`update merchants set risk_level = ''`)
  await w.save([
    { kind: 'approval', above: '50', approver },
    { kind: 'approval', above: '55', approver: 'third@example.com' },
  ])
  w.deps.pass(86_401)
  await assert.rejects(w.decide(w.link(), await w.code(w.link())), { reason: 'link_not_valid' })
  assert.equal((await w.withdrawal(id)).status, 1)
  await w.save([{ kind: 'approval', above: '50', approver }])
  w.deps.pass(86_401)
  await w.decide(w.link(), await w.code(w.link()))
  assert.equal((await w.withdrawal(id)).status, 3)
})

test('two links at the same moment count each other for the limit of the operator', async t => {
  const w = await approvalWorld(t, { withdrawApprovalAbove: 100 })
  const links: [token: string, code: string][] = []
  for (let n = 0; n < 2; n++) {
    w.deps.pass(61)
    await w.withdraw('60')
    const token = w.link()
    links.push([token, await w.code(token)])
  }
  const decided = await Promise.allSettled(links.map(link => w.decide(...link)))
  assert.deepEqual(decided.map(each => each.status).sort(), ['fulfilled', 'rejected'])
})

test('in whatever order its approver approves, what exceeds the limit of the operator needs the operator', async t => {
  const w = await approvalWorld(t, { withdrawApprovalAbove: 100 })
  const first = await w.withdraw('60')
  const firstLink = w.link()
  w.deps.pass(61)
  const second = await w.withdraw('60')
  const secondLink = w.link()
  await w.decide(secondLink, await w.code(secondLink))
  await assert.rejects(async () => w.decide(firstLink, await w.code(firstLink)), { reason: 'link_not_valid' })
  const status = async (id: string) => (await w.withdrawal(id)).status
  assert.deepEqual([await status(first), await status(second)], [1, 3])
})
