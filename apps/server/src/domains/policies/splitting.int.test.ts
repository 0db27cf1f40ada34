import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import fc from 'fast-check'
import { visitor } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { sendTransfer } from '../transfers/send-transfer.ts'
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts'
import { approveWithdrawal } from '../withdrawals/decide-withdrawal.ts'
import { savePolicy } from './save-policy.ts'

const day = 86_400
const { auditing, transferring } = withdrawalStatus
const receivers = ['1', '2', '3'].map(digit => `0x${digit.repeat(40)}`)

/** A merchant whose application may pay out, with 1,000 USDT, and another merchant. */
async function splitting(scope: Parameters<typeof withdrawalWorld>[0], config = {}) {
  const world = await withdrawalWorld(scope, { config })
  const { deps, merchant } = world
  const other = await world.newMerchant()
  let numbers = 0
  const save = async (rules: StoredPolicyRule[], proof = world.proof(merchant.id, 'withdrawal-settings')) =>
    savePolicy(deps, { merchantId: merchant.id, rules, proof: await proof, from: visitor })
  const byKey = () => ({
    appid: world.appid,
    outNo: `out ${++numbers}`,
    bodyHash: Buffer.from('x'),
    madeBy: merchant.id,
  })
  return {
    ...world,
    other,
    save,
    byKey,
    /** Puts rules into force that a merchant may save only with a passkey. */
    inForce: (rules: StoredPolicyRule[], merchantId = merchant.id) =>
      world.owner.query(
        `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, '1', $2, 0, 0)`,
        [merchantId, JSON.stringify(rules)],
      ),
    /** Like the API: with a key, and without a proof. */
    byApi: (amount: string, address = outside) => world.withdraw(amount, { byKey: byKey(), address, proof: undefined }),
    transfer: async (amount: string, merchantId = merchant.id) =>
      sendTransfer(deps, {
        merchantId,
        account: other.mchid,
        assetId: 'eth:USDT',
        amount,
        note: '',
        requestKey: undefined,
        proof: await world.proof(merchantId, 'transfer'),
        from: visitor,
      }),
    status: async (id: string) => (await world.withdrawal(id)).status,
  }
}

test('six withdrawals of 9.9 need the approval that one above 10 needs, and say why', async t => {
  const w = await splitting(t)
  await w.save([{ kind: 'approval', above: '10' }])
  const page = await w.withdraw('9.9')
  assert.equal(await w.status(page), transferring)
  for (const send of [w.withdraw, w.byApi, w.withdraw, w.byApi, w.withdraw]) {
    const row = await w.withdrawal(await send('9.9'))
    assert.equal(row.status, auditing)
    const report = row.policy.find((each: { rule: string }) => each.rule === 'approval')
    assert.deepEqual([report.per, report.seconds, report.used, report.left], ['destination', day, '9.9', '0.1'])
  }
  assert.equal(await w.status(await w.withdraw('5', { address: receivers[0]! })), transferring, 'another receiver')
  const approved = await w.withdraw('50', { address: receivers[0]! })
  await approveWithdrawal(w.deps, { id: approved, by: atShell('operator') })
  assert.equal(await w.status(await w.byApi('5', receivers[0])), transferring, 'what was approved does not count')
  w.deps.pass(day)
  assert.equal(await w.status(await w.withdraw('9.9')), transferring, 'a day later')
})

test('what is spread over receivers needs approval beyond the limit for all', async t => {
  const w = await splitting(t)
  await w.save([{ kind: 'approval', above: '10', above_in_all: '25' }])
  const statuses: number[] = []
  for (const address of receivers) statuses.push(await w.status(await w.withdraw('9.9', { address })))
  assert.deepEqual(statuses, [transferring, transferring, auditing])
})

test('an approval by the merchant’s own approver does not count for the operator’s rule', async t => {
  const w = await splitting(t, { withdrawApprovalAbove: 100 })
  await w.save([{ kind: 'approval', above: '10', approver: 'accomplice@example.com' }])
  const one = await w.withdraw('90')
  const two = await w.withdraw('90')
  const by = async (id: string) =>
    w.owner.query(
      `update withdrawals set status = ${transferring}, approved_by = 'accomplice@example.com', approved_at = 1 where id = $1`,
      [id],
    )
  const links = () => rowsOf(w.owner, 'select withdrawal_id from withdrawal_approvals order by created_at')
  await by(one)
  await by(two)
  assert.equal((await links()).length, 2)
  const third = await w.withdraw('90')
  assert.equal(await w.status(third), auditing)
  assert.equal((await links()).length, 2, 'no link: the operator approves')
})

test('a transfer counts like a withdrawal, and is refused with a reason', async t => {
  const w = await splitting(t)
  await w.save([{ kind: 'approval', above: '10', above_in_all: '25' }])
  await w.transfer('9')
  await assert.rejects(w.transfer('9'), ({ reason, detail }: { reason: string; detail: { en: string } }) => {
    assert.equal(reason, 'policy_refused')
    assert.match(detail.en, /9 USDT sent in the last 24 hours, limit 10 USDT/)
    return true
  })
  await w.withdraw('9')
  assert.equal(await w.status(await w.withdraw('9', { address: receivers[0]! })), auditing, '27 in all')
})

test('a limit for one receiver and for all: each that holds is named', async t => {
  const w = await splitting(t)
  await w.save([{ kind: 'approval', above: '10', above_in_all: '25', approver: 'second@example.com' }])
  for (const address of receivers.slice(0, 2)) await w.withdraw('9', { address })
  const own = await w.withdrawal(await w.withdraw('20', { address: receivers[2]! }))
  const asking = (row: { policy: { allowed: boolean; per: string; used: string; limit: string }[] }) =>
    row.policy.flatMap(({ allowed, per, used, limit }) => (allowed ? [] : [[per, used, limit]]))
  assert.deepEqual(asking(own), [
    ['destination', '0', '10'],
    ['merchant', '18', '25'],
  ])
  assert.match(
    w.deps.mails.find(mail => mail.to === 'second@example.com')!.text,
    /above 10 USDT to one recipient in 24 hours, 0 USDT already sent; above 25 USDT to all recipients in 24 hours, 18 USDT/,
  )
  await assert.rejects(w.transfer('20'), ({ detail }: { detail: Record<string, string> }) => {
    assert.match(detail.en!, /^above 10 USDT the policy .*; 18 USDT sent in the last 24 hours, limit 25 USDT$/)
    return true
  })
})

test('a refusal names every rule that refuses, with its figures', async t => {
  const w = await splitting(t)
  await w.save([
    { kind: 'single', limit: '50' },
    { kind: 'window', per: 'merchant', seconds: day, limit: '60' },
  ])
  await w.withdraw('20')
  await assert.rejects(w.withdraw('55'), ({ reason, detail }: { reason: string; detail: Record<string, string> }) => {
    assert.equal(reason, 'withdrawal_too_large')
    assert.deepEqual(detail, {
      en: 'per-withdrawal limit: 50 USDT; limit in 24 hours: 60 USDT, 40 left',
      'zh-CN': '单笔限额：50 USDT；24 小时限额：60 USDT，剩余 40',
    })
    return true
  })
})

test('what the balance does not cover is refused as that, whatever the rules say', async t => {
  const w = await splitting(t)
  await w.save([{ kind: 'single', limit: '50' }])
  await assert.rejects(w.withdraw('1000'), { reason: 'insufficient_balance' })
  await assert.rejects(w.transfer('1000.01'), { reason: 'insufficient_balance' })
  await assert.rejects(w.transfer('1000'), { reason: 'policy_refused' })
})

test('above the limit of the last day a passkey must confirm', async t => {
  const w = await splitting(t)
  await w.inForce([{ kind: 'fresh_factor', above: '10', within: 300 }])
  await w.withdraw('9.9')
  const refused = ({ reason, detail }: { reason: string; detail: { en: string } }) => {
    assert.equal(reason, 'passkey_needed')
    assert.match(detail.en, /9.9 USDT sent in the last 24 hours/)
    return true
  }
  await assert.rejects(w.withdraw('9.9'), refused)
  await assert.rejects(w.byApi('9.9'), refused)
  await w.owner.query('update withdrawals set by_passkey = true')
  await w.withdraw('9.9')
})

test('what waits for an approval counts for the passkey, which no approval replaces', async t => {
  const w = await splitting(t)
  await w.inForce([
    { kind: 'approval', above: '5' },
    { kind: 'fresh_factor', above: '10', within: 300 },
  ])
  const waiting = await w.withdraw('9.9')
  assert.equal(await w.status(waiting), auditing)
  await assert.rejects(w.withdraw('9.9'), { reason: 'passkey_needed' })
  await cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id: waiting, from: visitor })
  assert.equal(await w.status(await w.withdraw('9.9')), auditing)
})

test('no order of withdrawals, transfers, approvals and cancellations lets more leave without a check', async t => {
  const w = await splitting(t)
  const step = fc.record({
    by: fc.constantFrom('page', 'api', 'transfer'),
    units: fc.integer({ min: 2, max: 14 }),
    to: fc.nat(receivers.length - 1),
    follows: fc.constantFrom('nothing', 'approve', 'cancel'),
    later: fc.constantFrom(0, 60, day / 2, day - 1, day),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async steps => {
      const { id: merchantId } = await w.newMerchant()
      await w.inForce([{ kind: 'approval', above: '15', above_in_all: '30' }], merchantId)
      for (const { by, units, to, follows, later } of steps) {
        w.deps.pass(later)
        const amount = String(units)
        if (by === 'transfer') {
          await w.transfer(amount, merchantId).catch(error => assert.equal(error.reason, 'policy_refused'))
          continue
        }
        const byKey = by === 'api' && w.byKey()
        const id = await w.withdraw(amount, { merchantId, address: receivers[to]!, ...(byKey && { byKey }) })
        if (follows === 'approve') await approveWithdrawal(w.deps, { id, by: atShell('operator') })
        if (follows === 'cancel') await cancelWithdrawal(w.deps, { merchantId, id, from: visitor })
      }
      const left = await rowsOf(
        w.owner,
        `select to_address as to, usdt_value / 1e18 as value, created_at as at from withdrawals
         where merchant_id = $1 and status = ${transferring} and approved_by = ''
         union all select other_id, usdt_value / 1e18, created_at from internal_transfers
         where merchant_id = $1 and direction = 'out'`,
        [merchantId],
      )
      for (const { at } of left) {
        const recent = left.filter(each => each.at <= at && each.at > at - day)
        const sum = (of: typeof left) => of.reduce((sum, each) => sum + Number(each.value), 0)
        assert.ok(sum(recent) <= 30)
        for (const { to } of recent) assert.ok(sum(recent.filter(each => each.to === to)) <= 15)
      }
    }),
    { numRuns: 20 },
  )
})

test('no split lets one operator approve more than the limit of two people within 24 hours', async t => {
  const w = await splitting(t, { withdrawTwoAbove: 100, withdrawApprovalAbove: 1 })
  const step = fc.record({
    // Twice in each of at most eight steps, of the 1,000 that a merchant has.
    units: fc.integer({ min: 20, max: 58 }),
    merchant: fc.nat(1),
    to: fc.nat(1),
    second: fc.boolean(),
    later: fc.constantFrom(0, 60, day / 2, day),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async steps => {
      w.deps.pass(day)
      const merchants = [await w.newMerchant(), await w.newMerchant()]
      const alone: { at: number; merchant: number; to: number; units: number }[] = []
      const approve = async (id: string, who: string) =>
        (await approveWithdrawal(w.deps, { id, by: atShell(who) })).waits
      for (const { units, merchant, to, second, later } of steps) {
        w.deps.pass(later)
        const sent = { merchantId: merchants[merchant]!.id, address: receivers[to]! }
        // Two at once, so that neither is approved before the other is counted.
        const ids = [await w.withdraw(String(units), sent), await w.withdraw(String(units), sent)]
        const waits = await Promise.all(ids.map(id => approve(id, 'one')))
        for (const [index, id] of ids.entries())
          if (!waits[index]) alone.push({ at: w.deps.clock(), merchant, to, units })
          else if (second) assert.equal(await approve(id, 'two'), false)
      }
      for (const { at, merchant, to } of alone) {
        const lately = alone.filter(each => each.at <= at && each.at > at - day)
        const sum = (of: typeof alone) => of.reduce((sum, each) => sum + each.units, 0)
        assert.ok(sum(lately.filter(each => each.merchant === merchant)) <= 100, 'of a merchant')
        assert.ok(sum(lately.filter(each => each.to === to)) <= 100, 'to a receiver')
      }
    }),
    { numRuns: 12 },
  )
})
