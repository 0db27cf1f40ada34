import { fork } from 'node:child_process'
import { once } from 'node:events'
import { postgresUrl } from '@coffer/local/postgres.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import { testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import pg from 'pg'
import { withSandbox } from '../e2e/sandbox.ts'
import { type CrowdResult, worstPages } from './crowd-clients.ts'
import { type Figure, percentile, type Scope } from './figure.ts'

const callbacks = 500_000
const clients = 60
const samples = 600
/** Time between two samples (ms). */
const pauseMs = 8
const ratioLimit = 3
const worstPage = worstPages[0]!

/**
 * What crowds do to others: 60 clients read the deepest pages of one merchant's 500,000 callbacks, each as fast as it
 * can, and then 60 strangers send sign-ins, on the sandbox with its two chains. Compares another merchant's requests
 * with the same ones before.
 */
export async function crowd(here: Scope): Promise<Figure[]> {
  const { url, data } = await withSandbox(here)
  const pool = new pg.Pool({ connectionString: postgresUrl(data), max: 2 })
  pool.on('error', () => {})
  here.after(() => pool.end())
  const deps = makeTestDeps({ pool, clock: () => Math.floor(Date.now() / 1_000) })
  const busy = await testMerchant(deps)
  const other = await testMerchant(deps)
  await fill(pool, busy.id, (await testApplication(deps, busy.id)).appid, deps.clock())
  const server: Server = { url, token: other.token }
  await measureOthers(server)
  const pages = await Promise.all(
    [worstPage.replace('5000', '1'), worstPage].map(async path => (await look(url, path, busy.token)).ms),
  )
  const idle = await measureOthers(server)
  const strange = await measureDuring(here, server, '')
  const crowded = await measureDuring(here, server, busy.token)
  return figuresOf({ idle, strange, crowded, pages })
}

interface Server {
  url: string
  /** The session of another merchant than the one of the crowd. */
  token: string
}

async function look(url: string, path: string, token = '') {
  const started = performance.now()
  const answer = await fetch(`${url}${path}`, { headers: { 'x-token': token } })
  const text = await answer.text()
  return { status: answer.status, text, ms: performance.now() - started }
}

/** Requests of others, one after the other: 99th percentiles, and the worst state of the followers. */
async function measureOthers({ url, token }: Server) {
  const info: number[] = []
  const ready: number[] = []
  let late = 0
  let silence = 0
  for (let n = 0; n < samples; n++) {
    info.push(okay(await look(url, '/api/v1/user/info', token)))
    ready.push(okay(await look(url, '/readyz')))
    if (n % 60 === 0) {
      const { text } = await look(url, '/metrics')
      const of = (name: string) =>
        [...text.matchAll(new RegExp(`^${name}{.*} (\\S+)$`, 'gm'))].map(([, v]) => Number(v))
      late += Math.max(...of('coffer_chain_delayed'))
      silence = Math.max(silence, ...of('coffer_chain_silence_seconds'))
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  return { info: percentile(info), ready: percentile(ready), late, silence }
}

/** Measures the others during a crowd with this session; without one it is of strangers. */
async function measureDuring(here: Scope, server: Server, token: string) {
  const crowd = fork(new URL('./crowd-clients.ts', import.meta.url), [server.url, token, String(clients)])
  here.after(() => void crowd.kill())
  const started = performance.now()
  const figures = await measureOthers(server)
  const seconds = (performance.now() - started) / 1_000
  crowd.send('end')
  const [result] = (await once(crowd, 'message')) as [CrowdResult]
  return { ...figures, ...result, seconds }
}

interface Measured {
  idle: Awaited<ReturnType<typeof measureOthers>>
  strange: Awaited<ReturnType<typeof measureDuring>>
  crowded: Awaited<ReturnType<typeof measureDuring>>
  /** Times of the first and the deepest page, alone (ms). */
  pages: number[]
}

const compare = (what: string, now: number, before: number, whom = 'the crowd'): Figure => ({
  what: `${what} during ${whom}, p99`,
  value: `${now.toFixed(1)} ms`,
  comparison: `${(now / before).toFixed(2)} of idle (${before.toFixed(1)} ms); at most ${ratioLimit}`,
  holds: now <= ratioLimit * before,
})

function figuresOf({ idle, strange, crowded, pages }: Measured): Figure[] {
  const { seconds, statuses, times } = crowded
  const errors = Object.keys(statuses).filter(status => Number(status) >= 500 && status !== '503')
  const answered = statuses[200] ?? 0
  return [
    compare("another merchant's /user/info", crowded.info, idle.info),
    compare('/readyz', crowded.ready, idle.ready),
    compare("another merchant's /user/info", strange.info, idle.info, `${clients} strangers`),
    {
      what: `answers to ${clients} strangers`,
      value: `${(strange.times.length / strange.seconds).toFixed(0)} /s`,
      comparison: `p99 ${percentile(strange.times).toFixed(0)} ms; by status ${JSON.stringify(strange.statuses)}`,
      holds: strange.late === 0,
    },
    {
      what: 'followers late during the crowd',
      value: `${crowded.late} times`,
      comparison: `never; longest silence ${crowded.silence} s (idle ${idle.silence} s)`,
      holds: crowded.late === 0,
    },
    {
      what: `pages to the ${clients} clients`,
      value: `${(answered / seconds).toFixed(0)} /s`,
      comparison: `p99 ${percentile(times).toFixed(0)} ms; ${statuses[503] ?? 0} refused as busy, ${errors.length} other errors; alone first ${pages[0]!.toFixed(1)}, deepest ${pages[1]!.toFixed(1)} ms`,
      holds: errors.length === 0 && answered > 0,
    },
  ]
}

function okay({ status, text, ms }: { status: number; text: string; ms: number }): number {
  if (status !== 200) throw new Error(`${status} ${text}`)
  return ms
}

/** Inserts delivered and abandoned callbacks, evenly over half a year. */
async function fill(pool: pg.Pool, merchantId: string, appid: string, now: number): Promise<void> {
  await pool.query(
    `insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
     select $1, lpad(n::text, 26, '0'), $2, case when n % 4 = 0 then 'payment.seen' else 'payment.paid' end, 0,
       'https://shop.example/hook', '{}', case when n % 50 = 0 then 4 else 2 end, $3::bigint - n * 31
     from generate_series(1, ${callbacks}) n`,
    [merchantId, appid, now],
  )
  await pool.query('vacuum analyze callbacks')
}
