import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openVerifiedSession } from '@coffer/server/domains/identity/sessions/sessions.ts'
import { lockMerchant } from '@coffer/server/domains/merchants/store.ts'
import type { PaymentFilter } from '@coffer/server/domains/payments/records/payment-list.ts'
import { buildPageSql, pagePayments } from '@coffer/server/domains/payments/records/payment-list.ts'
import { tx } from '@coffer/server/kit/db.ts'
import { visitor } from '@coffer/server/testing/merchants.ts'
import { wholeShop } from '../apps/server/src/kit/visible-to.ts'
import type { Records } from './data.ts'
import { type Figure, median, percentile, type Scope } from './figure.ts'
import { listFilters, pageAt, places } from './list-filters.ts'
import type { PageRun } from './page-clients.ts'
import { type BenchServer, startServer } from './server.ts'

const limitMs = 15
/** Least ratios to pgbench: from the store and over HTTP. */
const storeRatio = 0.5
const httpRatio = 0.35
/** Least share of twice the pages of one process that two processes deliver. */
const twoRatio = 0.9
/** With fewer cores, two servers, PostgreSQL and the readers wait for each other. */
const coresOfTwo = 6
const requests = 200
const warmUp = 20
const clients = 8
const seconds = 5
const rounds = 3
const pageSize = 20

/**
 * Pages of a merchant's records over HTTP: the time of one, and the throughput of eight readers with a session each,
 * over HTTP, from one server and from two, and from the store. (A call over HTTP also reads the session.) Compared with
 * pgbench sending the same statement over as many connections and discarding the rows.
 */
export async function listHttp(here: Scope, records: Records): Promise<Figure[]> {
  const server = await startServer(here, records)
  const pages = Math.floor((await getPage(server, {}, 1)).total / pageSize)
  const anyPage = () => 1 + Math.floor(Math.random() * pages)
  const oneByOne = await eachFilter(server, records)
  const second = await startServer(here, records)
  const readers = fork(new URL('./page-clients.ts', import.meta.url))
  here.after(() => void readers.kill())
  const tokens = await Promise.all(Array.from({ length: clients }, () => signIn(records)))
  const read = async (...servers: BenchServer[]): Promise<Run> => {
    const used = () => servers.reduce((sum, each) => sum + each.processor(), 0)
    const before = used()
    readers.send({ urls: servers.map(({ url }) => url), tokens, pages, pageSize, seconds } satisfies PageRun)
    const [rate]: number[] = await once(readers, 'message')
    return { rate: rate!, processor: (used() - before) / (rate! * seconds) }
  }
  const single: Run[] = []
  const double: Run[] = []
  const program = pgbenchProgram()
  const inStore: number[] = []
  const peers: number[] = []
  for (let round = 0; round < rounds; round++) {
    single.push(await read(server))
    double.push(await read(server, second))
    inStore.push(await throughput(() => readPage(records, anyPage())))
    if (program) peers.push(await pgbench(program, records, pages))
  }
  const compare = (what: string, ours: number[], ratioLimit: number): Figure => {
    const ratio = median(ours.map((each, round) => each / peers[round]!))
    return {
      what: `${what}, ${clients} readers`,
      value: `${median(ours).toFixed(0)} /s`,
      comparison: program
        ? `${ratio.toFixed(2)} of pgbench (${median(peers).toFixed(0)} /s); at least ${ratioLimit}`
        : 'not compared: pgbench is not installed',
      ...(program && { holds: ratio >= ratioLimit }),
    }
  }
  const rates = single.map(({ rate }) => rate)
  const twice = double.map(({ rate }) => rate)
  const gain = median(twice.map((rate, round) => rate / rates[round]!))
  const processor = median(double.map((each, round) => each.processor / single[round]!.processor))
  const enough = availableParallelism() >= coresOfTwo
  return [
    ...oneByOne,
    compare('pages per second from the database', inStore, storeRatio),
    compare('pages per second over HTTP', rates, httpRatio),
    {
      what: 'the same with two servers',
      value: `${median(twice).toFixed(0)} /s`,
      comparison: `${gain.toFixed(2)} times one, at least ${2 * twoRatio}${enough ? '' : ` with ${coresOfTwo} cores`}; CPU per page ${processor.toFixed(2)} of one's`,
      ...(enough && { holds: gain >= 2 * twoRatio }),
    },
  ]
}

/** Single pages by filter. `/healthz` alternates with them and shows the noise of the machine. */
async function eachFilter(server: BenchServer, records: Records): Promise<Figure[]> {
  const figures: Figure[] = []
  const idle: number[] = []
  let worst = 0
  for (const [name, filter] of await listFilters(records)) {
    const { total } = await getPage(server, filter, 1)
    const p99 = []
    for (const place of places) {
      const times: number[] = []
      for (let round = -warmUp; round < requests; round++) {
        const before = performance.now()
        await (await fetch(`${server.url}/healthz`)).arrayBuffer()
        const started = performance.now()
        await getPage(server, filter, 1 + pageAt(place, total, pageSize))
        if (round < 0) continue
        times.push(performance.now() - started)
        idle.push(started - before)
      }
      p99.push(percentile(times))
    }
    worst = Math.max(worst, ...p99)
    const [first, deepest, any] = p99.map(each => each.toFixed(1))
    figures.push({
      what: `over HTTP: ${name}, p99`,
      value: `${any} ms`,
      comparison: `first ${first}, deepest ${deepest} ms`,
    })
  }
  figures.push({
    what: 'the slowest of these over HTTP',
    value: `${worst.toFixed(1)} ms`,
    comparison: `at most ${limitMs} ms; /healthz in between ${percentile(idle).toFixed(1)} ms`,
    holds: worst <= limitMs,
  })
  return figures
}

async function getPage({ url, headers }: BenchServer, filter: PaymentFilter, page: number): Promise<{ total: number }> {
  const query = Object.entries(filter).map(([name, value]) => `&${name}=${value}`)
  const path = `/api/v1/transactions/list?current=${page}&pageSize=${pageSize}${query.join('')}`
  const answer = await fetch(`${url}${path}`, { headers })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { total: number; list: unknown[] } }
  if (data.list.length === 0) throw new Error(`${path} is empty`)
  return data
}

const readPage = ({ deps, busy }: Records, page: number) =>
  pagePayments(deps.pool, wholeShop(busy.id), {}, { offset: (page - 1) * pageSize, limit: pageSize })

/** Pages per second, and the servers' CPU time for each (ms). */
interface Run {
  rate: number
  processor: number
}

/** Opens another session of the busy merchant. */
const signIn = ({ deps, busy }: Records): Promise<string> =>
  tx(deps.pool, async (c, uow) => {
    const { token } = await openVerifiedSession(deps, uow, (await lockMerchant(c, busy.id))!, visitor)
    return token
  })

async function throughput(read: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let answers = 0
  const reader = async () => {
    while (performance.now() - started < seconds * 1_000) {
      await read()
      answers++
    }
  }
  await Promise.all(Array.from({ length: clients }, reader))
  return (answers / (performance.now() - started)) * 1_000
}

/** The newest pgbench installed; the embedded PostgreSQL has none. */
function pgbenchProgram(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map(version => join(root, version, 'bin', 'pgbench')).find(existsSync)
}

/** Transactions per second of the product's prepared statement, with random pages. */
async function pgbench(program: string, { url, busy }: Records, pages: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-sql-'))
  try {
    const text = buildPageSql({ status: null, appid: false, start: false, end: false, limit: pageSize, deposits: true })
    const sql = text.replace('$1', () => ':merchant::text').replaceAll(/\$1\b/g, ':merchant')
    const script = [
      `\\set page random(0, ${pages - 1})`,
      `\\set place :page * ${pageSize}`,
      `${sql.replaceAll(/\$2\b/g, ':place').replaceAll(/\s+/g, ' ')};`,
    ]
    const file = join(folder, 'page.sql')
    writeFileSync(file, script.join('\n'))
    const { host, port, user, database } = connectionOf(url)
    const jobs = String(Math.min(clients, availableParallelism()))
    const args = ['-n', '-M', 'prepared', '-f', file, '-D', `merchant=${busy.id}`, '-c', String(clients), '-j', jobs]
    const { stdout } = await promisify(execFile)(program, [
      ...args,
      '-T',
      String(seconds),
      '-h',
      host,
      '-p',
      port,
      '-U',
      user,
      database,
    ])
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function connectionOf(url: string) {
  const { searchParams, username: user, pathname } = new URL(url)
  return {
    host: searchParams.get('host') ?? '',
    port: searchParams.get('port') ?? '5432',
    user,
    database: pathname.slice(1),
  }
}
