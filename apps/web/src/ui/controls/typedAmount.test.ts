import assert from 'node:assert/strict'
import { test } from 'node:test'
import en from '../../i18n/en/amounts.ts'
import zh from '../../i18n/zh-CN/amounts.ts'
import { describeAmountError, describeTypedAmount, parseTypedAmount } from './typedAmount.ts'

const read = (...texts: string[]) => texts.map(parseTypedAmount)

test('a separator that may be of thousands or of decimals is refused', () => {
  for (const text of [
    '1,000',
    '1.000',
    '1,500',
    '1.500',
    '12,345',
    '123.450',
    '１，０００',
    '１。０００',
    ' 1,000 ',
    '999,999',
  ]) {
    assert.equal(parseTypedAmount(text), null, text)
    assert.match(describeAmountError(text, en)!, /may mean/, text)
  }
  assert.equal(describeAmountError('1,500', en), '“1,500” may mean 1500 or 1.5. Enter one of them.')
  assert.equal(describeAmountError('1.000', en), '“1.000” may mean 1000 or 1. Enter one of them.')
  assert.equal(describeAmountError('12,345', zh), '“12,345”可能是 12345，也可能是 12.345，请输入其中一个')
})

test('what has one meaning is read: decimal commas, groups of thousands, and the marks of Chinese keyboards', () => {
  assert.deepEqual(read('1,5', '0,000001', '0,125', '1.5', '1234,567', '1,2345'), [
    '1.5',
    '0.000001',
    '0.125',
    '1.5',
    '1234.567',
    '1.2345',
  ])
  assert.deepEqual(read('1,234.56', '1.234,56', "1'234.56", '1’000', '1 000', '1\u202f000,500', '1,000.500'), [
    '1234.56',
    '1234.56',
    '1234.56',
    '1000',
    '1000',
    '1000.500',
    '1000.500',
  ])
  assert.deepEqual(read('1,000,000', '1.000.000', '1.000,50', ' 12 '), ['1000000', '1000000', '1000.50', '12'])
  assert.deepEqual(read('１２．５', '１２。５', '１，０００．５', '　３　'), ['12.5', '12.5', '1000.5', '3'])
  // As amounts are written on every page and in every answer, so that they can be copied.
  assert.deepEqual(read('1.125', '12.345', '1000.5', '0.500', '12.50'), ['1.125', '12.345', '1000.5', '0.500', '12.50'])
})

test('what is no amount is refused with what is allowed', () => {
  const wrong = [
    '',
    '0',
    '0,00',
    'abc',
    '1e3',
    '٣',
    '½',
    '1²',
    '+5',
    '-5',
    '1.',
    '1,',
    ',5',
    '.5',
    '007',
    '1 5',
    '1,2,3',
  ]
  const more = ['1,00,000', '1.000.5', '1,000,5', '1,000.000,5', '10 USDT', '$5', '¥5', '1_000', '0x10', '9'.repeat(41)]
  for (const text of [...wrong, ...more]) {
    assert.equal(parseTypedAmount(text), null, text)
    assert.equal(describeAmountError(text, en), en.validaValue, text)
  }
})

test('a text that is not written as amounts are here says how it is read', () => {
  const note = (text: string) => describeTypedAmount(text, en, 'en')
  assert.deepEqual(['100', '1.5', '0.125', '1,000', 'abc', ''].map(note), [null, null, null, null, null, null])
  assert.deepEqual(['1,5', '1.000,50', '1 000', '１２'].map(note), [
    'Read as 1.50',
    'Read as 1,000.50',
    'Read as 1,000.00',
    'Read as 12.00',
  ])
  assert.equal(note('12.345'), 'Read as 12.345, with a decimal point')
  assert.equal(describeTypedAmount('12,5', zh, 'zh-CN'), '识别为 12.50')
})
