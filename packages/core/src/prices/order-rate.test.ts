import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeRequestedAmount, computeRequestedUsdt } from '../amounts.ts'
import {
  chooseRate,
  computePriceWithSpread,
  computeUsdtWithSpread,
  isNearPrice,
  type QuotedRate,
} from './order-rate.ts'

const at = (rate: string, perUsdt = true): QuotedRate => ({ rate, perUsdt })
/** A decimal number with six places, as a text and in millionths. */
const rates = fc.integer({ min: 1, max: 2_000_000_000 }).map(millionths => ({
  text: `${Math.trunc(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`,
  millionths: BigInt(millionths),
}))
const spreads = fc.bigInt(-2_000n, 2_000n)
const amounts = fc.bigInt(1n, 10n ** 20n)
const up = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom

test('the first source with a rate is used; a currency without any of its own has the market price', () => {
  const [fixed, own, market] = ['7', '7.1', '7.2'].map(rate => at(rate))
  assert.equal(chooseRate(['fixed', 'own', 'market'], { fixed, own, market: market! }), fixed)
  assert.equal(chooseRate(['market', 'fixed'], { fixed, market: null }), fixed)
  assert.equal(chooseRate(['own', 'fixed'], { own: null, fixed, market: market! }), fixed)
  assert.equal(chooseRate(['own'], { own: null, fixed, market: market! }), null)
  assert.equal(chooseRate(['own', 'fixed'], { market: market! }), market)
  assert.equal(chooseRate(['fixed'], { own, market: market! }), market)
  assert.equal(chooseRate(['fixed', 'market'], { market: null }), null)
})

test('72 CNY at 7.2 for one USDT are 10 USDT, not a millionth more', () => {
  assert.equal(computeUsdtWithSpread(7_200_000_000n, 8, at('7.2'), 0n), 10_000_000n)
  assert.equal(computeUsdtWithSpread(7_200_000_000n, 8, at('7.2'), 150n), 10_150_000n)
  assert.equal(computeUsdtWithSpread(7_200_000_000n, 8, at('7.2'), -50n), 9_950_000n)
  assert.equal(computePriceWithSpread(at('7.2'), 0n), '0.138888888889')
  assert.equal(computePriceWithSpread(at('1.1', false), 150n), '1.1165')
  assert.equal(computePriceWithSpread(at('2500', false), -2_000n), '2000')
})

test('a value is amount × (1 + spread) ÷ rate in whole millionths, rounded up once', () => {
  fc.assert(
    fc.property(amounts, rates, spreads, (amount, { text, millionths }, spread) => {
      const whole = 10_000n * 10n ** 8n
      assert.equal(
        computeUsdtWithSpread(amount, 8, at(text), spread),
        up(amount * (10_000n + spread) * 10n ** 12n, whole * millionths),
      )
      assert.equal(
        computeUsdtWithSpread(amount, 8, at(text, false), spread),
        up(amount * (10_000n + spread) * millionths, whole),
      )
      assert.equal(computeUsdtWithSpread(amount, 8, at(text, false), 0n), computeRequestedUsdt(amount, 8, text))
    }),
  )
})

test('the token amount never falls short of fiat × (1 + spread) ÷ rate ÷ price of the token, by at most one last place more', () => {
  fc.assert(
    fc.property(amounts, rates, rates, spreads, (amount, fiat, token, spread) => {
      const units = computeRequestedAmount(computeUsdtWithSpread(amount, 8, at(fiat.text), spread), 6, token.text)
      // The exact amount in millionths of the token is top / bottom.
      const top = amount * (10_000n + spread) * 10n ** 18n
      const bottom = 10n ** 12n * fiat.millionths * token.millionths
      assert.ok(units * bottom >= top)
      // Rounding the value up to a millionth of a USDT costs at most that, and rounding the amount one unit.
      assert.ok((units - 1n) * token.millionths * bottom < top * token.millionths + bottom * 10n ** 6n)
    }),
  )
})

test('a higher spread never makes an order cheaper', () => {
  fc.assert(
    fc.property(amounts, rates, spreads, fc.bigInt(0n, 500n), (amount, { text }, spread, more) => {
      assert.ok(
        computeUsdtWithSpread(amount, 8, at(text), spread + more) >= computeUsdtWithSpread(amount, 8, at(text), spread),
      )
    }),
  )
})

test('a rate is near a price within a factor either way, whichever way it is stated', () => {
  const double = [2n, 1n] as const
  const fifth = [12n, 10n] as const
  for (const rate of ['3.6', '7.2', '14.4'])
    assert.ok(isNearPrice(at(rate), '0.138888888889', [20_001n, 10_000n]), rate)
  for (const rate of ['3.5', '14.5', '0.1389']) assert.ok(!isNearPrice(at(rate), '0.138888888889', double), rate)
  for (const rate of ['2500', '2999', '3000', '2084']) assert.ok(isNearPrice(at(rate, false), '2500', fifth), rate)
  for (const rate of ['3001', '2083']) assert.ok(!isNearPrice(at(rate, false), '2500', fifth), rate)
})
