import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AddressSet } from './address-set.ts'

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)

const tailOf = (hex: string) => Number.parseInt(hex.slice(-6), 16)

test('the bitmap has no false negatives', () => {
  fc.assert(
    fc.property(fc.array(address), all => {
      const set = new AddressSet(all)
      for (const each of all) {
        assert.ok(set.has(each) && set.mayHave(tailOf(each)))
      }
      assert.equal(set.size, new Set(all).size)
    }),
  )
})

test('membership is exact where the bitmap has false positives', () => {
  fc.assert(
    fc.property(address, address, (one, other) => {
      fc.pre(one !== other)
      const set = new AddressSet([one])
      assert.equal(set.has(other), false)
      assert.equal(set.mayHave(tailOf(other)), one.slice(-6) === other.slice(-6))
    }),
  )
})

test('a filter includes addresses added after it was made', () => {
  const set = new AddressSet()
  const filter = set.filter([], false)
  const late = `0x${'ab'.repeat(20)}`
  assert.deepEqual([filter.mayBeOurs!(tailOf(late)), filter.isOurs(late)], [false, false])
  set.add(late)
  assert.deepEqual([filter.mayBeOurs!(tailOf(late)), filter.isOurs(late)], [true, true])
})
