import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeConfirmationProgress, computePaidDifference } from './detail.ts'

test('amounts are compared exactly', () => {
  assert.equal(computePaidDifference('10', '10.000000'), null)
  assert.deepEqual(computePaidDifference('10', '4.5'), { kind: 'missing', amount: '5.5' })
  assert.deepEqual(computePaidDifference('0.1', '0.100000000000000001'), {
    kind: 'surplus',
    amount: '0.000000000000000001',
  })
  assert.equal(computePaidDifference('', '0'), null, 'no token chosen')
})

test('confirmation progress is capped at 1', () => {
  assert.equal(computeConfirmationProgress({ confirmations: 3, required_confirmations: 12 }), 0.25)
  assert.equal(computeConfirmationProgress({ confirmations: 40, required_confirmations: 12 }), 1)
  assert.equal(computeConfirmationProgress({ confirmations: 0, required_confirmations: 0 }), 1)
})
