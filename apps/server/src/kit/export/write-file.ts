import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import type { Cell } from '../xlsx/cells.ts'
import type { xlsxStream } from '../xlsx/workbook.ts'
import type { ExportMessage, ExportScope, ExportTable, ExportTask } from './export-rows.ts'

/** Rows read at once. With more, the garbage collector copies rows that are about to be written and dropped. */
const batchSize = 500
/** Of them, those that are made into cells at once: between them the compressor is given its next piece. */
const atOnce = 50
/** Parts of the file that are sent before the first of them is taken. */
const window = 8

type AnyTable = ExportTable<unknown, unknown, object>

/**
 * Runs an export inside a worker: reads the rows over a connection of its own, in one transaction, and sends the file as
 * `stream` writes it. Every message that comes back says that one part was taken. A throw ends the worker.
 */
export async function writeFile(stream: typeof xlsxStream): Promise<void> {
  const { connection, module, scope }: ExportTask = workerData
  const { default: table }: { default: AnyTable } = await import(module)
  const say = (message: ExportMessage, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)
  let ahead = 0
  let wake = () => {}
  parentPort?.on('message', () => {
    ahead--
    wake()
  })
  const c = new pg.Client(connection)
  // Every statement reports the loss of the connection itself.
  c.on('error', () => {})
  await c.connect()
  await c.query('begin isolation level repeatable read, read only')
  say({ total: await table.count(c, scope) })
  const { language } = scope
  const about = { ...(await table.names?.(c, scope)), language }
  const file = stream({
    sheet: table.sheet[language],
    columns: table.columns.map(column => ({ title: column[language], width: column.width })),
    rows: batches(c, table, scope, row => table.columns.map(column => column.cell(row, about))),
  })
  for await (const chunk of file) {
    const part = new Uint8Array(chunk)
    say({ part }, [part.buffer])
    ahead++
    while (ahead >= window)
      await new Promise<void>(resolve => {
        wake = resolve
      })
  }
  await c.end()
  say({ whole: true })
  parentPort?.close()
}

/** Reads the next batch while the one before is being written. */
async function* batches(
  c: pg.Client,
  table: AnyTable,
  scope: ExportScope<unknown>,
  write: (row: unknown) => Cell[],
): AsyncGenerator<Cell[][]> {
  let next = table.next(c, scope, undefined, batchSize)
  for (;;) {
    const rows = await next
    const more = rows.length === batchSize
    if (more) {
      next = table.next(c, scope, rows.at(-1), batchSize)
      // Whoever stops reading must not leave a rejection that nobody handles.
      next.catch(() => {})
    }
    for (let from = 0; from < rows.length; from += atOnce) yield rows.slice(from, from + atOnce).map(write)
    if (!more) return
  }
}
