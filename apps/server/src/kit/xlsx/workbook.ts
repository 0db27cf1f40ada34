import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import { rowXml, type SheetCell, sheetColumn } from './cells.ts'
import {
  contentTypesXml,
  renderSheetStart,
  rootRelsXml,
  sheetEnd,
  stylesXml,
  workbookRelsXml,
  workbookXml,
} from './parts.ts'

/** Maximum number of rows of a sheet, including the header. */
export const maxRowsPerSheet = 1_048_576
/** Characters of XML per compressor write. V8 allocates above 128 KB in its large object space, which is slower. */
const chunkSize = 64 * 1024
/** The compressor works in a thread of its own: it has the next chunk before it has finished one. */
const compressor = { level: 1, chunkSize, writableHighWaterMark: 2.5 * chunkSize }
/** Maximum bytes of the archive without its directory, and of each entry: fflate does not write ZIP64. */
const bytesMax = 2 ** 32 - 2 ** 16

export interface WorkbookInput {
  /** Name of the sheets: letters, digits and spaces only. The second is called `<name> 2`. */
  sheet: string
  columns: readonly { title: string; width: number }[]
  /** Batches of rows, read with backpressure. `return` is called if the stream is destroyed early. */
  rows: AsyncIterable<readonly (readonly SheetCell[])[]>
  /** Maximum rows of a sheet including its header, for tests. */
  rowsPerSheet?: number
}

/**
 * Streams an .xlsx file row by row, in constant memory. An error of the rows destroys the stream, so that a truncated
 * file never looks complete. Destroying the stream ends the rows.
 */
export function xlsxStream({ sheet, columns, rows, rowsPerSheet = maxRowsPerSheet }: WorkbookInput): Readable {
  const source = rows[Symbol.asyncIterator]()
  let waiting: readonly (readonly SheetCell[])[] = []
  let finished = false

  /** Reports whether there is another row. If so, it is the first of `waiting`. */
  async function more(): Promise<boolean> {
    while (waiting.length === 0 && !finished) {
      const next = await source.next()
      if (next.done) finished = true
      else waiting = next.value
    }
    return !finished
  }

  async function* sheetXml() {
    const written = columns.map((_, index) => sheetColumn(index))
    let number = 1
    let xml = renderSheetStart(columns.map(column => column.width))
    xml += rowXml(number, titles(columns), written, 1)
    // Call `more` even when the sheet is full: otherwise an empty sheet could follow a full last one.
    while ((await more()) && number < rowsPerSheet) {
      const taken = Math.min(waiting.length, rowsPerSheet - number)
      for (let i = 0; i < taken; i++) {
        xml += rowXml(++number, waiting[i]!, written)
        if (xml.length < chunkSize) continue
        yield Buffer.from(xml)
        xml = ''
      }
      waiting = waiting.slice(taken)
    }
    yield Buffer.from(xml + sheetEnd)
  }

  async function* parts(): AsyncGenerator<Part> {
    const names: string[] = []
    do {
      names.push(names.length === 0 ? sheet : `${sheet} ${names.length + 1}`)
      yield [`xl/worksheets/sheet${names.length}.xml`, sheetXml()]
    } while (!finished)
    yield ['[Content_Types].xml', [Buffer.from(contentTypesXml(names))]]
    yield ['_rels/.rels', [Buffer.from(rootRelsXml)]]
    yield ['xl/workbook.xml', [Buffer.from(workbookXml(names))]]
    yield ['xl/_rels/workbook.xml.rels', [Buffer.from(workbookRelsXml(names))]]
    yield ['xl/styles.xml', [Buffer.from(stylesXml)]]
  }

  async function* file() {
    try {
      yield* zipped(parts())
    } finally {
      await source.return?.()
    }
  }
  return Readable.from(file(), { objectMode: false })
}

type Part = [path: string, content: AsyncIterable<Buffer> | Buffer[]]

/** Writes a ZIP archive, one part after the other. Node compresses; fflate writes the ZIP structure. */
async function* zipped(parts: AsyncIterable<Part>) {
  const ready: Uint8Array[] = []
  const zip = new Zip((_, bytes) => ready.push(bytes))
  let written = 0
  for await (const [filename, content] of parts) {
    const entry: ZipInputFile = { filename, size: 0, crc: 0, compression: 8, mtime: Date.now() }
    zip.add(entry)
    async function* counted() {
      for await (const piece of content) {
        entry.size += piece.length
        entry.crc = crc32(piece, entry.crc)
        yield piece
      }
    }
    // The callback can ignore errors, because the loop throws them.
    for await (const piece of pipeline(counted, createDeflateRaw(compressor), () => {})) {
      written += piece.length
      if (written > bytesMax || entry.size > bytesMax) throw new Error('a workbook of more than 4 GB')
      entry.ondata!(null, piece, false)
      yield* ready.splice(0)
    }
    entry.ondata!(null, new Uint8Array(0), true)
  }
  zip.end()
  yield* ready
}

const titles = (columns: WorkbookInput['columns']) => columns.map(column => column.title)
