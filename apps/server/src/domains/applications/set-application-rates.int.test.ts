import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApplicationRates } from '@coffer/contract/applications/routes.ts'
import { visitor as from, mailedProof, testApplication } from '../../testing/merchants.ts'
import { fixedPrices, type MoneyWorld, moneyWorld, rowsOf } from '../../testing/money.ts'
import { testReceiver } from '../../testing/receiver.ts'
import { fetchOwnRates, findRateAtPath, parseNumbersAsText } from '../prices/own-rates.ts'
import { authenticateKey } from './authenticate-key.ts'
import { readApplicationRates, setApplicationRates } from './set-application-rates.ts'

const market: ApplicationRates = { spread: '0', sources: ['market'], fixed: [], own: [] }
const inCny = { currency: 'CNY', amount: '72', chain: undefined, token: undefined }
const fixed = [{ currency: 'CNY', rate: '7.2' }]

/** Changes the rates of the world's application, each time in another minute, as codes are sent once a minute. */
async function change({ deps, merchant: { id }, appid }: MoneyWorld, rates: Partial<ApplicationRates>) {
  deps.pass(61)
  const proof = await mailedProof(deps, id)
  await setApplicationRates(deps, { merchantId: id, appid, rates: { ...market, ...rates }, proof, from })
}

test('new orders have the rates of their application, with their source; existing orders keep theirs', async t => {
  const world = await moneyWorld(t)
  const before = await world.pay(inCny)
  assert.deepEqual([before.usdt_amount, before.rate?.source, before.rate?.spread], ['10.08', 'test', '0'])
  await change(world, {
    spread: '1.5',
    sources: ['fixed', 'market'],
    fixed: [...fixed, { currency: 'ETH', rate: '2000' }],
  })
  const order = await world.pay(inCny)
  const time = world.deps.clock()
  assert.deepEqual(
    [order.usdt_amount, order.rate],
    ['10.15', { price: '0.140972222222', source: 'fixed', time, spread: '1.5' }],
  )
  const { token_rates } = await world.payment(order.trade_no)
  assert.deepEqual([token_rates.ETH.price, token_rates.USDC.price, token_rates.USDT.price], ['2000', '1', '1'])
  assert.equal(
    (await world.pay({ currency: 'EUR', amount: '100', chain: undefined, token: undefined })).usdt_amount,
    '111.65',
  )
  const inEth = await world.pay({ amount: '10', token: 'ETH' })
  assert.deepEqual([inEth.usdt_amount, inEth.amount, inEth.rate], ['10', '0.005', null])
  const earlier = await world.payment(before.trade_no)
  assert.deepEqual(
    [earlier.price.price, earlier.token_rates.ETH.price, earlier.usdt_amount],
    ['0.14', '2500', '10080000'],
  )
  await assert.rejects(
    setApplicationRates(world.deps, { merchantId: world.merchant.id, appid: world.appid, rates: market, from }),
    { reason: 'proof_needed' },
  )
  assert.equal((await world.pay(inCny)).usdt_amount, '10.15')
})

test('an order that was planned by earlier rates is made by the current ones', async t => {
  const world = await moneyWorld(t)
  const { id: merchantId } = world.merchant
  const { appid, key } = await testApplication(world.deps, merchantId)
  const { pricing } = await authenticateKey(world.deps, { key, ip: from.ip })
  assert.deepEqual(pricing, { rates: null, version: 0 })
  await change({ ...world, appid }, { sources: ['fixed'], fixed })
  for (const chain of [{}, { chain: 'eth', token: 'USDT' }]) {
    const order = await world.pay({ ...inCny, ...chain }, { merchantId, appid, pricing } as {
      merchantId: string
      appid: string
    })
    assert.equal(order.usdt_amount, '10')
  }
  // Where no source has a price, what the merchant fixed still does, and nothing else.
  world.deps.prices.quote = fixedPrices({}, world.deps.clock).quote
  assert.equal((await world.pay(inCny, { merchantId, appid })).usdt_amount, '10')
  await assert.rejects(world.pay({ ...inCny, currency: 'EUR' }, { merchantId, appid }), { reason: 'price_unavailable' })
  await assert.rejects(world.pay(inCny), { reason: 'price_unavailable', field: 'currency' })
})

test('a rate that is 0, far from the market or of an unknown currency is refused, and the refusal says what is allowed', async t => {
  const world = await moneyWorld(t)
  const refusal = async (rates: Partial<ApplicationRates>) => {
    const error = await change(world, rates).then(
      () => assert.fail('accepted'),
      error => error,
    )
    return [error.reason, error.detail?.en ?? '']
  }
  const rate = (currency: string, rate: string) => refusal({ fixed: [{ currency, rate }] })
  const allowed = ['parameter_error', 'fixed: 3.57142857 to 14.28571428 CNY for 1 USDT']
  assert.deepEqual(await rate('CNY', '0.14'), allowed)
  assert.deepEqual(await rate('CNY', '14.29'), allowed)
  assert.deepEqual(await rate('ETH', '25'), ['parameter_error', 'fixed: 1250 to 5000 USDT for 1 ETH'])
  assert.equal((await rate('CNY', '0.0000000000001'))[0], 'parameter_error')
  assert.equal((await rate('USDT', '1'))[0], 'currency_not_supported')
  assert.equal((await rate('XAU', '2000'))[0], 'currency_not_supported')
  assert.equal((await refusal({ fixed: [...fixed, ...fixed] }))[1], 'fixed: each currency once')
  const own = (url: string) => refusal({ own: [{ currency: 'CNY', url, path: 'price' }] })
  assert.equal((await own('https://169.254.169.254/latest'))[0], 'url_forbidden')
  assert.equal((await own('http://93.184.216.34/rates'))[0], 'https_needed')
  assert.deepEqual(await readApplicationRates(world.deps, world.merchant.id, world.appid), { ...market, readings: [] })
})

test('a rate is read from a URL once a minute, counts for five, and not when it is far from the market', async t => {
  const world = await moneyWorld(t, { config: { mode: 'sandbox' } })
  const { deps, merchant, appid } = world
  let price = '7.25'
  const server = await testReceiver(t, (_, response) => response.end(`{"data": [{"cny": ${price}}]}`))
  const of = { url: server.url, path: 'data.0.cny' }
  await change(world, {
    sources: ['own', 'fixed'],
    fixed,
    own: [
      { currency: 'CNY', ...of },
      { currency: 'EUR', ...of },
    ],
  })
  const source = async () => {
    const { rate, usdt_amount } = await world.pay({ ...inCny, amount: '7.25' })
    return [rate?.source, usdt_amount]
  }
  assert.deepEqual(await source(), ['fixed', '1.006945'])
  await fetchOwnRates(deps)
  assert.equal(server.received.length, 1)
  assert.deepEqual(await source(), ['own', '1'])
  deps.pass(59)
  await fetchOwnRates(deps)
  assert.equal(server.received.length, 1)
  const states: [price: string, failure: string][] = [
    ['9', 'implausible'],
    ['"1e1"', 'no_value'],
    ['-7', 'no_value'],
    ['}', 'bad_answer'],
  ]
  for (const [answered, failure] of states) {
    price = answered
    deps.pass(60)
    await fetchOwnRates(deps)
    const { readings } = await readApplicationRates(deps, merchant.id, appid)
    assert.deepEqual(
      readings.map(each => [each.currency, each.rate, each.failure]),
      [
        ['CNY', '7.25', failure],
        // 7.25 euros for one dollar.
        ['EUR', '', failure === 'no_value' || failure === 'bad_answer' ? failure : 'implausible'],
      ],
    )
  }
  assert.deepEqual(await source(), ['own', '1'])
  deps.pass(2)
  assert.deepEqual(await source(), ['fixed', '1.006945'])
  deps.pass(60)
  await server.close()
  await fetchOwnRates(deps)
  assert.equal((await readApplicationRates(deps, merchant.id, appid)).readings[0]?.failure, 'unreachable')
  await change(world, {})
  assert.deepEqual(await rowsOf(world.owner, 'select * from own_rates'), [])
})

test('numbers of JSON are read as they are written, from own names only', () => {
  const json = parseNumbersAsText('{"a": [{"b": 7.1000000000000000001}], "e": 1e2, "t": "0.50", "x": {"y": null}}')
  assert.equal(findRateAtPath(json, 'a.0.b'), '7.1')
  assert.equal(
    findRateAtPath(parseNumbersAsText('{"p": 12345678901.123456789012345}'), 'p'),
    '12345678901.123456789012',
  )
  assert.equal(findRateAtPath(json, 't'), '0.5')
  for (const path of ['e', 'a', 'a.length', 'a.1.b', 'x.y', 'x.y.z', 'constructor', '__proto__', 't.0'])
    assert.equal(findRateAtPath(json, path), null, path)
})
