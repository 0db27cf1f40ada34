import { join } from 'node:path'
import { defineSandboxChain, ethereum } from '@coffer/chains'
import { workOrderStatus } from '@coffer/contract/codes.ts'
import { listEntries } from '@coffer/server/domains/address-book/store.ts'
import { applicationByKey } from '@coffer/server/domains/applications/store.ts'
import { writeChains } from '@coffer/server/domains/chains/sync-chains.ts'
import { findMerchants } from '@coffer/server/domains/merchants/store.ts'
import { countUnreadNotifications, listNotifications } from '@coffer/server/domains/notifications/store.ts'
import { listRecharges } from '@coffer/server/domains/recharges/store.ts'
import { listAnyWorkOrders, listWorkOrders } from '@coffer/server/domains/work-orders/store.ts'
import { foldLists } from '@coffer/server/kit/counted-list.ts'
import { makeTestDeps, testStart } from '@coffer/server/testing/deps.ts'
import { ownerOf } from '@coffer/server/testing/members.ts'
import pg from 'pg'
import type { Figure, Scope } from './figure.ts'
import { measureList } from './list.ts'
import { ownDatabase } from './own-postgres.ts'

const rows = 100_000
const { in_progress, answered, closed } = workOrderStatus

/**
 * Pages of lists of 100,000 rows in the database: the operators' of merchants and their work orders, of which one in a
 * hundred waits, and those of one merchant. Also what each page of his counts, and the lookup of one of 100,000 keys.
 */
export async function lists(here: Scope): Promise<Figure[]> {
  const { url, folder, pool } = await ownDatabase(here)
  const owner = new pg.Client(url)
  await owner.connect()
  here.after(() => owner.end())
  const token = [{ symbol: 'USDT', contract: `0x${'d'.repeat(40)}`, decimals: 6 }]
  await writeChains(pool, [
    defineSandboxChain(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: token }),
  ])
  await fill(owner)
  // As the server's job does.
  while (await foldLists({ pool }));
  await owner.query('vacuum analyze')
  const deps = makeTestDeps({ pool, config: { mode: 'sandbox' } })
  const records = { deps, url, log: join(folder, 'log', 'postgres.log') }
  const orders =
    (filter: Parameters<typeof listAnyWorkOrders>[1]): Parameters<typeof measureList>[1][number]['read'] =>
    (c, page) =>
      listAnyWorkOrders(c, filter, page)
  return measureList(
    records,
    [
      { name: 'work orders', read: orders({}) },
      { name: 'work orders, answered', read: orders({ status: answered }) },
      { name: 'work orders, in progress', read: orders({ status: in_progress }) },
      { name: 'work orders about withdrawals', read: orders({ type: 'withdrawal' }) },
      { name: 'merchants', read: (c, page) => findMerchants(c, null, {}, page) },
      { name: 'merchants in one state', read: (c, page) => findMerchants(c, null, { status: 2 }, page) },
      { name: "one merchant's work orders", read: (c, page) => listWorkOrders(c, 'm1', {}, page) },
      { name: 'address book', read: (c, page) => listEntries(c, 'm1', {}, page) },
      { name: 'recharges', read: (c, page) => listRecharges(c, 'm1', {}, page) },
      { name: 'notifications', read: (c, page) => listNotifications(c, ownerOf('m1'), {}, page) },
      { name: 'unread notifications, counted', read: async c => one(await countUnreadNotifications(c, ownerOf('m1'))) },
      { name: 'the lookup of a key', read: async c => one(await applicationByKey(c, Buffer.from('key 7'), 0)) },
    ],
    `${rows.toLocaleString('en')} of each`,
  )
}

const one = (row: unknown) => ({ rows: row ? [row] : [], total: 1 })

async function fill(owner: pg.Client): Promise<void> {
  await owner.query(
    `with shop as (
       insert into merchants (id, mchid, name, status, created_at)
       select 'm' || n, 'M' || n, 'Merchant ' || n, 1 + n % 4, ${testStart} - n * 600 from generate_series(1, ${rows}) n
       returning id)
     insert into persons (id, realm, email, created_at) select id, 'shop', id || '@example.com', 0 from shop`,
  )
  await owner.query(
    `insert into work_orders (merchant_id, number, type, theme, status, created_at, updated_at, closed_at)
       select 'm' || n, 'w' || lpad(n::text, 8, '0'), (array['payment', 'withdrawal', 'callback', 'account', 'other'])[1 + n % 5], 'Question ' || n,
         status, at - 3600, at, case when status = ${closed} then at end
       from (select n, ${testStart} - n * 613 as at, case when n % 100 = 0 then ${in_progress} when n % 3 = 0 then ${answered} else ${closed} end as status
         from generate_series(1, ${rows}) n) made`,
  )
  const ofOne = `'m1' as merchant_id, n, ${testStart} - n * 613 as at from generate_series(1, ${rows}) n`
  for (const sql of [
    `insert into work_orders (merchant_id, number, type, theme, status, created_at, updated_at)
       select merchant_id, 'o' || n, 'other', 'Question ' || n, ${answered}, at - 3600, at from (select ${ofOne}) made`,
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
       select merchant_id, 'b' || n, 'eth', '0x' || md5(n::text) || '00000000', 'Label ' || n, at, at from (select ${ofOne}) made`,
    `insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
         from_address, to_address, amount, kind, state, seen_at, gas_read)
       select merchant_id, 'd' || n, 'eth', 't' || n, 'eth:USDT', 0, n, 'h' || n, at, 0, 'payer', 'ours', 1, 'recharge', 'credited', at, true
         from (select ${ofOne}) made`,
    `insert into notifications (merchant_id, id, types, message, status, created_at)
       select merchant_id, 'n' || n, 1 + n % 5, 'payment_paid', 1 + n % 2, at from (select ${ofOne}) made`,
    `insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at, opened_at)
       select 'm' || n, 'a' || n, 'Shop', 1, convert_to('key ' || n, 'UTF8'), '', '', 0, 0 from generate_series(1, ${rows}) n`,
  ])
    await owner.query(sql)
}
