import assert from 'node:assert/strict'
import type { PaymentFilter } from '@coffer/server/domains/payments/records/payment-list.ts'
import { pagePayments } from '@coffer/server/domains/payments/records/payment-list.ts'
import type pg from 'pg'
import { wholeShop } from '../apps/server/src/kit/visible-to.ts'
import type { Records } from './data.ts'
import { type DurationLog, logDurations } from './durations.ts'
import { type Figure, median, percentile, processorMs } from './figure.ts'
import { listFilters, pageAt, places } from './list-filters.ts'

const limitMs = 5
/** The 99th percentile is the median of those of so many blocks, which alternate between the places. */
const blocks = 5
const rounds = 200
/** Rounds until a statement is prepared and planned. */
const warmUp = 20
const pageSizes = [20, 100]

/** A list with a filter. */
interface ListCase {
  name: string
  read: (
    c: pg.Pool | pg.PoolClient,
    page: { offset: number; limit: number },
  ) => Promise<{ rows: unknown[]; total: number }>
}

/** Pages of a merchant's payments with any filter, in the database alone. Verifies each total with a plain count. */
export async function list(records: Records): Promise<Figure[]> {
  const { deps, busy, payments } = records
  const cases: ListCase[] = []
  for (const [name, filter] of await listFilters(records)) {
    const { total } = await pagePayments(deps.pool, wholeShop(busy.id), filter, { offset: 0, limit: 1 })
    assert.equal(total, await countPlainly(records, filter), `total of: ${name}`)
    cases.push({ name, read: (c, page) => pagePayments(c, wholeShop(busy.id), filter, page) })
  }
  return measureList(records, cases, `${payments.toLocaleString('en')} payments`)
}

/**
 * Times pages of lists, by PostgreSQL's own log of durations, and what the caller waits for with them. `select 1`
 * alternates with the pages and shows the noise of the machine. "CPU" is the time of the PostgreSQL backend per page.
 */
export async function measureList(
  records: Pick<Records, 'deps' | 'url' | 'log'>,
  cases: readonly ListCase[],
  of: string,
): Promise<Figure[]> {
  const log = await logDurations(records)
  try {
    return await measure(records, log, cases, of)
  } finally {
    await log.end()
  }
}

async function measure(
  { deps }: Pick<Records, 'deps'>,
  log: DurationLog,
  cases: readonly ListCase[],
  of: string,
): Promise<Figure[]> {
  const c = await deps.pool.connect()
  const pid: number = (await c.query('select pg_backend_pid() as pid')).rows[0].pid
  const figures: Figure[] = []
  const idle: number[] = []
  let worst = 0
  for (const { name, read } of cases) {
    const { total } = await read(c, { offset: 0, limit: 1 })
    const p99 = places.map((): number[] => [])
    const waits: number[] = []
    const processorBefore = processorMs(pid)
    for (let block = 0; block < blocks; block++) {
      for (const [at, place] of places.entries()) {
        const times: number[] = []
        for (let round = block === 0 ? -warmUp : 0; round < rounds; round++) {
          const limit = pageSizes[Math.abs(round) % pageSizes.length]!
          const offset = pageAt(place, total, limit) * limit
          const before = performance.now()
          await c.query('select 1')
          log.take(pid)
          const started = performance.now()
          const { rows } = await read(c, { offset, limit })
          const took = performance.now() - started
          assert.equal(rows.length, Math.min(limit, total - offset), `rows of: ${name}`)
          if (round < 0) continue
          idle.push(started - before)
          const spent = log.take(pid)
          assert(spent > 0, 'PostgreSQL logs durations')
          times.push(spent)
          waits.push(took)
        }
        p99[at]!.push(percentile(times))
      }
    }
    const processor = (processorMs(pid) - processorBefore) / (places.length * (blocks * rounds + warmUp))
    const medians = p99.map(median)
    worst = Math.max(worst, ...medians)
    const [first, deepest, any] = medians.map(each => each.toFixed(2))
    figures.push({
      what: `${name}, p99`,
      value: `${any} ms`,
      comparison: `first ${first}, deepest ${deepest} ms; caller ${percentile(waits).toFixed(2)} ms; CPU ${processor.toFixed(1)} ms; of ${total.toLocaleString('en')} rows, counted`,
    })
  }
  c.release()
  figures.push({
    what: `the slowest of these, ${of}`,
    value: `${worst.toFixed(2)} ms`,
    comparison: `at most ${limitMs} ms in the database; select 1 in between ${percentile(idle).toFixed(2)} ms`,
    holds: worst <= limitMs,
  })
  return figures
}

/** Counts the payments that match a filter, without the stored counts. */
async function countPlainly({ deps, busy }: Records, filter: PaymentFilter): Promise<number> {
  const { start_time, end_time, text, ...equal } = filter
  const values: unknown[] = [busy.id]
  const add = (value: unknown) => `$${values.push(value)}`
  const conditions = Object.entries(equal).map(([column, value]) => ` and ${column} = ${add(value)}`)
  if (text !== undefined) conditions.push(` and starts_with(trade_no, ${add(text)})`)
  if (start_time !== undefined) conditions.push(` and created_at >= ${add(start_time)}`)
  if (end_time !== undefined) conditions.push(` and created_at <= ${add(end_time)}`)
  const sql = `select count(*)::int as n from payments where merchant_id = $1${conditions.join('')}`
  return (await deps.pool.query(sql, values)).rows[0].n
}
