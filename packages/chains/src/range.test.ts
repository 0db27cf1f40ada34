import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RangeSize } from './range.ts'

test('grows while ranges hold little, up to a limit', () => {
  const range = new RangeSize()
  const first = range.size
  range.took(range.size, 10)
  assert.equal(range.size, first * 2)
  for (let i = 0; i < 100; i++) range.took(range.size, 10)
  assert.equal(range.size, 512)
})

test('shrinks after a full range, and ignores ranges cut short by the head', () => {
  const range = new RangeSize()
  for (let i = 0; i < 3; i++) range.took(range.size, 10)
  const size = range.size
  range.took(size - 1, 0)
  assert.equal(range.size, size)
  range.took(size, 100_000)
  assert.equal(range.size, size / 2)
})

test('halves on failure, then grows slowly towards the size that failed', () => {
  const range = new RangeSize()
  for (let i = 0; i < 6; i++) range.took(range.size, 10)
  assert.equal(range.size, 512)
  range.failed()
  assert.equal(range.size, 256)
  range.took(256, 10)
  assert.equal(range.size, 264)
  for (let i = 0; i < 20; i++) range.failed()
  assert.equal(range.size, 1)
  for (let i = 0; i < 100; i++) range.took(range.size, 10)
  assert.equal(range.size, 512)
})
