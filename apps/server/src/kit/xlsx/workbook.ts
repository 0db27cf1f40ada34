import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'
import { type Cell, cellStart, rowXml } from './cells.ts'
import { contentTypesXml, rootRelsXml, sheetEnd, sheetStart, stylesXml, workbookRelsXml, workbookXml } from './parts.ts'

// yazl has the checksum of every byte from buffer-crc32, which is JavaScript. Node's own is ten times as fast.
const requireOfYazl = createRequire(createRequire(import.meta.url).resolve('yazl'))
requireOfYazl('buffer-crc32').unsigned = crc32

/** Most rows of one sheet, the header included. */
export const rowsMax = 1_048_576
/** XML that is handed to the compressor at once, in characters. V8 collects what is longer than 128 KB the slow way. */
const chunkSize = 64 * 1024

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
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  const source = rows[Symbol.asyncIterator]()
  const names: string[] = []
  let waiting: readonly (readonly Cell[])[] = []
  let finished = false
  let current: Readable | undefined

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

  function addSheet() {
    names.push(names.length === 0 ? sheet : `${sheet} ${names.length + 1}`)
    zip.addReadStreamLazy(`xl/worksheets/sheet${names.length}.xml`, { compressionLevel: 1 }, give => {
      current = Readable.from(sheetXml(), { objectMode: false })
      current.once('end', () => (finished ? finish() : addSheet()))
      current.once('error', error => out.destroy(error))
      give(null, current)
    })
  }

  function finish() {
    const part = (path: string, xml: string) => zip.addBuffer(Buffer.from(xml), path)
    part('[Content_Types].xml', contentTypesXml(names))
    part('_rels/.rels', rootRelsXml)
    part('xl/workbook.xml', workbookXml(names))
    part('xl/_rels/workbook.xml.rels', workbookRelsXml(names))
    part('xl/styles.xml', stylesXml)
    zip.end()
  }

  zip.once('error', error => out.destroy(error as Error))
  out.once('close', () => {
    current?.destroy()
    void source.return?.()
  })
  addSheet()
  return out
}

const titles = (columns: Workbook['columns']) => columns.map(column => column.title)
