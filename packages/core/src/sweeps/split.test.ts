import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitByWeight } from './split.ts'

const weights = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 50 })

test('parts sum to the whole, and each is its exact share within one unit', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 24n), weights, (total, each) => {
      const parts = splitByWeight(total, each)
      const sum = BigInt(each.reduce((a, b) => a + b))
      assert.equal(
        parts.reduce((a, b) => a + b, 0n),
        total,
      )
      for (const [i, part] of parts.entries()) {
        const off = part * sum - total * BigInt(each[i]!)
        assert.ok(off > -sum && off < sum)
      }
    }),
  )
})

test('a greater weight never has a smaller part', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 24n), weights, (total, each) => {
      const parts = splitByWeight(total, each)
      for (const [i, a] of each.entries())
        for (const [j, b] of each.entries()) if (a > b) assert.ok(parts[i]! >= parts[j]!)
    }),
  )
})

test('units that are left go to the largest remainders, then to the first', () => {
  assert.deepEqual(splitByWeight(10n, [1, 1, 1]), [4n, 3n, 3n])
  assert.deepEqual(splitByWeight(7n, [33, 15, 15]), [4n, 2n, 1n])
  for (const wrong of [[], [0], [1, -1]]) assert.throws(() => splitByWeight(1n, wrong), RangeError)
})
