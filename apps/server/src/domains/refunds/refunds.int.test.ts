import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain } from '@coffer/chains'
import { codeNameOf, paymentStatus, refundableStatuses, withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { withdrawalLabels } from '@coffer/contract/labels.ts'
import { paymentTransitions } from '@coffer/core'
import { tx } from '../../kit/db.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem } from '../../owner.ts'
import { breakOnce } from '../../testing/break.ts'
import { exportCells } from '../../testing/export-cells.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { outside, paidReceipt as receipt, withdrawalWorld } from '../../testing/withdrawals.ts'
import { haltChain } from '../deposits/halt-chain.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { recordKnownAddresses } from '../destinations/known-addresses.ts'
import { policyRefusals } from '../policies/format-policy-report.ts'
import { cancelRefund } from './cancel-refund.ts'
import { cancelAbnormalRefund, resendRefund } from './decide-refund.ts'
import refundExport from './export.ts'
import { listRefunds } from './list.ts'
import { refundOwner } from './owner.ts'
import { requestRefund } from './request-refund.ts'
import { abnormalRefunds } from './store.ts'

const { txid } = receipt
const ref = { chain_id: 'eth', from_address: '0x7777777777777777777777777777777777777777', nonce: 3 }
const { transferring, confirming, accomplished, canceled, abnormal } = withdrawalStatus

/** A merchant with 1,000 USDT, and a payment of 100 USDT for which `paid` base units came. */
async function refundWorld(scope: Parameters<typeof withdrawalWorld>[0], paid = 100_000_000n) {
  const world = await withdrawalWorld(scope)
  const { deps, merchant, owner } = world
  const { trade_no, address } = await world.pay({ amount: '100' })
  await world.eth.add([{ to: address, amount: paid, txid: '0xpaid' }])
  await world.eth.confirm()
  deps.pass(1800)
  const [before] = await world.balances()
  type Requested = Parameters<typeof requestRefund>[1]
  const refund = async (more: Partial<Requested> = {}) =>
    requestRefund(deps, {
      merchantId: merchant.id,
      tradeNo: trade_no,
      kind: 'all',
      basis: 'token',
      gasPayer: 'merchant',
      address: outside,
      reason: 'returned goods',
      proof: await world.proof(more.merchantId),
      from: visitor,
      ...more,
    })
  const engine = refundOwner(deps)
  return {
    ...world,
    trade_no,
    address,
    refund,
    engine,
    inside: <T>(work: (uow: UnitOfWork) => Promise<T>) => tx(deps.pool, (_, uow) => work(uow)),
    item: (id: string): OutgoingItem => ({ owner: 'refund', merchant_id: merchant.id, id, amount: 1n }),
    row: (id: string) => firstRow(owner, 'select * from refunds where id = $1', [id]),
    state: async () => (await world.payment(trade_no)).state,
    /** What left the balance since the payment, and what is held. */
    moved: async () => {
      const [available, held] = await world.balances()
      return [BigInt(before) - BigInt(available), BigInt(held)]
    },
  }
}

test('what can be given back is what the table of transitions allows', () => {
  const states = refundableStatuses.map(status => codeNameOf(paymentStatus, status)!)
  assert.deepEqual(states.sort(), Object.keys(paymentTransitions.refund_started).sort())
})

test('a payment is given back whole: under refund, sent, in a block, final, refunded', async t => {
  const world = await refundWorld(t)
  const { engine, inside, item, refund, state, moved } = world
  const id = await refund()
  const { gas, total } = await world.row(id)
  assert.equal(BigInt(total), 100_000_000n + BigInt(gas))
  assert.ok(BigInt(gas) > 0n)
  assert.equal(await state(), 'refunding')
  assert.deepEqual(await moved(), [BigInt(total), BigInt(total)])
  const [due] = await engine.due(world.deps.pool, 'eth', 10)
  assert.deepEqual([due?.id, due?.amount, due?.to], [id, 100_000_000n, outside])
  const items = [item(id)]
  assert.equal(await inside(uow => engine.sent(uow, items, ref)), true)
  assert.equal(await inside(uow => engine.sent(uow, items, { ...ref, nonce: 4 })), false)
  await inside(uow => engine.inBlock(uow, items, { txid, block: { number: 7, hash: '0x1' } }))
  assert.equal((await world.row(id)).status, confirming)
  await inside(uow => engine.outOfBlock(uow, items))
  assert.equal((await world.row(id)).status, transferring)
  for (let i = 0; i < 2; i++) await inside(uow => engine.final(uow, items, receipt))
  assert.equal((await world.row(id)).status, accomplished)
  assert.equal(await state(), 'refunded')
  assert.deepEqual(await moved(), [BigInt(total), 0n])
  const figures = await firstRow(world.owner, 'select sum(refund_usdt) as n from statistics_changes')
  assert.equal(BigInt(figures.n), BigInt(total) * 10n ** 12n)
  await assert.rejects(refund(), { reason: 'cannot_refund' })
  await assertBooksAgree(world.owner)

  const scope = { merchantId: world.merchant.id, filter: {}, language: 'zh-CN' as const }
  const [line, ...others] = await exportCells(world.deps, refundExport, scope)
  assert.equal(others.length, 0)
  assert.partialDeepStrictEqual(line, {
    Number: id,
    'Platform order number': world.trade_no,
    Status: withdrawalLabels['zh-CN'].accomplished,
    Amount: { number: '100' },
    Received: { number: '100' },
    Gas: { number: formatDecimal(BigInt(gas), 6) },
    'Taken from the balance': { number: formatDecimal(BigInt(total), 6) },
    Token: 'USDT',
    Chain: 'Ethereum',
    'Receiving address': outside,
    Transaction: txid,
    Failure: '',
    Reason: 'returned goods',
    Created: Number((await world.row(id)).created_at),
  })
})

for (const isPaid of [true, false])
  test(`a payment in doubt stands as its refund once it is restored: ${isPaid ? 'paid' : 'sent'} meanwhile`, async t => {
    const world = await refundWorld(t)
    const { engine, inside, item, refund, state, deps, eth } = world
    const items = [item(await refund())]
    await inside(uow => engine.sent(uow, items, ref))
    const sent = { to: world.address, amount: 100_000_000n, txid: '0xpaid' }
    const { number, hash } = eth.reorg(3).ancestor
    await haltChain(deps, { chainId: 'eth', ancestor: { number, hash } })
    await resumeChain(deps, { chainId: 'eth' })
    assert.equal(await state(), 'in_doubt')
    if (isPaid) await inside(uow => engine.final(uow, items, receipt))
    assert.equal(await state(), 'in_doubt')
    await eth.add([sent])
    await eth.confirm()
    assert.equal(await state(), isPaid ? 'refunded' : 'refunding')
    if (!isPaid) await inside(uow => engine.final(uow, items, receipt))
    assert.equal(await state(), 'refunded')
    await assertBooksAgree(world.owner)
  })

test('a surplus is given back at the payer’s cost, and the payment stays paid', async t => {
  const world = await refundWorld(t, 130_000_000n)
  const { engine, inside, item, refund, state, moved } = world
  const id = await refund({ kind: 'surplus', gasPayer: 'payer' })
  const { amount, receives, gas } = await world.row(id)
  assert.deepEqual([amount, BigInt(receives) + BigInt(gas)], ['30000000', 30_000_000n])
  await inside(uow => engine.sent(uow, [item(id)], ref))
  await inside(uow => engine.final(uow, [item(id)], receipt))
  assert.equal(await state(), 'paid')
  assert.deepEqual(await moved(), [30_000_000n, 0n])
  await assert.rejects(refund({ kind: 'surplus' }), { reason: 'cannot_refund' })
  await assert.rejects(refund({ kind: 'part', amount: '100.000001' }), { reason: 'amount_too_large' })
  await refund({ kind: 'part', amount: '100' })
  await assertBooksAgree(world.owner)
})

test('concurrent refunds give back once, and never more than was credited', async t => {
  const world = await refundWorld(t)
  const requested = await Promise.allSettled(
    Array.from({ length: 6 }, () => world.refund({ kind: 'part', amount: '60' })),
  )
  assert.equal(requested.filter(each => each.status === 'fulfilled').length, 1)
  const [held] = (await world.moved()).slice(1)
  assert.equal(held, BigInt((await rowsOf(world.owner, 'select total from refunds'))[0].total))
  const over = `update payment_refunds set refunded = credited + 1`
  await assert.rejects(world.deps.pool.query(over), { constraint: 'payment_refunds_within' })
  await assertBooksAgree(world.owner)
})

test('cancelled once before it is sent, it gives the amount back and the payment its state', async t => {
  const world = await refundWorld(t)
  const { engine, inside, item, refund, state, moved, deps, merchant } = world
  const id = await refund()
  const cancel = (merchantId = merchant.id) => cancelRefund(deps, { merchantId, id, from: visitor })
  await assert.rejects(cancel((await testMerchant(deps)).id), { reason: 'withdrawal_not_exist' })
  await Promise.all([cancel(), cancel()])
  assert.deepEqual([await moved(), await state(), (await world.row(id)).status], [[0n, 0n], 'paid', canceled])
  assert.equal(await inside(uow => engine.sent(uow, [item(id)], ref)), false)
  const again = await refund()
  await inside(uow => engine.sent(uow, [item(again)], ref))
  await assert.rejects(cancelRefund(deps, { merchantId: merchant.id, id: again, from: visitor }), {
    reason: 'withdrawal_cannot_change',
  })
  await assertBooksAgree(world.owner)
})

test('a reverted refund stays held; a voided one comes back', async t => {
  const world = await refundWorld(t)
  const { engine, inside, item, refund, state, moved } = world
  const voided = await refund({ kind: 'part', amount: '20' })
  await inside(uow => engine.sent(uow, [item(voided)], ref))
  await inside(uow => engine.voided(uow, [item(voided)], 'cancelled by the operator'))
  assert.deepEqual([await moved(), await state()], [[0n, 0n], 'paid'])
  assert.deepEqual(
    [(await world.row(voided)).status, (await world.row(voided)).failure],
    [canceled, 'cancelled by the operator'],
  )
  const reverted = await refund({ kind: 'part', amount: '10' })
  await inside(uow => engine.sent(uow, [item(reverted)], ref))
  await inside(uow => engine.failed(uow, [item(reverted)], 'reverted'))
  assert.deepEqual([(await world.row(reverted)).status, await state()], [abnormal, 'refunding'])
  await assert.rejects(refund(), { reason: 'cannot_refund' }, 'the payment is under refund')
  assert.ok((await moved())[1]! > 0n)
  await assertBooksAgree(world.owner)
})

test('refuses what is not the merchant’s, not paid, unproven, forbidden or beyond the limits', async t => {
  const world = await refundWorld(t)
  const { refund, moved, deps, owner } = world
  const other = await testMerchant(deps)
  const refused = async (reason: string, more: Parameters<typeof refund>[0]) => {
    await assert.rejects(refund(more), { reason })
    assert.deepEqual(await moved(), [0n, 0n])
  }
  await refused('transaction_not_exist', { merchantId: other.id })
  const open = await world.pay()
  await refused('cannot_refund', { tradeNo: open.trade_no })
  await refused('bad_address', { address: '0x1' })
  await refused('address_not_allowed', { address: open.address })
  const chain = deps.chains.get('eth') as unknown as Pick<Chain, 'issuerWord'>
  chain.issuerWord = async () => 'listed'
  await refused('address_not_allowed', {})
  chain.issuerWord = async () => null
  await owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at) values ($1, 'x', 'eth', $2, 'x', 0, 0)`,
    [world.merchant.id, outside.toLowerCase()],
  )
  await recordKnownAddresses(owner, [
    { merchant_id: world.merchant.id, chain_id: 'eth', address: outside, payer: false },
  ])
  await refused('address_not_allowed', { address: `${outside.slice(0, 10)}77${outside.slice(12)}`.toLowerCase() })
  await owner.query('delete from address_book')
  await refused('email_code_error', { proof: { method: 'email', code: '000000' } })
  await refused('amount_too_small', { kind: 'part', amount: '0.01', gasPayer: 'payer' })
  await refused('bad_amount', { kind: 'part' })
  await refused('bad_amount', { kind: 'all', amount: '10' })
  await refused('bad_amount', { kind: 'part', amount: '10', basis: 'fiat' })
  await refused('price_unavailable', { basis: 'fiat' })
  const single = { kind: 'single', limit: '50' }
  const passkey = { kind: 'fresh_factor', above: '50', within: 300 }
  for (const [reason, ...rules] of [
    ['policy_refused', single],
    ['passkey_needed', passkey],
    ['policy_refused', passkey, single],
    ['policy_refused', { kind: 'destination', cool_down: 0 }],
  ] as const) {
    await owner.query(
      `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', $2, 0, 0)`,
      [world.merchant.id, JSON.stringify(rules)],
    )
    await refused(reason, {})
    if (reason === 'policy_refused') await assert.rejects(refund(), { text: policyRefusals.refund })
    await owner.query('delete from withdrawal_policies')
  }
  await owner.query('update merchants set frozen = true where id = $1', [world.merchant.id])
  await refused('withdrawal_forbidden', {})
})

test('what left without approval in the last 24 hours counts against a refund, and a refund against what follows', async t => {
  const { owner, merchant, deps, refund, withdraw, withdrawal } = await refundWorld(t)
  await owner.query(
    `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', $2, 0, 0)`,
    [merchant.id, JSON.stringify([{ kind: 'approval', above: '120' }])],
  )
  await withdraw('30')
  await assert.rejects(refund(), ({ reason, detail }: { reason: string; detail: { en: string } }) => {
    assert.equal(reason, 'policy_refused')
    assert.match(detail.en, /30 USDT sent in the last 24 hours, limit 120 USDT/)
    return true
  })
  deps.pass(86_400)
  await refund()
  assert.equal((await withdrawal(await withdraw('30'))).status, withdrawalStatus.auditing)
})

test('the operator pays an abnormal refund again or gives it up, and its payment follows', async t => {
  const world = await refundWorld(t)
  const { deps, engine, inside, item, refund, row, state, moved } = world
  const id = await refund()
  const pay = (who: string) => resendRefund(deps, { id, by: atShell(who) })
  await assert.rejects(cancelAbnormalRefund(deps, { id, who: 'a', reason: 'x' }), {
    reason: 'withdrawal_cannot_change',
  })
  const fail = async () => {
    await inside(uow => engine.failed(uow, [item(id)], 'reverted'))
    assert.deepEqual([(await row(id)).status, await state()], [abnormal, 'refunding'])
  }
  await inside(uow => engine.sent(uow, [item(id)], ref))
  await fail()
  assert.deepEqual(
    (await abnormalRefunds(deps.pool)).map(each => [each.id, each.mchid, each.failure]),
    [[id, world.merchant.mchid, 'reverted']],
  )
  const two = { ...deps, config: { ...deps.config, withdrawTwoAbove: 50 } }
  assert.deepEqual(await resendRefund(two, { id, by: atShell('a') }), { waits: true })
  await assert.rejects(resendRefund(two, { id, by: atShell('a') }), { reason: 'second_operator_needed' })
  assert.deepEqual(await resendRefund(two, { id, by: atShell('b') }), { waits: false })
  assert.deepEqual(await pay('c'), { waits: false })
  const again = await row(id)
  assert.deepEqual([again.status, again.failure, again.out_nonce], [transferring, '', null])
  assert.deepEqual(
    (await engine.due(deps.pool, 'eth', 10)).map(each => each.id),
    [id],
  )
  await fail()
  const broken = { ...deps, pool: breakOnce(deps.pool, /ledger_post/) }
  await assert.rejects(cancelAbnormalRefund(broken, { id, who: 'a', reason: 'address refused' }), /killed here/)
  await Promise.all([1, 2].map(() => cancelAbnormalRefund(deps, { id, who: 'a', reason: 'address refused' })))
  assert.deepEqual([(await row(id)).status, (await row(id)).failure], [canceled, 'address refused'])
  assert.deepEqual([await state(), await moved()], ['paid', [0n, 0n]])
  await assert.rejects(pay('a'), { reason: 'withdrawal_cannot_change' })
  await assert.rejects(resendRefund(deps, { id: 'none', by: atShell('a') }), { reason: 'withdrawal_not_exist' })
  await refund()
  await assertBooksAgree(world.owner)
})

test('a refund that a deep reorg undid is under way again, and its payment with it', async t => {
  const world = await refundWorld(t)
  const { inside, engine, deps } = world
  const id = await world.refund()
  const items = [world.item(id)]
  for (const nonce of [3, 4]) {
    await inside(uow => engine.sent(uow, items, { ...ref, nonce }))
    await inside(uow => engine.final(uow, items, receipt))
    assert.deepEqual([await world.state(), (await world.row(id)).status], ['refunded', accomplished])
    await inside(uow => engine.undone(uow, items, 'reverted'))
    assert.deepEqual([await world.state(), (await world.row(id)).status], ['refunding', abnormal])
    assert.equal((await world.moved())[1], BigInt((await world.row(id)).total))
    await assertBooksAgree(world.owner)
    if (nonce === 3) await resendRefund(deps, { id, by: atShell('a') })
  }
  await cancelAbnormalRefund(deps, { id, who: 'a', reason: 'address refused' })
  assert.deepEqual([await world.state(), await world.moved()], ['paid', [0n, 0n]])
  await assertBooksAgree(world.owner)
})

test('killed at any statement, a refund is requested completely or not at all', async t => {
  const world = await refundWorld(t)
  const { deps, moved, refund, state } = world
  for (const pattern of [/into payment_refunds/, /into refunds/, /ledger_post/, /payment_history/, /^commit/i]) {
    const broken = { ...deps, pool: breakOnce(deps.pool, pattern) }
    const requested = requestRefund(broken, {
      merchantId: world.merchant.id,
      tradeNo: world.trade_no,
      kind: 'all',
      basis: 'token',
      gasPayer: 'merchant',
      address: outside,
      reason: '',
      proof: await world.proof(),
      from: visitor,
    })
    await assert.rejects(requested, /killed here/)
    assert.deepEqual([await moved(), await state()], [[0n, 0n], 'paid'], String(pattern))
  }
  const id = await refund()
  const { rows } = await listRefunds(
    deps.pool,
    world.merchant.id,
    { trade_no: world.trade_no },
    { limit: 10, offset: 0 },
  )
  assert.deepEqual(
    rows.map(row => [row.id, row.reason]),
    [[id, 'returned goods']],
  )
  assert.equal((await listRefunds(deps.pool, world.merchant.id, { status: 3 }, { limit: 10, offset: 0 })).total, 1)
  await assertBooksAgree(world.owner)
})
