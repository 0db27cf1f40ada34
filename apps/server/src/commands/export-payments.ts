import type { Readable } from 'node:stream'
import type { Language } from '@coffer/contract'
import type pg from 'pg'
import type { Deps } from '../deps.ts'
import { exportColumns, inLanguage, sheetName } from '../export-texts.ts'
import { Refusal } from '../refusal.ts'
import { allApplications } from '../store/applications.ts'
import { readAssetNames } from '../store/currencies.ts'
import { exportPlace as at, type ExportRow, nextPayments, readTxids } from '../store/payment-export.ts'
import { type PaymentFilter, pagePayments } from '../store/payment-list.ts'
import { readZones } from '../store/statistics-read.ts'
import type { Cell } from '../xlsx/cells.ts'
import { xlsxStream } from '../xlsx/workbook.ts'
import { rowWriter } from './export-row.ts'

/** Payments read at once. */
const batchSize = 5_000
/** Exports that run at a time: each holds a connection. */
const atOnce = 4
/** Of them, those of one merchant. */
const atOncePerMerchant = 2
const running: string[] = []

export interface Export {
  /** Rows beside the header. */
  total: number
  file: Readable
}

/**
 * Starts the .xlsx of a merchant's payments: `total` is known before the first row, and both are of the same moment. The
 * file is read from the database only as fast as it is taken; destroy it to stop. Refused as `busy` while too many
 * exports run, and as `frequent_operation` while too many of this merchant do.
 */
export async function exportPayments(
  deps: Deps,
  { merchantId, filter, language }: { merchantId: string; filter: PaymentFilter; language: Language },
): Promise<Export> {
  if (running.filter(each => each === merchantId).length >= atOncePerMerchant) throw new Refusal('frequent_operation')
  if (running.length >= atOnce) throw new Refusal('busy')
  running.push(merchantId)
  let c: pg.PoolClient | undefined
  const release = async () => {
    running.splice(running.indexOf(merchantId), 1)
    // A statement may still be under way when the reader left: such a connection is not given to others.
    c?.release(true)
  }
  try {
    c = await deps.pool.connect()
    await c.query('begin isolation level repeatable read, read only')
    const { total } = await pagePayments(c, merchantId, filter, { offset: 0, limit: 1 })
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
    const file = xlsxStream({
      sheet: inLanguage(sheetName, language),
      columns: exportColumns.map(column => ({ title: inLanguage(column, language), width: column.width })),
      rows: batches(c, merchantId, filter, write),
    })
    file.once('close', release)
    return { total, file }
  } catch (error) {
    await release()
    throw error
  }
}

/** Reads the next batch while the one before is being written. */
async function* batches(
  c: pg.PoolClient,
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
    yield rows.map(row => write(row, txids.get(String(row[at.trade_no])) ?? ''))
    if (!last) return
  }
}
