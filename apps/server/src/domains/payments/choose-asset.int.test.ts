import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentMode, paymentStatus } from '@coffer/contract'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { tx } from '../../kit/db.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, firstRow, moneyWorld } from '../../testing/money.ts'
import { addressCoolDownSeconds, latePaymentSeconds } from '../addresses/store.ts'
import { chooseAsset } from './choose-asset.ts'
import { closePayment } from './close-payment.ts'
import { expirePayments } from './expire-payments.ts'
import { lockPayments } from './store.ts'

const later = { chain: undefined, token: undefined }
const refused = (reason: string) => (error: { reason?: string }) => error.reason === reason
const of = (chain: { id: string }, symbol: string) => `${chain.id}:${symbol}`

test('choosing sets the exact amount from the locked rate; native coin has an address of its own', async t => {
  const { deps, pay, payment, owner } = await moneyWorld(t)
  const { trade_no: tradeNo } = await pay({ amount: '10.5', ...later })
  const quote = async () => ({ price: '7', source: 'later', time: deps.clock() })
  const moved = { ...deps, prices: { ...deps.prices, quote } }
  const choices: [asset: string, amount: string][] = [
    [of(eth, 'USDT'), '10500000'],
    [of(bsc, 'USDT'), '10500000000000000000'],
    [of(eth, 'ETH'), '4200000000000000'],
    [of(eth, 'USDC'), '10500000'],
  ]
  const addresses = new Set()
  for (const [assetId, amount] of choices) {
    await chooseAsset(moved, { tradeNo, assetId })
    const row = await payment(tradeNo)
    assert.deepEqual([row.asset_id, row.chain_id, row.amount], [assetId, assetId.split(':')[0], amount])
    addresses.add(row.address)
  }
  assert.equal(addresses.size, 2)
  assert.equal((await firstRow(owner, 'select count(*) from address_leases')).count, 2)
})

test('repeating a choice has no effect', async t => {
  const { deps, pay, payment } = await moneyWorld(t)
  const { trade_no: tradeNo } = await pay()
  const before = await payment(tradeNo)
  await chooseAsset(deps, { tradeNo, assetId: of(eth, 'USDT') })
  assert.deepEqual(await payment(tradeNo), before)
})

test('a lock acquired after waiting returns the newly chosen asset', async t => {
  const { deps, pay, owner } = await moneyWorld(t)
  const { trade_no: tradeNo } = await pay(later)
  await chooseAsset(deps, { tradeNo, assetId: of(eth, 'USDC') })
  const choosing = await owner.connect()
  await choosing.query('begin')
  await choosing.query('update payments set asset_id = $2, chain_id = $3 where trade_no = $1', [
    tradeNo,
    of(bsc, 'USDT'),
    bsc.id,
  ])
  const waiting = tx(deps.pool, c => lockPayments(c, [tradeNo]))
  await untilBlocked(owner)
  await choosing.query('commit')
  choosing.release()
  const [row] = await waiting
  assert.deepEqual([row?.token, row?.decimals, row?.definition?.id], ['USDT', 18, bsc.id])
})

test('refuses unavailable assets and payments that can no longer change', async t => {
  const world = await moneyWorld(t)
  const { deps, pay } = world
  const choose = (tradeNo: string, assetId: string) => chooseAsset(deps, { tradeNo, assetId })
  await assert.rejects(choose('0'.repeat(32), of(eth, 'USDT')), refused('transaction_not_exist'))
  const fixed = await pay()
  await assert.rejects(choose(fixed.trade_no, of(bsc, 'USDT')), refused('currency_not_supported'))
  const open = await pay(later)
  await assert.rejects(choose(open.trade_no, 'mars:USDT'), refused('currency_not_supported'))
  await assert.rejects(choose(open.trade_no, of(bsc, 'BNB')), refused('price_unavailable'))
  await choose(open.trade_no, of(eth, 'USDT'))
  const { address } = await world.payment(open.trade_no)
  await world.eth.add([{ to: address, amount: 1n }])
  await assert.rejects(choose(open.trade_no, of(bsc, 'USDT')), refused('operation_failed'))
  const closed = await pay(later)
  await closePayment(deps, { merchantId: world.merchant.id, appid: world.appid, tradeNo: closed.trade_no })
  await assert.rejects(choose(closed.trade_no, of(eth, 'USDT')), refused('transaction_ended'))
  const over = await pay(later)
  deps.pass(1800)
  await assert.rejects(choose(over.trade_no, of(eth, 'USDT')), refused('transaction_ended'))
  await world.owner.query(`update chains set halted = 'x' where id = $1`, [bsc.id])
  await assert.rejects(choose((await pay(later)).trade_no, of(bsc, 'USDT')), refused('chain_halted'))
  await assertBooksAgree(world.owner)
})

test('concurrent choices leave one of them fully applied', async t => {
  const { deps, pay, payment, owner } = await moneyWorld(t)
  const { trade_no: tradeNo } = await pay(later)
  const assets = [of(eth, 'USDT'), of(bsc, 'USDT'), of(eth, 'ETH')]
  await Promise.all([...assets, ...assets].map(assetId => chooseAsset(deps, { tradeNo, assetId })))
  const row = await payment(tradeNo)
  assert.ok(assets.includes(row.asset_id))
  assert.equal(row.chain_id, row.asset_id.split(':')[0])
  assert.ok((await firstRow(owner, 'select count(*) from deposit_addresses')).count <= 2)
  await assertBooksAgree(owner)
})

test('payments to a fixed address are distinguished by their exact amounts', async t => {
  const world = await moneyWorld(t)
  const { appid } = await testApplication(world.deps, world.merchant.id, { payment_mode: paymentMode.address })
  const by = { merchantId: world.merchant.id, appid }
  const orders = await Promise.all(Array.from({ length: 4 }, () => world.pay({}, by)))
  assert.equal(new Set(orders.map(each => each.address)).size, 1)
  const amounts = orders.map(each => each.amount).sort()
  assert.deepEqual(amounts, ['10', '10.000001', '10.000002', '10.000003'])
  const onBsc = await world.pay({ chain: bsc.id }, by)
  assert.deepEqual([onBsc.address, onBsc.amount], [orders[0]!.address, '10'])

  const second = orders.find(each => each.amount === '10.000001')!
  const to = second.address
  await world.eth.add([
    { to, amount: 10_000_001n },
    { to, amount: 9_999_999n },
  ])
  await world.eth.confirm()
  assert.equal((await world.payment(second.trade_no)).state, 'paid')
  assert.equal((await firstRow(world.owner, 'select count(*) from payments where paid_amount > 0')).count, 1)
  const kinds = (await world.owner.query('select kind from deposits order by amount')).rows.map(row => row.kind)
  assert.deepEqual(kinds, ['recharge', 'payment'])

  world.deps.pass(1801)
  await world.eth.add([{ to, amount: 10_000_000n }])
  const first = orders.find(each => each.amount === '10')!
  assert.deepEqual(
    (await world.deposits(first.trade_no)).map(each => each.late),
    [true],
  )
  assert.equal((await world.pay({}, by)).amount, '10.000004')
  world.deps.pass(latePaymentSeconds)
  assert.equal((await world.pay({}, by)).amount, '10')
  await assertBooksAgree(world.owner)
})

test('an address is leased again after its cooldown, to the same merchant only', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay()
  const other = await testMerchant(world.deps)
  const { appid } = await testApplication(world.deps, other.id)
  const byOther = { merchantId: other.id, appid }

  world.deps.pass(1800 + addressCoolDownSeconds - 1)
  await world.eth.add()
  assert.notEqual((await world.pay()).address, first.address)
  world.deps.pass(1)
  assert.notEqual((await world.pay()).address, first.address, 'its payment has not ended yet')
  await expirePayments(world.deps)
  assert.notEqual((await world.pay({}, byOther)).address, first.address)
  assert.equal((await world.pay()).address, first.address)
  assert.notEqual((await world.pay()).address, first.address)
})

test('the address of a payment in doubt is not leased again, because the payment may be reopened', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay()
  await world.owner.query('update payments set status = $1', [paymentStatus.in_doubt])
  world.deps.pass(1800 + addressCoolDownSeconds)
  await world.eth.add()
  assert.notEqual((await world.pay()).address, first.address)
})

test('concurrent requests lease a free address once', async t => {
  const world = await moneyWorld(t)
  await Promise.all([world.pay(), world.pay(), world.pay()])
  world.deps.pass(1800 + addressCoolDownSeconds)
  await world.eth.add()
  await expirePayments(world.deps)
  const orders = await Promise.all(Array.from({ length: 8 }, () => world.pay()))
  assert.equal(new Set(orders.map(each => each.address)).size, 8)
  assert.equal((await firstRow(world.owner, 'select count(*) from deposit_addresses')).count, 8)
})

test('at a fixed address, switching back to an asset keeps its exact amount', async t => {
  const world = await moneyWorld(t)
  const { appid } = await testApplication(world.deps, world.merchant.id, { payment_mode: paymentMode.address })
  const { trade_no: tradeNo, address } = await world.pay(later, { merchantId: world.merchant.id, appid })
  assert.equal(address, '')
  for (const chain of [eth, bsc, eth, bsc, eth]) await chooseAsset(world.deps, { tradeNo, assetId: of(chain, 'USDT') })
  const row = await world.payment(tradeNo)
  assert.equal(row.amount, '10000000')
  assert.equal((await firstRow(world.owner, 'select count(*) from address_amounts')).count, 2)
  await world.eth.add([{ to: row.address, amount: 10_000_000n }])
  await world.eth.confirm()
  assert.equal((await world.payment(tradeNo)).state, 'paid')
  await assertBooksAgree(world.owner)
})

test('matching at a fixed address tolerates block times slightly behind the server clock', async t => {
  const world = await moneyWorld(t)
  const { appid } = await testApplication(world.deps, world.merchant.id, { payment_mode: paymentMode.address })
  const by = { merchantId: world.merchant.id, appid }
  world.deps.pass(600)
  const order = await world.pay({}, by)
  const other = await world.pay({}, by)
  const now = world.deps.clock()
  await world.eth.add([{ to: order.address, amount: 10_000_001n }], now - 61)
  await world.eth.add([{ to: order.address, amount: 10_000_000n }], now - 12)
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.equal((await world.payment(other.trade_no)).state, 'open', 'a much earlier deposit is a recharge')
  await assertBooksAgree(world.owner)
})

test('choices are limited to one hundred per payment and hour', async t => {
  const { deps, pay, owner } = await moneyWorld(t)
  const { trade_no: tradeNo } = await pay(later)
  const other = await pay(later)
  const choose = (chain: { id: string }) => chooseAsset(deps, { tradeNo, assetId: of(chain, 'USDT') })
  for (let i = 0; i < 50; i++) for (const chain of [eth, bsc]) await choose(chain)
  await assert.rejects(choose(eth), refused('frequent_operation'))
  await chooseAsset(deps, { tradeNo: other.trade_no, assetId: of(eth, 'USDT') })
  await assertBooksAgree(owner)
})
