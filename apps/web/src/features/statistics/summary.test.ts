import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSummaryEmpty, type StatisticsSummary, selectPageRows, selectTableDays } from './summary.ts'

const day = (date: string, create_num = 0, pay_num = 0, income = '0', refund = '0') => ({
  date,
  create_num,
  pay_num,
  income,
  refund,
})
const summary = (total: Omit<ReturnType<typeof day>, 'date'>): StatisticsSummary => ({
  total,
  days: [],
  applications: [],
  assets: [],
})

test('a refund alone is activity', () => {
  assert.equal(isSummaryEmpty(summary(day('', 0, 0, '0.00', '0'))), true)
  assert.equal(isSummaryEmpty(summary(day('', 0, 0, '0', '4.2'))), false)
  assert.equal(isSummaryEmpty(summary(day('', 1))), false)
})

test('days are listed newest first, including days without activity', () => {
  const days = [day('2026-11-19', 1), day('2026-11-20'), day('2026-11-21', 2)]
  assert.deepEqual(
    selectTableDays(days).map(each => each.date),
    ['2026-11-21', '2026-11-20', '2026-11-19'],
  )
})

test('long ranges list only days with activity', () => {
  const days = Array.from({ length: 32 }, (_, index) =>
    day(`day ${index}`, index === 3 ? 1 : 0, 0, '0', index === 9 ? '1' : '0'),
  )
  assert.deepEqual(
    selectTableDays(days).map(each => each.date),
    ['day 9', 'day 3'],
  )
})

test('pageOf returns the rows of a page, or of the last page', () => {
  assert.deepEqual(selectPageRows([1, 2, 3, 4, 5], { current: 2, pageSize: 2 }), [3, 4])
  assert.deepEqual(selectPageRows([1, 2, 3, 4, 5], { current: 3, pageSize: 2 }), [5])
  assert.deepEqual(selectPageRows([1, 2, 3, 4, 5], { current: 9, pageSize: 2 }), [5])
  assert.deepEqual(selectPageRows([], { current: 1, pageSize: 2 }), [])
})
