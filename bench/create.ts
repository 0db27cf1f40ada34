import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writeChains } from '@coffer/server/domains/chains/sync-chains.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import { testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import type pg from 'pg'
import { chain, clock } from './create-server.ts'
import { type Figure, median, postgresTime, processorMs, type Scope } from './figure.ts'
import { ownDatabase } from './own-postgres.ts'

/** One run of the clients. */
export interface CreateRun {
  url: string
  orders: number
  connections: number
  /** API keys used in turn. */
  keys: string[]
  /** Begins the order numbers. */
  prefix: string
  /** Fields of each order besides its number and amount. */
  more: object
}

const merchants = 10
const rounds = 3
/** Orders per run, by connections. */
const runs = { 1: 200, 8: 500, 32: 500 }
/** Each key is limited to a burst of 600, so there are several times as many as a run uses. */
const keysPerRun = 10
const keysInAll = 60
const least = 0.6
/** Processor time per order, in ms. */
const most = { node: 0.5, postgres: 0.7 }

/**
 * Payments created per second over HTTP, compared with the lookup of the key and one statement that inserts the same
 * rows by plain pg behind a bare Fastify. Ours runs its jobs and derives addresses as a follower does. The database has
 * the product's settings; each server, the clients and the database are processes of their own.
 */
export async function create(here: Scope): Promise<Figure[]> {
  const { url, pool } = await ownDatabase(here)
  const keys = await fill(pool)
  const started = async (kind: string) => {
    const args = [join(import.meta.dirname, './create-server.ts'), url, kind]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    here.after(() => void child.kill('SIGKILL'))
    const [line] = await once(createInterface(child.stdout), 'line')
    return { url: String(line), pid: child.pid! }
  }
  const server = await started('ours')
  const bareServer = await started('bare')
  const urls = { ours: `${server.url}/api/v1/pay/orders`, bare: bareServer.url }
  const clients = fork(new URL('./create-clients.ts', import.meta.url))
  const ended = once(clients, 'exit').then(() => Promise.reject(new Error('the clients failed')))
  ended.catch(() => {})
  here.after(() => void clients.kill())
  let count = 0
  const run = async (url: string, connections: 1 | 8 | 32, more: object): Promise<number> => {
    const orders = runs[connections]
    await pool.query('update prices set at = $1', [clock()])
    const own = keys.splice(0, keysPerRun)
    keys.push(...own)
    clients.send({ url, orders, connections, keys: own, prefix: `order ${count++}`, more } satisfies CreateRun)
    const [rate] = await Promise.race([once(clients, 'message'), ended])
    return rate as number
  }
  const figures: Figure[] = []
  for (const [what, more] of Object.entries({
    '': {},
    ', chain and token fixed': { chain: chain.id, token: 'USDT' },
  }))
    for (const connections of [1, 8, 32] as const) {
      // The first round warms up.
      const rates: [number, number][] = []
      const spent = { node: [] as number[], postgres: [] as number[] }
      for (let round = 0; round <= rounds; round++) {
        const node = processorMs(server.pid)
        const postgres = await postgresTime(pool)
        const rate = await run(urls.ours, connections, more)
        spent.node.push((processorMs(server.pid) - node) / runs[connections])
        spent.postgres.push(((await postgresTime(pool)) - postgres) / 1_000 / runs[connections])
        rates.push([rate, await run(urls.bare, connections, more)])
      }
      const [ours, bare] = [0, 1].map(i => median(rates.slice(1).map(each => each[i]!))) as [number, number]
      const ratio = median(rates.slice(1).map(([a, b]) => a / b))
      const node = median(spent.node.slice(1))
      const postgres = median(spent.postgres.slice(1))
      figures.push({
        what: `orders at ${connections} connections${what}`,
        value: `${ours.toFixed(0)} /s`,
        comparison: `${ratio.toFixed(2)} of a bare Fastify with the key's lookup and the same rows in one statement (${bare.toFixed(0)} /s); at least ${least}`,
        holds: ratio >= least,
      })
      figures.push({
        what: `Node per order at ${connections} connections${what}`,
        value: `${node.toFixed(2)} ms`,
        comparison: `of processor, at most ${most.node}; PostgreSQL ${postgres.toFixed(2)}, at most ${most.postgres}`,
        holds: node <= most.node && postgres <= most.postgres,
      })
    }
  return figures
}

/** Creates merchants with keys. Returns the keys, of each merchant in turn. */
async function fill(pool: pg.Pool): Promise<string[]> {
  const deps = makeTestDeps({ pool, clock, config: { mode: 'sandbox' } })
  await writeChains(pool, [chain])
  await pool.query('update chains set last_number = 100, head_number = 100, final_number = 97')
  await pool.query(
    `insert into prices (symbol, source, price, at)
     select symbol, source, '1', $1 from unnest(array['USDT', 'ETH']) symbol, unnest(array['a', 'b']) source`,
    [clock()],
  )
  const ids = await Promise.all(Array.from({ length: merchants }, async () => (await testMerchant(deps)).id))
  const keys: string[] = []
  for (let i = 0; i < keysInAll; i++) keys.push((await testApplication(deps, ids[i % ids.length]!)).key)
  return keys
}
