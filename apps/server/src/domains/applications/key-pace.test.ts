import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { KeyPace, keyPace } from './key-pace.ts'

const tooOften = (error: unknown) => error instanceof Refusal && error.reason === 'frequent_operation'

test('an application may send a burst, then a steady rate, independently of other applications', () => {
  const pace = new KeyPace()
  for (let i = 0; i < keyPace.burst; i++) pace.take('a', 100)
  assert.throws(() => pace.take('a', 100), tooOften)
  pace.take('b', 100)
  for (let i = 0; i < keyPace.perSecond; i++) pace.take('a', 101)
  assert.throws(() => pace.take('a', 101), tooOften)
})

test('a pause refills at most the burst', () => {
  const pace = new KeyPace()
  pace.take('a', 100)
  for (let i = 0; i < keyPace.burst; i++) pace.take('a', 100_000)
  assert.throws(() => pace.take('a', 100_000), tooOften)
})
