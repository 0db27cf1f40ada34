import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bloomBits, coversBloom, inBloom, isSaturated } from './bloom.ts'

const value = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)

/** Builds the bloom of these values. */
function bloomOf(values: string[]): string {
  const digits = new Array<number>(512).fill(0)
  for (const each of values) for (const [digit, bit] of bloomBits(each)) digits[digit - 2]! |= bit
  return `0x${digits.map(digit => digit.toString(16)).join('')}`
}

test('has no false negatives', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), values => {
      const bloom = bloomOf(values)
      for (const each of values) assert.ok(inBloom(bloom, bloomBits(each)))
    }),
  )
})

test('an empty bloom contains nothing', () => {
  fc.assert(fc.property(value, each => assert.ok(!inBloom(bloomOf([]), bloomBits(each)))))
})

test('is covered by all its values, or without one whose bits the others set too', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), value, (values, left) => {
      const bloom = bloomOf([...values, left])
      assert.ok(coversBloom(bloom, [...values, left]))
      assert.equal(coversBloom(bloom, values), inBloom(bloomOf(values), bloomBits(left)))
    }),
  )
})

test('a value sets three bits within the hex text', () => {
  fc.assert(
    fc.property(value, each => {
      const bits = bloomBits(each)
      assert.equal(bits.length, 3)
      for (const [digit, bit] of bits) assert.ok(digit >= 2 && digit < 514 && [1, 2, 4, 8].includes(bit))
    }),
  )
})

test('is saturated when more than an eighth of other values are false positives', () => {
  const values = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => `0x${(from + i).toString(16).padStart(40, '0')}`)
  for (const count of [0, 350, 650, 1_500]) {
    const bloom = bloomOf(values(count, 1))
    const others = values(2_000, 1_000_000)
    const falsePositives = others.filter(each => inBloom(bloom, bloomBits(each))).length
    assert.equal(isSaturated(bloom), falsePositives > others.length / 8)
  }
})
