import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAmountColumnStyle, computeFractionWidth } from './computeAmountColumnStyle.ts'

test('a column has room for its most decimals, at most six', () => {
  assert.deepEqual(computeAmountColumnStyle([{ value: '10' }, { value: '0.0125' }, { value: '' }]), {
    '--fraction-max': computeFractionWidth('0.0125'),
  })
  assert.deepEqual(computeAmountColumnStyle([{ value: '1.23456789' }]), {
    '--fraction-max': computeFractionWidth('0.123456'),
  })
  assert.deepEqual(computeAmountColumnStyle([]), { '--fraction-max': 0 })
})

test('units of different lengths get the same width', () => {
  const rows = [
    { value: '1', unit: 'ETH' },
    { value: '2', unit: 'USDT' },
    { value: '', unit: 'PYUSD0' },
  ]
  assert.deepEqual(computeAmountColumnStyle(rows), { '--fraction-max': 2.45, '--unit-length': 4 })
  assert.deepEqual(computeAmountColumnStyle(rows.slice(0, 1)), { '--fraction-max': 2.45 })
})

test('whole currencies have no point, and digits after the second decimal are smaller', () => {
  assert.equal(computeFractionWidth('1500', 'JPY'), 0)
  assert.equal(computeFractionWidth('1500', 'EUR'), 2.45)
  assert.equal(computeFractionWidth('1.123456', 'ETH'), 5.73)
  // 0.000017 says nothing but in its last digits.
  assert.equal(computeFractionWidth('0.000017', 'ETH'), 6.45)
})
