import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PostingGroup } from '../ledger/postings.ts'
import { creditDeposit, depositFee } from './credit.ts'

test('a payment is credited with a fee, a recharge without', () => {
  const deposit = { id: '9', merchantId: 'A', assetId: 'eth:USDT', amount: 10_000_000n, kind: 'payment' as const }
  const moved = ({ source, postings }: PostingGroup) => [source, ...postings.map(each => [each.kind, each.amount])]
  assert.deepEqual(moved(creditDeposit(deposit, 40)), ['deposit:9', ['payment', 10_000_000n], ['fee', 40_000n]])
  assert.deepEqual(moved(creditDeposit(deposit, 0)), ['deposit:9', ['payment', 10_000_000n]])
  assert.deepEqual(moved(creditDeposit({ ...deposit, amount: 249n }, 40)), ['deposit:9', ['payment', 249n]])
  assert.deepEqual(moved(creditDeposit({ ...deposit, kind: 'recharge' }, 40)), ['deposit:9', ['recharge', 10_000_000n]])
})

test('the fee never exceeds the deposit', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 30n), fc.integer({ min: 0, max: 10_000 }), (amount, fee) => {
      const deposit = { id: '1', merchantId: 'A', assetId: 'eth:USDT', amount, kind: 'payment' as const }
      assert.ok(depositFee(deposit, fee) <= amount)
    }),
  )
})
