import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('payments made before are found by number and words, and keep their data', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0012_exact_values')
  const client = new pg.Client({ connectionString: url })
  // The database is dropped before the connection is ended.
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end())
  await client.query(`insert into merchants (id, mchid, email, created_at) values ('m', '1', 'm@example.com', 0)`)
  await client.query(
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille,
       mixed_payment, subject, attach, created_at, expire_at)
     values ('m', '1', 'a', 'A-1', '', 1, 1, 0, true, 'Red, red pen', 'x=1', 5, 6), ('m', '2', 'a', 'B-2', '', 1, 1, 0, true, '', '', 7, 8)`,
  )
  await migrate(url)
  const { rows } = await client.query(
    'select trade_no, term, created_at::int from payment_terms order by trade_no, term',
  )
  assert.deepEqual(
    rows.map(row => [row.trade_no, row.term, row.created_at]),
    [
      ['1', 'w:1', 5],
      ['1', 'w:a-1', 5],
      ['1', 'w:pen', 5],
      ['1', 'w:red', 5],
      ['1', 'w:x', 5],
      ['2', 'w:b-2', 7],
    ],
  )
  const marked = await client.query(
    `update payments set exception = 'marked_paid' where trade_no = '1' returning metadata, cancel_url, auto_redirect`,
  )
  assert.deepEqual(marked.rows, [{ metadata: {}, cancel_url: '', auto_redirect: false }])
  await assert.rejects(client.query(`update payments set exception = 'marked_other'`), { code: '23514' })
})
