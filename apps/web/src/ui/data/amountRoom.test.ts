import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountRoom, fractionWidth } from './amountRoom.ts'

test('a column has room for its most decimals, at most six', () => {
  assert.deepEqual(amountRoom([{ value: '10' }, { value: '0.0125' }, { value: '' }]), {
    '--fraction-max': fractionWidth('0.0125'),
  })
  assert.deepEqual(amountRoom([{ value: '1.23456789' }]), { '--fraction-max': fractionWidth('0.123456') })
  assert.deepEqual(amountRoom([]), { '--fraction-max': 0 })
})

test('units of different lengths get the same width', () => {
  const rows = [
    { value: '1', unit: 'ETH' },
    { value: '2', unit: 'USDT' },
    { value: '', unit: 'PYUSD0' },
  ]
  assert.deepEqual(amountRoom(rows), { '--fraction-max': 2.45, '--unit-length': 4 })
  assert.deepEqual(amountRoom(rows.slice(0, 1)), { '--fraction-max': 2.45 })
})

test('whole currencies have no point, and digits after the second decimal are smaller', () => {
  assert.equal(fractionWidth('1500', 'JPY'), 0)
  assert.equal(fractionWidth('1500', 'EUR'), 2.45)
  assert.equal(fractionWidth('1.123456', 'ETH'), 5.73)
  // 0.000017 says nothing but in its last digits.
  assert.equal(fractionWidth('0.000017', 'ETH'), 6.45)
})
