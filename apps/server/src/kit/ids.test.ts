import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrderedIdGenerator } from './ids.ts'

test('ids sort in the order in which they are made, also of generators that one millisecond makes', () => {
  const made = Array.from({ length: 200 }, () => {
    const next = makeOrderedIdGenerator()
    return [next(), next()]
  }).flat()
  assert.deepEqual(made.toSorted(), made)
  assert.equal(new Set(made).size, 400)
})
