import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWholeNumber } from './parseWholeNumber.ts'

test('whole numbers may be grouped by thousands, and nothing else is taken for one', () => {
  const read = (...texts: string[]) => texts.map(parseWholeNumber)
  assert.deepEqual(read('0', '250', '1,000', ' 12 500 ', '1,234,567'), [0, 250, 1_000, 12_500, 1_234_567])
  for (const text of ['', '2,5', '1,00', '1.000', '1.0', '-1', '1e3', '0x10', 'abc', '1,0000', '9'.repeat(17)])
    assert.equal(parseWholeNumber(text), null, text)
})
