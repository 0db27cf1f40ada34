import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sumBalances } from '../ledger/postings.ts'
import {
  computeRefundable,
  computeRefundTerms,
  gasPayers,
  refundKinds,
  releaseRefund,
  reserveRefund,
  settleRefund,
} from './terms.ts'

const dust = 10n ** 12n - 1n
const cases: [what: string, requested: bigint, paid: bigint, refunded: bigint, surplus: bigint, all: bigint][] = [
  ['paid exactly', 100n, 100n, 0n, 0n, 100n],
  ['paid too much', 100n, 130n, 0n, 30n, 130n],
  ['less than a unit too much', 20n * 10n ** 18n, 20n * 10n ** 18n + dust, 0n, 0n, 20n * 10n ** 18n + dust],
  ['paid too much, a part given back', 100n, 130n, 20n, 10n, 110n],
  ['paid too much, more than the surplus given back', 100n, 130n, 40n, 0n, 90n],
  ['paid in part', 100n, 30n, 0n, 0n, 30n],
  ['all given back', 100n, 100n, 100n, 0n, 0n],
  ['a deposit undone after its refund', 100n, 0n, 100n, 0n, 0n],
]
for (const [what, requested, paid, refunded, surplus, all] of cases) {
  test(what, () => {
    const payment = { requested, paid, refunded, decimals: 18 }
    assert.deepEqual(
      refundKinds.map(kind => computeRefundable(kind, payment)),
      [surplus, all, all],
    )
  })
}

const amounts = fc.record({
  amount: fc.bigInt(1n, 10n ** 24n),
  gas: fc.bigInt(0n, 10n ** 20n),
  payer: fc.constantFrom(...gasPayers),
})

test('refunds never give back more than was credited, in whatever order', () => {
  const steps = fc.array(fc.record({ kind: fc.constantFrom(...refundKinds), share: fc.bigInt(1n, 100n) }))
  fc.assert(
    fc.property(fc.bigInt(0n, 10_000n), fc.bigInt(0n, 10_000n), steps, (requested, paid, refunds) => {
      let refunded = 0n
      for (const { kind, share } of refunds)
        refunded += (computeRefundable(kind, { requested, paid, refunded, decimals: 6 }) * share) / 100n
      assert.ok(refunded <= paid)
    }),
  )
})

test('what is reserved is settled or released whole', () => {
  fc.assert(
    fc.property(amounts, ({ amount, gas, payer }) => {
      const terms = computeRefundTerms(amount, gas, payer)
      assert.equal(terms.total, terms.receives + gas)
      assert.equal(payer === 'merchant' ? terms.receives : terms.total, amount)
      const refund = { ...terms, id: '1', merchantId: 'A', assetId: 'eth:USDT' }
      const held = (groups: Parameters<typeof sumBalances>[0]) => sumBalances(groups).get('A/held/eth:USDT') ?? 0n
      assert.equal(held([reserveRefund(refund), releaseRefund(refund)]), 0n)
      if (terms.receives > 0n) assert.equal(held([reserveRefund(refund), settleRefund(refund)]), 0n)
    }),
  )
})
