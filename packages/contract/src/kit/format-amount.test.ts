import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountDecimals, formatAmount, formatExactAmount } from './format-amount.ts'

test('amounts have two to six decimals, truncated and never rounded up', () => {
  assert.equal(formatAmount('1234567.1', 'en'), '1,234,567.10')
  assert.equal(formatAmount('0', 'en'), '0.00')
  assert.equal(formatAmount('0.9999999', 'en'), '0.999999')
  assert.equal(formatAmount('-12.3456789', 'zh-CN'), '-12.345678')
  assert.equal(formatAmount('9.960000', 'en'), '9.96')
  assert.equal(formatAmount('5', 'zh-CN'), '5.00')
})

test('amounts of a currency have its decimals', () => {
  assert.equal(formatAmount('94.9', 'en', 'EUR'), '94.90')
  assert.equal(formatAmount('94.909999', 'en', 'EUR'), '94.90')
  assert.equal(formatAmount('15000.4', 'en', 'JPY'), '15,000')
  assert.equal(formatExactAmount('15000.4', 'en', 'JPY'), '15,000.4')
  assert.equal(formatAmount('0.0043', 'en', 'ETH'), '0.0043')
  for (const [text, unit] of [
    ['94.909999', 'EUR'],
    ['15000.4', 'JPY'],
    ['0.0043', 'ETH'],
  ] as const)
    assert.equal(amountDecimals(text, unit), formatAmount(text, 'en', unit).split('.')[1]?.length ?? 0)
})

test('exact amounts keep every digit', () => {
  assert.equal(formatExactAmount('1234.000000000000000001', 'en'), '1,234.000000000000000001')
  assert.equal(formatExactAmount('7.5', 'en'), '7.50')
  assert.equal(formatAmount('123456789012345678901.123456', 'en'), '123,456,789,012,345,678,901.123456')
})

test('the number of decimals is that of the formatted amount', () => {
  for (const text of ['0', '1.5', '12.345', '0.9999999', '0.1000001', '-3.14'])
    assert.equal(amountDecimals(text), formatAmount(text, 'en').split('.')[1]?.length, text)
})

test('text that is not a decimal is unchanged', () => {
  for (const text of ['', 'n/a', '1e3', '1,5']) assert.equal(formatAmount(text, 'en'), text)
})
