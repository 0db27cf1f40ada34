import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain, Receipt } from '@coffer/chains'
import { paymentStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { firstRow } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { cancelAbnormalRefund } from './decide-refund.ts'
import { refundOwner } from './owner.ts'
import { recordPaidRefund } from './record-paid-refund.ts'
import { requestRefund } from './request-refund.ts'
import { listNewestRefundDecisions, listRefundDecisions } from './store.ts'

const hot = `0x${'77'.repeat(20)}`
const txid = `0x${'cd'.repeat(32)}`
const fee = 46_100n

/** An abnormal refund of 100 USDT, and a chain on which a final transaction, which may log it twice, has paid it. */
async function paidRefund(t: Parameters<typeof withdrawalWorld>[0], logged = 1) {
  const world = await withdrawalWorld(t)
  const { deps, merchant, owner } = world
  const { trade_no, address } = await world.pay({ amount: '100' })
  await world.eth.add([{ to: address, amount: 100_000_000n, txid: '0xpaid' }])
  await world.eth.confirm()
  deps.pass(1800)
  const id = await requestRefund(deps, {
    merchantId: merchant.id,
    tradeNo: trade_no,
    kind: 'all',
    basis: 'token',
    gasPayer: 'merchant',
    address: outside,
    reason: '',
    proof: await world.proof(),
    from: visitor,
  })
  const item = { owner: 'refund' as const, merchant_id: merchant.id, id, amount: 1n }
  await tx(deps.pool, (_, uow) => refundOwner(deps).failed(uow, [item], 'the database was restored'))
  await owner.query(
    `insert into wallets (chain_id, address, role, next_nonce, created_at) values ('eth', $1, 'hot', 0, 0)`,
    [hot],
  )
  const row = () => firstRow(owner, 'select * from refunds where id = $1', [id])
  const { receives } = await row()
  const chain = deps.chains.get('eth')!
  const number = (await firstRow(owner, `select final_number from chains where id = 'eth'`)).final_number
  const block = { number, hash: `0x${'b'.repeat(64)}`, parentHash: '', time: deps.clock() }
  const { contract } = await firstRow(owner, `select contract from assets where id = 'eth:USDT'`)
  const transfers = Array(logged).fill({ token: contract, from: hot, to: outside, amount: BigInt(receives) })
  const cost = { gasUsed: fee, gasPrice: 1n, fee }
  const at = { txid, blockNumber: block.number, blockHash: block.hash }
  const receipt: Receipt = { ...at, ...cost, status: 'success', transfers }
  const paying = Object.assign(Object.create(chain) as Chain, {
    fees: async () => assert.fail('nothing is sent'),
    agreesOn: async () => true,
    blockAt: async (height: number) => ({ ...block, number: height }),
    receipt: async () => receipt,
    certainReceipt: async () => receipt,
    certainBalances: async (_: unknown, all: string[], then: { number: number }) =>
      all.map(() => (then.number < block.number ? 0n : BigInt(receives))),
  })
  ;(deps.chains as Map<string, Chain>).set('eth', paying)
  return { ...world, id, trade_no, row, paid: () => recordPaidRefund(deps, { id, txid, by: atShell('root') }) }
}

test('a refund that the original paid is accomplished by its transaction, and its payment is refunded', async t => {
  const w = await paidRefund(t)
  const asked = await Promise.all([w.paid(), w.paid()])
  assert.deepEqual(asked, [{ waits: false }, { waits: false }])
  const row = await w.row()
  assert.deepEqual([row.status, row.txid, row.failure], [withdrawalStatus.accomplished, txid, ''])
  const { status } = await firstRow(w.owner, 'select status from payments where trade_no = $1', [w.trade_no])
  assert.equal(status, paymentStatus.refunded)
  assert.deepEqual(
    (await listRefundDecisions(w.deps.pool, w.merchant.id, w.id)).map(each => [each.event, each.who]),
    [['found_paid', ['root']]],
  )
  assert.equal((await listNewestRefundDecisions(w.deps.pool))[0]!.event, 'found_paid')
  const { amount } = await firstRow(
    w.owner,
    `select amount from ledger_postings where kind = 'gas' and asset_id = 'eth:ETH'`,
  )
  assert.equal(BigInt(amount), fee)
  const again = cancelAbnormalRefund(w.deps, { id: w.id, who: 'root', reason: 'late' })
  await assert.rejects(again, error => error instanceof Refusal && error.detail?.en === 'recorded as paid by root')
  await assertBooksAgree(w.owner)
})

test('a refund is recorded as paid, or given back: only the first happens', async t => {
  const w = await paidRefund(t)
  const outcomes = await Promise.allSettled([
    w.paid(),
    cancelAbnormalRefund(w.deps, { id: w.id, who: 'root', reason: 'not paid' }),
  ])
  assert.deepEqual(outcomes.map(each => each.status).toSorted(), ['fulfilled', 'rejected'])
  await assertBooksAgree(w.owner)
})

test('a transaction that logged more than its receiver got settles nothing', async t => {
  const w = await paidRefund(t, 2)
  await assert.rejects(w.paid(), error => error instanceof Refusal && /did not rise/.test(error.detail?.en ?? ''))
  assert.equal((await w.row()).status, withdrawalStatus.abnormal)
})
