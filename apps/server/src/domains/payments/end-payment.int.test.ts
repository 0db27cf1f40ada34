import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, moneyWorld } from '../../testing/money.ts'
import { chooseAsset } from './choose-asset.ts'
import { closePayment } from './close-payment.ts'
import { expirePayments } from './expire-payments.ts'

const later = { chain: undefined, token: undefined }
const refused = (reason: string) => (error: { reason?: string }) => error.reason === reason

test('the merchant closes a payment; the second time gives it as it is', async t => {
  const world = await moneyWorld(t)
  const { trade_no: tradeNo } = await world.pay()
  const close = () => closePayment(world.deps, { merchantId: world.merchant.id, appid: world.appid, tradeNo })
  const closed = await close()
  assert.equal(closed.status, paymentStatus.closed)
  assert.deepEqual(await close(), closed)
  assert.deepEqual(await world.callbacks(tradeNo), ['payment.closed'])
  await assertBooksAgree(world.owner)
})

test('many at once close it once', async t => {
  const world = await moneyWorld(t)
  const { trade_no: tradeNo } = await world.pay()
  const input = { merchantId: world.merchant.id, appid: world.appid, tradeNo }
  await Promise.all(Array.from({ length: 6 }, () => closePayment(world.deps, input)))
  assert.deepEqual(await world.callbacks(tradeNo), ['payment.closed'])
})

test('nobody closes the payment of another merchant or application, or one that money was seen for', async t => {
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

test('killed while closing, the payment is open and nobody was told', async t => {
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

test('payments time out once their chain was read up to the end of their time', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const free = await world.pay(later)
  world.deps.pass(1799)
  await world.eth.add()
  assert.equal(await expirePayments(world.deps), 0)
  world.deps.pass(1)
  // The chain was last read a second before: only the payment without a chain is over.
  assert.equal(await expirePayments(world.deps), 1)
  assert.equal((await world.payment(free.trade_no)).state, 'timed_out')
  await world.eth.add()
  assert.equal(await expirePayments(world.deps), 1)
  assert.equal((await world.payment(order.trade_no)).state, 'timed_out')
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.timeout'])
  assert.equal(await expirePayments(world.deps), 0)
  await assertBooksAgree(world.owner)
})

test('a sandbox chain that stands still is read to its end; a real one that does is not', async t => {
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

test('a halted chain times nothing out; one that is configured no more holds payments open for a day', async t => {
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

test('money in time on a chain that was left out of the configuration by mistake still pays', async t => {
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

test('a chain that the payer turned away from is read to the end of the time as well', async t => {
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
  assert.equal(await expirePayments(world.deps), 0, 'eth was not read since')
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

test('of several blocks of one second all are read before a payment times out', async t => {
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

test('money on its way keeps a payment open; money that came too late does not', async t => {
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

test('a part that came in time is kept when the rest does not come', async t => {
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

test('several processes time out many payments once each', async t => {
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

test('late money does not pay what came in time only in part, whichever is credited first', async t => {
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

test('late money keeps nobody from having paid in time', async t => {
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
