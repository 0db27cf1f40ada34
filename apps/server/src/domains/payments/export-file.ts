import { parentPort, workerData } from 'node:worker_threads'
import type { Language } from '@coffer/contract'
import pg from 'pg'
import type { Cell } from '../../kit/xlsx/cells.ts'
import type { xlsxStream } from '../../kit/xlsx/workbook.ts'
import { allApplications } from '../applications/store.ts'
import { readAssetNames } from '../chains/currencies.ts'
import { readZones } from '../statistics/statistics-read.ts'
import { rowWriter } from './export-row.ts'
import { exportColumns, sheetName } from './export-texts.ts'
import { exportPlace as at, type ExportRow, nextPayments, readTxids } from './payment-export.ts'
import { type PaymentFilter, pagePayments } from './payment-list.ts'

/** Payments read at once. Of more, the garbage collector copies what is about to be written and forgotten. */
const batchSize = 500
/** Of them, those that are made into cells at once: between them the compressor is given its next piece. */
const atOnce = 50
/** Parts of the file that are sent before the first of them is taken. */
const window = 8

/** What a worker is told. `connection` is how the server's own pool connects. */
export interface ExportTask {
  connection: Pick<pg.PoolOptions, 'connectionString' | 'options' | 'statement_timeout'>
  merchantId: string
  filter: PaymentFilter
  language: Language
}

/** What a worker says: first how many rows there are, then the file in parts, then that it is whole. */
export type ExportMessage = { total: number } | { part: Uint8Array<ArrayBuffer> } | { whole: true }

/**
 * The work of an export, in a worker: reads the payments over a connection of its own, in one transaction, and sends the
 * file as `stream` writes it. Every message that comes back says that one part was taken. A throw ends the worker.
 */
export async function writeExport(stream: typeof xlsxStream): Promise<void> {
  const { connection, merchantId, filter, language }: ExportTask = workerData
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
  const { total } = await pagePayments(c, merchantId, filter, { offset: 0, limit: 1 })
  say({ total })
  const [assets, applications, { zone }] = [
    await readAssetNames(c),
    await allApplications(c, merchantId),
    await readZones(c, merchantId),
  ]
  const write = rowWriter({
    assets: new Map(assets.map(asset => [asset.id, asset])),
    applications: new Map(applications.map(app => [app.appid, app.name])),
    zone,
    language,
  })
  const file = stream({
    sheet: sheetName[language],
    columns: exportColumns.map(column => ({ title: column[language], width: column.width })),
    rows: batches(c, merchantId, filter, write),
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
  merchantId: string,
  filter: PaymentFilter,
  write: (row: ExportRow, txid: string) => Cell[],
): AsyncGenerator<Cell[][]> {
  const read = async (after: Parameters<typeof nextPayments>[3]) => {
    const rows = await nextPayments(c, merchantId, filter, after, batchSize)
    const txids = await readTxids(
      c,
      merchantId,
      rows.map(row => String(row[at.trade_no])),
    )
    return { rows, txids }
  }
  let next = read(null)
  for (;;) {
    const { rows, txids } = await next
    const last = rows.length === batchSize ? rows.at(-1) : undefined
    if (last) {
      next = read({ created_at: Number(last[at.created_at]), trade_no: String(last[at.trade_no]) })
      // Whoever stops reading must not leave a rejection that nobody handles.
      next.catch(() => {})
    }
    for (let from = 0; from < rows.length; from += atOnce)
      yield rows.slice(from, from + atOnce).map(row => write(row, txids.get(String(row[at.trade_no])) ?? ''))
    if (!last) return
  }
}
