// second-server: what plans of pages read
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackStatus } from '@coffer/contract'
import pg from 'pg'
import { listCallbacks } from '../domains/callbacks/store.ts'
import { listFundFlow, listGasExpenses } from '../domains/fund-flow/store.ts'
import { countUnreadNotifications, listNotifications } from '../domains/notifications/store.ts'
import { testStart, withDeps } from '../testing/deps.ts'
import { ownerOf } from '../testing/members.ts'
import { testApplication, testMerchant } from '../testing/merchants.ts'
import { foldLists } from './counted-list.ts'
import type { Queryable } from './db.ts'
import type { Page } from './list.ts'

const deps = await withDeps({ after })
const { owner, pool } = deps

const rows = 60_000
/** Five rows every ten minutes. */
const numbered = `select n, ${testStart} - n / 5 * 600 as at from generate_series(1, ${rows}) n`

/** Fills every counted list of a merchant. */
async function fill(id: string, appid: string): Promise<void> {
  await owner.query(`
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('eth:USDT', 'eth', 'USDT', '0x1', 6), ('eth:ETH', 'eth', 'ETH', null, 18);
    insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
      select '${id}', n, '${appid}', case when n % 3 = 0 then 'payment.seen' else 'payment.paid' end, 0, '', '', case when n % 3 = 1 then 4 else 2 end, at from (${numbered}) r;
    insert into notifications (merchant_id, id, types, message, status, created_at)
      select '${id}', n, 1 + n % 5, 'x', 1 + n % 2, at from (${numbered}) r;
    insert into gas_expenses (merchant_id, id, chain_id, asset_id, amount, txid, created_at)
      select '${id}', n, 'eth', 'eth:ETH', 1, '0x', at from (${numbered}) r;
    insert into ledger_groups (id, source, body_hash, memo, created_at)
      select 'g' || n, 's' || n, '', '{}', at from (${numbered}) r;
    insert into ledger_postings (merchant_id, id, group_id, place, kind, asset_id, debit_account, credit_account, amount, credit_after, created_at)
      select '${id}', n, 'g' || n, 0, case when n % 2 = 0 then 'payment' else 'recharge' end, 'eth:USDT', 'house/chain/eth:USDT',
        '${id}/available/eth:USDT', 1, n, at from (${numbered}) r;`)
  while (await foldLists(deps));
  await owner.query('vacuum analyze')
}

type List = (c: Queryable, page: Page) => Promise<{ total: number }>

/** Buffers that the page statement of a list touches with the plan for any values, and the list's total. */
async function cost(list: List, offset: number): Promise<[buffers: number, total: number]> {
  const requested: { text: string; values: unknown[] }[] = []
  const listening = {
    query: (query: (typeof requested)[number]) => {
      requested.push(query)
      return pool.query(query)
    },
  } as unknown as Queryable
  const { total } = await list(listening, { limit: 100, offset })
  const { text, values } = requested[0]!
  const c = await owner.connect()
  try {
    await c.query(`set plan_cache_mode = force_generic_plan; prepare page as ${text}`)
    const literals = values.map(value => pg.escapeLiteral(String(value))).join(', ')
    const { rows: plan } = await c.query(`explain (analyze, buffers, format json) execute page (${literals})`)
    const top = plan[0]['QUERY PLAN'][0].Plan
    return [top['Shared Hit Blocks'] + top['Shared Read Blocks'], total]
  } finally {
    c.release(true)
  }
}

test('the deepest page of every list reads about as little as the first, with any filter', async () => {
  const { id } = await testMerchant(deps)
  const { appid } = await testApplication(deps, id)
  await fill(id, appid)
  const range = { start_time: testStart - rows * 100, end_time: testStart - 10_001 }
  const callbacks =
    (filter: Parameters<typeof listCallbacks>[2]): List =>
    (c, page) =>
      listCallbacks(c, id, filter, page)
  const { given_up } = callbackStatus
  const requested: [name: string, list: List, least: number][] = [
    ['callbacks', callbacks({}), rows],
    ['callbacks given up', callbacks({ status: given_up }), rows / 3],
    ['callbacks by all filters', callbacks({ status: given_up, appid, event: 'payment.paid', ...range }), rows / 4],
    [
      'notifications',
      (c, page) => listNotifications(c, ownerOf(id), { status: undefined, types: undefined }, page),
      rows,
    ],
    ['unread notices', (c, page) => listNotifications(c, ownerOf(id), { status: 2, types: 4 }, page), rows / 10],
    ['fund flow', (c, page) => listFundFlow(c, id, {}, page), rows],
    ['fund flow of a chain', (c, page) => listFundFlow(c, id, { type: 'payment', network_id: 'eth' }, page), rows / 2],
    ['fund flow of a token', (c, page) => listFundFlow(c, id, { token_id: 'eth:USDT', ...range }, page), rows / 2],
    ['gas', (c, page) => listGasExpenses(c, id, {}, page), rows],
  ]
  for (const [name, list, least] of requested) {
    const [first, total] = await cost(list, 0)
    assert.ok(total >= least, `${name}: ${total}`)
    const [deepest] = await cost(list, total - 100)
    assert.ok(deepest <= 2 * first && deepest < 1_000, `${name} reads ${first}, then ${deepest} buffers`)
  }
  const { rows: plain } = await owner.query(
    `explain (analyze, buffers, format json) select body from callbacks where merchant_id = $1
     order by created_at desc, id desc offset $2 limit 100`,
    [id, rows - 100],
  )
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plain[0]['QUERY PLAN'][0].Plan
  assert.ok(hit + read > 1_000, 'an offset would read more')
  assert.ok((await countUnreadNotifications(pool, ownerOf(id))) >= rows / 2)
})
