import type { Records } from './data.ts'
import { type Figure, percentile99, scope } from './figure.ts'
import { type BenchServer, startServer } from './server.ts'

const wanted = 1_000_000
const memoryLimit = 300
const listLimitMs = 50

/**
 * Exports a merchant's newest payments, up to a million, to .xlsx over HTTP, with the product's writer and with exceljs,
 * each in a new process. Also measures list pages during the product's export.
 */
export async function exported(records: Records): Promise<Figure[]> {
  const range = await newest(records)
  const ours = await run(records, server => `${server.url}/api/v1/transactions/list/export?${range}`, true)
  const peer = await run(records, server => `${server.url}/exceljs?${range}`, false)
  const rate = (took: number) => ours.rows / took
  return [
    {
      what: `export of ${ours.rows.toLocaleString('en')} payments`,
      value: `${rate(ours.seconds).toFixed(0)} rows/s`,
      comparison: `${(peer.seconds / ours.seconds).toFixed(2)} times exceljs (${rate(peer.seconds).toFixed(0)} rows/s); at least 2`,
      holds: peer.seconds / ours.seconds >= 2,
    },
    {
      what: 'peak memory of the process',
      value: `${ours.memory.toFixed(0)} MB`,
      comparison: `at most ${memoryLimit} MB; with exceljs ${peer.memory.toFixed(0)} MB`,
      holds: ours.memory <= memoryLimit,
    },
    {
      what: 'list pages during the export, p99',
      value: `${percentile99(ours.pages).toFixed(1)} ms`,
      comparison: `at most ${listLimitMs} ms, of ${ours.pages.length} pages`,
      holds: percentile99(ours.pages) <= listLimitMs,
    },
  ]
}

/** The time range of the newest payments, as query. */
async function newest({ deps, busy }: Records): Promise<string> {
  const { rows } = await deps.pool.query(
    `select created_at from payments where merchant_id = $1 order by created_at desc, trade_no desc offset $2 limit 1`,
    [busy.id, wanted - 1],
  )
  return `start_time=${rows[0]?.created_at ?? 0}&end_time=${deps.clock()}`
}

async function run(records: Records, urlOf: (server: BenchServer) => string, withReader: boolean) {
  const here = scope()
  try {
    const server = await startServer(here, records)
    let done = false
    const started = performance.now()
    const answer = await fetch(urlOf(server), { headers: { ...server.headers, 'x-download': '1' } })
    if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`)
    const reading = withReader ? readPages(server, () => done) : Promise.resolve([])
    for await (const _ of answer.body) {
      // Discard.
    }
    const seconds = (performance.now() - started) / 1_000
    done = true
    const pages = await reading
    return { seconds, pages, memory: server.peakMemory(), rows: Number(answer.headers.get('x-total-rows')) }
  } finally {
    await here.end()
  }
}

/** Reads pages one after the other, 20 ms apart. */
async function readPages({ url, headers }: BenchServer, isDone: () => boolean): Promise<number[]> {
  const times: number[] = []
  for (let page = 1; !isDone(); page = (page % 500) + 1) {
    const started = performance.now()
    const answer = await fetch(`${url}/api/v1/transactions/list?current=${page}&pageSize=20`, { headers })
    await answer.arrayBuffer()
    times.push(performance.now() - started)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return times
}
