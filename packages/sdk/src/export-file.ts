import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** A row of a sheet: the texts of its cells by the letters of their columns. */
export type Row = Record<string, string>

const cell = /<c r="([A-Z]+)\d+"[^<>]*>(?:<is><t[^<>]*>([^<]*)<\/t><\/is>|<v>([^<]*)<\/v>)<\/c>/g
const rowEnd = '</row>'

/**
 * Reads the rows of all sheets of a spreadsheet that the back-office exported. One that a spreadsheet program saved again is written
 * otherwise, and refused. Throws Error on any other file.
 */
export async function* rowsOfExport(path: string): AsyncGenerator<Row, void, undefined> {
  const file = await readFile(path)
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || file.length < end + 22) throw new Error(`${path} is not a spreadsheet (.xlsx)`)
  const directory = file.subarray(file.readUInt32LE(end + 16), end)
  for (let at = 0; at + 46 <= directory.length; ) {
    const number = (offset: number) => directory.readUInt16LE(at + offset)
    const name = directory.toString('utf8', at + 46, at + 46 + number(28))
    if (name.startsWith('xl/sharedStrings')) throw new Error(`${path} was saved by another program: export it again`)
    if (/^xl\/worksheets\/sheet\d+\.xml$/.test(name)) {
      const local = directory.readUInt32LE(at + 42)
      const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
      const packed = file.subarray(start, start + directory.readUInt32LE(at + 20))
      yield* rowsOfSheet(Readable.from([packed]).pipe(createInflateRaw()).setEncoding('utf8'))
    }
    at += 46 + number(28) + number(30) + number(32)
  }
}

async function* rowsOfSheet(xml: AsyncIterable<string>): AsyncGenerator<Row, void, undefined> {
  let rest = ''
  for await (const text of xml) {
    const rows = (rest + text).split(rowEnd)
    rest = rows.pop() ?? ''
    for (const row of rows)
      yield Object.fromEntries(
        [...row.matchAll(cell)].map(([, column = '', text, number]) => [column, text ?? number ?? '']),
      )
  }
}
