import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { clearSwitch, insertIncidents, setSwitch } from '../domains/chains/store.ts'
import { updateMetrics } from '../domains/chains/update-metrics.ts'
import { bsc, eth, moneyWorld } from '../testing/money.ts'
import { mountHealthAndMetrics } from './operations.ts'

const { deps, owner } = await moneyWorld({ after })
const sandbox = { ...deps, config: { ...deps.config, mode: 'sandbox' as const } }
const app = fastify()
mountHealthAndMetrics(app, sandbox, updateMetrics)
after(() => app.close())

/** Values of Coffer's metrics by name and labels. */
async function metrics(remoteAddress = '127.0.0.1', headers: Record<string, string> = {}) {
  const { statusCode, body } = await app.inject({ url: '/metrics', remoteAddress, headers })
  const lines = body.split('\n').filter(line => line.startsWith('coffer_'))
  return { statusCode, ...Object.fromEntries(lines.map(line => line.split(' '))) }
}

const metricsOf = (authorization: string) => metrics('203.0.113.7', { authorization })

test('reports delayed chains, independently of the job that reads them', async () => {
  const read = (id: string, ago: number, halted: string | null = null) =>
    owner.query('update chains set read_at = $2, halted = $3 where id = $1', [id, deps.clock() - ago, halted])
  await read(eth.id, 3)
  await read(bsc.id, 600)
  const found = await metrics()
  assert.deepEqual(
    ['delayed', 'silence_seconds'].flatMap(name =>
      [eth, bsc].map(({ id }) => found[`coffer_chain_${name}{chain="${id}"}`]),
    ),
    ['0', '1', '3', '600'],
  )
  await read(eth.id, 3, 'deep reorg')
  assert.equal((await metrics())[`coffer_chain_delayed{chain="${eth.id}"}`], '1')
  deps.pass(50)
  assert.equal((await metrics())[`coffer_chain_block_age_seconds{chain="${eth.id}"}`], '50')
})

test('reports open incidents and stopped withdrawals', async () => {
  const shortages = 'coffer_incidents_open{kind="shortage"}'
  const before = await metrics()
  assert.deepEqual([before[shortages], before.coffer_withdrawals_stopped], [undefined, '0'])
  const incident = { kind: 'shortage', chain_id: eth.id, detail: {}, created_at: deps.clock() }
  await insertIncidents(
    deps.pool,
    ['one', 'two'].map(id => ({ ...incident, id })),
  )
  await setSwitch(deps.pool, 'withdrawals_stopped', 'too little', deps.clock())
  const found = await metrics()
  assert.deepEqual([found[shortages], found.coffer_withdrawals_stopped], ['2', '1'])
  await insertIncidents(
    deps.pool,
    Array.from({ length: 100 }, (_, i) => ({ ...incident, kind: 'deep_reorg', id: `old ${i}`, created_at: 1 })),
  )
  const [many, other] = await Promise.all([metrics(), metrics()])
  assert.deepEqual(
    [many[shortages], other[shortages]],
    ['2', '2'],
    'despite many other incidents, and for concurrent requests',
  )
  await owner.query('update incidents set resolved_at = 1')
  await clearSwitch(deps.pool, 'withdrawals_stopped')
  const later = await metrics()
  assert.deepEqual([later[shortages], later.coffer_withdrawals_stopped], [undefined, '0'])
})

test('reports the age of each price source', async () => {
  await owner.query(
    `insert into prices (symbol, source, price, at) values ('ETH', 'okx', '1', $1), ('EUR', 'okx', '1', $1 - 90),
    ('ETH', 'kraken', '1', $1 - 400)`,
    [deps.clock()],
  )
  const found = await metrics()
  const age = (source: string) => found[`coffer_price_age_seconds{source="${source}"}`]
  assert.deepEqual([age('okx'), age('kraken')], ['0', '400'])
})

test('serves metrics to another machine with the token only', async t => {
  const token = 'a token for the scraper'
  const guarded = fastify()
  t.after(() => guarded.close())
  mountHealthAndMetrics(guarded, { ...deps, config: { ...deps.config, metricsToken: token } }, updateMetrics)
  const ask = async (authorization: string, x: { url: string; from: Partial<Record<string, string>> }) =>
    (await guarded.inject({ url: x.url, remoteAddress: '203.0.113.7', headers: { authorization, ...x.from } }))
      .statusCode
  const metrics = { url: '/metrics', from: {} }
  assert.equal(await ask(`Bearer ${token}`, metrics), 200)
  assert.equal(await ask(`Bearer ${token}`, { ...metrics, from: { 'x-forwarded-for': '198.51.100.1' } }), 200)
  for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, token, 'Bearer undefined'])
    assert.equal(await ask(wrong, metrics), 404, wrong)
  assert.equal((await metricsOf('Bearer ')).statusCode, 404, 'no token is configured')
  const behindForgetfulProxy = await guarded.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  assert.equal(behindForgetfulProxy.statusCode, 404, 'in production this machine may be a proxy')
})

test('serves metrics of a sandbox to this machine only, even without the database', async t => {
  assert.equal((await metrics('203.0.113.7')).statusCode, 404)
  for (const name of ['x-forwarded-for', 'forwarded'])
    assert.equal(
      (await metrics('127.0.0.1', { [name]: '203.0.113.7' })).statusCode,
      404,
      `through a proxy that sets ${name}`,
    )
  const alone = fastify()
  t.after(() => alone.close())
  const pool = { query: () => Promise.reject(new Error('gone')) } as unknown as typeof deps.pool
  mountHealthAndMetrics(alone, { ...sandbox, pools: { jobs: pool, chains: pool, probes: pool } }, updateMetrics)
  const answer = await alone.inject({ url: '/metrics' })
  assert.deepEqual([answer.statusCode, /process_cpu_seconds_total/.test(answer.body)], [200, true])
  assert.equal((await alone.inject({ url: '/readyz' })).statusCode, 503)
  assert.equal((await alone.inject({ url: '/healthz' })).statusCode, 200)
})
