import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageNumbers } from './pageNumbers.ts'

test('a gap (0) replaces at least two pages', () => {
  assert.deepEqual(pageNumbers(1, 1), [1])
  assert.deepEqual(pageNumbers(1, 5), [1, 2, 0, 5])
  assert.deepEqual(pageNumbers(3, 5), [1, 2, 3, 4, 5])
  assert.deepEqual(pageNumbers(50, 100), [1, 0, 49, 50, 51, 0, 100])
  assert.deepEqual(pageNumbers(4, 100), [1, 2, 3, 4, 5, 0, 100])
  assert.deepEqual(pageNumbers(100, 100), [1, 0, 99, 100])
})
