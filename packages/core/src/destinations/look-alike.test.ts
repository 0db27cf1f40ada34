import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressDifferenceOf, addressEndsOf, looksAlike } from './look-alike.ts'

const known = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

const pairs: [what: string, other: string, alike: boolean, marked: string | null][] = [
  ['the same address', known, false, null],
  ['the same address in lower case', known.toLowerCase(), false, null],
  ['an address made to be mistaken', '0xd8d1111111111111111111111111111111116045', true, '1'.repeat(33)],
  ['one that differs in a single place', known.replace('7eEd', '7eEc'), true, 'c'],
  ['another first character', '0xe8dA6BF26964aF9D7eEd9e03E53415D37aA96045', true, 'e'],
  ['another last character', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046', true, '6'],
  ['three at each end', `0xd8d${'1'.repeat(34)}045`, true, '1'.repeat(34)],
  ['two and four', `0xd8${'1'.repeat(34)}6045`, true, '1'.repeat(34)],
  ['four and two', `0xd8dA${'1'.repeat(34)}45`, true, '1'.repeat(34)],
  ['the first six', `0xd8dA6B${'1'.repeat(34)}`, true, '1'.repeat(34)],
  ['the last six', `0x${'1'.repeat(34)}A96045`, true, '1'.repeat(34)],
  ['the prefix and five at the end', `0x${'1'.repeat(35)}96045`, false, '1'.repeat(35)],
  ['the first five', `0xd8dA6${'1'.repeat(35)}`, false, '1'.repeat(35)],
  ['three and two', `0xd8d${'1'.repeat(35)}45`, false, '1'.repeat(35)],
]
const ends = (address: string) => addressEndsOf(address, '0x')
for (const [what, other, alike, marked] of pairs) {
  test(what, () => {
    const differs = other.toLowerCase() !== known.toLowerCase()
    assert.equal(differs && looksAlike(ends(known), ends(other)), alike)
    const difference = addressDifferenceOf(other, known)
    assert.equal(difference && other.slice(difference.from, difference.to), marked)
  })
}

test('marks the smallest part that holds every difference', () => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const difference = addressDifferenceOf(one, other)
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
