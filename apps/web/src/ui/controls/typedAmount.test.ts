import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedAmount } from './typedAmount.ts'

test('decimal commas and separators of thousands are understood, and what could be either is left to be refused', () => {
  const read = (...texts: string[]) => texts.map(typedAmount)
  assert.deepEqual(read('1,5', '0,000001', '12,', '1.5', ' 1 000.50 '), ['1.5', '0.000001', '12.', '1.5', '1000.50'])
  assert.deepEqual(read('1,234.56', '1.234,56', "1'234.56", '1,234,567.8'), [
    '1234.56',
    '1234.56',
    '1234.56',
    '1234567.8',
  ])
  assert.deepEqual(read('1,000', '12,345', '1,2,3', 'abc', ''), ['1,000', '12,345', '1,2,3', 'abc', ''])
  // Typed key by key, the comma is a point before a third digit follows.
  const keys = [...'1,000'].reduce((typed, key) => typedAmount(typed + key), '')
  assert.equal(keys, '1.000')
})
