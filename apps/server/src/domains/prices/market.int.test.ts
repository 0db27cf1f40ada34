import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { makePrices } from '../../outside/prices/prices.ts'
import { priceSources } from '../../outside/prices/sources.ts'
import { startSandboxPriceFeed } from '../../sandbox/prices.ts'
import { call } from '../../testing/call.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, moneyWorld } from '../../testing/money.ts'
import { currencyHandlers } from '../chains/routes.ts'
import { marketHandlers } from './routes.ts'

const { deps, owner } = await moneyWorld({ after })
const refusal = (reason: string) => (error: unknown) => error instanceof Refusal && error.reason === reason
const followed = (merchantId: string) =>
  call(marketHandlers, 'GET /api/v1/market/follow/list', deps, merchantId).then(({ list }) =>
    list.map(each => each.token),
  )
const follow = (merchantId: string, token: string[]) =>
  call(marketHandlers, 'PUT /api/v1/market/follow/token', deps, merchantId, { body: { token } })
const search = (merchantId: string, query: object) =>
  call(marketHandlers, 'GET /api/v1/market/search', deps, merchantId, { query }).then(({ list }) => list)

test('unknown prices are empty', async () => {
  await owner.query('delete from prices')
  const { id } = await testMerchant(deps)
  const list = await search(id, {})
  assert.ok(list.length > 10)
  for (const { token, balance, p } of list) assert.deepEqual([balance, p], [token === 'USDT' ? '1' : '', ''])
})

test('prices are in USDT, with the signed 24-hour change', async t => {
  const feed = await startSandboxPriceFeed(deps.clock)
  t.after(feed.stop)
  await makePrices(deps.pool, deps.clock, priceSources(feed.at), deps.log).refresh()
  const { id } = await testMerchant(deps)
  const list = await search(id, {})
  const by = Object.fromEntries(list.map(item => [item.token, item]))
  assert.equal(by.USDT?.balance, '1')
  assert.ok(Number(by.BTC?.balance) > 50_000 && Number(by.BTC?.balance) < 90_000)
  for (const item of list) assert.match(item.p, /^[+-]\d+\.\d+$/, item.token)
})

test('a new merchant follows the default tokens; its own choice is kept, even an empty one', async () => {
  const { id } = await testMerchant(deps)
  assert.deepEqual(await followed(id), ['USDT', 'BTC', 'ETH', 'TRX'])
  await follow(id, ['sol', 'BTC', 'SOL'])
  assert.deepEqual(await followed(id), ['SOL', 'BTC'])
  assert.deepEqual(
    (await search(id, { name: 'so' })).map(item => [item.token, item.check, item.checked]),
    [['SOL', true, true]],
  )
  await follow(id, [])
  assert.deepEqual(await followed(id), [])
  const other = await testMerchant(deps)
  assert.equal((await followed(other.id)).length, 4)
})

test('at most four existing tokens can be followed', async () => {
  const { id } = await testMerchant(deps)
  await assert.rejects(follow(id, ['BTC', 'ETH', 'SOL', 'XRP', 'LTC']), { name: 'ZodError' })
  await assert.rejects(follow(id, ['NOTATOKEN']), refusal('currency_not_exist'))
  assert.equal((await followed(id)).length, 4)
})

test('search ignores case and takes special characters literally', async () => {
  const { id } = await testMerchant(deps)
  assert.deepEqual(
    (await search(id, { name: 'usd' })).map(item => item.token),
    ['USDT', 'USDC'],
  )
  assert.deepEqual(await search(id, { name: '%' }), [])
  assert.ok((await search(id, { all: '1' })).length > 10)
})

test('chains are listed in the merchant’s order', async () => {
  const { id } = await testMerchant(deps)
  const order = async (merchantId: string) =>
    (await call(currencyHandlers, 'GET /api/v1/currency/list', deps, merchantId)).list.map(each => each.id)
  assert.deepEqual(await order(id), [bsc.id, eth.id])
  const rearrange = (ids: string[]) =>
    call(currencyHandlers, 'POST /api/v1/currency/rearrange', deps, id, { body: { ids } })
  const { list } = await rearrange([eth.id])
  assert.deepEqual(
    list.map(each => each.id),
    [eth.id, bsc.id],
  )
  assert.deepEqual(await order(id), [eth.id, bsc.id])
  assert.deepEqual(
    list[0]?.tokens.map(each => each.token),
    ['ETH', 'USDC', 'USDT'],
  )
  await assert.rejects(rearrange(['mars']), refusal('currency_not_exist'))
  const other = await testMerchant(deps)
  assert.deepEqual(await order(other.id), [bsc.id, eth.id])
})
