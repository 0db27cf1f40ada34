import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatBasisPoints, parseBasisPoints } from './basis-points.ts'

test('percentages are read back as they are written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999 }), points => parseBasisPoints(formatBasisPoints(points)) === points),
  )
  const read = ['0.4', '0.45', '10', '.5', '0,4', '1,000', '0.455', '-1', '1e2', '', '%', 'NaN'].map(parseBasisPoints)
  assert.deepEqual(read, [40, 45, 1_000, ...Array.from({ length: 9 }, () => null)])
})
