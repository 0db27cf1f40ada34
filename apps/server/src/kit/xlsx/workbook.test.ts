import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import exceljs from 'exceljs'
import fc from 'fast-check'
import { columnName, escapeText, isSafeNumber, rowXml, type SheetCell, sheetColumn } from './cells.ts'
import { stylesXml } from './parts.ts'
import { xlsxStream } from './workbook.ts'

const columns = ['Text', 'Amount', 'More'].map(title => ({ title, width: 20 }))

async function* batches(...all: SheetCell[][][]) {
  yield* all
}

async function readBack(stream: Readable) {
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load((await buffer(stream)) as never)
  return workbook.worksheets.map(sheet => ({
    name: sheet.name,
    rows: (sheet.getSheetValues() as unknown[][]).slice(1).map(row => row.slice(1)),
  }))
}

const hostile = [
  '=HYPERLINK("http://evil.example")',
  '+1+1',
  '-2',
  '@SUM(A1)',
  '\t=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '<b>&amp;</b>',
  ' blanks ',
  '0012',
  '1e5',
  '20260101123456000000000000000001',
  '订单 🪙',
  'line\nbreak',
  '_x0041_',
]

test('counts are whole numbers, shown without decimals', async () => {
  const workbook = new exceljs.Workbook()
  const stream = xlsxStream({ sheet: 'Lines', columns: columns.slice(0, 1), rows: batches([[{ count: 1_409 }]]) })
  await workbook.xlsx.load((await buffer(stream)) as never)
  const cell = workbook.worksheets[0]!.getCell('A2')
  assert.deepEqual([cell.value, cell.numFmt], [1_409, '#,##0'])
})

test('exceljs reads back text as text and numbers as numbers', async () => {
  const rows: SheetCell[][] = hostile.map(text => [text, { number: '1234.5' }, text])
  const [sheet] = await readBack(xlsxStream({ sheet: 'Payments', columns, rows: batches(rows) }))
  assert.equal(sheet?.name, 'Payments')
  assert.deepEqual(sheet?.rows[0], ['Text', 'Amount', 'More'])
  // exceljs does not unescape headers, where spreadsheets show _x0041_ again.
  const shown = hostile.map(text => text.replace('_x0041_', '_x005F_x0041_'))
  assert.deepEqual(
    sheet?.rows.slice(1),
    shown.map(text => [text, 1234.5, text]),
  )
})

test('every ZIP entry matches the size and checksum in the central directory', async () => {
  const rows = Array.from({ length: 5_000 }, (_, index): SheetCell[] => [
    `row ${index}`,
    { number: String(index) },
    '订单',
  ])
  const bytes = await buffer(xlsxStream({ sheet: 'S', columns, rows: batches(rows.slice(0, 10), rows.slice(10)) }))
  const names: string[] = []
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 46)) {
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(at + 20)))
    assert.equal(content.length, bytes.readUInt32LE(at + 24))
    assert.equal(crc32(content), bytes.readUInt32LE(at + 16))
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)))
  }
  assert.equal(names.length, 6)
  assert.ok(names.includes('xl/worksheets/sheet1.xml'))
})

test('text never becomes a formula, a link or a number', async () => {
  const bytes = await buffer(
    xlsxStream({ sheet: 'S', columns, rows: batches(hostile.map(text => [text, text, text])) }),
  )
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load(bytes as never)
  workbook.worksheets[0]!.eachRow(row => row.eachCell(cell => assert.equal(cell.type, exceljs.ValueType.String)))
})

test('text stays text when it is edited, and that of a formula is marked, alone', async () => {
  const cells = [...hostile, 'a=1', '1-2', ''].map((text, n) => rowXml(n + 1, [text], [sheetColumn(0)]))
  const marked = cells.map(xml => xml.includes(' s="3"'))
  assert.deepEqual(
    marked,
    [...hostile, 'a=1', '1-2', ''].map(text => '=+-@\t＝＋－＠'.includes(text.slice(0, 1)) && text !== ''),
  )
  const styles = stylesXml.split('<cellXfs')[1]!.split('<xf').slice(1)
  assert.match(styles[3]!, /^ numFmtId="49" applyNumberFormat="1" quotePrefix="1"\/>/)
  // Once such a cell was edited, General made 12 of 0012, and 2.02601E+31 of an order number.
  const workbook = new exceljs.Workbook()
  const rows = batches(hostile.map(text => [text]))
  await workbook.xlsx.load((await buffer(xlsxStream({ sheet: 'S', columns, rows }))) as never)
  for (const index of hostile.keys()) assert.equal(workbook.worksheets[0]!.getRow(index + 2).getCell(1).numFmt, '@')
})

test('an amount is a number also where a spreadsheet rounds it, so that a column adds up', async () => {
  const exact = ['0.123456789012345', '123456789012345', '-0.5', '0']
  const long = ['0.1234567890123456', '1234567890123456', '12345678901234.56', '1.000000000000000001']
  for (const text of exact) assert.ok(isSafeNumber(text), text)
  for (const text of long) assert.ok(!isSafeNumber(text), text)
  for (const number of ['01', '1e3', 'NaN', '=1', ''])
    assert.throws(() => rowXml(1, [{ number }], [sheetColumn(0)]), RangeError)
  const rows = long.map((number): SheetCell[] => ['', { number }, ''])
  const [sheet] = await readBack(xlsxStream({ sheet: 'S', columns, rows: batches(rows) }))
  assert.deepEqual(
    sheet?.rows.slice(1).map(row => row[1]),
    long.map(Number),
  )
})

test('a time is a date of the reader’s clock', async () => {
  const shown = '2026-10-25T02:30:59.000Z'
  const rows: SheetCell[][] = [[{ date: Date.parse(shown) / 1000 }, '', '']]
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load((await buffer(xlsxStream({ sheet: 'S', columns, rows: batches(rows) }))) as never)
  const cell = workbook.worksheets[0]!.getRow(2).getCell(1)
  assert.equal(cell.type, exceljs.ValueType.Date)
  assert.equal((cell.value as Date).toISOString(), shown)
  assert.equal(cell.numFmt, 'yyyy-mm-dd hh:mm:ss')
})

test('amounts keep every digit and are shown with 2 to 6 decimals', async () => {
  const rows: SheetCell[][] = [['', { number: '1234.5678901' }, 'text']]
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load((await buffer(xlsxStream({ sheet: 'S', columns, rows: batches(rows) }))) as never)
  const row = workbook.worksheets[0]!.getRow(2)
  assert.equal(row.getCell(2).value, 1234.5678901)
  assert.equal(row.getCell(2).numFmt, '#,##0.00####')
  assert.equal(row.getCell(3).numFmt, '@')
})

test('rows overflow into further sheets with a header, without lost rows or empty sheets', async () => {
  for (const count of [0, 1, 8, 9, 10, 18, 25]) {
    const rows = Array.from({ length: count }, (_, index): SheetCell[] => [`row ${index}`, '', ''])
    const parts = [rows.slice(0, 7), [], rows.slice(7, 20), rows.slice(20)]
    const sheets = await readBack(xlsxStream({ sheet: 'P', columns, rows: batches(...parts), rowsPerSheet: 10 }))
    assert.equal(sheets.length, Math.max(1, Math.ceil(count / 9)))
    assert.deepEqual(
      sheets.map(sheet => sheet.name),
      sheets.map((_, index) => (index ? `P ${index + 1}` : 'P')),
    )
    for (const sheet of sheets) assert.equal(sheet.rows[0]?.[0], 'Text')
    assert.deepEqual(
      sheets.flatMap(sheet => sheet.rows.slice(1).map(row => row[0])),
      rows.map(row => row[0]),
    )
  }
})

test('an error in the row source destroys the stream', async () => {
  async function* failing(): AsyncGenerator<SheetCell[][]> {
    yield Array.from({ length: 20_000 }, () => ['some text', '', ''])
    throw new Error('the database went away')
  }
  await assert.rejects(buffer(xlsxStream({ sheet: 'S', columns, rows: failing() })), /went away/)
})

test('the row source respects backpressure and ends with the stream', async () => {
  let read = 0
  let ended = false
  async function* endless(): AsyncGenerator<SheetCell[][]> {
    try {
      for (;;) {
        read++
        yield Array.from({ length: 1_000 }, () => [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()])
      }
    } finally {
      ended = true
    }
  }
  const stream = xlsxStream({ sheet: 'S', columns, rows: endless() })
  await once(stream, 'readable')
  let before = -1
  while (before !== read) {
    before = read
    for (let i = 0; i < 200; i++) await turn()
  }
  assert.ok(read < 100, `${read} batches were read for nobody`)
  stream.destroy()
  await once(stream, 'close')
  await turn()
  assert.ok(ended)
})

test('any text survives the round trip through XML', () => {
  const readXml = (xml: string) =>
    xml
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&')
      .replace(/_x([0-9A-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  // A string of fast-check takes half a second to make when its unit is any character.
  const any = fc.array(fc.nat(0x10ffff)).map(points => String.fromCodePoint(...points))
  const unit = fc.oneof(any, fc.constantFrom('_x0041_', '_x', '\uD800', '\u0000', '&<>', '_'))
  fc.assert(
    fc.property(fc.array(unit), parts => {
      const text = parts.join('')
      const xml = escapeText(text)
      assert.ok(xml.isWellFormed())
      assert.equal(readXml(xml), text)
    }),
  )
})

test('leading and trailing spaces are preserved, and a cell has at most 32,767 characters', () => {
  const preserved = (text: string) =>
    rowXml(1, [text], [sheetColumn(0)]).includes(`<t xml:space="preserve">${text}</t>`)
  for (const text of [' a', 'a ', 'a  b', ' ', '\ta', 'a\nb', 'a\n']) assert.ok(preserved(text), JSON.stringify(text))
  for (const text of ['a', 'a b', '2026-01-01 00:00:00'])
    assert.ok(rowXml(1, [text], [sheetColumn(0)]).includes(`<t>${text}</t>`), text)
  const long = 'a'.repeat(32_767)
  assert.ok(rowXml(1, [`${long}b`], [sheetColumn(0)]).includes(`>${long}<`))
})

test('columnName follows spreadsheet column names', () => {
  assert.deepEqual([0, 25, 26, 51, 52, 701, 702].map(columnName), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
})
