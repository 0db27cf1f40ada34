import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Language } from '@coffer/contract/languages.ts'
import type pg from 'pg'
import type { Queryable } from '../db.ts'
import { Refusal } from '../refusal.ts'
import type { Cell } from '../xlsx/cells.ts'

/** Whose rows, which of them, and the reader's language. `filter` must survive a structured clone. */
export interface ExportScope<Filter> {
  merchantId: string
  filter: Filter
  language: Language
}

/** A column with its title in each language. `about` is what `names` gave, with the reader's language. */
export type ExportColumn<Row, Names> = Record<Language, string> & {
  /** In characters. */
  width: number
  cell(row: Row, about: Names & { language: Language }): Cell
}

/** A list as a spreadsheet. Every read runs in one read-only transaction, so that all of them see the same moment. */
export interface ExportTable<Filter, Row, Names> {
  /** `import.meta.url` of the module whose default export is this table: a worker imports it from there. */
  module: string
  /** What the file's name starts with; the time in UTC follows. */
  fileName: string
  /** Letters, digits and blanks only. */
  sheet: Record<Language, string>
  /** Counts the rows, which the reader is told before the first of them. */
  count(c: Queryable, scope: ExportScope<Filter>): Promise<number>
  /** Reads once what cells need besides their row, such as the names of applications. */
  names?(c: Queryable, scope: ExportScope<Filter>): Promise<Names>
  /** Reads the next rows by keyset: at most `limit` after the row `after`, or the first ones. Fewer are the last. */
  next(c: Queryable, scope: ExportScope<Filter>, after: Row | undefined, limit: number): Promise<Row[]>
  columns: readonly ExportColumn<Row, Names>[]
}

/**
 * Declares the export of a list: `export default exportRows({ module: import.meta.url, count, next, columns, ... })`. The
 * columns come last: their types follow from the reads. `exportHandler(table)` (`http/export.ts`) answers its call.
 */
export const exportRows = <Filter, Row, Names>(
  table: ExportTable<Filter, Row, Names>,
): ExportTable<Filter, Row, Names> => table

/** The task of a worker. `connection` is how the server's own pool connects. */
export interface ExportTask {
  connection: Pick<pg.PoolOptions, 'connectionString' | 'options' | 'statement_timeout'>
  module: string
  scope: ExportScope<unknown>
}

/** Messages of a worker: first the number of rows, then the file in parts, then that it is complete. */
export type ExportMessage = { total: number } | { part: Uint8Array<ArrayBuffer> } | { whole: true }

/** Exports that run at a time: each is a worker with a connection. */
const atOnce = 4
/** Of them, those of one merchant. */
const atOncePerMerchant = 2
const running: string[] = []

/** In megabytes. Rows are read, written and forgotten: a worker that needs more is at fault, and ends alone. */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 96 }

/**
 * Starts an .xlsx file and gives its stream with the number of rows beside the header. A worker makes it, so that other
 * calls are answered as ever, and only as fast as it is taken; destroy the stream to stop. Refused as
 * `frequent_operation` while too many exports of the merchant run, and as `busy` while too many run in all. `code` is
 * the worker's; a benchmark passes its own.
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
