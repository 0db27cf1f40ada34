import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeps } from '../testing/deps.ts'
import { onlyOnce } from './idempotency.ts'

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
  const answer = await onlyOnce({ ...deps, pool: failing }, 'merchant', 'key', {}, async () => ({ number: 1 }))
  assert.deepEqual(answer, { number: 1 })
  // A retry waits, as for a first request that still runs.
  assert.deepEqual((await deps.owner.query('select key, answer from idempotency')).rows, [{ key: 'key', answer: null }])
})
