import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Language } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { ExportMessage, ExportTask } from './export-file.ts'
import type { PaymentFilter } from './payment-list.ts'

/** Exports that run at a time: each is a worker with a connection. */
const atOnce = 4
/** Of them, those of one merchant. */
const atOncePerMerchant = 2
const running: string[] = []

/** In megabytes. Rows are read, written and forgotten: a worker that needs more is at fault, and ends alone. */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 96 }

export interface Export {
  /** Rows beside the header. */
  total: number
  file: Readable
}

/**
 * Starts the .xlsx of a merchant's payments: `total` is known before the first row, and both are of the same moment. It is
 * made by a worker, so that calls beside it are answered as ever, and only as fast as it is taken; destroy it to stop.
 * Refused as `busy` while too many exports run, and as `frequent_operation` while too many of this merchant do. `code` is
 * the worker's: benchmarks give another one.
 */
export async function exportPayments(
  deps: Deps,
  { merchantId, filter, language }: { merchantId: string; filter: PaymentFilter; language: Language },
  code = new URL('./export-worker.ts', import.meta.url),
): Promise<Export> {
  if (running.filter(each => each === merchantId).length >= atOncePerMerchant) throw new Refusal('frequent_operation')
  if (running.length >= atOnce) throw new Refusal('busy')
  running.push(merchantId)
  const { connectionString, options, statement_timeout } = deps.pool.options
  const connection = { connectionString, options, statement_timeout }
  const workerData: ExportTask = { connection, merchantId, filter, language }
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
