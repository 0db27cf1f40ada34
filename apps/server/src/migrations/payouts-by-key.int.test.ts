import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('applications that exist keep what they chose, and receive no events that they do not know', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0037_values_and_sweeps')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at, callbacks_muted)
    values ('m', 'a', 'a', 1, 'a', 'a', '', 0, '[]'), ('m', 'b', 'b', 1, 'b', 'b', '', 0, '["payment.seen"]')`)
  await migrate(url)
  const { rows } = await pool.query('select callbacks_muted as muted, payouts_allowed from applications order by appid')
  assert.deepEqual(
    rows.map(each => [each.muted.length, each.muted[0], each.payouts_allowed]),
    [
      [14, 'withdrawal.created', false],
      [15, 'payment.seen', false],
    ],
  )
  await assert.rejects(pool.query('update applications set payouts_allowed = true'), /applications_payouts_from/)
})
