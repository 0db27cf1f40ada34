import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { withdrawalStatus } from '@coffer/contract'
import { bridgedWorld } from '../../testing/bridged-world.ts'
import { payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { explainDestination } from '../destinations/explain-destination.ts'
import { viewCheckout } from '../payments/checkout/checkout-routes.ts'
import { installationReports } from '../policies/policy.ts'
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts'
import { readWithdrawal } from '../withdrawals/list.ts'
import { presentWithdrawal } from '../withdrawals/present.ts'
import { readDueWithdrawals } from '../withdrawals/store.ts'
import { returnSiblingDeposit } from './decide-sibling.ts'

const who = 'ops@example.com'

test('a merchant cannot keep what an operator gives back', async t => {
  const w = await bridgedWorld(t)
  const { id } = await returnSiblingDeposit(w.deps, { depositId: w.id, who })
  const cancel = cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor })
  await assert.rejects(cancel, { reason: 'withdrawal_cannot_change' })
  assert.equal(await w.balance('eth:USDC.e'), '0')
  await assertBooksAgree(w.owner)
})

test('what an operator gives back uses no limit of the merchant', async t => {
  const w = await bridgedWorld(t)
  const deps = { ...w.deps, config: { ...w.deps.config, withdrawDayMax: 100 } }
  const used = async () => (await installationReports(deps, deps.pool, w.merchant.id)).map(each => each.used ?? 0n)
  await returnSiblingDeposit(deps, { depositId: w.id, who })
  const limits = await used()
  assert.deepEqual([limits.length > 0, limits.every(each => each === 0n)], [true, true])
})

test('who got a deposit back is not an address that the merchant has paid', async t => {
  const w = await bridgedWorld(t)
  await returnSiblingDeposit(w.deps, { depositId: w.id, who })
  await w.owner.query('update withdrawals set status = 5, settled = receives')
  const { checks } = await explainDestination(w.deps, { merchantId: w.merchant.id, chainId: 'eth', address: payer })
  assert.equal(checks.find(each => each.check === 'first_payment')?.result, 'warn')
})

test('a merchant sees no way to cancel what an operator gives back', async t => {
  const w = await bridgedWorld(t)
  const { id } = await returnSiblingDeposit(w.deps, { depositId: w.id, who })
  const row = (await readWithdrawal(w.deps.pool, w.merchant.id, id))!
  assert.deepEqual([row.status, row.out_nonce], [withdrawalStatus.transferring, null], 'as one that can be canceled')
  assert.equal(presentWithdrawal(row).can_cancel, false)
  assert.equal(presentWithdrawal({ ...row, origin: 'page' }).can_cancel, true)
})

test('what an operator gives back is paid while the account of its merchant is frozen or on hold', async t => {
  const w = await bridgedWorld(t)
  const { id } = await returnSiblingDeposit(w.deps, { depositId: w.id, who })
  const due = async () => (await readDueWithdrawals(w.deps.pool, 'eth', 10)).map(each => each.id)
  await w.owner.query('update merchants set frozen = true where id = $1', [w.merchant.id])
  assert.deepEqual(await due(), [id])
  await w.owner.query('update merchants set frozen = false, held_at = 1 where id = $1', [w.merchant.id])
  assert.deepEqual(await due(), [id])
  await w.owner.query(`update withdrawals set origin = 'page', returns = null`)
  assert.deepEqual(await due(), [], 'as a withdrawal of the merchant is not')
})

test('the payer sees that it goes back, and to which address, until it was paid or was stopped', async t => {
  const w = await bridgedWorld(t)
  const seen = async () => {
    const { deposits } = await viewCheckout(w.deps, w.order.trade_no)
    return deposits.map(each => [each.state, each.returned, each.returned_to])
  }
  assert.deepEqual(await seen(), [['seen', 'no', '']])
  await returnSiblingDeposit(w.deps, { depositId: w.id, who })
  const shown = chainAdapters.evm.address.show(payer)
  assert.deepEqual(await seen(), [['credited', 'coming', shown]])
  await w.owner.query('update withdrawals set status = $1, settled = receives', [withdrawalStatus.accomplished])
  assert.deepEqual(await seen(), [['credited', 'sent', shown]])
  await w.owner.query('update withdrawals set status = $1, settled = 0, released = amount', [withdrawalStatus.canceled])
  assert.deepEqual(await seen(), [['credited', 'no', '']], 'the merchant has it')
})
