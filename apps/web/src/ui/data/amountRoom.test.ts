import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountRoom } from './amountRoom.ts'

test('a column has room for its most decimals, at most six', () => {
  assert.deepEqual(amountRoom([{ value: '10' }, { value: '0.0125' }, { value: '' }]), { '--decimals-max': 4 })
  assert.deepEqual(amountRoom([{ value: '1.23456789' }]), { '--decimals-max': 6 })
  assert.deepEqual(amountRoom([]), { '--decimals-max': 0 })
})

test('units of different lengths get the same width', () => {
  const rows = [
    { value: '1', unit: 'ETH' },
    { value: '2', unit: 'USDT' },
    { value: '', unit: 'PYUSD0' },
  ]
  assert.deepEqual(amountRoom(rows), { '--decimals-max': 2, '--unit-length': 4 })
  assert.deepEqual(amountRoom(rows.slice(0, 1)), { '--decimals-max': 2 })
})
