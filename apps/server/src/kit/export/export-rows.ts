import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
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
import type { Replica } from '../replica.ts'
import type { PrimaryPosition } from '../replica-session.ts'
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
  /** Of a replica: what it must have. */
  position: PrimaryPosition | undefined
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
 * How long (ms) a file from the replica is kept back until it is whole: if it fails until then, as when PostgreSQL
 * cancels a long read of a replica, the primary is read. Proxies wait longer for its beginning.
 */
const heldMs = 15_000

/** The file of an export, the number of its rows without the header, and the time zone. */
interface StartedExport {
  total: number
  zone: string
  file: Readable
}

/** Starts an export, from the replica if that can be read. See `startFrom`. */
export async function startExport<Filter>(
  deps: { pool: pg.Pool; replica: Replica | null; config: { dataDir: string } },
  table: { module: string; isLimited?: true },
  scope: ExportScope<Filter>,
): Promise<StartedExport> {
  const source = await deps.replica?.beginExport()
  if (deps.replica && source) {
    try {
      const started = await startFrom(source, deps.config, table, scope)
      deps.replica.noteExport(true)
      return started
    } catch (error) {
      if (error instanceof Refusal) throw error
      deps.replica.noteExport(false)
    }
  }
  const { connectionString, options } = deps.pool.options
  const primary = { connection: { connectionString, options }, session: poolSessions.get(deps.pool) }
  return startFrom({ ...primary, position: undefined }, deps.config, table, scope)
}

type ExportSource = Pick<ExportTask, 'connection' | 'session' | 'position'>

/**
 * Starts an .xlsx export. Returns its stream, the number of rows without the header, and the time zone. A worker thread
 * writes the file so that the event loop stays free. It writes to a temporary file and never waits for the reader, so
 * that a slow one holds neither a worker nor a database connection. Destroy the stream to stop. Refused with
 * `frequent_operation` while the merchant has too many exports, and with `busy` while the server writes too many.
 * Compiled modules are stored in `dataDir`, where only the server writes.
 */
async function startFrom<Filter>(
  source: ExportSource,
  { dataDir }: { dataDir: string },
  { module, isLimited }: { module: string; isLimited?: true },
  scope: ExportScope<Filter>,
): Promise<StartedExport> {
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
  const worker = startWorker(dataDir, { ...source, module, scope, fd: spool.fd })
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
  const begun = awaitBeginning(worker, source.position !== undefined)
  worker.on('message', (message: ExportMessage) => {
    if ('written' in message) written = message.written
    if ('whole' in message) whole = true
    resume()
  })
  worker.once('error', error => file.destroy(error))
  worker.once('exit', () => {
    writers--
    if (!whole) file.destroy(new Error('the export ended in the middle'))
  })
  const first = await begun.catch(async error => {
    // Until its worker has ended it takes the place of another.
    if (!file.closed) await once(file, 'close')
    throw error
  })
  return { ...first, file }
}

/** Resolves once the rows are counted and the file may be sent, which one that is kept back may be when it is whole. */
const awaitBeginning = (worker: Worker, isKeptBack: boolean) =>
  new Promise<{ total: number; zone: string }>((resolve, reject) => {
    let begin = () => {}
    worker.on('message', (message: ExportMessage) => {
      if ('total' in message) {
        begin = () => resolve(message)
        if (isKeptBack) setTimeout(begin, heldMs).unref()
        else begin()
      } else if ('whole' in message) begin()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the export ended in the middle')))
  })

/** Starts what writes the file. */
function startWorker(dataDir: string, task: Omit<ExportTask, 'cache'>): Worker {
  const cache = existsSync(dataDir) ? join(dataDir, 'compile-cache') : undefined
  const workerData: ExportTask = { ...task, cache }
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits })
}

/** Opens a temporary file that has no name, so that it is gone once closed, also after a crash. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `coffer-export-${randomUUID()}`)
  const spool = await open(path, 'wx+', 0o600)
  await unlink(path)
  return spool
}
