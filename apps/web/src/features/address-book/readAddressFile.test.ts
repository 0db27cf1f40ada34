import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Encoding } from './encodings.ts'
import { InvalidLineError, MissingColumnsError, readAddressFile, toAddressFileRows } from './readAddressFile.ts'

const blank = { memo: '', beneficiary: '', wallet: '', institution: '' }
const fileOf = (content: string | Uint8Array<ArrayBuffer>) => new File([content], 'book.csv')
const utf16 = (text: string, mark = '\ufeff') =>
  Uint8Array.from([...(mark + text)].flatMap(each => [each.charCodeAt(0) & 0xff, each.charCodeAt(0) >> 8]))
/** Bytes of ASCII and, as hexadecimal digits in braces, of others. */
const bytes = (text: string) =>
  Uint8Array.from(
    text.split(/\{|\}/).flatMap((part, index) => [...Buffer.from(part, index % 2 === 1 ? 'hex' : 'latin1')]),
  )

/** Lines and labels of a file whose encoding is certain. */
async function labelsOf(content: string | Uint8Array<ArrayBuffer>) {
  const read = await readAddressFile(fileOf(content))
  assert.ok('rows' in read, 'the encoding is asked for')
  return read.rows.map(({ line, row }) => [line, row.label])
}
/** The samples of a file whose encoding must be chosen. */
async function readsIn(content: Uint8Array<ArrayBuffer>) {
  const read = await readAddressFile(fileOf(content))
  assert.ok('samples' in read, 'the encoding counts as certain')
  return (encoding: Encoding) => read.samples.find(each => each.encoding === encoding)?.cells
}

test('reads columns by their titles in either language, in any order, and skips empty rows', () => {
  const sheet = [
    [' Address ', 'LABEL', 'Other', '网络', 'Wallet'],
    ['0xa', 'One', 'x', 'BNB', null],
    ['', null],
    ['0xb', 7, '', 'eth'],
  ]
  assert.deepEqual(toAddressFileRows(sheet), [
    { line: 2, row: { ...blank, network: 'BNB', address: '0xa', label: 'One' } },
    { line: 4, row: { ...blank, network: 'eth', address: '0xb', label: '7' } },
  ])
})

test('reads kinds of wallets as exports name them, and leaves others to be refused', () => {
  const given = ['Hosted', 'self-hosted', '托管钱包', '自托管钱包', 'hosted', 'Cold']
  const sheet = [['Network', 'Address', 'Label', 'Wallet'], ...given.map(wallet => ['eth', '0xa', 'One', wallet])]
  assert.deepEqual(
    toAddressFileRows(sheet).map(({ row }) => row.wallet),
    ['hosted', 'self_hosted', 'hosted', 'self_hosted', 'hosted', 'Cold'],
  )
})

test('refuses a file without the columns that every entry needs', () => {
  assert.throws(
    () =>
      toAddressFileRows([
        ['Network', 'Address'],
        ['eth', '0xa'],
      ]),
    MissingColumnsError,
  )
  assert.throws(() => toAddressFileRows([]), MissingColumnsError)
})

test('reads what spreadsheets write: a title above, a line that names the separator, semicolons and tabs', async () => {
  assert.deepEqual(await labelsOf('Payees of 2026;;\r\n\r\nNetwork;Address;Label\r\neth;0xa;One\r\n'), [[4, 'One']])
  assert.deepEqual(await labelsOf('sep=;\r\nNetwork;Address;Label\r\neth;0xa;"One; two"\r\n'), [[3, 'One; two']])
  assert.deepEqual(await labelsOf('\ufeffsep=\t\nNetwork\tAddress\tLabel\neth\t0xa\tOne, two'), [[3, 'One, two']])
  assert.deepEqual(await labelsOf('Payees, of 2026\nNetwork\tAddress\tLabel\neth\t0xa\tOne'), [[3, 'One']])
})

test('reads lines as they stand in the file, and refuses a picture', async () => {
  const csv = '网络,地址,备注,标签\r\n\r\neth,0xa,"b\r\nc",One\r\neth,0xb,,Two\r\n'
  assert.deepEqual(await labelsOf(csv), [
    [3, 'One'],
    [5, 'Two'],
  ])
  await assert.rejects(readAddressFile(fileOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0))), /not a text/)
})

test('never loses a row to a quotation mark without a partner, or half a name to a comma', async () => {
  const head = 'Network,Address,Label\n'
  const refused = (rows: string, why: string, line: number) =>
    assert.rejects(readAddressFile(fileOf(head + rows)), error => {
      assert.ok(error instanceof InvalidLineError)
      assert.deepEqual([error.why, error.line], [why, line])
      return true
    })
  await refused('eth,0xa,One\neth,0xb,"Two\neth,0xc,Three\n', 'quotes', 3)
  await refused('eth,0xa,"One\neth,0xb,"Two"\neth,0xc,Three\n', 'quotes', 2)
  await refused('eth,0xa,One\neth,0xb,Smith, John\n', 'cells', 3)
  assert.deepEqual(await labelsOf(`${head}eth,0xa,5" pipe\neth,0xb,"Say ""hi"""\n`), [
    [2, '5" pipe'],
    [3, 'Say "hi"'],
  ])
})

test('Unicode is certain, with and without a mark', async () => {
  const csv = 'Network,Address,Label\neth,0xa,Müller 地\n'
  for (const content of [csv, `\ufeff${csv}`, utf16(csv), utf16(csv, ''), utf16(csv).map((_, at, all) => all[at ^ 1]!)])
    assert.deepEqual(await labelsOf(content), [[2, 'Müller 地']])
})

test('titles in Chinese say their encoding', async () => {
  assert.deepEqual(await labelsOf(bytes('{cdf8c2e7},{b5d8d6b7},{b1b8d7a2c3fb}\neth,0xa,{b9a9d3a6c9cc}\n')), [
    [2, '供应商'],
  ])
})

test('any other encoding is asked for, with how names read in each', async () => {
  const head = 'Network,Address,Label\neth,0xa,'
  const western = await readsIn(bytes(`${head}M{fc}ller\neth,0xb,Jos{e9}\n`))
  assert.deepEqual(western('windows-1252'), ['Müller', 'José'])
  // Those that read the same are one.
  assert.equal(western('windows-1250'), undefined)
  assert.deepEqual((await readsIn(bytes(`${head}M{fc}ller\n`)))('gb18030'), ['M黮ler'])
  assert.deepEqual((await readsIn(bytes(`${head}M{9f}ller\n`)))('macintosh'), ['Müller'])
  assert.deepEqual((await readsIn(bytes(`${head}{cff0e8e2e5f2}\n`)))('windows-1251'), ['Привет'])
  assert.deepEqual((await readsIn(bytes(`${head}{938c8b9e}\n`)))('shift_jis'), ['東京'])
  assert.deepEqual((await readsIn(bytes(`${head}{b9a9d3a6c9cc}\n`)))('gb18030'), ['供应商'])
  // What is shown has the letter that tells two encodings apart.
  const polish = await readsIn(bytes(`${head}${'M{fc}ller\neth,0xb,'.repeat(9)}Mu{f1}oz\n`))
  assert.deepEqual(
    [polish('windows-1252'), polish('windows-1250')],
    [
      ['Müller', 'Muñoz'],
      ['Müller', 'Muńoz'],
    ],
  )
  const file = fileOf(bytes(`${head}M{fc}ller\n`))
  const read = await readAddressFile(file, 'windows-1252')
  assert.ok('rows' in read)
  assert.equal(read.rows[0]?.row.label, 'Müller')
})
