import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAmount, formatCount, formatDay, formatTime } from './format.ts'

test('amounts have two to six decimals, truncated and never rounded up', () => {
  assert.equal(formatAmount('1234567.1', 'en'), '1,234,567.10')
  assert.equal(formatAmount('0', 'en'), '0.00')
  assert.equal(formatAmount('0.9999999', 'en'), '0.999999')
  assert.equal(formatAmount('-12.3456789', 'zh-CN'), '-12.345678')
  assert.equal(formatAmount('5', 'en', 0), '5')
})

test('amounts beyond float precision keep every digit', () => {
  assert.equal(formatAmount('123456789012345678901.123456', 'en'), '123,456,789,012,345,678,901.123456')
})

test('text that is not a decimal is unchanged', () => {
  assert.equal(formatAmount('', 'en'), '')
  assert.equal(formatAmount('n/a', 'en'), 'n/a')
})

test('times and days follow the language', () => {
  const noon = new Date(2026, 10, 5, 12, 3, 9).getTime() / 1000
  assert.equal(formatTime(noon), '2026-11-05 12:03:09')
  assert.equal(formatDay(noon, 'en'), '05/11/2026')
  assert.equal(formatDay(noon, 'zh-CN'), '2026.11.05')
  assert.equal(formatCount(1234567, 'en'), '1,234,567')
})
