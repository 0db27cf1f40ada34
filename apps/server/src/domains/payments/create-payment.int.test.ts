import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { applicationStatus, merchantStatus, paymentMode } from '@coffer/contract'
import { Refusal } from '../../kit/refusal.ts'
import { breakOnce } from '../../testing/break.ts'
import { testStart } from '../../testing/deps.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { addressAt, bsc, eth, firstRow, fixedPrices, moneyWorld, rowsOf } from '../../testing/money.ts'
import { createPayment } from './create-payment.ts'
import { metadataTerm } from './records/payment-search.ts'

const later = { chain: undefined, token: undefined }
const refused = (reason: string, field?: string) => (error: { reason?: string; field?: string }) =>
  error.reason === reason && (field === undefined || error.field === field)

test('a payment with a fixed asset has its address and exact amount immediately', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay({ subject: 'A book', attach: 'x=1' })
  assert.match(order.trade_no, /^\d{32}$/)
  assert.deepEqual(
    [order.status, order.exception, order.amount, order.token, order.chain, order.address, order.rate, order.deposits],
    [1, 'none', '10', 'USDT', 'Ethereum', addressAt('evm', 0), null, []],
  )
  assert.equal(order.expire_time, order.created_time + 1800)
  assert.equal(order.pay_url, `${world.deps.config.publicUrl}/pay/${order.trade_no}`)
  const history = await rowsOf(world.owner, 'select seq, event, status from payment_history order by seq')
  assert.deepEqual(
    history.map(each => [each.seq, each.event, each.status]),
    [
      [1, 'created', 1],
      [2, 'asset_chosen', 1],
    ],
  )
  await assertBooksAgree(world.owner)
})

test('fiat and token prices in USDT are locked with source and time', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay({ currency: 'EUR', amount: '100', ...later })
  assert.deepEqual(
    [order.usdt_amount, order.fiat_name, order.fiat_amount, order.rate, order.address, order.token],
    ['110', 'EUR', '100', { price: '1.1', source: 'test', time: world.deps.clock(), spread: '0' }, '', ''],
  )
  const { token_rates } = await world.payment(order.trade_no)
  assert.deepEqual(Object.keys(token_rates).sort(), ['ETH', 'USDC', 'USDT'])
  assert.equal(token_rates.ETH.price, '2500')
})

test('the USDT value of a fiat amount reflects the price of USDT', async t => {
  const world = await moneyWorld(t)
  const deps = { ...world.deps, prices: fixedPrices({ USDT: '0.98', EUR: '1.1' }, world.deps.clock) }
  const order = await createPayment(deps, {
    merchantId: world.merchant.id,
    appid: world.appid,
    order: body({ currency: 'EUR', amount: '98' }),
  })
  assert.equal(order.usdt_amount, '110.000001')
})

test('a request that prices leave without an order gets the one that was made meanwhile', async t => {
  const world = await moneyWorld(t)
  const order = body({ out_trade_no: 'A2', currency: 'EUR' })
  const input = { merchantId: world.merchant.id, appid: world.appid, order }
  const { deps } = world
  let quotes = 0
  let made: Awaited<ReturnType<typeof createPayment>> | undefined
  const quote: typeof deps.prices.quote = async symbol => {
    // Both plans of the request need a price of EUR.
    if (symbol === 'EUR' && ++quotes === 2) made = await createPayment(deps, input)
    if (symbol === 'EUR') throw new Refusal('price_unavailable')
    return deps.prices.quote(symbol)
  }
  assert.deepEqual(await createPayment({ ...deps, prices: { ...deps.prices, quote } }, input), made)
  assert.ok(made)
})

test('repeating an order returns the first payment even without prices; a different body is refused', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay({ out_trade_no: 'A1', currency: 'EUR', ...later })
  world.deps.pass(60)
  const deps = { ...world.deps, prices: fixedPrices({}, world.deps.clock) }
  const of = { merchantId: world.merchant.id, appid: world.appid }
  const order = body({ out_trade_no: 'A1', currency: 'EUR' })
  assert.deepEqual(await createPayment(deps, { ...of, order }), first)
  const shuffled = Object.fromEntries(Object.entries(order).reverse()) as typeof order
  assert.deepEqual(await createPayment(deps, { ...of, order: shuffled }), first)
  await assert.rejects(
    world.pay({ out_trade_no: 'A1', currency: 'EUR', amount: '11', ...later }),
    refused('order_conflict'),
  )
  const other = await testApplication(world.deps, world.merchant.id)
  const second = await world.pay({ out_trade_no: 'A1' }, { merchantId: world.merchant.id, appid: other.appid })
  assert.notEqual(second.trade_no, first.trade_no)
})

test('concurrent requests with one order number create one payment', async t => {
  const world = await moneyWorld(t)
  const orders = await Promise.all(Array.from({ length: 8 }, () => world.pay({ out_trade_no: 'A1' })))
  assert.equal(new Set(orders.map(each => each.trade_no)).size, 1)
  assert.equal((await firstRow(world.owner, 'select count(*) from payments')).count, 1)
  await assertBooksAgree(world.owner)
})

test('concurrent requests with different order numbers get different addresses', async t => {
  const world = await moneyWorld(t)
  const orders = await Promise.all(Array.from({ length: 12 }, () => world.pay()))
  assert.equal(new Set(orders.map(each => each.address)).size, 12)
  await assertBooksAgree(world.owner)
})

const steps: [what: string, statement: RegExp][] = [
  ['the payment', /^with app as/],
  ['the address', /^insert into deposit_addresses/],
  ['the amount', /^insert into address_amounts/],
  ['its change', /^update payments/],
  ['the commit', /^commit/],
]
for (const [what, statement] of steps) {
  test(`a crash before ${what} creates nothing at a fixed address, and a retry succeeds`, async t => {
    const world = await moneyWorld(t)
    const { appid } = await testApplication(world.deps, world.merchant.id, { payment_mode: paymentMode.address })
    const deps = { ...world.deps, pool: breakOnce(world.deps.pool, statement) }
    const by = { merchantId: world.merchant.id, appid, paymentMode: paymentMode.address }
    const input = { ...by, order: body({ chain: eth.id, token: 'USDT' }) }
    await assert.rejects(createPayment(deps, input), /killed here/)
    for (const table of ['payments', 'payment_terms', 'address_amounts', 'deposit_addresses', 'statistics_changes'])
      assert.equal((await firstRow(world.owner, `select count(*) from ${table}`)).count, 0, table)
    assert.equal((await createPayment(deps, input)).address, chainAdapters.evm.address.show(addressAt('evm', 0)))
    await assertBooksAgree(world.owner)
  })
}

test('a merchant frozen, a chain halted and an order repeated after the last read insert nothing', async t => {
  const world = await moneyWorld(t)
  // Fills the cache that lasts a second.
  await world.pay({ out_trade_no: 'first' })
  const counts = 'select (select count(*) from payments) as payments, (select count(*) from address_leases) as leases'
  await world.owner.query('update chains set halted = $1 where id = $2', ['deep reorg', eth.id])
  await assert.rejects(world.pay(), refused('chain_halted', 'chain'))
  await world.owner.query('update chains set halted = null')
  await world.owner.query(`update assets set enabled = false where symbol = 'USDC'`)
  await assert.rejects(world.pay({ token: 'USDC' }), refused('currency_not_supported', 'token'))
  await world.owner.query('update merchants set frozen = true')
  await assert.rejects(world.pay(), refused('account_frozen'))
  await assert.rejects(world.pay(later), refused('account_frozen'))
  await world.owner.query('update merchants set frozen = false')
  await world.pay({ out_trade_no: 'first' })
  assert.deepEqual(await firstRow(world.owner, counts), { payments: 1, leases: 1 })
  const next = await world.pay()
  assert.equal(next.address, addressAt('evm', 1), 'no index is lost')
  await assertBooksAgree(world.owner)
})

const bad: [what: string, order: Parameters<Awaited<ReturnType<typeof moneyWorld>>['pay']>[0], reason: string][] = [
  ['less than 0.01 USDT', { amount: '0.009999' }, 'amount_too_small'],
  ['seven decimal places of USDT', { amount: '1.0000001' }, 'bad_amount'],
  ['nine decimal places of a fiat currency', { amount: '1.000000001', currency: 'EUR', ...later }, 'bad_amount'],
  ['above the maximum', { amount: '9'.repeat(40) }, 'amount_too_large'],
  ['an unknown currency', { currency: 'XYZ', ...later }, 'currency_not_supported'],
  ['an unknown chain', { chain: 'mars' }, 'currency_not_supported'],
  ['a token of another chain', { chain: bsc.id, token: 'USDC' }, 'currency_not_supported'],
  ['a token without a price', { chain: bsc.id, token: 'BNB' }, 'price_unavailable'],
]
test('a token with a near-zero price is not offered and does not block other tokens', async t => {
  const world = await moneyWorld(t, { prices: fixedPrices({ USDT: '2', ETH: '0.0000000000009' }, () => testStart) })
  await assert.rejects(world.pay({ token: 'ETH' }), refused('price_unavailable'))
  const order = await world.pay(later)
  assert.deepEqual(Object.keys((await world.payment(order.trade_no)).token_rates), ['USDT'])
})

test('refuses invalid amounts and unavailable assets', async t => {
  const world = await moneyWorld(t)
  for (const [what, order, reason] of bad) await assert.rejects(world.pay(order), refused(reason), what)
  assert.equal((await firstRow(world.owner, 'select count(*) from payments')).count, 0)
})

test('refuses merchants and applications that may not accept payments', async t => {
  const world = await moneyWorld(t)
  const stranger = await testMerchant(world.deps)
  await assert.rejects(world.pay({}, { merchantId: stranger.id, appid: world.appid }), refused('application_not_exist'))
  await assert.rejects(
    world.pay({}, { merchantId: world.merchant.id, appid: 'app_none' }),
    refused('application_not_exist'),
  )
  const disabled = await testApplication(world.deps, world.merchant.id, { status: applicationStatus.disabled })
  await assert.rejects(
    world.pay({}, { merchantId: world.merchant.id, appid: disabled.appid }),
    refused('application_disabled'),
  )
  const standings: [change: Parameters<typeof testMerchant>[1], reason: string][] = [
    [{ status: merchantStatus.not_opened }, 'merchant_not_open'],
    [{ status: merchantStatus.primary_audit }, 'account_under_review'],
    [{ status: merchantStatus.failed_audit }, 'account_under_review'],
  ]
  for (const [change, reason] of standings) {
    const { id } = await testMerchant(world.deps, change)
    const { appid } = await testApplication(world.deps, id)
    await assert.rejects(world.pay({}, { merchantId: id, appid }), refused(reason))
  }
  await world.owner.query('update merchants set frozen = true where id = $1', [world.merchant.id])
  await assert.rejects(world.pay(), refused('account_frozen'))
})

test('metadata is stored, searchable by its entries, and part of the order in callbacks', async t => {
  const world = await moneyWorld(t)
  const metadata = { customer: 42, gift: true, note: '你好 🧾 "=" \\', [`k${'x'.repeat(60)}`]: '' }
  const order = await world.pay({ metadata })
  assert.deepEqual(order.metadata, metadata)
  assert.deepEqual((await world.pay()).metadata, {})
  const terms = await rowsOf(world.owner, 'select term from payment_terms where trade_no = $1', [order.trade_no])
  const stored = new Set(terms.map(each => each.term))
  for (const entry of ['customer=42', 'gift=true', `note=${metadata.note}`, `k${'x'.repeat(60)}=`])
    assert.ok(stored.has(metadataTerm(entry)), entry)
  assert.ok(!stored.has(metadataTerm('customer=4')))
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  const { body } = await firstRow(world.owner, 'select body from callbacks where trade_no = $1', [order.trade_no])
  assert.deepEqual(JSON.parse(body).data.metadata, metadata)
})

test('the same metadata in another order of keys is the same order', async t => {
  const world = await moneyWorld(t)
  const out_trade_no = 'again'
  const first = await world.pay({ out_trade_no, metadata: { a: 1, b: 2 } })
  const again = await world.pay({ out_trade_no, metadata: { b: 2, a: 1 } })
  assert.equal(again.trade_no, first.trade_no)
  await assert.rejects(world.pay({ out_trade_no, metadata: { a: 1, b: 3 } }), refused('order_conflict'))
  await assert.rejects(world.pay({ out_trade_no }), refused('order_conflict'))
})

test('an order may have a smaller tolerance than its application, never a larger one', async t => {
  const world = await moneyWorld(t)
  const { appid } = await testApplication(world.deps, world.merchant.id, { tolerance_permille: 20 })
  const by = { merchantId: world.merchant.id, appid }
  assert.equal((await world.pay({}, by)).tolerance_permille, 20)
  const strict = await world.pay({ tolerance_permille: 0 }, by)
  const loose = await world.pay({ tolerance_permille: 20 }, by)
  for (const { address } of [strict, loose]) await world.eth.add([{ to: address, amount: 9_800_000n }])
  await world.eth.confirm()
  assert.deepEqual(
    [(await world.payment(strict.trade_no)).state, (await world.payment(loose.trade_no)).state],
    ['open', 'paid'],
  )
  await assert.rejects(world.pay({ tolerance_permille: 21 }, by), refused('tolerance_too_large', 'tolerance_permille'))
  await assert.rejects(world.pay({ tolerance_permille: 1 }), refused('tolerance_too_large'))
  await assertBooksAgree(world.owner)
})

test('halted chains and chains never read accept no new payments', async t => {
  const world = await moneyWorld(t)
  await world.owner.query('update chains set halted = $1 where id = $2', ['deep reorg', eth.id])
  await assert.rejects(world.pay(), refused('chain_halted', 'chain'))
  await assert.rejects(world.pay(), { retryAfter: 900 })
  await world.owner.query('update chains set last_number = null where id = $1', [bsc.id])
  await assert.rejects(world.pay({ chain: bsc.id }), refused('chain_unavailable', 'chain'))
})

const body = (order: object) => ({
  out_trade_no: 'body',
  amount: '10',
  currency: 'USDT',
  chain: undefined,
  token: undefined,
  subject: '',
  attach: '',
  return_url: '',
  expires_in: 1800,
  ...order,
})
