import type { Records } from './data.ts'
import { type Figure, percentile99, scope } from './figure.ts'
import { type BenchServer, startServer } from './server.ts'

const wanted = 1_000_000
const memoryLimit = 300
const listLimitMs = 50

/**
 * The newest payments of a merchant, a million where there are as many, to .xlsx over HTTP: by the product and by the same
 * code with exceljs, each in a fresh process; and how long pages of the list take meanwhile in the first.
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
      beside: `${(peer.seconds / ours.seconds).toFixed(2)} times exceljs (${rate(peer.seconds).toFixed(0)} rows/s); at least 2`,
      holds: peer.seconds / ours.seconds >= 2,
    },
    {
      what: 'memory of the process at its most',
      value: `${ours.memory.toFixed(0)} MB`,
      beside: `at most ${memoryLimit} MB; with exceljs ${peer.memory.toFixed(0)} MB`,
      holds: ours.memory <= memoryLimit,
    },
    {
      what: 'pages of the list meanwhile, p99',
      value: `${percentile99(ours.pages).toFixed(1)} ms`,
      beside: `at most ${listLimitMs} ms, of ${ours.pages.length} pages`,
      holds: percentile99(ours.pages) <= listLimitMs,
    },
  ]
}

/** A time range that holds the newest payments. */
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
      // Taken as fast as it comes.
    }
    const seconds = (performance.now() - started) / 1_000
    done = true
    const pages = await reading
    return { seconds, pages, memory: server.peakMemory(), rows: Number(answer.headers.get('x-total-rows')) }
  } finally {
    await here.end()
  }
}

/** One page after the other, with the pauses of a person who is quick. */
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
