import pg from 'pg'
import type { Records } from './data.ts'
import { type Figure, median, percentile, type Scope } from './figure.ts'
import { type BenchServer, startServer } from './server.ts'

const wanted = 1_000_000
const small = 50_000
const smallLimit = 1.2
/** Least ratio to the speed of COPY. */
const copyRatio = 0.3
const memoryLimit = 300
const listLimitMs = 50

/**
 * Exports a merchant's newest payments, up to a million, to .xlsx over HTTP in a new process, compared with COPY to
 * CSV, which PostgreSQL discards. Also measures list pages during the export, and an export of 50,000, after one has
 * compiled the modules.
 */
export async function exported(here: Scope, records: Records): Promise<Figure[]> {
  const range = await newest(records, wanted)
  const ours = await run(here, records, range)
  const fewest = await few(here, records)
  const copied = await copy(records)
  const rate = (took: number) => ours.rows / took
  return [
    {
      what: `export of ${ours.rows.toLocaleString('en')} payments`,
      value: `${rate(ours.seconds).toFixed(0)} rows/s`,
      comparison: `${(copied / ours.seconds).toFixed(2)} of COPY to CSV (${rate(copied).toFixed(0)} rows/s); at least ${copyRatio}`,
      holds: copied / ours.seconds >= copyRatio,
    },
    {
      what: `export of ${small.toLocaleString('en')} payments`,
      value: `${fewest.toFixed(2)} s`,
      comparison: `less than ${smallLimit} s`,
      holds: fewest < smallLimit,
    },
    {
      what: 'peak memory of the process',
      value: `${ours.memory.toFixed(0)} MB`,
      comparison: `at most ${memoryLimit} MB`,
      holds: ours.memory <= memoryLimit,
    },
    {
      what: 'list pages during the export, p99',
      value: `${percentile(ours.pages).toFixed(1)} ms`,
      comparison: `at most ${listLimitMs} ms, of ${ours.pages.length} pages`,
      holds: percentile(ours.pages) <= listLimitMs,
    },
  ]
}

/** The time range of the newest payments, as query. */
async function newest({ deps, busy }: Records, count: number): Promise<string> {
  const { rows } = await deps.pool.query(
    `select created_at from payments where merchant_id = $1 order by created_at desc, trade_no desc offset $2 limit 1`,
    [busy.id, count - 1],
  )
  return `start_time=${rows[0]?.created_at ?? 0}&end_time=${deps.clock()}`
}

/** Seconds of a small export. */
async function few(here: Scope, records: Records): Promise<number> {
  const server = await startServer(here, records)
  const range = await newest(records, small)
  const times: number[] = []
  for (let round = 0; round < 4; round++) {
    const started = performance.now()
    const answer = await fetch(`${server.url}/api/v1/transactions/list/export?${range}`, {
      headers: { ...server.headers, 'x-download': '1' },
    })
    await answer.arrayBuffer()
    times.push((performance.now() - started) / 1_000)
  }
  await server.stop()
  return median(times.slice(1))
}

/** Seconds in which PostgreSQL writes the same rows as CSV. */
async function copy({ url, busy }: Records): Promise<number> {
  const owner = new pg.Client(url)
  await owner.connect()
  try {
    const started = performance.now()
    await owner.query(
      `copy (
         select p.trade_no, p.created_at, p.appid, p.out_trade_no, p.status, p.exception, p.usdt_amount, p.fiat_name, p.fiat_amount,
           p.asset_id, p.amount, p.paid_amount, p.fees, p.address, p.paid_at, p.metadata,
           (select string_agg(d.txid, ' ') from deposits d
             where d.merchant_id = p.merchant_id and d.trade_no = p.trade_no and d.state = 'credited')
         from payments p where p.merchant_id = ${pg.escapeLiteral(busy.id)}
         order by p.created_at desc, p.trade_no desc limit ${wanted}
       ) to '/dev/null' csv`,
    )
    return (performance.now() - started) / 1_000
  } finally {
    await owner.end()
  }
}

async function run(here: Scope, records: Records, range: string) {
  const server = await startServer(here, records)
  let done = false
  const started = performance.now()
  const answer = await fetch(`${server.url}/api/v1/transactions/list/export?${range}`, {
    headers: { ...server.headers, 'x-download': '1' },
  })
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`)
  const reading = readPages(server, () => done)
  for await (const _ of answer.body);
  const seconds = (performance.now() - started) / 1_000
  done = true
  const pages = await reading
  const memory = server.peakMemory()
  await server.stop()
  return { seconds, pages, memory, rows: Number(answer.headers.get('x-total-rows')) }
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
