import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareDecimals, formatDecimal, isDecimal, parseDecimal, roundDecimal } from './decimal.ts'
import { truncateDecimal } from './truncate-decimal.ts'

test('parses and formats examples', () => {
  const rows: [text: string, decimals: number, units: bigint | null][] = [
    ['0', 6, 0n],
    ['1.5', 6, 1_500_000n],
    ['1.500000', 6, 1_500_000n],
    ['0.000001', 6, 1n],
    ['0.0000001', 6, null],
    ['1.0000000', 6, 1_000_000n],
    ['-2.5', 1, -25n],
    ['01', 6, null],
    ['1e3', 6, null],
    ['1.', 6, null],
    ['.5', 6, null],
    [' 1', 6, null],
    ['1,5', 6, null],
    ['NaN', 6, null],
    ['Infinity', 6, null],
    ['٣', 6, null],
    ['', 6, null],
    ['7', 0, 7n],
    ['7.1', 0, null],
  ]
  for (const [text, decimals, units] of rows)
    assert.equal(parseDecimal(text, decimals), units, `${text} at ${decimals}`)
  assert.equal(formatDecimal(1_500_000n, 6), '1.5')
  assert.equal(formatDecimal(-1n, 6), '-0.000001')
  assert.equal(formatDecimal(100n, 0), '100')
  assert.equal(parseDecimal('9'.repeat(101), 0), null)
})

test('round-trips any amount with any number of decimals', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
      fc.integer({ min: 0, max: 24 }),
      (units, decimals) => {
        const text = formatDecimal(units, decimals)
        assert.ok(isDecimal(text))
        assert.equal(parseDecimal(text, decimals), units)
      },
    ),
  )
})

test('truncation never increases an amount', () => {
  assert.equal(truncateDecimal('1.9999999', 6), '1.999999')
  assert.equal(truncateDecimal('1.5000', 6), '1.5')
  assert.equal(truncateDecimal('12', 6), '12')
  assert.equal(truncateDecimal('-0.0000001', 6), '0')
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), units => {
      const text = formatDecimal(units, 18)
      assert.ok(compareDecimals(truncateDecimal(text, 6), text) <= 0)
    }),
  )
})

test('rounding goes to the nearest, half away from zero', () => {
  for (const [text, places, rounded] of [
    ['0.235', 2, '0.24'],
    ['0.2349999', 2, '0.23'],
    ['-0.235', 2, '-0.24'],
    ['9.995', 2, '10'],
    ['0.5', 0, '1'],
    ['12', 2, '12'],
  ] as const)
    assert.equal(roundDecimal(text, places), rounded, text)
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 8 }), (units, places) => {
      const step = 10n ** BigInt(8 - places)
      const off = units - parseDecimal(roundDecimal(formatDecimal(units, 8), places), 8)!
      assert.ok(2n * (off < 0n ? -off : off) <= step)
    }),
  )
})

test('comparison agrees with integers', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: 0, max: 20 }), (a, b, decimals) => {
      const sign = compareDecimals(formatDecimal(a, decimals), formatDecimal(b, decimals))
      assert.equal(sign, a < b ? -1 : a > b ? 1 : 0)
    }),
  )
  assert.throws(() => compareDecimals('x', '1'), RangeError)
})
