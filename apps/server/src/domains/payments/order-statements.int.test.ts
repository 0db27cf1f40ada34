import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePrices } from '../../outside/prices/prices.ts'
import { makeApp } from '../../serve.ts'
import { testApplication } from '../../testing/merchants.ts'
import { eth, moneyWorld } from '../../testing/money.ts'
import { recording } from '../../testing/recording.ts'

test('an order is at most four round trips to the database, also with a chain and a key', async t => {
  const world = await moneyWorld(t)
  const { pool, transactions, alone } = recording(world.deps.pool)
  const deps = { ...world.deps, pool, prices: makePrices(pool, world.deps.clock, [], world.deps.log) }
  await world.owner.query(
    `insert into prices (symbol, source, price, at)
     select symbol, source, '1', $1 from unnest(array['USDT', 'USDC', 'ETH', 'EUR']) symbol, unnest(array['a', 'b']) source`,
    [deps.clock()],
  )
  const app = await makeApp(deps)
  t.after(() => app.close())
  const { key } = await testApplication(deps, world.merchant.id)
  let count = 0
  const create = async (more: object, headers = {}) => {
    transactions.length = 0
    alone.length = 0
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/api/v1/pay/orders',
      headers: { authorization: `Bearer ${key}`, ...headers },
      payload: { out_trade_no: `order ${++count}`, amount: '10', currency: 'EUR', ...more },
    })
    assert.equal(statusCode, 200, body)
    assert.deepEqual(transactions, [])
    return alone
  }
  const fixed = { chain: eth.id, token: 'USDT' }
  // The first of this second also reads assets and prices, the first of a process also takes indexes of addresses.
  await create(fixed)
  const statements: [what: string, more: object, headers: object, names: string[]][] = [
    ['nothing fixed', {}, {}, ['application-by-key', 'payment-insert']],
    ['chain and token fixed', fixed, {}, ['application-by-key', 'payment-insert-leased']],
    [
      'an Idempotency-Key',
      {},
      { 'idempotency-key': 'a' },
      ['application-by-key', 'idempotency-begin', 'payment-insert', 'idempotency-keep'],
    ],
    [
      'all of these',
      fixed,
      { 'idempotency-key': 'b' },
      ['application-by-key', 'idempotency-begin', 'payment-insert-leased', 'idempotency-keep'],
    ],
  ]
  for (const [what, more, headers, names] of statements) assert.deepEqual(await create(more, headers), names, what)
})
