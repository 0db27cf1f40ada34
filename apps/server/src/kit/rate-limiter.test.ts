import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimiter } from './rate-limiter.ts'
import { Refusal } from './refusal.ts'

const rate = { burst: 600, perSecond: 20 }

const tooOften = (error: unknown) => error instanceof Refusal && error.reason === 'frequent_operation'

test('an application may send a burst, then a steady rate, independently of other applications', () => {
  const limiter = new RateLimiter(rate)
  for (let i = 0; i < rate.burst; i++) limiter.take('a', 100)
  assert.throws(() => limiter.take('a', 100), tooOften)
  limiter.take('b', 100)
  for (let i = 0; i < rate.perSecond; i++) limiter.take('a', 101)
  assert.throws(() => limiter.take('a', 101), tooOften)
})

test('a pause refills at most the burst', () => {
  const limiter = new RateLimiter(rate)
  limiter.take('a', 100)
  for (let i = 0; i < rate.burst; i++) limiter.take('a', 100_000)
  assert.throws(() => limiter.take('a', 100_000), tooOften)
})
