import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RangeSize } from './range.ts'

test('ranges grow while little is in them, up to a limit', () => {
  const range = new RangeSize()
  const first = range.size
  range.took(range.size, 10)
  assert.equal(range.size, first * 2)
  for (let i = 0; i < 100; i++) range.took(range.size, 10)
  assert.equal(range.size, 512)
})

test('full ranges shrink, and a range cut short by the tip says nothing', () => {
  const range = new RangeSize()
  for (let i = 0; i < 3; i++) range.took(range.size, 10)
  const size = range.size
  range.took(size - 1, 0)
  assert.equal(range.size, size)
  range.took(size, 100_000)
  assert.equal(range.size, size / 2)
})

test('a failure halves, and what was too large is reached again only slowly', () => {
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
