import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, formatWallTime, isDay, toDayInZone, toDayStart, toQueryTimes } from './days.ts'
import { countDays, lastDays, parseDateSpan, toDayRange } from './span.ts'

test('isDay accepts only calendar dates', () => {
  for (const text of ['2026-11-21', '2024-02-29', '2000-01-01']) assert.equal(isDay(text), true, text)
  for (const text of ['2026-11-31', '2025-02-29', '1999-12-31', '2026-1-1', '2026-11-21T00:00', '', 20261121, null])
    assert.equal(isDay(text), false, String(text))
})

test('day arithmetic crosses months, leap days and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2024-03-01', -1), '2024-02-29')
  assert.equal(countDays({ from: '2026-11-01', to: '2026-11-30' }), 30)
  assert.deepEqual(lastDays(30, '2026-11-30'), { from: '2026-11-01', to: '2026-11-30' })
})

test('dayStart follows the clocks of the zone', () => {
  assert.equal(toDayStart('2026-11-21', 'UTC'), Date.parse('2026-11-21T00:00:00Z') / 1000)
  assert.equal(toDayStart('2026-11-21', 'Asia/Shanghai'), Date.parse('2026-11-20T16:00:00Z') / 1000)
  assert.equal(toDayStart('2026-03-08', 'America/New_York'), Date.parse('2026-03-08T05:00:00Z') / 1000)
  assert.equal(toDayStart('2026-03-09', 'America/New_York'), Date.parse('2026-03-09T04:00:00Z') / 1000)
  assert.equal(toDayStart('2018-11-04', 'America/Sao_Paulo'), Date.parse('2018-11-04T03:00:00Z') / 1000, 'no midnight')
  assert.equal(
    toDayStart('2018-02-18', 'America/Sao_Paulo'),
    Date.parse('2018-02-18T03:00:00Z') / 1000,
    'two midnights',
  )
})

test('timesOf covers exactly the days of the range', () => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Apia']) {
    const { start_time, end_time } = toQueryTimes({ from: '2026-10-20', to: '2026-11-20' }, zone)
    assert.equal(toDayInZone(start_time, zone), '2026-10-20', zone)
    assert.equal(toDayInZone(start_time - 1, zone), '2026-10-19', zone)
    assert.equal(toDayInZone(end_time, zone), '2026-11-20', zone)
    assert.equal(toDayInZone(end_time + 1, zone), '2026-11-21', zone)
  }
})

test('wallTime follows the clocks of the zone, also in the hour that exists twice', () => {
  const at = (text: string, zone: string) => formatWallTime(Date.parse(text) / 1000, zone)
  assert.equal(at('2026-11-22T18:14:18Z', 'Europe/Berlin'), '2026-11-22 19:14:18')
  assert.equal(at('2026-10-25T00:59:59Z', 'Europe/Berlin'), '2026-10-25 02:59:59')
  assert.equal(at('2026-10-25T01:00:00Z', 'Europe/Berlin'), '2026-10-25 02:00:00')
  assert.equal(at('2026-03-29T01:00:00Z', 'Europe/Berlin'), '2026-03-29 03:00:00')
  assert.equal(at('2026-11-22T18:14:18Z', 'Asia/Kathmandu'), '2026-11-22 23:59:18')
})

test('readSpan accepts a preset or a range up to today', () => {
  const today = '2026-11-21'
  const read = (raw: Record<string, unknown>) => parseDateSpan(raw, [7, 30], today)
  assert.deepEqual(read({ days: '7' }), { days: 7 })
  assert.deepEqual(read({ days: 30 }), { days: 30 })
  assert.equal(read({ days: '8' }), undefined)
  assert.equal(read({}), undefined)
  assert.deepEqual(read({ from: '2026-11-01', to: '2026-11-05' }), { from: '2026-11-01', to: '2026-11-05' })
  assert.deepEqual(read({ from: '2026-11-01', to: '2027-01-01' }), { from: '2026-11-01', to: today }, 'not past today')
  assert.equal(read({ from: '2026-11-22', to: '2026-11-30' }), undefined, 'all in the future')
  assert.equal(read({ from: '2026-11-05', to: '2026-11-01' }), undefined, 'reversed')
  assert.equal(read({ from: '2026-11-05' }), undefined, 'half a range')
  assert.deepEqual(read({ from: '2020-01-01', to: today }), { from: addDays(today, -364), to: today }, 'too long')
})

test('presets move with today, ranges do not', () => {
  assert.deepEqual(toDayRange({ days: 7 }, '2026-11-21'), { from: '2026-11-15', to: '2026-11-21' })
  assert.deepEqual(toDayRange({ from: '2026-01-01', to: '2026-01-02' }, '2026-11-21'), {
    from: '2026-01-01',
    to: '2026-01-02',
  })
})
