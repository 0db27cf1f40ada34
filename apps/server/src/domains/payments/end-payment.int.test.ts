import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, moneyWorld } from '../../testing/money.ts'
import { changeApplication } from '../applications/store.ts'
import { chooseAsset } from './choose-asset.ts'
import { closePayment } from './close-payment.ts'
import { expirePayments } from './expire-payments.ts'

const later = { chain: undefined, token: undefined }
const refused = (reason: string) => (error: { reason?: string }) => error.reason === reason

test('closing a payment is idempotent', async t => {
  const world = await moneyWorld(t)
  const { trade_no: tradeNo } = await world.pay()
  const close = () => closePayment(world.deps, { merchantId: world.merchant.id, appid: world.appid, tradeNo })
  const closed = await close()
  assert.equal(closed.status, paymentStatus.closed)
  assert.deepEqual(await close(), closed)
  assert.deepEqual(await world.callbacks(tradeNo), ['payment.closed'])
  await assertBooksAgree(world.owner)
})

test('events that the application has not chosen are not queued', async t => {
  const world = await moneyWorld(t)
  const callbacks_muted = ['payment.seen', 'payment.closed'] as const
  await changeApplication(world.deps.pool, world.merchant.id, world.appid, { callbacks_muted: [...callbacks_muted] })
  const order = await world.pay()
  const other = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  await closePayment(world.deps, { merchantId: world.merchant.id, appid: world.appid, tradeNo: other.trade_no })
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.paid'])
  assert.deepEqual(await world.callbacks(other.trade_no), [])
  await assertBooksAgree(world.owner)
})

test('concurrent requests close a payment once', async t => {
  const world = await moneyWorld(t)
  const { trade_no: tradeNo } = await world.pay()
  const input = { merchantId: world.merchant.id, appid: world.appid, tradeNo }
  await Promise.all(Array.from({ length: 6 }, () => closePayment(world.deps, input)))
  assert.deepEqual(await world.callbacks(tradeNo), ['payment.closed'])
})

test('closing is refused for other merchants, other applications and payments with a seen deposit', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const mine = { merchantId: world.merchant.id, appid: world.appid, tradeNo: order.trade_no }
  const stranger = await testMerchant(world.deps)
  const sibling = await testApplication(world.deps, world.merchant.id)
  for (const other of [{ merchantId: stranger.id }, { appid: sibling.appid }, { tradeNo: '0'.repeat(32) }]) {
    await assert.rejects(closePayment(world.deps, { ...mine, ...other }), refused('transaction_not_exist'))
  }
  await world.eth.add([{ to: order.address, amount: 1n }])
  await assert.rejects(closePayment(world.deps, mine), refused('transaction_cannot_close'))
  assert.equal((await world.payment(order.trade_no)).state, 'open')
})

test('a crash while closing leaves the payment open and sends no callback', async t => {
  const world = await moneyWorld(t)
  const { trade_no: tradeNo } = await world.pay()
  const deps = { ...world.deps, pool: breakOnce(world.deps.pool, /insert into callbacks/) }
  const input = { merchantId: world.merchant.id, appid: world.appid, tradeNo }
  await assert.rejects(closePayment(deps, input), /killed here/)
  assert.equal((await world.payment(tradeNo)).state, 'open')
  assert.deepEqual(await world.callbacks(tradeNo), [])
  assert.equal((await closePayment(deps, input)).status, paymentStatus.closed)
  await assertBooksAgree(world.owner)
})

test('payments time out once their chain has been read through their deadline', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const free = await world.pay(later)
  world.deps.pass(1799)
  await world.eth.add()
  assert.equal(await expirePayments(world.deps), 0)
  world.deps.pass(1)
  // The chain was last read one second earlier, so only the payment without a chain times out.
  assert.equal(await expirePayments(world.deps), 1)
  assert.equal((await world.payment(free.trade_no)).state, 'timed_out')
  await world.eth.add()
  assert.equal(await expirePayments(world.deps), 1)
  assert.equal((await world.payment(order.trade_no)).state, 'timed_out')
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.timeout'])
  assert.equal(await expirePayments(world.deps), 0)
  await assertBooksAgree(world.owner)
})

test('an idle sandbox chain counts as fully read; an idle real chain does not', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  world.deps.pass(1800)
  const touch = () =>
    world.owner.query('update chains set read_at = $1, head_number = last_number', [world.deps.clock()])
  await world.owner.query(`update chains set definition = jsonb_set(definition, '{net}', '"mainnet"')`)
  await touch()
  assert.equal(await expirePayments(world.deps), 0)
  await world.owner.query(`update chains set definition = jsonb_set(definition, '{net}', '"sandbox"')`)
  assert.equal(await expirePayments(world.deps), 1)
  assert.equal((await world.payment(order.trade_no)).state, 'timed_out')
})

test('a halted chain times out no payments; a chain removed from the configuration delays timeouts by a day', async t => {
  const world = await moneyWorld(t)
  await world.pay()
  world.deps.pass(1800)
  await world.eth.add()
  await world.owner.query(`update chains set halted = 'deep reorg' where id = $1`, [eth.id])
  assert.equal(await expirePayments(world.deps), 0)
  await world.owner.query('update chains set enabled = false where id = $1', [eth.id])
  assert.equal(await expirePayments(world.deps), 0)
  world.deps.pass(86_399)
  assert.equal(await expirePayments(world.deps), 0)
  world.deps.pass(1)
  assert.equal(await expirePayments(world.deps), 1)
})

test('an in-time deposit is still credited after its chain is re-enabled', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const enable = (on: boolean) => world.owner.query('update chains set enabled = $2 where id = $1', [eth.id, on])
  await enable(false)
  const sentAt = world.deps.clock() + 60
  world.deps.pass(7200)
  assert.equal(await expirePayments(world.deps), 0)
  await enable(true)
  await world.eth.add([{ to: order.address, amount: 10_000_000n }], sentAt)
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
})

test('a previously chosen chain must also be read through the deadline', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay(later)
  const choose = (chain: typeof eth) =>
    chooseAsset(world.deps, { tradeNo: order.trade_no, assetId: `${chain.id}:USDT` })
  await choose(eth)
  const sentAt = world.deps.clock() + 60
  await choose(bsc)
  await choose(eth)
  await choose(bsc)
  world.deps.pass(1801)
  await world.bsc.add()
  assert.equal(await expirePayments(world.deps), 0, 'eth has not been read since')
  const { address } = await world.payment(order.trade_no)
  await world.eth.add([{ to: address, amount: 10_000_000n }], sentAt)
  await world.eth.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception], ['paid', 'none'])
  const unpaid = await world.pay(later)
  for (const chain of [eth, bsc])
    await chooseAsset(world.deps, { tradeNo: unpaid.trade_no, assetId: `${chain.id}:USDT` })
  world.deps.pass(1801)
  await world.bsc.add()
  await world.eth.add()
  assert.equal(await expirePayments(world.deps), 1)
})

test('all blocks with the same timestamp are read before a payment times out', async t => {
  const world = await moneyWorld(t)
  await world.owner.query(`update chains set definition = jsonb_set(definition, '{net}', '"mainnet"')`)
  const order = await world.pay()
  world.deps.pass(1800)
  await world.eth.add()
  assert.equal(await expirePayments(world.deps), 0)
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  assert.equal(await expirePayments(world.deps), 0)
  world.deps.pass(1)
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
})

test('unconfirmed deposits keep a payment open unless they are late', async t => {
  const world = await moneyWorld(t)
  const waiting = await world.pay()
  const late = await world.pay()
  world.deps.pass(1800)
  await world.eth.add([{ to: waiting.address, amount: 10_000_000n }])
  world.deps.pass(1)
  await world.eth.add([{ to: late.address, amount: 10_000_000n }])
  assert.equal(await expirePayments(world.deps), 1)
  assert.equal((await world.payment(late.trade_no)).state, 'timed_out')
  await world.eth.add()
  await world.eth.add()
  assert.equal((await world.payment(waiting.trade_no)).state, 'paid')
  const after = await world.payment(late.trade_no)
  assert.deepEqual([after.state, after.exception, after.paid_amount], ['timed_out', 'late', '10000000'])
  assert.deepEqual(await world.callbacks(late.trade_no), ['payment.seen', 'payment.timeout', 'payment.late'])
  await assertBooksAgree(world.owner)
})

test('a partial payment is kept when the payment times out', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 4_000_000n }])
  await world.eth.confirm()
  world.deps.pass(1800)
  await world.eth.add()
  await expirePayments(world.deps)
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['timed_out', 'partial', '4000000'])
  assert.equal(await world.balance(`${eth.id}:USDT`), '3984000')
})

test('concurrent processes time out each payment once', async t => {
  const world = await moneyWorld(t)
  const orders = await Promise.all(Array.from({ length: 30 }, () => world.pay(later)))
  await chooseAsset(world.deps, { tradeNo: orders[0]!.trade_no, assetId: `${bsc.id}:USDT` })
  world.deps.pass(1800)
  await world.bsc.add()
  const counts = await Promise.all(Array.from({ length: 4 }, () => expirePayments(world.deps)))
  assert.equal(
    counts.reduce((a, b) => a + b),
    30,
  )
  for (const { trade_no } of orders) assert.deepEqual(await world.callbacks(trade_no), ['payment.timeout'])
  await assertBooksAgree(world.owner)
})

test('late deposits do not complete a partial payment, in either order of crediting', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  world.deps.pass(1800)
  await world.eth.add([{ to: order.address, amount: 5_000_000n }])
  world.deps.pass(60)
  await world.bsc.add([{ to: order.address, amount: 5n * 10n ** 18n }])
  await world.bsc.confirm()
  await world.eth.confirm()
  await expirePayments(world.deps)
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount, row.paid_at], ['timed_out', 'late', '10000000', 0])
  assert.deepEqual(await world.callbacks(order.trade_no), [
    'payment.seen',
    'payment.seen',
    'payment.late',
    'payment.timeout',
  ])
  await assertBooksAgree(world.owner)
})

test('a late deposit does not prevent an in-time payment from being paid', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  world.deps.pass(1800)
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  world.deps.pass(60)
  await world.bsc.add([{ to: order.address, amount: 10n ** 12n }])
  await world.bsc.confirm()
  await world.eth.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception], ['paid', 'late'])
  await assertBooksAgree(world.owner)
})
