import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeAverageIncome,
  computeRelativeChange,
  computeSuccessRate,
  countComparedDays,
  type DailyPoint,
  hasNoPaymentActivity,
  resolveComparedRanges,
  splitComparedDays,
  sumDailyPoints,
} from './series.ts'

const point = (create_num: number, pay_num: number, income: string): DailyPoint => ({
  date: '2026-11-21',
  income,
  refund: '0',
  create_num,
  pay_num,
})

test('totalsOf sums counts, and money exactly', () => {
  assert.deepEqual(sumDailyPoints([point(3, 2, '0.1'), point(4, 4, '0.2')]), { created: 7, paid: 6, income: '0.3' })
  assert.deepEqual(sumDailyPoints([]), { created: 0, paid: 0, income: '0' })
})

test('a range is quiet only without payments and income', () => {
  assert.equal(hasNoPaymentActivity([]), true)
  assert.equal(hasNoPaymentActivity([point(0, 0, '0.000000')]), true)
  assert.equal(hasNoPaymentActivity([point(1, 0, '0')]), false)
  assert.equal(hasNoPaymentActivity([point(0, 0, '0.01')]), false, 'a recharge or an order of the day before')
})

test('rate and average are of what was paid, and unknown without any', () => {
  const totals = sumDailyPoints([point(8, 6, '0.1'), point(0, 0, '0.2')])
  assert.deepEqual([computeSuccessRate(totals), computeAverageIncome(totals)], [0.75, '0.05'])
  assert.equal(computeSuccessRate(sumDailyPoints([point(1, 2, '0.1')])), null, 'one of the day before')
  assert.equal(computeAverageIncome(sumDailyPoints([point(1, 2, '3.000000000000000002')])), '1.500000000000000001')
  assert.deepEqual([computeSuccessRate(sumDailyPoints([])), computeAverageIncome(sumDailyPoints([]))], [null, null])
  assert.deepEqual([computeRelativeChange(3, 2), computeRelativeChange(1, 0)], [0.5, null])
})

test('the last days are split from those before, also while the list is that of a shorter range', () => {
  const list = Array.from({ length: countComparedDays(7) }, (_, day) => point(day, 0, '0'))
  const { points, before } = splitComparedDays(list, 7)
  assert.deepEqual([points.length, points[0]?.create_num, before.length, before[0]?.create_num], [7, 6, 6, 0])
  assert.deepEqual([splitComparedDays(list, 30).points.length, splitComparedDays(list, 30).before], [13, []])
})

test('a range is compared without today, with as many days before it', () => {
  assert.deepEqual(resolveComparedRanges({ from: '2026-11-16', to: '2026-11-22' }, '2026-11-22'), {
    now: { from: '2026-11-16', to: '2026-11-21' },
    before: { from: '2026-11-10', to: '2026-11-15' },
  })
  assert.deepEqual(resolveComparedRanges({ from: '2026-11-01', to: '2026-11-02' }, '2026-11-22'), {
    now: { from: '2026-11-01', to: '2026-11-02' },
    before: { from: '2026-10-30', to: '2026-10-31' },
  })
  assert.equal(resolveComparedRanges({ from: '2026-11-22', to: '2026-11-22' }, '2026-11-22'), null)
})
