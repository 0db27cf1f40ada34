import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statements } from '../../kit/db.ts'
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
  let { key } = await testApplication(deps, world.merchant.id)
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
  // The first of this second also reads assets, prices and the key, the first of a process also takes indexes of
  // addresses.
  assert.ok((await create(fixed)).includes('application-by-key'))
  const orders: [what: string, more: object, headers: object, names: string[]][] = [
    ['nothing fixed', {}, {}, ['payment-insert']],
    ['chain and token fixed', fixed, {}, ['payment-insert-leased']],
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
  for (const [what, more, headers, names] of orders) assert.deepEqual(await create(more, headers), names, what)
  const own = [{ currency: 'EUR', url: 'https://rates.example/', path: 'eur' }]
  const rates = { spread: '1', sources: ['own', 'market'], fixed: [], own }
  await world.owner.query('update applications set rates = $1, rates_version = 1', [rates])
  await create(fixed)
  // The remembered key has the former rates, so that the order is made again; a key that was not used before has the
  // new ones.
  key = (await testApplication(deps, world.merchant.id)).key
  await world.owner.query('update applications set rates = $1, rates_version = 1', [rates])
  const names = await create(fixed)
  assert.deepEqual(
    names.filter(name => name !== 'own-rates-all'),
    ['application-by-key', 'payment-insert-leased'],
  )
  assert.deepEqual(await create(fixed), ['payment-insert-leased'], 'rates of its own')
})

test('a key is found by two lookups in unique indexes, without statistics of the table', async t => {
  const { owner, merchant } = await moneyWorld(t)
  await owner.query('alter table applications set (autovacuum_enabled = false)')
  await owner.query(
    `insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at, previous_key_hash, previous_key_until)
     select $1, 'many' || n, 'Shop ' || n, 1, sha256(n::text::bytea), '', '', 0, sha256(('old' || n)::bytea), 100
     from generate_series(1, 3000) n`,
    [merchant.id],
  )
  const find = async (key: string, now: number, most = 6) => {
    const values = `sha256(${key}::bytea), ${now}`
    await owner.query(`prepare find as ${statements.get('application-by-key')!()[0]}`)
    const { rows: found } = await owner.query(`execute find (${values})`)
    const { rows } = await owner.query(`explain (analyze, buffers, format json) execute find (${values})`)
    await owner.query('deallocate find')
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    assert.ok(buffers <= most, `${key} takes ${buffers} buffers`)
    return found.map(row => row.appid)
  }
  assert.deepEqual(await find("'7'", 50), ['many7'])
  assert.deepEqual(await find("'old7'", 50, 7), ['many7'])
  assert.deepEqual(await find("'old7'", 100), [])
  assert.deepEqual(await find("'none'", 50), [])
})
