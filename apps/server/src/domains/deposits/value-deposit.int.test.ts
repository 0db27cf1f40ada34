import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testStart } from '../../testing/deps.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication } from '../../testing/merchants.ts'
import { bsc, eth, fixedPrices, moneyWorld, rowsOf } from '../../testing/money.ts'
import { viewCheckout } from '../payments/checkout/checkout-routes.ts'

const usdc = eth.tokens[1]!.contract

test('the merchant is notified of a credited deposit that does not count towards its order, and of nothing else then', async t => {
  const world = await moneyWorld(t)
  const strict = await testApplication(world.deps, world.merchant.id, { mixed_payment: false })
  const order = await world.pay({}, { merchantId: world.merchant.id, appid: strict.appid })
  const aside = { to: order.address, amount: 10_000_000n, token: usdc }
  for (const transfer of [aside, { to: order.address, amount: 4_000_000n }, aside]) {
    await world.eth.add([transfer])
    await world.eth.confirm()
  }
  assert.equal(await world.balance(`${eth.id}:USDC`), '19920000')
  assert.equal((await world.payment(order.trade_no)).state, 'open')
  const told = await rowsOf(world.owner, 'select message, params from notifications where types in (3, 6) order by id')
  const { trade_no, out_trade_no } = order
  const params = { trade_no, out_trade_no, amount: '10', token: 'USDC', chain: 'Ethereum' }
  assert.deepEqual(told[0], { message: 'payment_not_counted', params })
  assert.deepEqual(
    told.map(each => each.message),
    ['payment_not_counted', 'payment_partial', 'payment_not_counted'],
  )
  await assertBooksAgree(world.owner)
})

test('many transfers on another network pay the exact amount', async t => {
  const world = await moneyWorld(t)
  for (const parts of [3n, 7n, 11n]) {
    const order = await world.pay()
    const part = 10n ** 19n / parts
    for (let i = 1n; i <= parts; i++)
      await world.bsc.add([{ to: order.address, amount: i < parts ? part : 10n ** 19n - part * (parts - 1n) }])
    await world.bsc.confirm()
    const row = await world.payment(order.trade_no)
    assert.deepEqual([row.state, row.exception, row.paid_amount], ['paid', 'none', '10000000'], `${parts} parts`)
  }
  await assertBooksAgree(world.owner)
})

test('what is due after another token came can be typed in six places, and pays the order', async t => {
  const prices = fixedPrices({ USDT: '1', BNB: '611.06209' }, () => testStart)
  const world = await moneyWorld(t, { prices })
  const order = await world.pay({ amount: '21.610822', chain: bsc.id })
  const checkout = async () => (await viewCheckout(world.deps, order.trade_no)).chosen!
  await world.bsc.add([{ to: order.address, amount: 3n * 10n ** 16n, token: null }])
  await world.bsc.confirm()
  assert.deepEqual([(await checkout()).paid, (await checkout()).rest], ['18.331345', '3.279477'])
  await world.bsc.add([{ to: order.address, amount: 3_279477n * 10n ** 12n }])
  await world.bsc.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, (await checkout()).rest], ['paid', 'none', '0'])
  await assertBooksAgree(world.owner)
})

test('three token transfers pay a payment in native coin exactly', async t => {
  const prices = fixedPrices({ USDT: '1', USDC: '0.9997', ETH: '2417.33' }, () => testStart)
  const world = await moneyWorld(t, { prices })
  for (const [first, second] of [
    [3_333_333n, 3_333_333n],
    [1n, 4_999_998n],
    [2_000_003n, 7_000_001n],
  ] as const) {
    const order = await world.pay({ token: 'ETH' })
    const amounts = [first, second, 10_000_000n - first - second]
    await world.eth.add(amounts.map(amount => ({ to: order.address, amount })))
    await world.eth.confirm()
    const row = await world.payment(order.trade_no)
    assert.deepEqual([row.state, row.exception, row.paid_amount], ['paid', 'none', row.amount], `${first} ${second}`)
  }
  const told = "select distinct message, params ->> 'chain' as chain from notifications where types = 6"
  assert.deepEqual(await rowsOf(world.owner, told), [{ message: 'payment_paid', chain: 'Ethereum (10 USDT)' }])
})

test('a small shortfall in another asset is still a shortfall', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.bsc.add([{ to: order.address, amount: 10n ** 19n - 20n * 10n ** 12n }])
  await world.bsc.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['open', 'partial', '9999980'])
})
