import { join } from 'node:path'
import { workOrderStatus } from '@coffer/contract/codes.ts'
import { findMerchants } from '@coffer/server/domains/merchants/store.ts'
import { listAnyWorkOrders } from '@coffer/server/domains/work-orders/store.ts'
import { foldLists } from '@coffer/server/kit/counted-list.ts'
import { makeTestDeps, testStart } from '@coffer/server/testing/deps.ts'
import pg from 'pg'
import type { Figure, Scope } from './figure.ts'
import { measureList } from './list.ts'
import { ownDatabase } from './own-postgres.ts'

const rows = 100_000
const { in_progress, answered, closed } = workOrderStatus

/** Pages of the operators' lists of 100,000 merchants and their 100,000 work orders, of which one in a hundred waits, in the database. */
export async function operators(here: Scope): Promise<Figure[]> {
  const { url, folder, pool } = await ownDatabase(here)
  const owner = new pg.Client(url)
  await owner.connect()
  here.after(() => owner.end())
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
    ],
    `${rows.toLocaleString('en')} of each`,
  )
}

async function fill(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into merchants (id, mchid, email, name, password_hash, status, created_at)
       select 'm' || n, 'M' || n, 'm' || n || '@example.com', 'Merchant ' || n, '', 1 + n % 4, ${testStart} - n * 600
       from generate_series(1, ${rows}) n`,
  )
  await owner.query(
    `insert into work_orders (merchant_id, number, type, theme, status, created_at, updated_at, closed_at)
       select 'm' || n, 'w' || lpad(n::text, 8, '0'), (array['payment', 'withdrawal', 'callback', 'account', 'other'])[1 + n % 5], 'Question ' || n,
         status, at - 3600, at, case when status = ${closed} then at end
       from (select n, ${testStart} - n * 613 as at, case when n % 100 = 0 then ${in_progress} when n % 3 = 0 then ${answered} else ${closed} end as status
         from generate_series(1, ${rows}) n) made`,
  )
}
