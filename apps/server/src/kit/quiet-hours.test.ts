import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findSendTime, quietHoursEnd } from './quiet-hours.ts'

const at = (text: string) => Date.parse(text) / 1000

test('quiet hours end at their hour of the day, also across midnight and a change of the clock', () => {
  const night = { quiet_from: 22, quiet_until: 7, time_zone: 'Asia/Shanghai' }
  assert.equal(quietHoursEnd(at('2026-03-01T14:30:05Z'), night), at('2026-03-01T23:00:00Z'))
  assert.equal(quietHoursEnd(at('2026-03-01T13:59:59Z'), night), undefined)
  assert.equal(quietHoursEnd(at('2026-03-01T23:00:00Z'), night), undefined)
  const berlin = { ...night, time_zone: 'Europe/Berlin' }
  assert.equal(quietHoursEnd(at('2026-03-28T21:10:00Z'), berlin), at('2026-03-29T05:00:00Z'))
  assert.equal(quietHoursEnd(at('2026-10-24T20:10:00Z'), berlin), at('2026-10-25T06:00:00Z'))
  const day = { quiet_from: 12, quiet_until: 13, time_zone: 'Asia/Kolkata' }
  assert.equal(quietHoursEnd(at('2026-03-01T06:31:00Z'), day), at('2026-03-01T07:30:00Z'))
  assert.equal(quietHoursEnd(at('2026-03-01T06:31:00Z'), { ...day, quiet_until: 12 }), undefined, 'the same hour twice')
})

test('the end of quiet hours is the first later hour that is not quiet', () => {
  const hour = fc.integer({ min: 0, max: 23 })
  const zones = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/St_Johns', 'Australia/Lord_Howe')
  fc.assert(
    fc.property(
      hour,
      hour,
      zones,
      fc.integer({ min: 1.7e9, max: 1.9e9 }),
      (quiet_from, quiet_until, time_zone, now) => {
        const settings = { quiet_from, quiet_until, time_zone }
        const end = quietHoursEnd(now, settings)
        if (end === undefined) return
        assert.ok(end > now && end - now <= 24 * 3_600)
        assert.equal(quietHoursEnd(end, settings), undefined)
        // Half an hour where the clock changes by that.
        assert.ok(quietHoursEnd(end - 1, settings) !== undefined || time_zone === 'Australia/Lord_Howe')
      },
    ),
  )
})

test('what is sent by the hour or by the day comes at the next one of the reader, and not in quiet hours', () => {
  const none = (time_zone: string) => ({ quiet_from: 0, quiet_until: 0, time_zone })
  const cases = [
    ['2026-03-01T14:30:05Z', 'now', none('UTC'), '2026-03-01T14:30:05Z'],
    ['2026-03-01T14:30:05Z', 'hourly', none('UTC'), '2026-03-01T15:00:00Z'],
    ['2026-03-01T15:00:00Z', 'hourly', none('UTC'), '2026-03-01T16:00:00Z'],
    ['2026-03-01T14:10:00Z', 'hourly', none('Asia/Kolkata'), '2026-03-01T14:30:00Z'],
    ['2026-03-01T07:59:59Z', 'daily', none('UTC'), '2026-03-01T08:00:00Z'],
    ['2026-03-01T08:00:00Z', 'daily', none('UTC'), '2026-03-02T08:00:00Z'],
    ['2026-03-01T23:30:00Z', 'daily', none('Asia/Shanghai'), '2026-03-02T00:00:00Z'],
    // The days on which the clock of Berlin changes.
    ['2026-03-28T12:00:00Z', 'daily', none('Europe/Berlin'), '2026-03-29T06:00:00Z'],
    ['2026-10-24T12:00:00Z', 'daily', none('Europe/Berlin'), '2026-10-25T07:00:00Z'],
    ['2026-03-29T00:30:00Z', 'hourly', none('Europe/Berlin'), '2026-03-29T01:00:00Z'],
    ['2026-03-01T23:30:00Z', 'now', { ...none('UTC'), quiet_from: 22, quiet_until: 7 }, '2026-03-02T07:00:00Z'],
    ['2026-03-01T21:30:00Z', 'hourly', { ...none('UTC'), quiet_from: 22, quiet_until: 7 }, '2026-03-02T07:00:00Z'],
    ['2026-03-01T12:30:00Z', 'daily', { ...none('UTC'), quiet_from: 6, quiet_until: 10 }, '2026-03-02T10:00:00Z'],
    ['2026-03-01T12:30:00Z', 'daily', none('Mars/Base'), '2026-03-02T08:00:00Z'],
  ] as const
  for (const [from, mode, quiet, expected] of cases)
    assert.equal(findSendTime(at(from), mode, quiet), at(expected), `${from} ${mode} ${quiet.time_zone}`)
})
