import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kit/refusal.ts'
import { parseJsonFields, trimZeros } from './json-fields.ts'
import { hostileJson } from './testing/hostile-json.ts'

test('refuses hostile JSON of the longest body, or reads all of it', () => {
  const longest = 64_000
  const read = (make: (length: number) => string) => () => parseJsonFields({ body: Buffer.from(make(longest)) })
  const { 'many names': names, ...refused } = hostileJson
  for (const [what, make] of Object.entries(refused)) assert.throws(read(make), Refusal, what)
  assert.equal(Object.keys(read(names!)()).length, longest / 10)
})

test('drops needless zeros at the end of a decimal number', () => {
  for (const [number, expected] of [
    ['10.0', '10'],
    ['1.500', '1.5'],
    ['100', '100'],
    ['100.010', '100.01'],
    ['0.00', '0'],
    ['-1.20', '-1.2'],
  ] as const)
    assert.equal(trimZeros(number), expected)
})
