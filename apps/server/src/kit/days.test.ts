import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  countDays,
  dayStart,
  dayStarts,
  findDayInZone,
  formatTimeInZone,
  formatUtcOffset,
  makeZonedTimeFormatter,
} from './days.ts'

const at = (text: string) => Date.parse(text) / 1000

test('a day begins at local midnight', () => {
  assert.equal(dayStart('2026-03-01', 'UTC'), at('2026-03-01T00:00:00Z'))
  assert.equal(dayStart('2026-03-01', 'Asia/Shanghai'), at('2026-02-28T16:00:00Z'))
  assert.equal(dayStart('2026-03-01', 'Asia/Kathmandu'), at('2026-02-28T18:15:00Z'))
  assert.equal(dayStart('2026-03-01', 'America/New_York'), at('2026-03-01T05:00:00Z'))
})

test('days with a daylight saving change have 23 and 25 hours', () => {
  const [spring, after] = dayStarts('2026-03-08', '2026-03-08', 'America/New_York')
  assert.equal((after! - spring!) / 3600, 23)
  const [autumn, next] = dayStarts('2026-11-01', '2026-11-01', 'America/New_York')
  assert.equal((next! - autumn!) / 3600, 25)
})

test('a day whose midnight is skipped begins at 01:00', () => {
  assert.equal(formatTimeInZone(dayStart('2026-04-24', 'Africa/Cairo'), 'Africa/Cairo'), '2026-04-24 01:00:00')
})

test('an unknown zone falls back to UTC', () => {
  assert.equal(dayStart('2026-01-02', 'Mars/Olympus'), at('2026-01-02T00:00:00Z'))
})

test('spelling a zone in many ways does not exhaust memory', t => {
  const letters = [...'americanewyork']
  const written = (bits: number) => {
    const name = letters.map((letter, i) => ((bits >> i) & 1 ? letter.toUpperCase() : letter)).join('')
    return `${name.slice(0, 7)}/${name.slice(7, 10)}_${name.slice(10)}`
  }
  const making = t.mock.method(Intl, 'DateTimeFormat')
  const made = (zone: string) => {
    const before = making.mock.callCount()
    assert.equal(findDayInZone(at('2026-01-02T02:00:00Z'), zone), '2026-01-01')
    return making.mock.callCount() - before
  }
  for (let bits = 0; bits < 600; bits++) assert.equal(made(written(bits)), 1)
  assert.equal(made(written(599)), 0, 'the last ones stay')
  assert.equal(made(written(0)), 1, 'the first ones are not')
})

const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe']
const zone = fc.constantFrom(...zones, 'Pacific/Apia', 'America/Santiago', 'Africa/Cairo', 'Asia/Tehran')

test('every instant lies between the start of its day and the start of the next', () => {
  fc.assert(
    fc.property(fc.integer({ min: at('2012-01-15'), max: at('2035-01-01') }), zone, (moment, where) => {
      const day = findDayInZone(moment, where)
      const [start, next] = dayStarts(day, day, where)
      assert.ok(start! <= moment && moment < next!, `${moment} ${where} ${day} ${start} ${next}`)
      assert.equal(findDayInZone(start!, where), day)
      assert.notEqual(findDayInZone(start! - 1, where), day)
      assert.equal(start! % 900, 0)
    }),
    { numRuns: 500 },
  )
})

test('an offset is written with its sign', () => {
  assert.deepEqual([0, 7_200, -12_600, 20_700].map(formatUtcOffset), ['+00:00', '+02:00', '-03:30', '+05:45'])
})

test('wallClock and wallTime agree', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: at('2012-01-15'), max: at('2035-01-01') })), zone, (moments, where) => {
      const clock = makeZonedTimeFormatter(where)
      for (const moment of moments) assert.equal(clock(moment), formatTimeInZone(moment, where))
    }),
  )
  // Days with a change, by an hour and by half of one, in both directions.
  for (const [where, day] of [
    ['Europe/Berlin', '2026-10-24'],
    ['Australia/Lord_Howe', '2026-04-03'],
    ['America/New_York', '2026-03-07'],
  ] as const) {
    const clock = makeZonedTimeFormatter(where)
    for (let moment = at(day); moment < at(day) + 3 * 86_400; moment += 600)
      assert.equal(clock(moment), formatTimeInZone(moment, where))
  }
})

test('countDays includes both ends', () => {
  assert.equal(countDays('2026-02-27', '2026-03-01'), 3)
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(dayStarts('2026-02-27', '2026-03-01', 'UTC').length, 4)
})
