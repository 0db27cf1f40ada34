// second-server: cancels statements that wait for locks too long
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@coffer/contract'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { until, untilBlocked } from '@coffer/local/testing/until.ts'
import { pino } from 'pino'
import { makePool } from '../make-deps.ts'
import { makeApp, startJobs } from '../serve.ts'
import { makeTestDeps, testDatabase } from '../testing/deps.ts'
import { testApplication, testMerchant } from '../testing/merchants.ts'

/**
 * A server whose requests have `max` connections, wait `waitMs` for one (100 ms by default), and may take `statementMs`
 * for a statement.
 */
async function withServer(
  test: Scope,
  { max, statementMs, waitMs = 100 }: { max: number; statementMs: number; waitMs?: number },
) {
  const ends: (() => Promise<void> | void)[] = []
  test.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const t: Scope = { after: end => void ends.push(end) }
  const { pool: others, owner, url } = await testDatabase(t)
  const pool = makePool(url, pino({ level: 'silent' }), { max, waitMs, statementMs })
  t.after(() => pool.end())
  const deps = { ...makeTestDeps({ pool: others, config: { metricsToken: 'token of metrics' } }), pool }
  const app = await makeApp(deps)
  t.after(() => app.close())
  let visitors = 0
  const get = (url: string, headers: Record<string, string> = {}, remoteAddress = `10.0.0.${++visitors}`) =>
    app.inject({ url, headers, remoteAddress })
  /** Holds a lock that every read of a table waits for, until the returned function is called. */
  const lock = async (table: 'callbacks' | 'throttles' | 'sessions') => {
    const locking = await owner.connect()
    let locked = true
    const release = async () => {
      if (locked) await locking.query('rollback')
      if (locked) locking.release()
      locked = false
    }
    t.after(release)
    await locking.query(`begin; lock table ${table} in access exclusive mode`)
    return release
  }
  const signIn = (n: number) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/public/login',
      remoteAddress: `198.51.100.${n}`,
      payload: { email: `a${n}@example.com`, password: Buffer.from('Wrong1Horse').toString('base64') },
    })
  return { deps, owner, others, app, get, signIn, lock, after: t.after }
}

test('with no connection left answers are busy, and probes and jobs go on', async t => {
  const { deps, owner, others, get, after } = await withServer(t, { max: 2, statementMs: 5_000 })
  const { id, token } = await testMerchant({ ...deps, pool: others })
  const { key } = await testApplication({ ...deps, pool: others }, id)
  const held = await Promise.all([deps.pool.connect(), deps.pool.connect()])
  const release = () => {
    for (const each of held.splice(0)) each.release()
  }
  after(release)
  const inConsole = await get('/api/v1/user/info', { 'x-token': token })
  assert.deepEqual(
    [inConsole.statusCode, inConsole.headers['retry-after'], inConsole.json()],
    [503, '2', { code: 503, msg: 'The service is busy (try again in 2 s)', retry_after: 2 }],
  )
  const toProgram = await get('/api/v1/pay/balances', { authorization: `Bearer ${key}`, 'x-language': 'zh-CN' })
  assert.deepEqual(
    [toProgram.statusCode, toProgram.headers['retry-after'], toProgram.json()],
    [503, '2', { code: 503, msg: '服务繁忙（请 2 秒后重试）', retry_after: 2 }],
  )
  assert.equal((await get('/readyz')).statusCode, 200)
  assert.match(
    (await get('/metrics', { authorization: 'Bearer token of metrics' })).body,
    /^coffer_withdrawals_stopped 0$/m,
  )
  await owner.query('insert into statistics_changes (merchant_id, at, created_num) values ($1, 1, 1)', [id])
  const stop = startJobs(deps)
  await until(
    'the job folds the statistics',
    async () => (await owner.query('select 1 from statistics where merchant_id = $1', [id])).rowCount,
  )
  await stop()
  release()
  assert.equal((await get('/api/v1/user/info', { 'x-token': token })).statusCode, 200)
})

test('a statement that takes too long is answered as busy', async t => {
  const { deps, others, get, lock } = await withServer(t, { max: 2, statementMs: 200 })
  const { token } = await testMerchant({ ...deps, pool: others })
  const unlock = await lock('callbacks')
  const answer = await get('/api/v1/callback/list', { 'x-token': token })
  await unlock()
  assert.deepEqual([answer.statusCode, answer.headers['retry-after'], answer.json().code], [503, '2', 503])
})

test('a merchant whose requests all hang leaves connections to others', async t => {
  const { deps, owner, others, get, lock } = await withServer(t, { max: 8, statementMs: 5_000 })
  const crowd = await testMerchant({ ...deps, pool: others })
  const other = await testMerchant({ ...deps, pool: others })
  const { rows } = await owner.query(
    `insert into sessions (token_hash, id, person_id, merchant_id, pending, ip, device, created_at, last_seen)
     select sha256(name::bytea), name, person_id, merchant_id, pending, ip, device, created_at, last_seen from sessions cross join unnest(array['second', 'third']) name where merchant_id = $1 returning merchant_id`,
    [crowd.id],
  )
  assert.equal(rows.length, 2)
  const unlock = await lock('callbacks')
  const ask = (token: string) => get('/api/v1/callback/detail?id=none', { 'x-token': token })
  const requests = Array.from({ length: 60 }, (_, n) => ask([crowd.token, 'second', 'third'][n % 3]!))
  await untilBlocked(owner, 4)
  // Answered after the crowd's requests have requested their turns.
  assert.equal((await get('/api/v1/user/info', { 'x-token': other.token })).statusCode, 200)
  const hanging = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  assert.equal((await owner.query(hanging)).rowCount, 4)
  await unlock()
  const statuses = new Set((await Promise.all(requests)).map(each => each.statusCode))
  statuses.delete(503)
  assert.deepEqual([...statuses], [422])
})

test('strangers who all hang leave connections to merchants and payers, and turns to other networks', async t => {
  const { deps, owner, others, get, signIn, lock } = await withServer(t, {
    max: 5,
    statementMs: 60_000,
    waitMs: 10_000,
  })
  const { token } = await testMerchant({ ...deps, pool: others })
  const unlock = await lock('throttles')
  const crowd = Array.from({ length: 40 }, (_, n) => signIn(n))
  await untilBlocked(owner, 2)
  for (const { statusCode } of await Promise.all([
    get('/api/v1/user/info', { 'x-token': token }),
    get('/api/v1/public/config', {}, '192.0.2.1'),
    get('/api/v1/public/payment-link/none', {}, '198.51.100.1'),
  ]))
    assert.ok([200, 404, 422].includes(statusCode), String(statusCode))
  const hanging = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  assert.equal((await owner.query(hanging)).rowCount, 2)
  await unlock()
  for (const { statusCode } of await Promise.all(crowd)) assert.equal(statusCode, 422)
})

test('bodies of strangers are small, and larger ones take a session or key', async t => {
  const { app } = await withServer(t, { max: 2, statementMs: 60_000 })
  const payload = { x: 'x'.repeat(limits.publicBodyBytesMax) }
  const status = async (url: string, headers = {}) =>
    (await app.inject({ method: 'POST', url, payload, headers })).statusCode
  assert.equal(await status('/api/v1/public/login'), 413)
  assert.equal(await status('/api/v1/public/login/verification', { 'x-token': 'x'.repeat(43) }), 413)
  assert.equal(await status('/api/v1/user/opening'), 401)
})

test('invented tokens and keys take the places of strangers, and are refused before their bodies are read', async t => {
  const { deps, owner, others, app, get, lock } = await withServer(t, { max: 6, statementMs: 60_000 })
  const { id, token } = await testMerchant({ ...deps, pool: others })
  const { key } = await testApplication({ ...deps, pool: others }, id)
  assert.equal((await get('/api/v1/user/info', { 'x-token': token })).statusCode, 200)
  assert.equal((await get('/api/v1/pay/balances', { authorization: `Bearer ${key}` })).statusCode, 200)
  const post = (headers: Record<string, string>, payload: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/user/opening',
      payload,
      remoteAddress: '198.51.100.7',
      headers: { 'content-type': 'application/json', ...headers },
    })
  const invented = (n: number) => ({ 'x-token': `invented ${n}` })
  assert.equal((await post(invented(0), 'no JSON')).statusCode, 401)
  assert.equal((await post({}, 'no JSON')).statusCode, 401)
  assert.equal((await post({ 'x-token': token }, 'no JSON')).statusCode, 422, 'a known one is read')
  const unlock = await lock('sessions')
  const crowd = Array.from({ length: 40 }, (_, n) => get('/api/v1/user/info', invented(n), `198.51.100.${n}`))
  await untilBlocked(owner, 2)
  assert.equal((await get('/api/v1/pay/balances', { authorization: `Bearer ${key}` })).statusCode, 200)
  const hanging = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  assert.equal((await owner.query(hanging)).rowCount, 2)
  await unlock()
  for (const { statusCode } of await Promise.all(crowd)) assert.equal(statusCode, 401)
})
