import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { makeApp } from '../../serve.ts'
import { approvalWorld, type Person } from '../../testing/approval-world.ts'
import { testMember } from '../../testing/members.ts'
import { testAuthenticator } from '../../testing/merchants.ts'
import { sendTransfer } from '../transfers/send-transfer.ts'
import { checkPayoutKey } from '../withdrawals/key-routes.ts'

/* What a mailbox alone may do depends on the factors of who acts, not of whose address the shop has. */

const policy = { reason: 'policy_refused' }

async function shop(t: TestContext) {
  const w = await approvalWorld(t, { config: { withdrawHoldHours: 24 } })
  const { deps, merchant } = w
  const other = await w.newMerchant()
  return {
    ...w,
    transfer: async (by: Person) =>
      sendTransfer(deps, {
        merchantId: merchant.id,
        account: other.mchid,
        assetId: 'eth:USDT',
        amount: '10',
        note: '',
        requestKey: undefined,
        proof: await w.proof(by.id, 'transfer'),
        from: w.fromOf(by),
      }),
    /** Whether a key may pay out that could since a time. */
    byKey: (openedAt: number) => checkPayoutKey(deps, { merchantId: merchant.id, openedAt }),
  }
}

test('new ways out wait for a member without a second factor, whatever the owner has', async t => {
  const w = await shop(t)
  const fay = await w.join('finance')
  await testAuthenticator(w.deps, w.ann.id)
  await assert.rejects(w.ask(fay, '10'), policy, 'an address that nobody knows')
  await assert.rejects(w.transfer(fay), policy, 'a receiver that nobody knows')
  await w.ask(w.ann, '10')
  await w.transfer(w.ann)
})

test('they do not wait for a member with one, whatever the owner has', async t => {
  const w = await shop(t)
  const fay = await w.join('finance')
  await testAuthenticator(w.deps, fay.id)
  await w.ask(fay, '10')
  await w.transfer(fay)
  await assert.rejects(w.ask(w.ann, '10'), policy)
})

test('a key waits while one of the owners, who could have made it, has no second factor', async t => {
  const w = await shop(t)
  const bob = await w.join('owner')
  await w.join('finance')
  await testAuthenticator(w.deps, w.ann.id)
  const waits = { reason: 'payouts_not_allowed' }
  await assert.rejects(w.byKey(w.deps.clock()), waits)
  await w.byKey(w.deps.clock() - 86_400)
  await testAuthenticator(w.deps, bob.id)
  await w.byKey(w.deps.clock())
})

test('a quote names the methods of who asks, not of whose address the shop has', async t => {
  const w = await shop(t)
  await testAuthenticator(w.deps, w.ann.id)
  const app = await makeApp(w.deps)
  t.after(() => app.close())
  const member = await testMember(w.deps, w.owner, { merchantId: w.merchant.id, role: 'finance' })
  const { token } = await member.signIn()
  const url = '/api/v1/account/cost?token_id=eth:USDT&amount=10'
  const { data } = (await app.inject({ url, headers: { 'x-token': token } })).json()
  assert.deepEqual(data.methods, ['email'])
})
