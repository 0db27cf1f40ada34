import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RouteDefinition, routes } from '@coffer/contract'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { until } from '@coffer/local/testing/until.ts'
import { pino } from 'pino'
import { makeConsoleApp } from '../domains/console/app.ts'
import { makeReplica } from '../make-deps.ts'
import { makeApp } from '../serve.ts'
import { testDatabase } from '../testing/deps.ts'
import { requestsOf } from '../testing/every-request.ts'
import { moneyWorld } from '../testing/money.ts'
import { testOperator } from '../testing/operators.ts'
import { createOwned } from '../testing/owned.ts'
import { startPooler } from '../testing/pooler.ts'
import { replicatedDatabase } from '../testing/replicated.ts'
import { registry } from './metrics.ts'
import { requireReplica } from './require-server.ts'

const replicated = await replicatedDatabase({ after })
const { onReplica } = replicated
const world = await moneyWorld({ after }, { database: replicated.database })
const { deps, merchant, owner } = world
const lines: { msg: string }[] = []
const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) })
const replica = makeReplica({ ...deps.config, databaseReadUrl: replicated.replicaUrl }, deps.pool, log)!
after(() => replica.end())
const app = await makeApp({ ...deps, replica })
const onPrimary = await makeApp(deps)
const console = await makeConsoleApp({ ...deps, replica })
const consoleOnPrimary = await makeConsoleApp(deps)
after(() => Promise.all([app, onPrimary, console, consoleOnPrimary].map(each => each.close())))

/** How many reads were made from where, so far. */
async function countReads() {
  const { values } = await registry.getSingleMetric('coffer_replica_reads_total')!.get()
  const from = (where: string) => values.find(({ labels }) => labels.from === where)?.value ?? 0
  return { replica: from('replica'), primary: from('primary') }
}

/** Does something. Returns its result, and how many reads it made from where. */
async function counted<T>(work: () => Promise<T>) {
  const before = await countReads()
  const result = await work()
  const after = await countReads()
  return { result, reads: { replica: after.replica - before.replica, primary: after.primary - before.primary } }
}

const untilState = (problem: string | null) =>
  until(`the replica is ${problem ?? 'read'}`, async () => {
    await replica.watch(deps.pools.jobs)
    return replica.state().problem === problem
  })

const headers = { 'x-token': merchant.token, 'x-download': '1' }
const get = (url: string, from = app) => from.inject({ method: 'GET', url, headers })
/** Order numbers of the newest payments. */
async function listPayments(): Promise<string[]> {
  const answer = await get('/api/v1/transactions/list?current=1&pageSize=20')
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().data.list.map((row: { trade_no: string }) => row.trade_no)
}

/** Creates a payment that is listed first. */
async function payLater(): Promise<string> {
  deps.pass(1)
  return (await world.pay()).trade_no
}

type Sent = { params?: Record<string, string>; query?: Record<string, string | number> }
function urlOf(key: string, { params = {}, query = {} }: Sent = {}) {
  const path = key.slice('GET '.length).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]))
  return `${path}?${search}`
}

const replicaCalls = (table: Record<string, RouteDefinition>) =>
  Object.entries(table).filter(([, route]) => route.replica)

test('what may be read from a replica changes nothing and decides nothing', () => {
  const calls = [...replicaCalls(routes), ...replicaCalls(operatorRoutes)]
  assert.ok(calls.length > 15)
  for (const [key, { kind = 'json', auth }] of calls) {
    assert.match(key, /^GET /)
    assert.equal(kind, 'json', key)
    // Not the merchant's server, which decides about what it delivers.
    assert.equal(auth, 'token', key)
  }
})

test('a replica that fits is accepted, and another database refused in words', async t => {
  const { url } = replicated.database
  assert.equal(await requireReplica(replicated.replicaUrl, url), undefined)
  assert.match((await requireReplica(url, url))!, /^DATABASE_READ_URL leads to a primary and not to a replica/)
  const other = { name: 'OperatorProblem', message: /^DATABASE_READ_URL leads to another database than DATABASE_URL/ }
  await assert.rejects(requireReplica((await testDatabase(t)).url, url), other)
  await assert.rejects(requireReplica(replicated.replicaUrl.replace('/coffer?', '/postgres?'), url), other)
  const nobody = replicated.replicaUrl.replace('port=5432', 'port=5431')
  assert.match((await requireReplica(nobody, url))!, /^the replica of DATABASE_READ_URL does not answer/)
  await assert.rejects(requireReplica(replicated.replicaUrl.replace('/coffer?', '/nothing?'), url), {
    name: 'OperatorProblem',
    message: /^The database named in DATABASE_READ_URL does not exist/,
  })
  const pooler = await startPooler(t, replicated.replicaUrl, { mode: 'transaction', size: 8 })
  await assert.rejects(requireReplica(pooler, url), /The pooler at DATABASE_READ_URL shares connections/)
})

test('the replica answers each of these calls as the primary does', async () => {
  const requests: Record<string, Sent> = requestsOf(world, await createOwned(world))
  await owner.query('update sessions set last_seen = $1', [deps.clock()])
  await untilState(null)
  const { token } = await testOperator(deps, 'owner')
  const { mchid } = (await owner.query('select mchid from merchants where id = $1', [merchant.id])).rows[0]
  const ofConsole: Record<string, Sent> = {
    'GET /api/operator/v1/merchants': { query: { current: 1, pageSize: 20 } },
    'GET /api/operator/v1/merchants/:id/activity': { params: { id: mchid } },
    'GET /api/operator/v1/payments': { query: { text: 'a' } },
    'GET /api/operator/v1/callbacks': {},
    'GET /api/operator/v1/applications': { query: { mchid } },
    'GET /api/operator/v1/log': {},
  }
  for (const [key] of replicaCalls(routes)) {
    const url = urlOf(key, requests[key])
    const { result, reads } = await counted(() => get(url))
    assert.deepEqual(reads, { replica: 1, primary: 0 }, `${key}: ${result.body}`)
    assert.equal(result.statusCode, 200, `${key}: ${result.body}`)
    assert.deepEqual(result.json(), (await get(url, onPrimary)).json(), key)
  }
  for (const [key] of replicaCalls(operatorRoutes)) {
    const request = { method: 'GET', url: urlOf(key, ofConsole[key]), headers: { 'x-token': token } } as const
    const { result, reads } = await counted(() => console.inject(request))
    assert.deepEqual(reads, { replica: 1, primary: 0 }, `${key}: ${result.body}`)
    assert.equal(result.statusCode, 200, `${key}: ${result.body}`)
    assert.deepEqual(result.json(), (await consoleOnPrimary.inject(request)).json(), key)
  }
  for (const url of ['/api/v1/transactions/list/export', '/api/v1/user/log/export']) {
    const { result, reads } = await counted(() => get(url))
    assert.deepEqual(reads, { replica: 1, primary: 0 }, url)
    assert.equal(result.statusCode, 200, url)
    assert.equal(result.headers['x-total-rows'], (await get(url, onPrimary)).headers['x-total-rows'], url)
  }
})

test('a list has what was confirmed before it was asked for', async () => {
  await untilState(null)
  for (let n = 0; n < 30; n++) {
    const trade_no = await payLater()
    assert.equal((await listPayments())[0], trade_no)
  }
  const { reads } = await counted(listPayments)
  assert.equal(reads.replica, 1)
})

test('a replica that is behind is not read, and is again once it has caught up', async () => {
  await untilState(null)
  await onReplica('select pg_wal_replay_pause()')
  await until('it pauses', async () => (await onReplica('select pg_get_wal_replay_pause_state() as state'))[0])
  const trade_no = await payLater()
  const { result, reads } = await counted(listPayments)
  assert.deepEqual([result[0], reads], [trade_no, { replica: 0, primary: 1 }])
  await untilState('behind')
  assert.ok(replica.state().lagBytes > 0)
  await replica.watch(deps.pools.jobs)
  await replica.watch(deps.pools.jobs)
  const said = () => lines.filter(({ msg }) => /the replica is not read/.test(msg))
  assert.equal(said().length, 1, 'once')
  assert.match(said()[0]!.msg, /it has not replayed what the primary wrote$/)
  assert.deepEqual((await counted(listPayments)).reads, { replica: 0, primary: 1 })
  await onReplica('select pg_wal_replay_resume()')
  await untilState(null)
  assert.equal((await listPayments())[0], trade_no)
})

/** Holds a table against readers, also of the replica. */
async function holdPayments() {
  const holder = await owner.connect()
  await holder.query('begin; lock table payments in access exclusive mode; select pg_current_xact_id()')
  // A commit, with which the lock reaches the replica.
  await owner.query('update sessions set last_seen = last_seen')
  const waits = "select pid from pg_stat_activity where wait_event_type = 'Lock' and backend_type = 'client backend'"
  return {
    untilHeld: () => until('a read of the replica waits', async () => (await onReplica(waits))[0]),
    letGo: async () => {
      await holder.query('commit')
      holder.release()
    },
  }
}

test('a read that PostgreSQL cancels is repeated on the primary', async () => {
  await untilState(null)
  await listPayments()
  const { untilHeld, letGo } = await holdPayments()
  const reading = counted(listPayments)
  const { pid } = (await untilHeld())!
  await onReplica(`select pg_cancel_backend(${pid})`)
  await letGo()
  const { result, reads } = await reading
  assert.ok(result.length > 0)
  assert.deepEqual(reads, { replica: 0, primary: 1 })
  assert.equal(replica.state().problem, null, 'it is read for others')
})

test('an export whose replica crashes is read from the primary, whole', async () => {
  await untilState(null)
  const url = '/api/v1/transactions/list/export'
  const whole = await get(url)
  const { untilHeld, letGo } = await holdPayments()
  const reading = counted(() => get(url))
  await untilHeld()
  await replicated.crashReplica()
  await letGo()
  const { result, reads } = await reading
  assert.equal(result.statusCode, 200)
  assert.equal(result.headers['x-total-rows'], whole.headers['x-total-rows'])
  assert.equal(result.rawPayload.length, whole.rawPayload.length)
  assert.deepEqual(reads, { replica: 0, primary: 1 })
  assert.ok((await listPayments()).length > 0, 'lists go on')
  await untilState('away')
  await replicated.startReplica()
  await untilState(null)
})

test('a frozen replica holds nothing up', async () => {
  await untilState(null)
  await listPayments()
  const wake = await replicated.freezeReplica()
  const { reads } = await counted(listPayments)
  assert.deepEqual(reads, { replica: 0, primary: 1 })
  await untilState('away')
  wake()
  await untilState(null)
})

// Last: the replica is none afterwards.
test('a promoted replica, and one of what was promoted, are not read', async () => {
  await untilState(null)
  await onReplica('select pg_promote()')
  const trade_no = await payLater()
  const { result, reads } = await counted(listPayments)
  assert.deepEqual([result[0], reads], [trade_no, { replica: 0, primary: 1 }])
  await untilState('promoted')
  // Its log grows beyond that of the primary.
  await onReplica('create table foreign_rows as select repeat(md5(n::text), 10) from generate_series(1, 100000) n')
  await onReplica('checkpoint')
  await replicated.standReplicaBy()
  await untilState('diverged')
  assert.equal((await listPayments())[0], trade_no)
})
