import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeNameOf, markableStatuses, paymentStatus } from '@coffer/contract'
import { paymentTransitions } from '@coffer/core'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, type MoneyWorld, moneyWorld, rowsOf } from '../../testing/money.ts'
import { expirePayments } from './expire-payments.ts'
import { type MarkPaymentInput, markPayment } from './mark-payment.ts'

/** Marks a payment of the world's merchant with a fresh code of an authenticator. */
async function marking(world: MoneyWorld) {
  const { code } = await testAuthenticator(world.deps, world.merchant.id)
  return (tradeNo: string, as: MarkPaymentInput['as'], more: Partial<MarkPaymentInput> = {}) => {
    world.deps.pass(30)
    const proof = { method: 'google', code: code() } as const
    const input = {
      merchantId: world.merchant.id,
      tradeNo,
      as,
      reason: ' paid in cash ',
      proof,
      from: visitor,
      ...more,
    }
    return markPayment(world.deps, input)
  }
}

test('what can be marked is what the table of transitions allows', () => {
  for (const [as, statuses] of Object.entries(markableStatuses))
    assert.deepEqual(
      statuses.map(status => codeNameOf(paymentStatus, status)).sort(),
      Object.keys(paymentTransitions[`marked_${as as MarkPaymentInput['as']}`]).sort(),
    )
})

test('a timed-out payment is marked as paid: history, callback and figures, but no posting', async t => {
  const world = await moneyWorld(t)
  const mark = await marking(world)
  const { trade_no } = await world.pay({ chain: undefined, token: undefined })
  world.deps.pass(1800)
  await expirePayments(world.deps)
  await mark(trade_no, 'paid')
  const row = await world.payment(trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['paid', 'marked_paid', '0'])
  const [last] = await rowsOf(world.owner, 'select event, reason from payment_history order by seq desc limit 1')
  assert.deepEqual(last, { event: 'marked_paid', reason: 'paid in cash' })
  assert.deepEqual(await world.callbacks(trade_no), ['payment.timeout', 'payment.paid'])
  const { body } = await firstRow(world.owner, `select body from callbacks where event = 'payment.paid'`)
  assert.equal(JSON.parse(body).data.exception, 'marked_paid')
  assert.equal((await firstRow(world.owner, 'select count(*) from ledger_postings')).count, 0)
  await assertBooksAgree(world.owner)
})

test('money that arrives after a mark is credited as late and leaves the mark', async t => {
  const world = await moneyWorld(t)
  const mark = await marking(world)
  const order = await world.pay()
  await mark(order.trade_no, 'invalid')
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['closed', 'marked_invalid', '10000000'])
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.closed', 'payment.seen', 'payment.late'])
  await assertBooksAgree(world.owner)
})

test('two marks at once and a second click mark once; opposite marks follow each other', async t => {
  const world = await moneyWorld(t)
  const mark = await marking(world)
  const { trade_no } = await world.pay()
  await Promise.allSettled([mark(trade_no, 'paid'), mark(trade_no, 'paid')])
  await mark(trade_no, 'paid')
  assert.deepEqual(await world.callbacks(trade_no), ['payment.paid'])
  await mark(trade_no, 'invalid')
  assert.deepEqual(await world.callbacks(trade_no), ['payment.paid', 'payment.closed'])
  await assertBooksAgree(world.owner)
})

test('a mark is refused to strangers, without a code, during confirmations and for frozen and closed accounts', async t => {
  const world = await moneyWorld(t)
  const mark = await marking(world)
  const order = await world.pay()
  const { trade_no } = order
  const stranger = await testMerchant(world.deps)
  const { code } = await testAuthenticator(world.deps, stranger.id)
  const own = { merchantId: stranger.id, proof: { method: 'google', code: code() } as const }
  await assert.rejects(mark(trade_no, 'paid', { ...own, proof: { method: 'google', code: '' } }))
  world.deps.pass(-30)
  await assert.rejects(mark(trade_no, 'paid', own), { reason: 'transaction_not_exist' })
  await assert.rejects(mark(trade_no, 'paid', { proof: undefined }), { reason: 'proof_needed' })
  await world.eth.add([{ to: order.address, amount: 1n }])
  await assert.rejects(mark(trade_no, 'paid'), { reason: 'transaction_cannot_mark' })
  for (const [change, reason] of [
    ['frozen = true', 'account_frozen'],
    ['frozen = false, status = 1', 'account_under_review'],
    ['deleted_at = 1', 'login_expired'],
  ] as const) {
    await world.owner.query(`update merchants set ${change} where id = $1`, [world.merchant.id])
    await assert.rejects(mark(trade_no, 'invalid'), { reason })
  }
  assert.equal((await world.payment(trade_no)).state, 'open')
  assert.deepEqual(await world.callbacks(trade_no), ['payment.seen'])
})

test('a crash in the middle marks nothing and keeps the code', async t => {
  const world = await moneyWorld(t)
  const { code } = await testAuthenticator(world.deps, world.merchant.id)
  const { trade_no: tradeNo } = await world.pay()
  const proof = { method: 'google', code: code() } as const
  const input = { merchantId: world.merchant.id, tradeNo, as: 'paid', reason: 'x', proof, from: visitor } as const
  const broken = { ...world.deps, pool: breakOnce(world.deps.pool, /insert into callbacks/) }
  await assert.rejects(markPayment(broken, input), /killed here/)
  assert.equal((await world.payment(tradeNo)).state, 'open')
  await markPayment(world.deps, input)
  assert.equal((await world.payment(tradeNo)).state, 'paid')
})
