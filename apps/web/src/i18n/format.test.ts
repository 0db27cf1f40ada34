import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatCount, formatPayersTime, formatShortDay } from './format.ts'
import { formatDay } from './formatDay.ts'

test('days and counts follow the language, in no time zone', () => {
  assert.equal(formatDay('2026-11-05', 'en'), '05/11/2026')
  assert.equal(formatDay('2026-11-05', 'zh-CN'), '2026.11.05')
  assert.equal(formatShortDay('2026-11-05', 'en'), '5 Nov')
  assert.equal(formatShortDay('2026-11-05', 'zh-CN'), '11月5日')
  assert.equal(formatCount(1234567, 'en'), '1,234,567')
})

test('bytes are formatted with units', () => {
  assert.equal(formatBytes(512), '512 B')
  assert.equal(formatBytes(1234), '1.2 kB')
  assert.equal(formatBytes(3_400_000), '3.4 MB')
})

test("a payer's time has the offset of its zone at that moment", () => {
  const winter = Date.UTC(2026, 10, 29, 8, 50, 26) / 1000
  const summer = Date.UTC(2026, 6, 1) / 1000
  assert.equal(formatPayersTime(winter, 'Europe/Berlin'), '2026-11-29 09:50:26 UTC+1')
  assert.equal(formatPayersTime(summer, 'Europe/Berlin'), '2026-07-01 02:00:00 UTC+2')
  assert.equal(formatPayersTime(summer, 'Asia/Kolkata'), '2026-07-01 05:30:00 UTC+5:30')
  assert.equal(formatPayersTime(summer, 'UTC'), '2026-07-01 00:00:00 UTC')
})
