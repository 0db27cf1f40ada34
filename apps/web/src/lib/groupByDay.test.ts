import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupByDay } from './groupByDay.ts'

test('rows are grouped by the merchant’s days, in order', () => {
  const rows = ['2026-11-22T00:30:00Z', '2026-11-21T23:30:00Z', '2026-11-21T22:30:00Z'].map(time => ({
    created_time: Date.parse(time) / 1000,
  }))
  const days = (zone: string) => groupByDay(rows, zone).map(({ day, list }) => [day, list.length])
  assert.deepEqual(days('UTC'), [
    ['2026-11-22', 1],
    ['2026-11-21', 2],
  ])
  assert.deepEqual(days('Europe/Berlin'), [
    ['2026-11-22', 2],
    ['2026-11-21', 1],
  ])
  assert.deepEqual(groupByDay([], 'UTC'), [])
})
