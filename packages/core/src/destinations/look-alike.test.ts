import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differenceOf, looksAlike } from './look-alike.ts'

const known = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

const pairs: [what: string, other: string, alike: boolean, marked: string | null][] = [
  ['the same address', known, false, null],
  ['the same address in lower case', known.toLowerCase(), false, null],
  ['an address made to be mistaken', '0xd8d1111111111111111111111111111111116045', true, '1'.repeat(33)],
  ['one that differs in a single place', known.replace('7eEd', '7eEc'), true, 'c'],
  ['another beginning', '0xe8dA6BF26964aF9D7eEd9e03E53415D37aA96045', false, 'e'],
  ['another end', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046', false, '6'],
]
for (const [what, other, alike, marked] of pairs) {
  test(what, () => {
    assert.equal(looksAlike(known, other), alike)
    const difference = differenceOf(other, known)
    assert.equal(difference && other.slice(difference.from, difference.to), marked)
  })
}

test('marks the smallest part that holds every difference', () => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const difference = differenceOf(one, other)
      if (!difference) return assert.equal(one, other)
      const { from, to } = difference
      assert.equal(one.slice(0, from), other.slice(0, from))
      assert.equal(one.slice(to), other.slice(other.length - (one.length - to)))
      if (from < to && one.length === other.length) {
        assert.notEqual(one[from], other[from])
        assert.notEqual(one[to - 1], other[to - 1])
      }
    }),
  )
})
