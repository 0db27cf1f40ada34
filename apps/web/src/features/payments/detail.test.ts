import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmedShare, paidDifference } from './detail.ts'

test('amounts are compared exactly', () => {
  assert.equal(paidDifference('10', '10.000000'), null)
  assert.deepEqual(paidDifference('10', '4.5'), { kind: 'missing', amount: '5.5' })
  assert.deepEqual(paidDifference('0.1', '0.100000000000000001'), { kind: 'surplus', amount: '0.000000000000000001' })
  assert.equal(paidDifference('', '0'), null, 'no token chosen')
})

test('confirmation progress is capped at 1', () => {
  assert.equal(confirmedShare({ confirmations: 3, required_confirmations: 12 }), 0.25)
  assert.equal(confirmedShare({ confirmations: 40, required_confirmations: 12 }), 1)
  assert.equal(confirmedShare({ confirmations: 0, required_confirmations: 0 }), 1)
})
