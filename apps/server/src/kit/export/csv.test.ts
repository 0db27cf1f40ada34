import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell, isReadAsNumber } from './csv.ts'

test('text that a spreadsheet would run as a formula gets an apostrophe, in fullwidth signs too', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])
    assert.equal(csvCell(`${sign}HYPERLINK(A1)`), `'${sign}HYPERLINK(A1)`, sign)
  for (const sign of ['\r', '\n']) assert.equal(csvCell(`${sign}=1`), `"'${sign}'=1"`)
  for (const text of ['', 'a=1', '订单 ＝', '0x1']) assert.equal(csvCell(text), text)
})

test('a formula inside of a text stays one where a spreadsheet splits cells at semicolons, and sees no quotes', () => {
  const link = '=HYPERLINK("https://evil.example")'
  const quoted = link.replaceAll('"', '""')
  assert.equal(csvCell(`Tea;${link};x`), `"Tea;'${quoted};x"`)
  assert.equal(csvCell(`Tea\n${link}`), `"Tea\n'${quoted}"`)
  assert.equal(csvCell('Tea\r\n\t＝A1'), `"Tea\r\n\t'＝A1"`)
  assert.equal(csvCell(`Tea;"${link}`), `"Tea;""'${quoted}"`)
  assert.equal(csvCell('Tea; =A1; a=1'), 'Tea; =A1; a=1')
})

test('text that a spreadsheet would read as a number, a date or a truth value gets a tab', () => {
  const numbers = [
    '0012',
    '1e5',
    '1E+05',
    '20260101123456000000000000000001',
    '1.5',
    '.5',
    '1,000',
    '50%',
    '$5',
    '5 €',
    '(5)',
  ]
  const times = [
    '2026-11-28',
    '1/2',
    '3 1/4',
    '28.11.',
    '10:30',
    '5 pm',
    '5-Mar',
    'Mar 5',
    'MAR2026',
    'Sept 2',
    '2026年1月5日',
    '上午9:30',
    '下午 3:05:09',
    '2026/1/5 上午9:30',
    '9:30 下午',
    '午後3:05',
    '오전 9:30',
  ]
  for (const text of [...numbers, ...times, 'TRUE', 'false', '１２', ' 12 ']) {
    assert.ok(isReadAsNumber(text), text)
    assert.equal(csvCell(text), `"\t${text}"`)
  }
  const names = [
    'March Ltd',
    'May',
    'Mark 5 Ltd',
    'order 12',
    'A12',
    '12 Monkeys',
    '上午',
    '上午12号茶',
    '0x12',
    '1e5x',
    'True story',
    '3b0c5e1f-12',
    'x 1',
    '',
  ]
  for (const text of names) {
    assert.ok(!isReadAsNumber(text), text)
    assert.equal(csvCell(text), text)
  }
  // The time to decide grows with the length at most.
  for (const text of [' ', '1', '(', ')', "'", '1-', '1 ', 'e', '$', 'Mar ', '1e'])
    assert.ok(!isReadAsNumber(`${text.repeat(100_000)}x`))
})
