import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { KeyPace, keyPace } from './key-pace.ts'

const tooOften = (error: unknown) => error instanceof Refusal && error.reason === 'frequent_operation'

test('an application may make a burst, then as many as each second allows; another one is not touched', () => {
  const pace = new KeyPace()
  for (let i = 0; i < keyPace.burst; i++) pace.take('a', 100)
  assert.throws(() => pace.take('a', 100), tooOften)
  pace.take('b', 100)
  for (let i = 0; i < keyPace.perSecond; i++) pace.take('a', 101)
  assert.throws(() => pace.take('a', 101), tooOften)
})

test('a pause fills no more than the burst', () => {
  const pace = new KeyPace()
  pace.take('a', 100)
  for (let i = 0; i < keyPace.burst; i++) pace.take('a', 100_000)
  assert.throws(() => pace.take('a', 100_000), tooOften)
})
