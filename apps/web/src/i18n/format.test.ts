import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatCount, formatDay, formatShortDay } from './format.ts'

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
