import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell } from './csv.ts'

test('text that a spreadsheet would run as a formula gets an apostrophe, in fullwidth signs too', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])
    assert.equal(csvCell(`${sign}HYPERLINK(A1)`), `'${sign}HYPERLINK(A1)`, sign)
  for (const sign of ['\r', '\n']) assert.equal(csvCell(`${sign}=1`), `"'${sign}=1"`)
  for (const text of ['', 'a=1', '订单 ＝', '0x1']) assert.equal(csvCell(text), text)
  assert.equal(csvCell({ number: '-1.5' }), '-1.5')
})
