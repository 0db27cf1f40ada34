import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { tx } from '../kit/db.ts'
import { Refusal } from '../kit/refusal.ts'
import { makeSeal } from '../kit/seal.ts'
import { withDeps } from '../testing/deps.ts'
import { runOncePerIdempotencyKey } from './idempotency.ts'

const stored = (key: string) => createHash('sha256').update(`merchant ${key}`).digest('base64url')

test('an action whose answer cannot be stored is answered, and stays claimed', async t => {
  const deps = await withDeps(t)
  const { pool } = deps
  const query = async (first: string | { text: string }, ...rest: unknown[]) => {
    const text = typeof first === 'string' ? first : first.text
    if (text.startsWith('update idempotency')) throw new Error('the connection was lost')
    return (pool.query as (...values: unknown[]) => unknown).call(pool, first, ...rest)
  }
  const failing = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name).bind(target)),
  })
  const answer = await runOncePerIdempotencyKey({ ...deps, pool: failing }, 'merchant', 'key', {}, async () => ({
    number: 1,
  }))
  assert.deepEqual(answer, { number: 1 })
  // A retry waits, as for a first request that still runs.
  assert.deepEqual((await deps.owner.query('select key, answer from idempotency')).rows, [
    { key: stored('key'), answer: null },
  ])
})

/** Work in a transaction, after which the process dies before the answer is stored. */
async function crashed(deps: Awaited<ReturnType<typeof withDeps>>) {
  let times = 0
  const work = () =>
    tx(deps.pool, async c => {
      await c.query(`insert into switches (name, reason, since) values ('work ' || $1, '', 0)`, [++times])
      return { times }
    })
  // A promise that never settles, as of a process that is gone.
  const dies = () => work().then(() => new Promise<never>(() => {}))
  void runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, dies)
  await until('the work is committed', async () => {
    return (await deps.owner.query('select from idempotency where status = 1')).rowCount === 1
  })
  deps.pass(61)
  return { work, done: async () => (await deps.owner.query('select from switches')).rowCount }
}

test('a retry after a crash between the commit and the answer does not do the work again', async t => {
  const deps = await withDeps(t)
  const { work, done } = await crashed(deps)
  await assert.rejects(runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, work), { reason: 'idempotency_unknown' })
  assert.equal(await done(), 1)
})

test('what failed after its commit is not done again, what was refused or rolled back is', async t => {
  const deps = await withDeps(t)
  const commits = (error: Error) => async () => {
    await tx(deps.pool, async c => void (await c.query('select 1')))
    throw error
  }
  const retried = async (key: string, work: () => Promise<never>) => {
    await assert.rejects(runOncePerIdempotencyKey(deps, 'merchant', key, {}, work))
    deps.pass(61)
    return runOncePerIdempotencyKey(deps, 'merchant', key, {}, async () => 'again').catch(error => error.reason)
  }
  assert.equal(await retried('failed', commits(new Error('no mail'))), 'idempotency_unknown')
  assert.equal(await retried('refused', commits(new Refusal('bad_code'))), 'again')
  const rolledBack = () => tx(deps.pool, () => Promise.reject(new Error('killed here')))
  assert.equal(await retried('rolled back', rolledBack), 'again')
})

test('a request that finds by its number what it made is answered after a crash', async t => {
  const deps = await withDeps(t)
  await crashed(deps)
  const found = await runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, async () => 'found', { findsAgain: true })
  assert.equal(found, 'found')
})

test('the database and the secret of the server do not open a stored answer', async t => {
  const deps = await withDeps(t)
  const secret = { secret_key: 'sk_live_secret' }
  await runOncePerIdempotencyKey(deps, 'merchant', 'key-of-the-client', {}, async () => secret)
  const { rows } = await deps.owner.query('select * from idempotency')
  const place = { column: 'idempotency.answer', row: `merchant ${rows[0].key}` } as const
  for (const known of [deps.config.secret, `${deps.config.secret} ${rows[0].key}`])
    assert.throws(() => makeSeal(known).open(rows[0].answer, place), /unknown key/)
  assert.doesNotMatch(JSON.stringify(rows), /key-of-the-client|sk_live/)
  assert.deepEqual(await runOncePerIdempotencyKey(deps, 'merchant', 'key-of-the-client', {}, async () => null), secret)
})

test('a claim that was stored without an answer to it is dropped, so that a retry need not wait for a minute', async t => {
  const deps = await withDeps(t)
  const { pool } = deps
  const query = async (first: { name?: string }, ...rest: unknown[]) => {
    const result = await (pool.query as (...values: unknown[]) => Promise<unknown>).call(pool, first, ...rest)
    // As where the commit waits for a standby longer than anybody waits for the answer.
    if (first.name === 'idempotency-begin' && isCut) throw new Error('Query read timeout')
    return result
  }
  let isCut = true
  const cut = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name).bind(target)),
  })
  let times = 0
  const work = async () => ({ times: ++times })
  await assert.rejects(runOncePerIdempotencyKey({ ...deps, pool: cut }, 'merchant', 'key', {}, work), /read timeout/)
  isCut = false
  assert.equal((await deps.owner.query('select from idempotency')).rowCount, 1)
  assert.deepEqual(await runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, work), { times: 1 })
})

test('an attempt whose claim was taken over as abandoned commits nothing', async t => {
  const deps = await withDeps(t)
  let goOn = () => {}
  let times = 0
  const work = (until: Promise<void>) => () =>
    tx(deps.pool, async c => {
      await until
      await c.query(`insert into switches (name, reason, since) values ('work ' || $1, '', 0)`, [++times])
      return { times }
    })
  const slow = runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, work(new Promise(resolve => (goOn = resolve))))
  await until('it is claimed', async () => (await deps.owner.query('select from idempotency')).rowCount)
  deps.pass(61)
  assert.deepEqual(await runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, work(Promise.resolve())), { times: 1 })
  goOn()
  await assert.rejects(slow, { reason: 'idempotency_in_flight' })
  assert.equal((await deps.owner.query('select from switches')).rowCount, 1)
  assert.deepEqual(await runOncePerIdempotencyKey(deps, 'merchant', 'key', {}, work(Promise.resolve())), { times: 1 })
})
