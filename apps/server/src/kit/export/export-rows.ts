import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Language } from '@coffer/contract/languages.ts'
import type pg from 'pg'
import type { Queryable } from '../db.ts'
import { Refusal } from '../refusal.ts'
import type { Cell } from '../xlsx/cells.ts'

/** Merchant, filter and language of an export. `filter` must survive a structured clone. */
export interface ExportScope<Filter> {
  merchantId: string
  filter: Filter
  language: Language
}

/** A column with its title in each language. `about` is the result of `names` with the reader's language. */
export type ExportColumn<Row, Names> = Record<Language, string> & {
  /** In characters. */
  width: number
  cell(row: Row, about: Names & { language: Language }): Cell
}

/** A list as a spreadsheet. All reads run in one read-only transaction and see the same snapshot. */
export interface ExportTable<Filter, Row, Names> {
  /** `import.meta.url` of the module whose default export is this table: a worker imports it from there. */
  module: string
  /** Prefix of the file name. The time in UTC follows. */
  fileName: string
  /** Letters, digits and spaces only. */
  sheet: Record<Language, string>
  /** Counts the rows. The count is sent before the first row. */
  count(c: Queryable, scope: ExportScope<Filter>): Promise<number>
  /** Reads lookup data that cells need besides their row, such as application names. Called once. */
  names?(c: Queryable, scope: ExportScope<Filter>): Promise<Names>
  /**
   * Reads the next page by keyset: at most `limit` rows after the row `after`, or the first page. A page of fewer rows
   * is the last.
   */
  next(c: Queryable, scope: ExportScope<Filter>, after: Row | undefined, limit: number): Promise<Row[]>
  columns: readonly ExportColumn<Row, Names>[]
}

/**
 * Declares the export of a list: `export default exportRows({ module: import.meta.url, count, next, columns, ... })`. The
 * columns come last because their types are inferred from the reads. `exportHandler(table)` (`http/export.ts`) makes its
 * route handler.
 */
export const exportRows = <Filter, Row, Names>(
  table: ExportTable<Filter, Row, Names>,
): ExportTable<Filter, Row, Names> => table

/** The task of a worker. `connection` has the options of the server's own pool. */
export interface ExportTask {
  connection: Pick<pg.PoolOptions, 'connectionString' | 'options' | 'statement_timeout'>
  module: string
  scope: ExportScope<unknown>
}

/** Messages of a worker: first the number of rows, then the parts of the file, then the end marker. */
export type ExportMessage = { total: number } | { part: Uint8Array<ArrayBuffer> } | { whole: true }

/** Maximum number of concurrent exports. Each has a worker and a connection. */
const atOnce = 4
/** Maximum number of concurrent exports of one merchant. */
const atOncePerMerchant = 2
const running: string[] = []

/** In megabytes. Rows are streamed, so a worker that exceeds these limits is faulty. Only that worker ends. */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 96 }

/**
 * Starts an .xlsx export. Returns its stream and the number of rows without the header. A worker thread writes the file
 * so that the event loop stays free, and it respects backpressure. Destroy the stream to stop. Refused with
 * `frequent_operation` while the merchant has too many exports running, and with `busy` while the server has. `code` is
 * the worker's module; a benchmark passes its own.
 */
export async function startExport<Filter>(
  pool: pg.Pool,
  { module }: { module: string },
  scope: ExportScope<Filter>,
  code = new URL('./worker.ts', import.meta.url),
): Promise<{ total: number; file: Readable }> {
  const { merchantId } = scope
  if (running.filter(each => each === merchantId).length >= atOncePerMerchant) throw new Refusal('frequent_operation')
  if (running.length >= atOnce) throw new Refusal('busy')
  running.push(merchantId)
  const { connectionString, options, statement_timeout } = pool.options
  const workerData: ExportTask = { connection: { connectionString, options, statement_timeout }, module, scope }
  const worker = new Worker(code, { workerData, resourceLimits })
  const taken = () => worker.postMessage(null)
  let untold = 0
  let whole = false
  const file = new Readable({
    read() {
      for (; untold > 0; untold--) taken()
    },
    destroy(error, done) {
      running.splice(running.indexOf(merchantId), 1)
      worker.terminate().then(() => done(error), done)
    },
  })
  const total = await new Promise<number>((resolve, reject) => {
    worker.on('message', (message: ExportMessage) => {
      if ('total' in message) resolve(message.total)
      else if ('whole' in message) {
        whole = true
        file.push(null)
      } else if (file.push(message.part)) taken()
      else untold++
    })
    const fail = (error: Error) => {
      reject(error)
      file.destroy(error)
    }
    worker.once('error', fail)
    worker.once('exit', () => whole || fail(new Error('the export ended in the middle')))
  })
  return { total, file }
}
