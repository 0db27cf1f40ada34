import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import { type Cell, cellStart, rowXml } from './cells.ts'
import { contentTypesXml, rootRelsXml, sheetEnd, sheetStart, stylesXml, workbookRelsXml, workbookXml } from './parts.ts'

/** Most rows of one sheet, the header included. */
export const rowsMax = 1_048_576
/** XML that is handed to the compressor at once, in characters. V8 collects what is longer than 128 KB the slow way. */
const chunkSize = 64 * 1024
/** Bytes of an archive, its directory left out, and of a file in it: fflate does not write ZIP64. */
const bytesMax = 2 ** 32 - 2 ** 16

export interface Workbook {
  /** Name of the sheets: letters, digits and blanks only. The second is called `<name> 2`. */
  sheet: string
  columns: readonly { title: string; width: number }[]
  /** Batches of rows. Read only as fast as the file is taken; its `return` is called when nobody wants the rest. */
  rows: AsyncIterable<readonly (readonly Cell[])[]>
  /** Rows of a sheet including its header, for tests. */
  rowsPerSheet?: number
}

/**
 * An .xlsx file as a stream, written row by row: memory does not grow with the rows. When the rows fail, the stream is
 * destroyed with their error, so that no half file looks whole; when the stream is destroyed, the rows are ended.
 */
export function xlsxStream({ sheet, columns, rows, rowsPerSheet = rowsMax }: Workbook): Readable {
  const source = rows[Symbol.asyncIterator]()
  let waiting: readonly (readonly Cell[])[] = []
  let finished = false

  /** Whether there is another row, which is then the first of `waiting`. */
  async function more(): Promise<boolean> {
    while (waiting.length === 0 && !finished) {
      const next = await source.next()
      if (next.done) finished = true
      else waiting = next.value
    }
    return !finished
  }

  async function* sheetXml() {
    const starts = columns.map((_, index) => cellStart(index))
    let number = 1
    let xml = sheetStart(columns.map(column => column.width))
    xml += rowXml(number, titles(columns), starts, 1)
    // Asked once more than there is room for: a full last sheet must not be followed by an empty one.
    while ((await more()) && number < rowsPerSheet) {
      const taken = Math.min(waiting.length, rowsPerSheet - number)
      for (let i = 0; i < taken; i++) {
        xml += rowXml(++number, waiting[i]!, starts)
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

/** Writes a ZIP archive, each part read once the one before is written. Node compresses, fflate writes what is around it. */
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
    // The callback may ignore errors: the loop throws them.
    for await (const piece of pipeline(counted, createDeflateRaw({ level: 1 }), () => {})) {
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

const titles = (columns: Workbook['columns']) => columns.map(column => column.title)
