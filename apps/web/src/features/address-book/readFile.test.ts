import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, NoColumns, readFile, toRows } from './readFile.ts'

const blank = { memo: '', beneficiary: '', wallet: '', institution: '' }

test('reads columns by their titles in either language, in any order, and skips empty rows', () => {
  const sheet = [
    [' Address ', 'LABEL', 'Other', '网络', 'Wallet'],
    ['0xa', 'One', 'x', 'BNB', null],
    ['', null],
    ['0xb', 7, '', 'eth'],
  ]
  assert.deepEqual(toRows(sheet), [
    { line: 2, row: { ...blank, network: 'BNB', address: '0xa', label: 'One' } },
    { line: 4, row: { ...blank, network: 'eth', address: '0xb', label: '7' } },
  ])
})

test('refuses a file without the columns that every entry needs', () => {
  assert.throws(
    () =>
      toRows([
        ['Network', 'Address'],
        ['eth', '0xa'],
      ]),
    NoColumns,
  )
  assert.throws(() => toRows([]), NoColumns)
})

test('reads lines as they stand in the file, and refuses a picture', async () => {
  const csv = new File(['网络,地址,备注,标签\r\n\r\neth,0xa,"b\r\nc",One\r\neth,0xb,,Two\r\n'], 'book.csv')
  assert.deepEqual(
    (await readFile(csv)).map(({ line, row }) => [line, row.label]),
    [
      [3, 'One'],
      [5, 'Two'],
    ],
  )
  await assert.rejects(
    readFile(new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])], 'shot.png')),
    /not a text/,
  )
})

test('reads UTF-8 with and without a mark, and GB 18030', () => {
  const bytes = (...values: number[]) => new Uint8Array(values).buffer
  assert.equal(decode(bytes(0xef, 0xbb, 0xbf, 0xe5, 0x9c, 0xb0)), '地')
  assert.equal(decode(bytes(0xb5, 0xd8)), '地')
})
