import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { formatUtcOffset, makeUtcOffsetLookup, makeZonedTimeFormatter } from '../days.ts'
import { awaitPosition, beginReplicaSession, exportPatienceMs } from '../replica-session.ts'
import { beginSession } from '../session.ts'
import type { xlsxStream } from '../xlsx/workbook.ts'
import { csvFile } from './csv.ts'
import type { ExportMessage, ExportScope, ExportTable, ExportTask, TextFile } from './export-rows.ts'
import { buildSheet } from './sheet.ts'

/** Rows per read. In larger batches, rows live long enough for the garbage collector to copy them. */
const batchSize = 500
/** Rows converted to cells at once. Smaller than a read, so that the compressor gets its input steadily. */
const atOnce = 50

/** Bytes of the file between two messages to the server: each wakes its thread. */
const saidEvery = 256 * 1024

type AnyTable = ExportTable<unknown, unknown, object>

/**
 * Runs an export inside a worker. Reads the rows over its own connection, in one transaction, and writes the
 * file as fast as `stream` makes it. A throw ends the worker.
 */
export async function writeExportFile(stream: typeof xlsxStream): Promise<void> {
  const { connection, session, position, module, scope, fd }: ExportTask = workerData
  const { default: table }: { default: AnyTable } = await import(module)
  const say = (message: ExportMessage) => parentPort?.postMessage(message)
  const c = new pg.Client(connection)
  // A lost connection already fails the running statement.
  c.on('error', () => {})
  await c.connect()
  if (session && !position) await beginSession(c, connection.connectionString ?? '', session)
  if (session && position) {
    await beginReplicaSession(c, session)
    await awaitPosition(c, position, exportPatienceMs)
  }
  await c.query('begin isolation level repeatable read, read only')
  const zone = await table.zone(c, scope)
  const found = table.find ? { ...scope, filter: await table.find(c, scope) } : scope
  say({ total: await table.count(c, found), zone })
  const { language } = scope
  const about = { ...(await table.names?.(c, scope)), language }
  const offsetOf = makeUtcOffsetLookup(zone)
  const wallOf = makeZonedTimeFormatter(zone, offsetOf)
  const wall = (seconds: number) => wallOf(seconds) + formatUtcOffset(offsetOf(seconds))
  const sheet = buildSheet(table.columns, about, zone, offsetOf)
  const requested = table.text?.(scope.filter)
  const text = requested === 'csv' ? csvFile(table.columns) : requested
  const file = text
    ? textOf(
        text,
        { ...about, zone, wall },
        batches(c, table, found, row => row),
      )
    : stream({ sheet: table.sheet[language], columns: sheet.columns, rows: batches(c, table, found, sheet.row) })
  let written = 0
  let said = 0
  for await (const chunk of file) {
    writeFileSync(fd, chunk)
    written += chunk.length
    if (written - said < saidEvery) continue
    said = written
    say({ written })
  }
  say({ written })
  await c.end()
  say({ whole: true })
  parentPort?.close()
}

async function* textOf(
  { head, row }: TextFile<unknown, object>,
  about: Parameters<TextFile<unknown, object>['head']>[0],
  rows: AsyncIterable<unknown[]>,
) {
  yield Buffer.from(head(about))
  for await (const some of rows) yield Buffer.from(some.map(each => row(each, about)).join(''))
}

/** Reads the next batch while the previous one is being written. */
async function* batches<T>(
  c: pg.Client,
  table: AnyTable,
  scope: ExportScope<unknown>,
  write: (row: unknown) => T,
): AsyncGenerator<T[]> {
  let next = table.next(c, scope, undefined, batchSize)
  for (;;) {
    const rows = await next
    const more = rows.length === batchSize
    if (more) {
      next = table.next(c, scope, rows.at(-1), batchSize)
      // The prefetch may reject after the consumer has stopped: avoid an unhandled rejection.
      next.catch(() => {})
    }
    // Rows that are written are let go, so that the garbage collector need not copy them.
    while (rows.length > 0) {
      yield rows.splice(0, atOnce).map(write)
      // Lets answers of PostgreSQL in: a read may be several statements, each sent after the one before has answered.
      await setImmediate()
    }
    if (!more) return
  }
}
