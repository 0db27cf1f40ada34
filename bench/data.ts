import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bnbSmartChain, ethereum, sandboxOf } from '@coffer/chains'
import { paymentStatus } from '@coffer/contract'
import { startPostgres } from '@coffer/local/postgres.ts'
import { writeChains } from '@coffer/server/domains/chains/sync-chains.ts'
import { asAppRole } from '@coffer/server/migrations/app-role.ts'
import { migrate } from '@coffer/server/migrations/migrate.ts'
import { makeTestDeps, type TestDeps, testStart } from '@coffer/server/testing/deps.ts'
import { assertFiguresAgree } from '@coffer/server/testing/invariants.ts'
import { testApplication, testMerchant } from '@coffer/server/testing/merchants.ts'
import pg from 'pg'

const { open, paid, timed_out, closed, refunding, refunded, in_doubt, dropped } = paymentStatus

type Scope = { after: (end: () => Promise<void> | void) => void }

/** A database with many payments, half of them of one merchant. */
export interface Records {
  deps: TestDeps
  url: string
  /** The folder of PostgreSQL's tables. */
  folder: string
  payments: number
  busy: { id: string; token: string; appids: string[] }
}

const days = 730
const others = 20
const chunk = 250_000
const writers = 3
/** Number of payments up to which counts and statistics are verified against the rows. */
const checkedMax = 300_000

/**
 * Fills a new PostgreSQL, with the product's settings, with two years of payments: half of one merchant with three
 * applications, the rest of twenty others. Counts and statistics are as `foldStatistics` would make them. With `kept` the
 * folder is kept and reused, else it is removed at the end.
 */
export async function makeRecords(scope: Scope, payments: number, kept?: string): Promise<Records> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'coffer-bench-'))
  mkdirSync(folder, { recursive: true })
  if (!kept) scope.after(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: folder, settings: { max_wal_size: '4GB' } })
  scope.after(() => postgres.stop())
  await migrate(postgres.url)
  const pool = new pg.Pool({ connectionString: postgres.url, max: 20, options: asAppRole })
  const owner = new pg.Pool({
    connectionString: postgres.url,
    max: writers,
    options:
      '-c synchronous_commit=off -c maintenance_work_mem=512MB -c work_mem=256MB -c max_parallel_maintenance_workers=0',
  })
  // The server may end connections of a pool that is already closed; that must not fail the benchmark.
  for (const each of [pool, owner]) each.on('error', () => {})
  scope.after(async () => void (await Promise.all([pool.end(), owner.end()])))
  const deps = makeTestDeps({ pool, config: { mode: 'sandbox' } })
  const tables = join(folder, 'pg', 'base')
  const done = join(folder, `payments-${payments}.json`)
  if (existsSync(done))
    return { deps, url: postgres.url, folder: tables, payments, busy: JSON.parse(readFileSync(done, 'utf8')) }
  const token = (decimals: number) => [{ symbol: 'USDT', contract: `0x${'d'.repeat(40)}`, decimals }]
  await writeChains(pool, [
    sandboxOf(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: token(6) }),
    sandboxOf(bnbSmartChain, { chainId: 31338, confirmations: 4, blockTime: 1, tokens: token(18) }),
  ])
  const { id, token: session } = await testMerchant(deps)
  const appids: string[] = []
  for (let i = 0; i < 3; i++) appids.push((await testApplication(deps, id)).appid)
  await addOthers(owner)
  await timed(`writing ${payments.toLocaleString('en')} payments`, async () => {
    const indexes = await dropIndexes(owner)
    await fill(owner, id, appids, payments)
    await Promise.all(indexes.map(({ indexdef }) => owner.query(indexdef)))
  })
  await timed('counting them', () => count(owner))
  if (payments <= checkedMax) await timed('checking the counts', () => assertFiguresAgree(owner))
  await timed('vacuum', () => owner.query('vacuum analyze'))
  const busy = { id, token: session, appids }
  writeFileSync(done, JSON.stringify(busy))
  return { deps, url: postgres.url, folder: tables, payments, busy }
}

/** Runs a step and prints its duration. */
async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  process.stderr.write(`  (${what}: ${((performance.now() - started) / 1000).toFixed(0)} s)\n`)
}

/** Adds merchants o0, o1, ... with one application each. */
async function addOthers(owner: pg.Pool): Promise<void> {
  await owner.query(
    `insert into merchants (id, mchid, email, status, created_at)
     select 'o' || n, 'O' || n, 'o' || n || '@example.com', 3, 0 from generate_series(0, ${others - 1}) n`,
  )
  await owner.query(
    `insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
     select 'o' || n, 'app_o' || n, 'Shop', 1, sha256(('o' || n)::bytea), '', '', 0 from generate_series(0, ${others - 1}) n`,
  )
}

/** Drops the indexes that are no constraints: building them after the rows is faster. */
async function dropIndexes(owner: pg.Pool): Promise<{ indexdef: string }[]> {
  const { rows } = await owner.query(
    `select indexname, indexdef from pg_indexes where tablename in ('payments', 'deposits')
     and indexname not in (select conname from pg_constraint)`,
  )
  for (const { indexname } of rows) await owner.query(`drop index ${indexname}`)
  return rows
}

/** Inserts the payments, evenly spread over time; every second one is the busy merchant's. */
async function fill(owner: pg.Pool, busyId: string, appids: string[], payments: number): Promise<void> {
  let next = 0
  const write = async () => {
    for (let from = next; from < payments; from = next) {
      next += chunk
      await owner.query(
        `with numbered as (
           select n, case when n % 2 = 0 then '${busyId}' else 'o' || (n / 2 * 7919) % ${others} end as merchant_id,
             case when n % 2 = 0 then ('{${appids.join(',')}}'::text[])[1 + (n / 2) % 7 % 3] else 'app_o' || (n / 2 * 7919) % ${others} end as appid,
             ${testStart - days * 86_400} + (n * ${days * 86_400} / ${payments})::bigint as t,
             (n::bigint * 2654435761 / 4096) % 1000 as luck
           from generate_series(${from}::bigint, ${Math.min(from + chunk, payments) - 1}) n
         ), made as (
           select *, to_char(to_timestamp(t) at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(n::text, 18, '0') as trade_no,
             case when luck < 800 then ${paid} when luck < 960 then ${timed_out} when luck < 980 then ${closed}
               when luck < 992 then ${open} when luck < 995 then ${refunded} when luck < 997 then ${refunding}
               when luck < 999 then ${in_doubt} else ${dropped} end as status,
             1000000 + (luck * 7919) % 99000000 as usdt,
             '0x' || left(encode(sha256(('leased' || n % 7000)::bytea), 'hex'), 40) as address
           from numbered
         ), paid as (
           insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
             from_address, to_address, amount, counted, usdt_amount, fee, gas, trade_no, kind, state, seen_at, credited_at)
           select merchant_id, 'd' || n, 'eth', '0x' || encode(sha256(n::text::bytea), 'hex'), 'eth:USDT', 0, n, '0x' || n, t, 0,
             '0x' || left(encode(sha256(('payer' || n)::bytea), 'hex'), 40), address, usdt, usdt, usdt * 1000000000000::numeric, usdt / 250, 0, trade_no, 'payment', 'credited', t + 90, t + 120
           from made where status in (${paid}, ${refunding}, ${refunded})
         )
         insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, token_rates, asset_id,
           chain_id, address, amount, paid_amount, fees, tolerance_permille, mixed_payment, created_at, expire_at, paid_at, events)
         select merchant_id, trade_no, appid, 'order-' || n, sha256(n::text::bytea), status, usdt, '{"USDT": {"price": "1", "source": "a,b", "time": 1}}',
           case when status <> ${open} then 'eth:USDT' end, case when status <> ${open} then 'eth' end,
           case when status <> ${open} then address end, case when status <> ${open} then usdt else 0 end,
           case when status in (${paid}, ${refunding}, ${refunded}) then usdt else 0 end, case when status in (${paid}, ${refunding}, ${refunded}) then usdt / 250 else 0 end, 0, true, t, t + 1800,
           case when status in (${paid}, ${refunding}, ${refunded}) then t + 120 else 0 end, 3
         from made`,
      )
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
}

/** Inserts all counts and statistics as `foldStatistics` keeps them. All merchants use UTC. */
async function count(owner: pg.Pool): Promise<void> {
  await owner.query(
    `insert into payment_counts
     select merchant_id, span, created_at - created_at % span, appid,
       ${Object.values(paymentStatus)
         .map(status => `count(*) filter (where status = ${status})`)
         .join(', ')}
     from payments cross join unnest(array[3600, 86400, 2592000]) as span group by 1, 2, 3, 4 order by 3, 1, 2, 4`,
  )
  await owner.query(
    `insert into statistics (merchant_id, span, slot, appid, asset_id, created_num, paid_num, volume_usdt, income_usdt,
       refund_usdt, withdrawn_usdt, volume)
     select merchant_id, 'quarter', slot, appid, asset_id, sum(created), sum(paid), sum(usdt) * 1000000000000::numeric, sum(usdt - fees) * 1000000000000::numeric, 0, 0, sum(usdt)
     from (
       select merchant_id, created_at - created_at % 900 as slot, appid, '' as asset_id, 1 as created, 0 as paid, 0 as usdt, 0 as fees from payments
       union all
       select merchant_id, paid_at - paid_at % 900, appid, asset_id, 0, 1, paid_amount, fees from payments where paid_at > 0
     ) events group by 1, 3, 4, 5 order by 3, 1, 4, 5`,
  )
  for (const [span, slot] of [
    ['day', 'slot - slot % 86400'],
    ['all', '0'],
  ])
    await owner.query(
      `insert into statistics select merchant_id, '${span}', ${slot}, appid, asset_id, sum(created_num), sum(paid_num), sum(volume_usdt),
         sum(income_usdt), sum(refund_usdt), sum(withdrawn_usdt), sum(volume)
       from statistics where span = 'quarter' group by 1, 3, 4, 5 order by 3, 1, 4, 5`,
    )
  await owner.query(`insert into statistics_zones select id, 'UTC' from merchants`)
}
