import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { tx } from '../../kit/db.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingItem } from '../../owner.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { type WithdrawalWorld, withdrawalWorld } from '../../testing/withdrawals.ts'
import { payoutStopSwitchName, setSwitch } from '../chains/store.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { approveWithdrawal } from './decide-withdrawal.ts'
import { withdrawalOwner } from './owner.ts'

const txid = `0x${'ab'.repeat(32)}`
const receipt = {
  txid,
  blockNumber: 7,
  blockHash: '0x1',
  status: 'success' as const,
  gasUsed: 46_100n,
  gasPrice: 1n,
  fee: 46_100n,
  transfers: [],
}
const block = { number: 7, hash: '0x1' }
const ref = { chain_id: 'eth', from_address: '0x7777777777777777777777777777777777777777', nonce: 3 }

function engine(world: WithdrawalWorld) {
  const owner = withdrawalOwner(world.deps)
  const inside = <T>(work: (uow: UnitOfWork) => Promise<T>) => tx(world.deps.pool, (_, uow) => work(uow))
  const due = () => owner.due(world.deps.pool, 'eth', 10)
  return { owner, inside, due }
}

const item = (world: WithdrawalWorld, id: string): OutgoingItem => ({
  owner: 'withdrawal',
  merchant_id: world.merchant.id,
  id,
  amount: 99_412_500n,
})

test('is sent, is in a block, is reorged out, is final: what was reserved leaves, the rest is the house’s', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside, due } = engine(world)
  const id = await world.withdraw('100')
  const [found] = await due()
  assert.deepEqual([found?.id, found?.amount, found?.asset_id], [id, 99_412_500n, 'eth:USDT'])
  const items = [item(world, id)]
  assert.equal(await inside(uow => owner.sent(uow, items, ref)), true)
  assert.deepEqual(await due(), [])
  assert.equal(await inside(uow => owner.sent(uow, items, { ...ref, nonce: 4 })), false, 'carried by one transaction')
  await inside(uow => owner.inBlock(uow, items, { txid, block }))
  assert.equal((await world.withdrawal(id)).status, withdrawalStatus.confirming)
  await inside(uow => owner.outOfBlock(uow, items))
  assert.deepEqual(
    [(await world.withdrawal(id)).status, (await world.withdrawal(id)).txid],
    [withdrawalStatus.transferring, ''],
  )
  await inside(uow => owner.inBlock(uow, items, { txid, block }))
  await inside(uow => owner.final(uow, items, receipt))
  await inside(uow => owner.final(uow, items, receipt))
  const row = await world.withdrawal(id)
  assert.deepEqual([row.status, row.settled, row.txid], [withdrawalStatus.accomplished, '99412500', txid])
  assert.deepEqual(await world.balances(), ['900000000', '0'])
  const steps = ['requested', 'sent', 'in_block', 'out_of_block', 'in_block', 'final']
  assert.deepEqual(await world.history(id), steps)
  const figures = await firstRow(world.owner, 'select sum(withdrawn_usdt) as n from statistics_changes')
  assert.equal(figures.n, '100000000000000000000')
  await assertBooksAgree(world.owner)
})

test('many that cannot be sent hold up no other token, merchant or amount', async t => {
  const world = await withdrawalWorld(t)
  const { deps, grant, withdraw } = world
  const { owner, inside } = engine(world)
  const other = await testMerchant(deps)
  await grant(100_000_000n, 'eth:USDT', other.id)
  await grant(10n ** 18n, 'eth:ETH')
  const held = await withdraw('90')
  const waits = { ...item(world, held), amount: 1n }
  await inside(uow => owner.unsent(uow, waits, 'waits', 'signer: passkey_required'))
  const first = await withdraw('10')
  deps.pass(60)
  for (let more = 0; more < 2; more++) await withdraw('10')
  deps.pass(60)
  const later = [await withdraw('0.1', { assetId: 'eth:ETH' }), await withdraw('20', { merchantId: other.id })]
  const found = await owner.due(deps.pool, 'eth', 4)
  assert.deepEqual(found.map(each => each.id).sort(), [held, first, ...later].sort())
})

test('a reverted transaction keeps the amount held; a voided one gives it back', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside } = engine(world)
  const reverted = await world.withdraw('100')
  const voided = await world.withdraw('200')
  const both = [item(world, reverted), item(world, voided)]
  await inside(uow => owner.sent(uow, both, ref))
  await inside(uow => owner.failed(uow, [both[0]!], 'reverted'))
  await inside(uow => owner.voided(uow, [both[1]!], 'cancelled by the operator'))
  assert.deepEqual(await world.balances(), ['900000000', '100000000'])
  const rows = [await world.withdrawal(reverted), await world.withdrawal(voided)]
  assert.deepEqual(
    rows.map(row => [row.status, row.reason, row.released]),
    [
      [withdrawalStatus.abnormal, 'reverted', '0'],
      [withdrawalStatus.canceled, 'cancelled by the operator', '200000000'],
    ],
  )
  await assert.rejects(
    inside(uow => owner.final(uow, [both[1]!], receipt)),
    { reason: 'withdrawal_cannot_change' },
    'what was given back is not settled too',
  )
  await assertBooksAgree(world.owner)
})

test('a withdrawal waits for a limit once, and what has a nonce is not refused', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside, due } = engine(world)
  const id = await world.withdraw('100')
  const large = await world.withdraw('200')
  const unsent = (of: string, event: 'waits' | 'voided', reason: string) =>
    inside(uow => owner.unsent(uow, item(world, of), event, reason))
  assert.deepEqual(
    [await unsent(id, 'waits', 'signer: daily_limit'), await unsent(id, 'waits', 'signer: daily_limit')],
    [true, false],
  )
  assert.deepEqual([(await world.withdrawal(id)).reason, (await due()).length], ['signer: daily_limit', 2])
  await inside(uow => owner.sent(uow, [item(world, id)], ref))
  assert.equal((await world.withdrawal(id)).reason, '')
  for (const event of ['voided', 'waits'] as const) assert.equal(await unsent(id, event, 'signer'), false)
  assert.equal(await unsent(large, 'voided', 'signer: too_large'), true)
  const { status, released, reason } = await world.withdrawal(large)
  assert.deepEqual([status, released, reason], [withdrawalStatus.canceled, '200000000', 'signer: too_large'])
  assert.deepEqual(await world.history(id), ['requested', 'waits', 'sent'])
  assert.deepEqual(await world.balances(), ['900000000', '100000000'])
  await assertBooksAgree(world.owner)
})

test('what a batch did not pay is due again and stays held', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside, due } = engine(world)
  const ids = [await world.withdraw('100'), await world.withdraw('200')]
  const both = ids.map(id => item(world, id))
  await inside(uow => owner.sent(uow, both, ref))
  await inside(uow => owner.inBlock(uow, [both[1]!], { txid, block }))
  await inside(uow => owner.takenBack(uow, both, 'reverted'))
  assert.deepEqual((await due()).map(each => each.id).sort(), ids.toSorted())
  for (const id of ids)
    assert.deepEqual([(await world.withdrawal(id)).out_nonce, (await world.withdrawal(id)).txid], [null, ''])
  assert.deepEqual(await world.balances(), ['700000000', '300000000'])
  assert.equal(await inside(uow => owner.sent(uow, both, { ...ref, nonce: 4 })), true)
  await inside(uow => owner.final(uow, [both[0]!], receipt))
  assert.deepEqual(await world.history(ids[0]!), ['requested', 'sent', 'taken_back', 'sent', 'final'])
  await assert.rejects(
    inside(uow => owner.takenBack(uow, [both[0]!], 'reverted')),
    { reason: 'withdrawal_cannot_change' },
  )
  await assertBooksAgree(world.owner)
})

test('what a deep reorg undid is held again until a person pays it again, as often as that happens', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside, due } = engine(world)
  const id = await world.withdraw('100')
  const items = [item(world, id)]
  const { status: other } = await world.withdrawal(await world.withdraw('50'))
  assert.equal(other, withdrawalStatus.transferring)
  for (let nonce = 3; nonce < 6; nonce++) {
    await inside(uow => owner.sent(uow, items, { ...ref, nonce }))
    await inside(uow => owner.inBlock(uow, items, { txid, block }))
    await inside(uow => owner.final(uow, items, receipt))
    assert.deepEqual(await world.balances(), ['850000000', '50000000'])
    await inside(uow => owner.restored(uow, items, { ...receipt, txid: `0x${nonce}` }))
    const { status, txid: restored } = await world.withdrawal(id)
    assert.deepEqual([status, restored], [withdrawalStatus.accomplished, `0x${nonce}`])
    await inside(uow => owner.undone(uow, items, 'reverted'))
    const { status: now, settled, reason } = await world.withdrawal(id)
    assert.deepEqual([now, settled, reason], [withdrawalStatus.abnormal, '0', 'reverted'])
    assert.deepEqual(await world.balances(), ['850000000', '150000000'])
    await assertBooksAgree(world.owner)
    await approveWithdrawal(world.deps, { id, by: atShell('operator') })
    assert.ok((await due()).some(each => each.id === id))
  }
  await inside(uow => owner.made(uow, items, receipt))
  assert.deepEqual(await world.balances(), ['850000000', '50000000'])
  assert.deepEqual(
    (await due()).filter(each => each.id === id),
    [],
    'a queued one that was made is not paid again',
  )
  const [sum] = await rowsOf(world.owner, 'select sum(withdrawn_usdt) as sum from statistics_changes')
  assert.equal(sum.sum, (await world.withdrawal(id)).usdt_value)
  await assertBooksAgree(world.owner)
})

test('nothing is due of frozen merchants, on halted chains and while withdrawals are stopped', async t => {
  const world = await withdrawalWorld(t)
  const { due } = engine(world)
  const id = await world.withdraw('100')
  const none = async (sql: string, back: string) => {
    await world.owner.query(sql)
    assert.deepEqual(await due(), [], sql)
    await world.owner.query(back)
    assert.deepEqual(
      (await due()).map(each => each.id),
      [id],
    )
  }
  await none('update merchants set frozen = true', 'update merchants set frozen = false')
  await none(`update chains set halted = 'x'`, 'update chains set halted = null')
  for (const name of ['withdrawals_stopped', payoutStopSwitchName('eth'), payoutStopSwitchName('eth:USDT')] as const) {
    await setSwitch(world.deps.pool, name, 'x', 1)
    await none('select 1', 'delete from switches')
  }
  for (const other of ['tron', 'eth:ETH']) await setSwitch(world.deps.pool, payoutStopSwitchName(other), 'x', 1)
  assert.equal((await due()).length, 1)
})

test('is cancelled once by its merchant, until it has a nonce', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside, due } = engine(world)
  const cancel = (id: string, merchantId = world.merchant.id) =>
    cancelWithdrawal(world.deps, { merchantId, id, from: visitor })
  const id = await world.withdraw('100')
  const sent = await world.withdraw('50')
  await assert.rejects(cancel(id, (await testMerchant(world.deps)).id), { reason: 'withdrawal_not_exist' })
  const broken = { ...world.deps, pool: breakOnce(world.deps.pool, /ledger_post/) }
  const input = { merchantId: world.merchant.id, id, from: visitor }
  await assert.rejects(cancelWithdrawal(broken, input), /killed here/)
  assert.deepEqual(await world.balances(), ['850000000', '150000000'])
  await Promise.all([cancel(id), cancel(id)])
  assert.deepEqual(await world.balances(), ['950000000', '50000000'])
  assert.deepEqual(await world.history(id), ['requested', 'canceled'])
  assert.equal(await inside(uow => owner.sent(uow, [item(world, id)], ref)), false)
  await inside(uow => owner.sent(uow, [item(world, sent)], ref))
  await assert.rejects(cancel(sent), { reason: 'withdrawal_cannot_change' })
  assert.deepEqual(await due(), [])
  await assertBooksAgree(world.owner)
})

test('a cancellation and a nonce at the same time: one of them wins', async t => {
  const world = await withdrawalWorld(t)
  const { owner, inside } = engine(world)
  for (let round = 0; round < 10; round++) {
    const id = await world.withdraw('2')
    const [sent, canceled] = await Promise.all([
      inside(uow => owner.sent(uow, [item(world, id)], { ...ref, nonce: round })),
      cancelWithdrawal(world.deps, { merchantId: world.merchant.id, id, from: visitor }).then(
        () => true,
        () => false,
      ),
    ])
    assert.equal(sent, !canceled)
  }
  await assertBooksAgree(world.owner)
})
