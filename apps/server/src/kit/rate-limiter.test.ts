import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { KeyRateLimiter, keyRate } from './use-key.ts'

const tooOften = (error: unknown) => error instanceof Refusal && error.reason === 'frequent_operation'

test('an application may send a burst, then a steady rate, independently of other applications', () => {
  const limiter = new KeyRateLimiter()
  for (let i = 0; i < keyRate.burst; i++) limiter.take('a', 100)
  assert.throws(() => limiter.take('a', 100), tooOften)
  limiter.take('b', 100)
  for (let i = 0; i < keyRate.perSecond; i++) limiter.take('a', 101)
  assert.throws(() => limiter.take('a', 101), tooOften)
})

test('a pause refills at most the burst', () => {
  const limiter = new KeyRateLimiter()
  limiter.take('a', 100)
  for (let i = 0; i < keyRate.burst; i++) limiter.take('a', 100_000)
  assert.throws(() => limiter.take('a', 100_000), tooOften)
})
