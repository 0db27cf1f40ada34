import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type pg from 'pg'
import type { Queryable } from '../db.ts'
import { Refusal } from '../refusal.ts'
import { poolSessions, type Session } from '../session.ts'
import { visibleTo } from '../visible-to.ts'

/** What of a merchant's rows is meant. `filter` must survive a structured clone. */
export interface RowScope<Filter> {
  merchantId: string
  filter: Filter
}

/** What an export has, who reads it, and in which language. */
export interface ExportScope<Filter> extends RowScope<Filter> {
  personId: string
  role: MerchantRole
  language: Language
}

/**
 * A column with its title in each language. `about` is the result of `names` with the reader's language. All cells of a
 * column are of one kind: texts, amounts (decimal strings), counts, or times (Unix seconds, 0 is empty), which are
 * written in the merchant's time zone, which the title names, with the offset from UTC. Empty text is an empty cell.
 */
export type ExportColumn<Row, Names> = Record<Language, string> & {
  /** In characters. */
  width: number
} & (
    | { cell(row: Row, about: Names & { language: Language }): string }
    | { amount(row: Row, about: Names & { language: Language }): string }
    | { count(row: Row): number }
    | { time(row: Row): number }
  )

/** A file of text, made row by row. `head` gives what stands before the first row. */
export interface TextFile<Row, Names> {
  /** Extension of the file name. */
  extension: string
  type: string
  head(about: AboutText<Names>): string
  row(row: Row, about: AboutText<Names>): string
}
/** `wall` formats Unix seconds in the merchant's time zone: YYYY-MM-DD HH:mm:ss+hh:mm. */
type AboutText<Names> = Names & { language: Language; zone: string; wall: (seconds: number) => string }

/**
 * A list as a spreadsheet. All reads run in one read-only transaction and see the same snapshot. `Found` is what the
 * rows are read by: the filter, or what `find` makes of it.
 */
export interface ExportTable<Filter, Row, Names, Found = Filter> {
  /** `import.meta.url` of the module whose default export is this table: a worker imports it from there. */
  module: string
  /** Prefix of the file name. The time in the merchant's time zone follows. */
  fileName: string
  /** Letters, digits and spaces only. */
  sheet: Record<Language, string>
  /** Its rows are limited to what the scope's person collected. Others are refused who sees own payments only. */
  isLimited?: true
  /** Reads the merchant's time zone. */
  zone(c: Queryable, scope: ExportScope<Filter>): Promise<string>
  /** Searches, once, before the rows are counted and read. */
  find?(c: Queryable, scope: ExportScope<Filter>): Promise<Found>
  /** Counts the rows. The count is sent before the first row. */
  count(c: Queryable, scope: ExportScope<Found>): Promise<number>
  /** Reads lookup data that cells need besides their row, such as application names. Called once. */
  names?(c: Queryable, scope: ExportScope<Filter>): Promise<Names>
  /**
   * Reads the next page by keyset: at most `limit` rows after the row `after`, or the first page. A page of fewer rows
   * is the last.
   */
  next: (c: Queryable, scope: ExportScope<Found>, after: Row | undefined, limit: number) => Promise<Row[]>
  columns: readonly ExportColumn<Row, Names>[]
  /**
   * The format of the file that the filter asks for: `csv` has the columns of the spreadsheet. By default a
   * spreadsheet.
   */
  text?(filter: Filter): 'csv' | TextFile<Row, Names> | undefined
}

/**
 * Declares the export of a list: `export default exportRows({ module: import.meta.url, count, next, columns, ... })`.
 * The columns come last because their types are inferred from the reads. `exportHandler(table)` (`http/export.ts`)
 * makes its route handler.
 */
export const defineExport = <Filter, Row, Names>(
  table: ExportTable<Filter, Row, Names>,
): ExportTable<Filter, Row, Names> => table

/** Declares the export of a list that is searched first. */
export const defineSearchedExport = <Filter, Row, Names, Found>(
  table: ExportTable<Filter, Row, Names, Found> & { find: unknown },
): typeof table => table

/**
 * The task of a worker. `connection` has the options of the server's own pool; `fd` is the open file to write, `cache`
 * the folder of compiled modules, if there is one.
 */
export interface ExportTask {
  connection: Pick<pg.PoolOptions, 'connectionString' | 'options'>
  session: Session | undefined
  module: string
  scope: ExportScope<unknown>
  fd: number
  cache: string | undefined
}

/**
 * Messages of a worker: first the number of rows and the time zone, then how many bytes of the file are written, then
 * the end marker.
 */
export type ExportMessage = { total: number; zone: string } | { written: number } | { whole: true }

/** Maximum number of exports being written. Each has a worker and a connection. */
const writersMax = 4
let writers = 0
/** Maximum number of exports of one merchant that are being written or read. */
const perMerchantMax = 2
const exporting: string[] = []

/** In megabytes. Rows are streamed, so a worker that exceeds these limits is faulty. Only that worker ends. */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 96 }

/** Maximum size of one read of the file, in bytes. */
const partBytes = 256 * 1024

/**
 * Starts an .xlsx export. Returns its stream, the number of rows without the header, and the time zone. A worker thread
 * writes the file so that the event loop stays free. It writes to a temporary file and never waits for the reader, so
 * that a slow one holds neither a worker nor a database connection. Destroy the stream to stop. Refused with
 * `frequent_operation` while the merchant has too many exports, and with `busy` while the server writes too many.
 * Compiled modules are stored in `dataDir`, where only the server writes.
 */
export async function startExport<Filter>(
  { pool, config: { dataDir } }: { pool: pg.Pool; config: { dataDir: string } },
  { module, isLimited }: { module: string; isLimited?: true },
  scope: ExportScope<Filter>,
): Promise<{ total: number; zone: string; file: Readable }> {
  const { merchantId, collectedBy } = visibleTo(scope)
  if (collectedBy !== null && !isLimited) throw new Refusal('forbidden')
  if (exporting.filter(each => each === merchantId).length >= perMerchantMax) throw new Refusal('frequent_operation')
  if (writers >= writersMax) throw new Refusal('busy')
  exporting.push(merchantId)
  writers++
  const leave = () => void exporting.splice(exporting.indexOf(merchantId), 1)
  const spool = await openSpool().catch(error => {
    writers--
    leave()
    throw error
  })
  const worker = startWorker(pool, dataDir, { module, scope, fd: spool.fd })
  let written = 0
  let position = 0
  let whole = false
  let requested = false
  const send = async () => {
    if (!requested || file.destroyed) return
    if (position === written) return whole ? void file.push(null) : undefined
    requested = false
    const part = Buffer.allocUnsafe(Math.min(written - position, partBytes))
    const { bytesRead } = await spool.read(part, 0, part.length, position)
    position += bytesRead
    file.push(part.subarray(0, bytesRead))
  }
  const resume = () => void send().catch(error => file.destroy(error))
  const file = new Readable({
    read() {
      requested = true
      resume()
    },
    destroy(error, done) {
      leave()
      // The worker must have ended: the number of a closed file may be that of another one.
      const closed = worker.terminate().then(() => spool.close())
      closed.then(() => done(error), done)
    },
  })
  // The caller may not listen yet.
  file.on('error', () => {})
  const first = await new Promise<{ total: number; zone: string }>((resolve, reject) => {
    worker.on('message', (message: ExportMessage) => {
      if ('total' in message) return resolve(message)
      if ('written' in message) written = message.written
      else whole = true
      resume()
    })
    const fail = (error: Error) => {
      reject(error)
      file.destroy(error)
    }
    worker.once('error', fail)
    worker.once('exit', () => {
      writers--
      if (!whole) fail(new Error('the export ended in the middle'))
    })
  })
  return { ...first, file }
}

/** Starts what writes the file, with a connection like those of the pool. */
function startWorker(pool: pg.Pool, dataDir: string, task: Pick<ExportTask, 'module' | 'scope' | 'fd'>): Worker {
  const { connectionString, options } = pool.options
  const cache = existsSync(dataDir) ? join(dataDir, 'compile-cache') : undefined
  const connection = { connectionString, options }
  const workerData: ExportTask = { ...task, connection, session: poolSessions.get(pool), cache }
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits })
}

/** Opens a temporary file that has no name, so that it is gone once closed, also after a crash. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `coffer-export-${randomUUID()}`)
  const spool = await open(path, 'wx+', 0o600)
  await unlink(path)
  return spool
}
