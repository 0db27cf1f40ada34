import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallRefused } from '@coffer/chains'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { firstRow } from '../../testing/money.ts'
import { paidWorld } from '../../testing/paid-world.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { stopWithdrawal } from './decide-withdrawal.ts'
import { lockAnyWithdrawal } from './store.ts'

test('a withdrawal is paid on the chain and accomplished, and ledger and chain agree to the unit', async t => {
  const w = await paidWorld(t)
  const to = w.receiver(1)
  const id = await w.withdraw('100', to)
  const { receives, fee, gas } = await w.read(id)
  await w.pass()
  assert.equal(await w.statusOf(id), withdrawalStatus.transferring)
  await w.mine()
  await w.pass()
  assert.equal(await w.statusOf(id), withdrawalStatus.confirming)
  assert.equal((await w.totals()).verdict, 'agrees')
  await w.confirm()
  const row = await w.read(id)
  assert.deepEqual([row.status, row.settled], [withdrawalStatus.accomplished, receives])
  assert.equal(row.txid, (await w.outgoing())[0].txid)
  assert.equal(await w.balance(to), BigInt(receives))
  assert.equal(BigInt(receives) + BigInt(fee) + BigInt(gas), 100_000_000n)
  await w.mine(CONFIRMATIONS)
  const { chain, found, held, verdict } = await w.totals()
  assert.deepEqual([chain, held, verdict], [found, 0n, 'agrees'])
  assert.equal(found, 1_000_000_000n - BigInt(receives))
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
})

test('a withdrawal to what burns all gas is canceled with a reason, and its money is free again once', async t => {
  const w = await paidWorld(t)
  // Only a token that refuses one receiver fails so, and what a payer claims may be native coin.
  const { gasFor } = w.chain
  const burner = w.receiver(1)
  w.chain.gasFor = of =>
    of.to === burner ? Promise.reject(new CallRefused('EVM error InvalidFEOpcode', -32_603)) : gasFor.call(w.chain, of)
  const bad = await w.withdraw('100', burner)
  const good = await w.withdraw('50', w.receiver(2))
  for (let i = 0; i < 3; i++) {
    // Two servers at once, which both end it.
    await Promise.all([w.pass(), w.pass({ ...w.deps })])
    w.deps.pass(180)
  }
  await w.mine()
  await w.pass()
  await w.confirm()
  const row = await w.read(bad)
  assert.deepEqual([row.status, row.reason], [withdrawalStatus.canceled, 'the destination refuses it'])
  assert.deepEqual([row.settled, row.released, row.out_nonce], ['0', row.amount, null])
  assert.equal(await w.statusOf(good), withdrawalStatus.accomplished)
  const { balance } = await firstRow(w.deps.owner, `select balance from ledger_accounts where part = 'available'`)
  assert.equal(balance, '950000000')
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
})

test('a withdrawal that is cancelled while it is being sent is paid or released, never both', async t => {
  const w = await paidWorld(t)
  const requested = []
  for (let i = 1; i <= 6; i++) requested.push({ to: w.receiver(i), id: await w.withdraw('50', w.receiver(i)) })
  const cancel = ({ id }: { id: string }, i: number) =>
    (i % 2 === 0
      ? cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor }).then(() => true)
      : stopWithdrawal(w.deps, { id, reason: 'by phone' })
    ).catch(() => false)
  const [cancelled] = await Promise.all([Promise.all(requested.map(cancel)), w.pass(), w.pass()])
  // One that the operator has stopped after it was sent is cancelled by a transaction.
  for (let i = 0; i < 2; i++) {
    await w.pass()
    await w.mine()
    await w.pass()
    await w.confirm()
  }
  for (const [i, { id, to }] of requested.entries()) {
    const row = await w.read(id)
    const paid = await w.balance(to)
    const isCanceled = row.status === withdrawalStatus.canceled
    assert(cancelled[i] ? isCanceled : isCanceled || row.status === withdrawalStatus.accomplished, id)
    assert.equal(paid, isCanceled ? 0n : BigInt(row.receives), id)
    const parts = [row.settled, row.released].map(BigInt)
    const costs = isCanceled ? 0n : BigInt(row.fee) + BigInt(row.gas)
    assert.equal(parts[0]! + parts[1]! + costs, BigInt(row.amount))
  }
  assert.deepEqual(await checkLedger(w.deps), [])
})

test('a withdrawal that is being stopped can be stopped again, until it is in a block', async t => {
  const w = await paidWorld(t)
  const id = await w.withdraw('50', w.receiver(1))
  const mined = await w.withdraw('50', w.receiver(2))
  const stop = (id: string) => stopWithdrawal(w.deps, { id, reason: 'by phone' })
  await w.pass()
  assert.deepEqual([await stop(id), await stop(id)], [false, false])
  assert.deepEqual(await Promise.all([stop(id), stop(id)]), [false, false])
  await w.pass()
  await w.mine()
  await w.pass()
  await assert.rejects(stop(mined), { reason: 'withdrawal_cannot_change' })
  await w.confirm()
  assert.deepEqual([await w.statusOf(id), await stop(id)], [withdrawalStatus.canceled, true])
  assert.equal(await w.statusOf(mined), withdrawalStatus.accomplished)
})

test('a withdrawal is stopped in the order in which the engine locks', async t => {
  const w = await paidWorld(t)
  const id = await w.withdraw('50', w.receiver(1))
  await w.pass()
  const engine = await w.deps.owner.connect()
  try {
    await engine.query('begin')
    await engine.query('select from outgoing for update')
    const stopped = stopWithdrawal(w.deps, { id, reason: 'by phone' })
    await untilBlocked(w.deps.owner)
    // Shorter than the wait after which PostgreSQL ends a deadlock, and the stop is tried again.
    await engine.query(`set local lock_timeout = '100ms'`)
    assert.ok(await lockAnyWithdrawal(engine, id), 'the withdrawal is not locked while its transaction is waited for')
    await engine.query('commit')
    assert.equal(await stopped, false)
  } finally {
    engine.release(true)
  }
})
