import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxPriceAgeSeconds, medianPrice } from './median.ts'
import { formatFixedPoint, invertRate, parseFixedPoint } from './rates.ts'

const now = 1_800_000_000
const row = (price: string, at = now, source = 's') => ({ source, price, at })

test('gives the median with the oldest time and the names of the sources', () => {
  assert.deepEqual(medianPrice([row('1.01', now - 9, 'b'), row('1', now, 'a'), row('1.02', now - 3, 'c')], now), {
    price: '1.01',
    source: 'a,b,c',
    time: now - 9,
  })
  assert.equal(medianPrice([row('1'), row('1.01')], now)?.price, '1.005')
})

test('needs two sources with fresh, valid prices', () => {
  assert.equal(medianPrice([], now), null)
  const beyond = row(`1${'0'.repeat(18)}`)
  assert.equal(medianPrice([beyond, beyond], now), null)
  assert.equal(medianPrice([row('1')], now), null)
  for (const other of [
    row('1', now - maxPriceAgeSeconds - 1),
    row('1', now + maxPriceAgeSeconds + 1),
    row('0'),
    row('-1'),
    row('NaN'),
    row('1e3'),
    row(''),
  ])
    assert.equal(medianPrice([row('1'), other], now), null)
  assert.ok(medianPrice([row('1'), row('1', now - maxPriceAgeSeconds)], now))
})

test('refuses sources more than two percent apart', () => {
  assert.ok(medianPrice([row('100'), row('102')], now))
  assert.equal(medianPrice([row('100'), row('102.000000000000000001')], now), null)
  assert.equal(medianPrice([row('100'), row('101'), row('110')], now), null)
})

const price = fc.bigInt({ min: 1n, max: 10n ** 30n })
const rows = fc.array(fc.record({ units: price, age: fc.integer({ min: -400, max: 400 }) }), { maxLength: 6 })

test('gives a price between fresh sources that agree, else none', () => {
  fc.assert(
    fc.property(fc.oneof(rows, close()), samples => {
      const given = samples.map(({ units, age }) => row(formatFixedPoint(units), now - age))
      const fresh = samples.filter(({ age }) => Math.abs(age) <= maxPriceAgeSeconds).map(({ units }) => units)
      const low = fresh.reduce(lesser, fresh[0] ?? 0n)
      const high = fresh.reduce(greater, 0n)
      const quote = medianPrice(given, now)
      if (fresh.length < 2 || high * 100n > low * 102n) return assert.equal(quote, null)
      const units = parseFixedPoint(quote!.price)!
      assert.ok(low <= units && units <= high)
      assert.ok(quote!.time >= now - maxPriceAgeSeconds)
    }),
    { numRuns: 1000 },
  )
})

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)
/** Prices within about 2.5 %, so that both agreement and disagreement occur. */
const close = () =>
  fc.array(
    fc.record({ units: fc.bigInt({ min: 1_000_000n, max: 1_025_000n }), age: fc.integer({ min: 0, max: 310 }) }),
    { minLength: 2, maxLength: 5 },
  )

test('inverts a rate twice to itself, within 9 digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }), units => {
      const back = parseFixedPoint(invertRate(invertRate(formatFixedPoint(units))!))!
      const off = back > units ? back - units : units - back
      assert.ok(off * 10n ** 9n <= units, `${units} ${back}`)
    }),
  )
  assert.equal(invertRate('0'), null)
  assert.equal(invertRate('x'), null)
})
