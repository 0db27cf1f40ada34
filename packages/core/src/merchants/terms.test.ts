import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeWithdrawalTerms } from '../withdrawals/terms.ts'
import {
  choosePaymentFeeBps,
  computeMerchantMinWithdrawal,
  findLargestRaisedLimit,
  fixPaymentFeeBps,
  type MerchantTerms,
  makePlatformRules,
  type OwnMerchantTerms,
  pickMerchantTerms,
  resolveMerchantTerms,
} from './terms.ts'

const standard: MerchantTerms = {
  fee_bps: 40,
  withdraw_fee_bps: 10,
  withdraw_single_max: 10_000,
  withdraw_day_max: 50_000,
  withdraw_approval_above: 0,
}
const none: OwnMerchantTerms = {
  fee_bps: null,
  withdraw_fee_bps: null,
  withdraw_single_max: null,
  withdraw_day_max: null,
  withdraw_approval_above: null,
}
const usdt = (value: bigint) => value * 10n ** 18n

test('a term of its own, zero too, is in force in place of the installation’s', () => {
  assert.deepEqual(resolveMerchantTerms(none, standard), standard)
  assert.deepEqual(resolveMerchantTerms({}, standard), standard)
  const zero = { ...none, fee_bps: 0, withdraw_single_max: 0 }
  assert.deepEqual(resolveMerchantTerms(zero, standard), { ...standard, fee_bps: 0, withdraw_single_max: 0 })
  for (const name of Object.keys(standard) as (keyof MerchantTerms)[])
    assert.deepEqual(resolveMerchantTerms({ ...none, [name]: 7 }, standard), { ...standard, [name]: 7 })
})

test('picks the terms of a row in their order, and nothing else', () => {
  const row = { id: 'm', ...Object.fromEntries(Object.entries(none).reverse()), email: 'm@example.com' }
  assert.deepEqual(JSON.stringify(pickMerchantTerms(row as unknown as OwnMerchantTerms)), JSON.stringify(none))
})

test('one payment has one rate: that of its first credit, whatever the merchant has since', () => {
  const fresh = { fee_bps: null, paid_amount: 0n, fees: 0n }
  assert.equal(choosePaymentFeeBps(fresh, standard), 40)
  assert.equal(fixPaymentFeeBps(fresh, 40), 40)
  const known = { fee_bps: 0, paid_amount: 5n, fees: 0n }
  assert.deepEqual([choosePaymentFeeBps(known, standard), fixPaymentFeeBps(known, 40)], [0, 0])
  // Credited before rates were stored: what is taken now says nothing about what was taken then.
  for (const earlier of [
    { ...fresh, paid_amount: 5n },
    { ...fresh, fees: 1n },
  ])
    assert.deepEqual([choosePaymentFeeBps(earlier, standard), fixPaymentFeeBps(earlier, 40)], [40, null])
})

test('the smallest withdrawal is worth 1 USDT and leaves something to receive', () => {
  const asset = { decimals: 6, price: '1' }
  assert.equal(computeMerchantMinWithdrawal(standard, 0n, asset), 1_000_000n)
  assert.equal(computeMerchantMinWithdrawal({ ...standard, withdraw_fee_bps: 10_000 }, 0n, asset), null)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), fc.bigInt(0n, 10n ** 12n), (withdraw_fee_bps, gas) => {
      const least = computeMerchantMinWithdrawal({ ...standard, withdraw_fee_bps }, gas, asset)!
      assert.ok(least >= 1_000_000n)
      assert.ok(computeWithdrawalTerms(least, withdraw_fee_bps, gas).receives > 0n)
      const less = computeWithdrawalTerms(least - 1n, withdraw_fee_bps, gas)
      assert.ok(least === 1_000_000n || less.receives <= 0n)
    }),
  )
})

test('limits become rules of the platform; a risky merchant needs an approval for everything', () => {
  const limits = [
    { kind: 'single', limit: usdt(10_000n), ofPlatform: true },
    { kind: 'window', per: 'merchant', seconds: 86_400, limit: usdt(50_000n), ofPlatform: true },
  ]
  const approval = (above: bigint) => ({
    kind: 'approval',
    approver: '',
    above,
    aboveInAll: 10n * above,
    ofPlatform: true,
  })
  assert.deepEqual(makePlatformRules(standard, { isRisky: false }), limits)
  assert.deepEqual(makePlatformRules(standard, { isRisky: true }), [...limits, approval(0n)])
  const asked = { ...standard, withdraw_approval_above: 50 }
  assert.deepEqual(makePlatformRules(asked, { isRisky: false }), [...limits, approval(usdt(50n))])
  assert.deepEqual(makePlatformRules(asked, { isRisky: true }), [...limits, approval(0n)])
})

test('says the largest limit that is raised, and nothing of those that are lowered', () => {
  const raised = (change: Partial<MerchantTerms>, from: Partial<MerchantTerms> = {}) =>
    findLargestRaisedLimit({ ...standard, ...from }, { ...standard, ...from, ...change })
  assert.equal(raised({}), 0)
  assert.equal(raised({ fee_bps: 0, withdraw_fee_bps: 0 }), 0)
  assert.equal(raised({ withdraw_single_max: 20_000 }), 20_000)
  assert.equal(raised({ withdraw_single_max: 5_000, withdraw_day_max: 60_000 }), 60_000)
  assert.equal(raised({ withdraw_single_max: 1, withdraw_day_max: 1, withdraw_approval_above: 1 }), 0)
  // Whoever was asked above 50 is asked for nothing: what may leave unasked is then the limit of a day.
  assert.equal(raised({ withdraw_approval_above: 0 }, { withdraw_approval_above: 50 }), 50_000)
  assert.equal(raised({ withdraw_approval_above: 80 }, { withdraw_approval_above: 50 }), 80)
})
