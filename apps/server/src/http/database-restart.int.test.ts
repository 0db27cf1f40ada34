import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from '@coffer/local/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { pino } from 'pino'
import { makePool } from '../make-deps.ts'
import { migrate } from '../migrations/migrate.ts'
import { makeApp } from '../serve.ts'
import { testApplication } from '../testing/merchants.ts'
import { rowsOf } from '../testing/money.ts'
import { outside, withdrawalWorld } from '../testing/withdrawals.ts'

/** Six merchants, each with a session and a key that may pay out. */
const openShops = (world: Awaited<ReturnType<typeof withdrawalWorld>>) =>
  Promise.all(
    Array.from({ length: 6 }, async () => {
      const { id, token } = await world.newMerchant()
      const ip_whitelist = ['10.1.2.3']
      const { key } = await testApplication(world.deps, id, {
        payouts_allowed: true,
        ip_whitelist_enabled: true,
        ip_whitelist,
      })
      return { key, token }
    }),
  )

// A fast shutdown ends connections with a reason, an immediate one without.
for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
  test(`while PostgreSQL restarts (${signal}) answers are 503, and each payout is made once`, async t => {
    const dataDir = mkdtempSync(join(tmpdir(), 'coffer-restart-'))
    // A commit that was answered must survive the crash of PostgreSQL, not that of the machine.
    const settings = { synchronous_commit: 'on' }
    const start = () => startPostgres({ dataDir, durable: false, settings })
    let postgres = await start()
    const ends: (() => Promise<void> | void)[] = [() => postgres.stop(), () => rmSync(dataDir, { recursive: true })]
    t.after(async () => {
      for (const end of ends) await end()
    })
    await migrate(postgres.url)
    const log = pino({ level: 'silent' })
    const pool = makePool(postgres.url, log, { max: 8, waitMs: 500, statementMs: 5_000 })
    const owner = new pg.Pool({ connectionString: postgres.url, max: 3 })
    const database = { pool, owner, url: postgres.url }
    owner.on('error', () => {}).on('connect', client => client.on('error', () => {}))
    ends.unshift(async () => void (await Promise.all([pool.end(), owner.end()])))
    const world = await withdrawalWorld({ after: end => void ends.unshift(end) }, { database })
    const app = await makeApp(world.deps)
    ends.unshift(() => app.close())
    const shops = await openShops(world)
    const seen = new Map<string, number>()
    let refused = 0
    let stopped = false
    const ask = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) => {
      const answer = await app.inject({ method, url, headers, remoteAddress: '10.1.2.3', ...(payload && { payload }) })
      const what = answer.statusCode === 200 ? '200' : `${answer.body} after ${answer.headers['retry-after']}`
      seen.set(what, (seen.get(what) ?? 0) + 1)
      if (answer.statusCode !== 200) refused += 1
      return answer.statusCode
    }
    let numbers = 0
    const loads = shops.flatMap(({ key, token }) => [
      async () => {
        while (!stopped) {
          const body = { chain: 'eth', token: 'USDT', amount: '2', address: outside, out_no: `N-${++numbers}` }
          const headers = { authorization: `Bearer ${key}` }
          const pay = () => ask('POST', '/api/v1/pay/withdrawals', headers, body)
          await until('the payout is made', async () => (await pay()) === 200)
        }
      },
      async () => {
        while (!stopped) await ask('GET', '/api/v1/user/info', { 'x-token': token })
      },
    ])
    const running = Promise.all(loads.map(load => load()))
    for (let restart = 0; restart < 2; restart++) {
      const before = numbers
      await until('payouts are made', () => numbers > before + 20)
      process.kill(Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]), signal)
      await postgres.ended
      await postgres.stop()
      const already = refused
      await until('requests are refused', () => refused > already + 10)
      postgres = await start()
    }
    const before = numbers
    await until('payouts are made again', () => numbers > before + 20)
    stopped = true
    await running
    const made = await rowsOf(
      owner,
      'select count(*)::int as n, count(distinct out_no)::int as numbers from withdrawals',
    )
    assert.deepEqual(made, [{ n: numbers, numbers }])
    const busy = JSON.stringify({ code: 503, msg: 'The service is busy (try again in 2 s)', retry_after: 2 })
    assert.deepEqual([...seen.keys()].sort(), ['200', `${busy} after 2`])
  })
}
