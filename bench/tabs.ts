import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresUrl } from '@coffer/local/postgres.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import { newSession, testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import pg from 'pg'
import { withSandbox } from '../e2e/sandbox.ts'
import { type Figure, percentile, processorMs, type Scope } from './figure.ts'
import { proportionalMb, serverOf } from './server.ts'

const merchants = 50
const tabsEach = 4
/** Time until jobs rest, and during which a server at rest is observed (ms). */
const settleMs = 45_000
const restMs = 30_000
/** Orders, and the time between two (ms). */
const orders = 150
const everyMs = 200
/** What a tab with the list of payments reads again once a payment has changed. */
const reads = ['/api/v1/transactions/list?current=1&pageSize=20', '/api/v1/collect']

/**
 * 200 visible tabs of 50 merchants, each in a browser of its own, on the sandbox: what their streams take of the server
 * while nothing happens, and how soon all tabs of a merchant show an order of which their streams have told them.
 */
export async function tabs(here: Scope): Promise<Figure[]> {
  const { url, data } = await withSandbox(here)
  const shops = await openShops(here, data)
  const { pid: server } = serverOf(data)
  const measureRest = async () => {
    const before = processorMs(server)
    await sleep(restMs)
    return ((processorMs(server) - before) / restMs) * 100
  }
  await sleep(settleMs)
  const alone = await measureRest()
  const seen: Seen = { shown: [], made: new Map(), lost: 0, failed: 0 }
  for (const [m, { tokens }] of shops.entries())
    for (const [tab, token] of tokens.entries()) openTab(url, seen, { token, localAddress: `127.1.${m}.${tab + 1}` })
  await sleep(2_000)
  const open200 = await measureRest()
  const memory = proportionalMb(server)
  const before = processorMs(server)
  for (let n = 0; n < orders; n++) {
    const started = performance.now()
    seen.made.set(await createOrder(url, shops[n % merchants]!.key, n), started)
    await sleep(Math.max(0, everyMs - (performance.now() - started)))
  }
  await sleep(2_000)
  const each = (processorMs(server) - before - ((orders * everyMs) / 100) * open200) / orders
  const { shown, lost, failed } = seen
  return [
    {
      what: `server at rest, ${merchants * tabsEach} tabs of ${merchants} merchants`,
      value: `${open200.toFixed(2)} %`,
      comparison: `of a core; without tabs ${alone.toFixed(2)} %; ${memory.toFixed(0)} MB`,
    },
    {
      what: `order to all ${tabsEach} tabs of its merchant, p99`,
      value: `${percentile(shown).toFixed(0)} ms`,
      comparison: `median ${percentile(shown, 0.5).toFixed(0)} ms; ${shown.length} of ${orders * tabsEach} shown, ${lost} streams lost, ${failed} lists without it`,
      holds: shown.length === orders * tabsEach && lost === 0,
    },
    {
      what: 'server per order with its tabs',
      value: `${each.toFixed(1)} ms`,
      comparison: `of processor above rest; an order and ${tabsEach * reads.length} reads`,
    },
  ]
}

/** Makes merchants, each with the key of an application and a session for each of its tabs. */
async function openShops(here: Scope, data: string): Promise<{ key: string; tokens: string[] }[]> {
  const pool = new pg.Pool({ connectionString: postgresUrl(data), max: 2 })
  pool.on('error', () => {})
  here.after(() => pool.end())
  const deps = makeTestDeps({ pool, clock: () => Math.floor(Date.now() / 1_000) })
  const shops: { key: string; tokens: string[] }[] = []
  for (let m = 0; m < merchants; m++) {
    const { id, token } = await testMerchant(deps)
    const tokens = [token]
    while (tokens.length < tabsEach) tokens.push(await newSession(deps, id))
    shops.push({ key: (await testApplication(deps, id)).key, tokens })
  }
  return shops
}

/** What all tabs have seen. */
interface Seen {
  /** Times from an order to a list that shows it (ms). */
  shown: number[]
  /** When each order was answered, by its number. */
  made: Map<string, number>
  /** Streams that ended. */
  lost: number
  /** Lists that lacked their order. */
  failed: number
}

/** Opens a tab: follows its stream, and reads what it shows again for each payment of which it is told. */
function openTab(url: string, seen: Seen, { token, localAddress }: { token: string; localAddress: string }): void {
  const get = (path: string) => ask(`${url}${path}`, { headers: { 'x-token': token }, localAddress })
  const again = async (tradeNo: string) => {
    const answers = await Promise.all(reads.map(async path => textOf(await get(path))))
    const since = seen.made.get(tradeNo)
    if (!answers[0]!.includes(tradeNo)) seen.failed++
    else if (since !== undefined) seen.shown.push(performance.now() - since)
  }
  const follow = async () => {
    const stream = await get('/api/v1/user/events?since=0')
    for await (const chunk of stream.setEncoding('utf8'))
      for (const [, id] of String(chunk).matchAll(/"type":"payment","id":"(\w+)"/g)) void again(id!)
    seen.lost++
  }
  follow().catch(() => seen.lost++)
}

/** Creates an order. Returns its number. */
async function createOrder(url: string, key: string, n: number): Promise<string> {
  const answer = await fetch(`${url}/api/v1/pay/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ out_trade_no: `tab ${n}`, amount: '10' }),
  })
  const body = (await answer.json()) as { data?: { trade_no: string } }
  if (!body.data) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
  return body.data.trade_no
}

const ask = (url: string, options: object) =>
  new Promise<IncomingMessage>((done, failed) => request(url, options, done).on('error', failed).end())

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return text
}
