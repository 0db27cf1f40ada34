import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyBasisPoints,
  applyPermille,
  computeRequestedAmount,
  computeRequestedUsdt,
  computeValueInUsdt,
  convertDeposit,
  correctRounding,
  crossRate,
  parseBaseUnits,
  parseRate,
  requestedUnitOf,
  roundUpToRequestedUnit,
} from './amounts.ts'

test('requestedAmount covers the value, rounded up to six decimal places', () => {
  const cases: [usdt: bigint, decimals: number, rate: string, requested: bigint][] = [
    [10_000_000n, 6, '1', 10_000_000n],
    [10_000_000n, 18, '1', 10_000_000_000_000_000_000n],
    [10_000_000n, 6, '0.9998', 10_002_001n],
    [10_000_000n, 18, '2500', 4_000_000_000_000_000n],
    [1n, 18, '2500', 1_000_000_000_000n],
    [10_000_000n, 2, '3', 334n],
    [7_000_000n, 0, '2', 4n],
  ]
  for (const [usdt, decimals, rate, requested] of cases)
    assert.equal(computeRequestedAmount(usdt, decimals, rate), requested)
})

test('the requested amount is never worth less than the value', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), fc.integer({ min: 0, max: 18 }), rates, (usdt, decimals, rate) => {
      assert.ok(computeValueInUsdt(computeRequestedAmount(usdt, decimals, rate), decimals, rate) >= usdt * 10n ** 12n)
    }),
  )
})

test('rounding adds at most one unit in the sixth decimal place', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), fc.integer({ min: 6, max: 18 }), rates, (usdt, decimals, rate) => {
      const less = computeRequestedAmount(usdt, decimals, rate) - 10n ** BigInt(decimals - 6)
      assert.ok(computeRequestedUsdt(less, decimals, rate) <= usdt)
    }),
  )
})

test('usdtRequested converts a fiat amount at its USDT price, rounded up', () => {
  assert.equal(computeRequestedUsdt(10_000n, 2, '1.1'), 110_000_000n)
  assert.equal(computeRequestedUsdt(1n, 8, '0.14'), 1n)
  assert.equal(computeValueInUsdt(1n, 8, '0.14'), 1_400_000_000n)
})

test('the exact amount in another asset counts as the exact requested amount', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 24n), fc.bigInt(1n, 10n ** 24n), (here, there) => {
      assert.equal(convertDeposit(here, here, there), there)
      assert.ok(convertDeposit(here - 1n, here, there) <= there)
    }),
  )
  assert.equal(convertDeposit(5n, 0n, 10n), 0n)
})

test('two parts of the exact amount in another asset sum to the requested amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt(2n, 10n ** 24n),
      fc.bigInt(1n, 10n ** 24n),
      fc.bigInt(1n, 10n ** 24n),
      (here, there, some) => {
        const part = (some % (here - 1n)) + 1n
        const both = convertDeposit(part, here, there) + convertDeposit(here - part, here, there)
        // Two fractions of exactly one half are both rounded up.
        assert.ok(both === there || (both === there + 1n && (2n * part * there) % (2n * here) === here), `${both}`)
      },
    ),
    { examples: [[10_003_001n, 10_000_000n, 4_999_999n]] },
  )
  assert.equal(convertDeposit(1n, 10n ** 19n, 10_000_000n), 0n, 'dust counts for nothing')
})

test('crossRate converts a dollar price to a USDT price', () => {
  const cases: [symbol: string, usdt: string, rate: string][] = [
    ['1', '1', '1'],
    ['2500', '0.9998', '2500.500100020004'],
    ['0.14', '1.0001', '0.1399860014'],
    ['0.000001', '1', '0.000001'],
  ]
  for (const [symbol, usdt, rate] of cases) assert.equal(crossRate(symbol, usdt), rate)
})

test('parseRate refuses invalid rates', () => {
  for (const text of ['0', '0.0', '-1', '1e3', '', 'NaN', '.5', '1.', ' 1', '1'.repeat(41)]) {
    assert.throws(() => parseRate(text), RangeError, text)
  }
})

test('permille and basis points round down', () => {
  assert.equal(applyBasisPoints(10_000_000n, 45), 45_000n)
  assert.equal(applyBasisPoints(249n, 40), 0n)
  assert.equal(applyPermille(10_000_000n, 4), 40_000n)
  assert.equal(applyPermille(249n, 4), 0n)
  assert.equal(applyPermille(1000n, 1000), 1000n)
})

const rates = fc
  .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 999_999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`)

test('evened corrects rounding errors but not real shortfalls', () => {
  const requested = 10_000_000n
  assert.deepEqual(
    [3_333_333n, 3_333_334n, 3_333_318n, 3_333_317n, 3_333_351n].map(counted =>
      correctRounding(counted, 3_333_334n, requested, 6),
    ),
    [3_333_334n, 3_333_334n, 3_333_334n, 3_333_317n, 3_333_351n],
  )
  assert.equal(correctRounding(99n, 100n, 9_999n, 6), 99n, 'a unit of little is much')
})

test('base units are digits and nothing else', () => {
  assert.equal(parseBaseUnits('100000000000000000000'), 10n ** 20n)
  for (const text of ['', ' ', '1.5', '-1', '0x10', '1e3', ' 1'])
    assert.throws(() => parseBaseUnits(text), RangeError, text)
})

test('the unit of an amount can be typed, and is a small part of it', () => {
  const usdt = 10n ** 18n
  const cases: [what: string, amount: bigint, decimals: number, unit: bigint][] = [
    ['six places', 20n * usdt, 18, 10n ** 12n],
    ['a cent', usdt / 100n, 18, 10n ** 12n],
    ['less than a cent', usdt / 1_000n, 18, 10n ** 10n],
    ['next to nothing', 10n ** 12n, 18, 1n],
    ['a price with more places', 20n * usdt + 1n, 18, 1n],
    ['eight places of a dear coin', 100_001n, 8, 1n],
    ['a token of six places', 20_000_000n, 6, 1n],
    ['nothing', 0n, 18, 1n],
  ]
  for (const [what, amount, decimals, unit] of cases) assert.equal(requestedUnitOf(amount, decimals), unit, what)
})

test('a converted amount has the places of its size, and gains at most a part in 10,000', () => {
  assert.equal(roundUpToRequestedUnit(18_331862806084940338n, 18), 18_331863000000000000n)
  assert.equal(roundUpToRequestedUnit(18_331863n, 6), 18_331863n)
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
      const up = roundUpToRequestedUnit(amount, decimals)
      assert.ok(up >= amount && (up - amount) * 10_000n <= amount)
    }),
  )
})
