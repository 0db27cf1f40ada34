import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bloomBits, fillsBloom, inBloom, isVague } from './bloom.ts'

const value = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)

/** A bloom that holds these values, built digit by digit. */
function bloomOf(values: string[]): string {
  const digits = new Array<number>(512).fill(0)
  for (const each of values) for (const [digit, bit] of bloomBits(each)) digits[digit - 2]! |= bit
  return `0x${digits.map(digit => digit.toString(16)).join('')}`
}

test('a bloom never denies what is in it', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), values => {
      const bloom = bloomOf(values)
      for (const each of values) assert.ok(inBloom(bloom, bloomBits(each)))
    }),
  )
})

test('an empty bloom holds nothing', () => {
  fc.assert(fc.property(value, each => assert.ok(!inBloom(bloomOf([]), bloomBits(each)))))
})

test('what fills a bloom is all that it was made from, or has the bits of what is left out', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), value, (values, left) => {
      const bloom = bloomOf([...values, left])
      assert.ok(fillsBloom(bloom, [...values, left]))
      assert.equal(fillsBloom(bloom, values), inBloom(bloomOf(values), bloomBits(left)))
    }),
  )
})

test('three bits at most, within the text', () => {
  fc.assert(
    fc.property(value, each => {
      const bits = bloomBits(each)
      assert.equal(bits.length, 3)
      for (const [digit, bit] of bits) assert.ok(digit >= 2 && digit < 514 && [1, 2, 4, 8].includes(bit))
    }),
  )
})

test('a bloom is vague when by chance it promises more than an eighth of what is not in it', () => {
  const values = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => `0x${(from + i).toString(16).padStart(40, '0')}`)
  for (const count of [0, 350, 650, 1_500]) {
    const bloom = bloomOf(values(count, 1))
    const strangers = values(2_000, 1_000_000)
    const promised = strangers.filter(each => inBloom(bloom, bloomBits(each))).length
    assert.equal(isVague(bloom), promised > strangers.length / 8)
  }
})
