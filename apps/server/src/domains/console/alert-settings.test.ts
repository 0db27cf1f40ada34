import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quietHoursEnd } from './alert-settings.ts'

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
