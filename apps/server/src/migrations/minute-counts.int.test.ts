import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { listCallbacks } from '../domains/callbacks/store.ts'
import { pagePayments } from '../domains/payments/payment-list.ts'
import { foldStatistics } from '../domains/statistics/fold-statistics.ts'
import { foldLists } from '../kit/counted-list.ts'
import { assertFiguresAgree } from '../testing/invariants.ts'
import { migrate } from './migrate.ts'

test('lists keep their pages and totals when their counts get minutes, folded or not', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0020_apart')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
      values ('m', 'app', 'Shop', 1, '', '', '', 0);
    insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille,
      mixed_payment, created_at, expire_at)
      select 'm', 't' || lpad(n::text, 4, '0'), 'app', n, '', 1 + n % 2, 0, 0, true, 720000 + n * 10, 0 from generate_series(0, 999) n;
    insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
      select 'm', 'c' || lpad(n::text, 4, '0'), 'app', 'x', 0, '', '', 2, 720000 + n * 10 from generate_series(0, 999) n;
    -- Half folded, by hours; the rest in the inbox, of which each row has many payments of an hour.
    insert into payment_counts select 'm', span, 720000 - 720000 % span, 'app', 180, 180, 0, 0, 0, 0, 0, 0
      from unnest(array[3600, 86400, 2592000]) span;
    insert into statistics_changes (merchant_id, at, appid, payment_created_at, status_to, moved, created_num)
      select 'm', 723600, 'app', min(created_at), status, count(*), 1 from payments where created_at >= 723600
      group by status, created_at / 3600`)
  await migrate(url)
  const check = async () => {
    await assertFiguresAgree(pool as never)
    for (const offset of [0, 370, 980]) {
      const page = { offset, limit: 20 }
      const expected = Array.from({ length: 20 }, (_, n) => String(999 - offset - n).padStart(4, '0'))
      const payments = await pagePayments(pool, 'm', {}, page)
      assert.deepEqual([payments.total, payments.rows.map(row => row.trade_no.slice(1))], [1_000, expected])
      const callbacks = await listCallbacks(pool, 'm', {}, page)
      assert.deepEqual([callbacks.total, callbacks.rows.map(row => row.id.slice(1))], [1_000, expected])
    }
  }
  await check()
  while (await foldStatistics({ pool } as never));
  while (await foldLists({ pool }));
  await check()
  await pool.query(`update callbacks set status = 4 where id = 'c0500'`)
  assert.equal((await listCallbacks(pool, 'm', { status: 4 }, { offset: 0, limit: 5 })).total, 1)
  const { rows } = await pool.query('select distinct slot::int from list_changes')
  assert.deepEqual(rows, [{ slot: 720_000 + 5_000 - (5_000 % 60) }])
})
