import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { placeRecords, writePlacesFile } from '../testing/places-file.ts'
import { readPlaces } from './places.ts'

const folder = mkdtempSync(join(tmpdir(), 'coffer-places-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'city.mmdb')
writePlacesFile(file, placeRecords)

test('finds city and country in each language', () => {
  const places = readPlaces(file)
  const berlin = { en: 'Berlin, Germany', 'zh-CN': '德国 柏林' }
  const expected = {
    '192.0.2.7': berlin,
    '2001:db8::7': berlin,
    '192.0.2.8': { en: 'Japan', 'zh-CN': '日本' },
    '192.0.2.9': { en: 'Singapore', 'zh-CN': '新加坡' },
    '192.0.2.10': { en: 'Teltow, Germany', 'zh-CN': '德国 Teltow' },
    '192.0.2.11': undefined,
    '192.0.2.200': undefined,
    '2001:db8::8': undefined,
    'no address': undefined,
  }
  for (const [ip, place] of Object.entries(expected)) assert.deepEqual(places(ip), place, ip)
})

test('a file of IPv4 addresses knows no IPv6 address, and no file knows none', () => {
  const { '192.0.2.7': record } = placeRecords
  writePlacesFile(join(folder, 'v4.mmdb'), { '32.1.13.184': record }, 4)
  const places = readPlaces(join(folder, 'v4.mmdb'))
  assert.equal(places('32.1.13.184')?.en, 'Berlin, Germany')
  assert.equal(places('2001:db8::7'), undefined)
  assert.equal(readPlaces('')('192.0.2.7'), undefined)
})

test('names a file that is missing, damaged or something else', () => {
  const damaged = {
    'missing.mmdb': null,
    'empty.mmdb': '',
    'text.mmdb': 'no database',
    'half.mmdb': readFileSync(file).subarray(0, 2_000),
  }
  for (const [name, content] of Object.entries(damaged)) {
    const path = join(folder, name)
    if (content !== null) writeFileSync(path, content)
    assert.throws(() => readPlaces(path), new RegExp(`places ${path} cannot be read .*correct COFFER_PLACES`), name)
  }
})
