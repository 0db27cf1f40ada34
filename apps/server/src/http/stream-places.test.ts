import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEventStreamLimiter } from './stream-places.ts'

const busy = { reason: 'busy' }

test('limits streams per key and altogether, and frees a place once it is left', () => {
  const enter = makeEventStreamLimiter(4, { merchant: 2, address: 3 })
  const leave = enter({ merchant: 'a', address: '1' })
  enter({ merchant: 'a', address: '2' })
  assert.throws(() => enter({ merchant: 'a', address: '3' }), busy, 'merchant a has two')
  leave()
  enter({ merchant: 'a', address: '1' })
  enter({ merchant: 'b', address: '1' })
  enter({ merchant: 'c', address: '1' })
  assert.throws(() => enter({ merchant: 'd', address: '9' }), busy, 'four are open')
})

test('limits an address whatever merchant it signs in as', () => {
  const enter = makeEventStreamLimiter(100, { merchant: 50, address: 3 })
  for (const merchant of ['a', 'b', 'c']) enter({ merchant, address: '1' })
  assert.throws(() => enter({ merchant: 'd', address: '1' }), busy)
  enter({ merchant: 'd', address: '2' })
})

test('a crowd of payers leaves the places of merchants free', () => {
  const payers = makeEventStreamLimiter(2, { address: 2 })
  const merchants = makeEventStreamLimiter(2, { merchant: 2, address: 2 })
  for (const address of ['1', '2']) payers({ address })
  assert.throws(() => payers({ address: '3' }), busy)
  merchants({ merchant: 'a', address: '1' })
})
