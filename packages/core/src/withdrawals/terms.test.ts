import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeValueInUsdt } from '../amounts.ts'
import { sumBalances } from '../ledger/postings.ts'
import {
  computeAmountForValue,
  computeMinWithdrawal,
  computeWithdrawalTerms,
  convertGasToToken,
  releaseWithdrawal,
  reserveWithdrawal,
  settleWithdrawal,
} from './terms.ts'

const fees = fc.integer({ min: 0, max: 9_999 })
const gases = fc.bigInt(0n, 10n ** 24n)

test('converts a network fee to the token, rounded up to six decimals', () => {
  const ether = { decimals: 18, price: '2500' }
  // 65,000 units of gas at 2 gwei are 0.00013 ETH: 0.325 USDT.
  const cost = 65_000n * 2_000_000_000n
  assert.equal(convertGasToToken(cost, ether, { decimals: 6, price: '1' }), 325_000n)
  assert.equal(convertGasToToken(cost, ether, { decimals: 18, price: '1' }), 325_000n * 10n ** 12n)
  assert.equal(convertGasToToken(cost, ether, { decimals: 6, price: '3' }), 108_334n)
  assert.equal(convertGasToToken(cost, ether, ether), 130_000_000_000_000n)
  assert.equal(convertGasToToken(0n, ether, ether), 0n)
})

test('an amount worth a value is the largest that is not above it', () => {
  const value = fc.bigInt(0n, 10n ** 30n)
  fc.assert(
    fc.property(
      value,
      fc.constantFrom(0, 6, 8, 18),
      fc.constantFrom('1', '2500', '0.0431', '3.7'),
      (most, decimals, price) => {
        const amount = computeAmountForValue(most, { decimals, price })
        assert.ok(computeValueInUsdt(amount, decimals, price) <= most)
        assert.ok(computeValueInUsdt(amount + 2n, decimals, price) >= most)
      },
    ),
  )
  assert.equal(computeAmountForValue(10_000n * 10n ** 18n, { decimals: 6, price: '1' }), 10_000_000_000n)
})

test('amount is fee, gas and what arrives together', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 30n), fees, gases, (amount, fee, gas) => {
      const terms = computeWithdrawalTerms(amount, fee, gas)
      assert.equal(terms.fee + terms.gas + terms.receives, amount)
    }),
  )
})

test('the smallest amount is exactly the first of which something arrives', () => {
  fc.assert(
    fc.property(fees, gases, (fee, gas) => {
      const least = computeMinWithdrawal(fee, gas)!
      assert.ok(computeWithdrawalTerms(least, fee, gas).receives > 0n)
      assert.ok(least === 0n || computeWithdrawalTerms(least - 1n, fee, gas).receives <= 0n)
    }),
  )
  assert.equal(computeMinWithdrawal(10_000, 0n), null)
})

test('what was reserved is settled or released to the last unit', () => {
  const withdrawal = { id: '7', merchantId: 'A', assetId: 'eth:USDT', ...computeWithdrawalTerms(1_000n, 10, 30n) }
  const sheet = (groups: Parameters<typeof sumBalances>[0]) =>
    [...sumBalances(groups)].map(([id, amount]) => `${id.split('/').slice(0, 2).join(' ')} ${amount}`).join(', ')
  assert.equal(
    sheet([reserveWithdrawal(withdrawal), settleWithdrawal(withdrawal)]),
    'A available -1000, A held 0, house chain -969, house fees 31',
  )
  assert.equal(sheet([reserveWithdrawal(withdrawal), releaseWithdrawal(withdrawal)]), 'A available 0, A held 0')
  const free = { ...withdrawal, ...computeWithdrawalTerms(1_000n, 0, 0n) }
  assert.equal(settleWithdrawal(free).postings.length, 1, 'no posting of nothing')
})
