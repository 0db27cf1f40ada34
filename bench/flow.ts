import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FlowFilter, listFundFlow } from '@coffer/server/domains/fund-flow/store.ts'
import { firstCounts } from '@coffer/server/migrations/count-rows.ts'
import { fundFlow } from '@coffer/server/migrations/steps/0007_lists.ts'
import { testStart } from '@coffer/server/testing/deps.ts'
import pg from 'pg'
import { makeRecords, type Records, warmBuffers } from './data.ts'
import type { Figure, Scope } from './figure.ts'
import { measureList } from './list.ts'
import { startServer } from './server.ts'

const days = 730
const saleMost = 200_000
/** Days whose postings are exported. */
const exportedDays = 90
const exportLimit = 60_000

/**
 * The fund flow of a merchant with half of `rows` postings, 200,000 of them in an hour: its pages, and its exports over
 * HTTP. A folder `existing` is reused.
 */
export async function flow(here: Scope, rows: number, existing?: string): Promise<Figure[]> {
  const records = await makeRecords(here, 10_000, existing)
  const done = existing && join(existing, `postings-${rows}`)
  if (!done || !existsSync(done)) await addPostings(records, rows)
  if (done) writeFileSync(done, '')
  await warmBuffers(records)
  return [...(await pages(records, rows)), ...(await exportFlow(here, records))]
}

/** The start of the hour of the sale, in which the merchant has a fifth of its postings, at most `saleMost`. */
const saleStart = testStart - (days / 2) * 86_400 - ((testStart - (days / 2) * 86_400) % 3_600)

/**
 * Inserts postings, two of each group: a deposit and its fee, and in every tenth group what is held for a withdrawal
 * and paid.
 */
async function addPostings({ url, busy }: Records, rows: number): Promise<void> {
  const owner = new pg.Client(url)
  await owner.connect()
  try {
    const groups = rows / 2
    const sale = Math.min(saleMost / 2, Math.floor(groups / 10))
    await owner.query(`set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB';
      set maintenance_work_mem = '512MB'; delete from ledger_postings; delete from ledger_groups; delete from list_counts where list = 'fund flow'`)
    const { rows: indexes } = await owner.query(
      `select indexname, indexdef from pg_indexes where tablename = 'ledger_postings' and indexname not in (select conname from pg_constraint)`,
    )
    for (const { indexname } of indexes) await owner.query(`drop index ${indexname}`)
    const time = `case when n < ${sale} then ${saleStart} + n * 3600 / ${sale}
      else ${testStart - days * 86_400} + (n * ${(days * 86_400) / groups}::float8)::bigint end`
    await owner.query(`insert into ledger_groups (id, source, body_hash, memo, created_at)
      select 'g' || n, case when n % 10 = 0 then 'withdrawal:' else 'deposit:' end || 'd' || n, '', jsonb_build_object(
          'trade_no', n::text, 'txid', '0x' || encode(sha256(n::text::bytea), 'hex'), 'from_address', '0x' || left(md5(n::text), 32) || '00000000',
          'to_address', '0x' || left(md5('to' || n), 32) || '00000000'), ${time}
      from generate_series(0::bigint, ${groups - 1}) n`)
    await owner.query(`insert into ledger_postings (merchant_id, id, group_id, place, kind, asset_id, debit_account, credit_account,
        amount, debit_after, credit_after, created_at)
      select m, 'p' || lpad(n::text, 20, '0') || place, 'g' || n, place,
        case when n % 10 = 0 then 'withdrawal' when place = 0 then 'payment' else 'fee' end, asset,
        case when n % 10 = 0 then m || case place when 0 then '/available/' else '/held/' end
          when place = 0 then 'house/chain/' else m || '/available/' end || asset,
        case when n % 10 = 0 then case place when 0 then m || '/held/' else 'house/chain/' end
          when place = 0 then m || '/available/' else 'house/fees/' end || asset,
        1000000 + n % 1000000, 5000000, 5000000, ${time}
      from (
        select n, case when n < ${sale} or n % 2 = 0 then '${busy.id}' else 'o' || (1 + n % 199) end as m,
          case when n % 3 = 0 then 'bsc:USDT' else 'eth:USDT' end as asset from generate_series(0::bigint, ${groups - 1}) n
      ) groups, generate_series(0, 1) place`)
    for (const { indexdef } of indexes) await owner.query(indexdef)
    await owner.query(`insert into price_history select symbol, at, '0.9998', 'kraken,okx'
      from unnest(array['USDT', 'EUR']) symbol, generate_series(${testStart - days * 86_400}, ${testStart}, 300) at on conflict do nothing`)
    await owner.query(firstCounts(fundFlow))
    await owner.query('vacuum analyze')
  } finally {
    await owner.end()
  }
}

function pages(records: Records, rows: number): Promise<Figure[]> {
  const sale = { start_time: saleStart + 30, end_time: saleStart + 3_590 }
  const filters: [string, FlowFilter][] = [
    ['no filter', {}],
    ['fees', { type: 'fee' }],
    ['a token', { token_id: 'bsc:USDT' }],
    ['a chain', { network_id: 'eth' }],
    ['what came in', { account: 'available', direction: 'in' }],
    ['the busiest hour', sale],
    ['the busiest hour, fees on a chain', { ...sale, type: 'fee', network_id: 'eth' }],
  ]
  const cases = filters.map(([name, filter]) => ({
    name: `fund flow: ${name}`,
    read: (c: pg.Pool | pg.PoolClient, page: { offset: number; limit: number }) =>
      listFundFlow(c, records.busy.id, filter, page),
  }))
  return measureList(records, cases, `${rows.toLocaleString('en')} postings`)
}

/** Exports the merchant's newest postings over HTTP in each format, each time in a new process. */
async function exportFlow(here: Scope, records: Records): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const format of ['csv', 'hledger', 'xlsx']) {
    const server = await startServer(here, records)
    const started = performance.now()
    const query = `format=${format}&start_time=${testStart - exportedDays * 86_400}`
    const answer = await fetch(`${server.url}/api/v1/account/stream/export?${query}`, {
      headers: { ...server.headers, 'x-download': '1' },
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    for await (const _ of answer.body!);
    const rows = Number(answer.headers.get('x-total-rows'))
    const rate = (rows * 1_000) / (performance.now() - started)
    await server.stop()
    figures.push({
      what: `export of ${rows.toLocaleString('en')} postings, ${format}`,
      value: `${rate.toFixed(0)} rows/s`,
      comparison: `at least ${exportLimit}`,
      holds: rate >= exportLimit,
    })
  }
  return figures
}
