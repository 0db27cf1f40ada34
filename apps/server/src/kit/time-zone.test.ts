import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoment, timeZoneOf } from './time-zone.ts'

const of = (zone: string | string[]) => timeZoneOf({ headers: { 'x-time-zone': zone } })

test('a zone is taken in its usual spelling, and anything else is none', () => {
  assert.deepEqual([of('Europe/Berlin'), of('asia/SHANGHAI'), of('UTC')], ['Europe/Berlin', 'Asia/Shanghai', 'UTC'])
  assert.deepEqual([of('Asia/Kolkata'), of('Asia/Calcutta')], ['Asia/Kolkata', 'Asia/Calcutta'])
  const hostile = [
    '',
    'Mars/Base',
    '+05:30',
    `Europe/Berlin'; drop table persons`,
    'Europe/Berlin\r\nBcc: x',
    'a'.repeat(65),
  ]
  for (const zone of [...hostile, ['Europe/Berlin', 'UTC'], '<b>UTC</b>', 'constructor', '\u202eUTC'])
    assert.equal(of(zone), undefined, String(zone))
  assert.equal(timeZoneOf({ headers: {} }), undefined)
})

test('a moment is said in the zone of the reader, with its name, also at night and across a change of time', () => {
  const at = Date.UTC(2026, 10, 30, 23, 4, 59) / 1_000
  assert.equal(formatMoment(at, 'Europe/Berlin', 'en'), '1 Dec 2026, 00:04 (Europe/Berlin)')
  assert.equal(formatMoment(at, 'Asia/Shanghai', 'zh-CN'), '2026年12月1日 07:04（Asia/Shanghai）')
  assert.equal(formatMoment(at, null, 'en'), '30 Nov 2026, 23:04 UTC')
  assert.equal(formatMoment(at, null, 'zh-CN'), '2026年11月30日 23:04（UTC）')
  assert.equal(formatMoment(at, 'Mars/Base', 'en'), '30 Nov 2026, 23:04 UTC', 'a name from another version')
  const change = Date.UTC(2026, 9, 25, 0, 30) / 1_000
  const shown = [change, change + 3_600].map(each => formatMoment(each, 'Europe/Berlin', 'en').slice(13, 18))
  assert.deepEqual(shown, ['02:30', '02:30'])
})
