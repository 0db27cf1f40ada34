import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computePaidRatio } from './computePaidRatio.ts'

test('paidRatio is paid over created', () => {
  assert.equal(computePaidRatio({ create_num: 8, pay_num: 6 }), 0.75)
  assert.equal(computePaidRatio({ create_num: 0, pay_num: 0 }), null)
  assert.equal(computePaidRatio({ create_num: 1, pay_num: 2 }), null, 'one of the day before')
})
