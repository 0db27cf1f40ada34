import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('an older database gets one pair of keys, devices of its merchants, and pushes that need no device', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0096_operator_passkeys')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0)`)
  await migrate(url)
  const keys = (name: string) => pool.query('insert into push_keys values ($1, $2, 0)', [name, 'sealed'])
  await keys('first')
  await assert.rejects(keys('second'), { code: '23505' })
  await assert.rejects(pool.query('set role coffer_app; delete from push_keys'), { code: '42501' })
  const device = (id: string, merchant: string) =>
    pool.query(`insert into push_devices values ($1, $2, 's', 'https://push.example', 'p', 'a', 'en', 0)`, [
      id,
      merchant,
    ])
  await device('d', 'm')
  await assert.rejects(device('e', 'nobody'), { code: '23503' })
  const push = `insert into pushes (device_id, notification_id, message, params, created_at, due_at) values ('gone', 'n', 'x', '{}', 0, 0)`
  await pool.query(push)
  await assert.rejects(pool.query(push), { code: '23505' })
})
