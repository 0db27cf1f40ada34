import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DailyPoint, isQuiet, totalsOf } from './series.ts'

const point = (create_num: number, pay_num: number, income: string): DailyPoint => ({
  date: '2026-11-21',
  income,
  refund: '0',
  create_num,
  pay_num,
})

test('totalsOf sums counts, and money exactly', () => {
  assert.deepEqual(totalsOf([point(3, 2, '0.1'), point(4, 4, '0.2')]), { created: 7, paid: 6, income: '0.3' })
  assert.deepEqual(totalsOf([]), { created: 0, paid: 0, income: '0' })
})

test('a range is quiet only without payments and income', () => {
  assert.equal(isQuiet([]), true)
  assert.equal(isQuiet([point(0, 0, '0.000000')]), true)
  assert.equal(isQuiet([point(1, 0, '0')]), false)
  assert.equal(isQuiet([point(0, 0, '0.01')]), false, 'a recharge or an order of the day before')
})
