import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatCount, formatDay, formatTime } from './format.ts'

test('times and days follow the language', () => {
  const noon = new Date(2026, 10, 5, 12, 3, 9).getTime() / 1000
  assert.equal(formatTime(noon), '2026-11-05 12:03:09')
  assert.equal(formatDay(noon, 'en'), '05/11/2026')
  assert.equal(formatDay(noon, 'zh-CN'), '2026.11.05')
  assert.equal(formatCount(1234567, 'en'), '1,234,567')
})

test('bytes are formatted with units', () => {
  assert.equal(formatBytes(512), '512 B')
  assert.equal(formatBytes(1234), '1.2 kB')
  assert.equal(formatBytes(3_400_000), '3.4 MB')
})
