import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('nobody has the lease of a chain after the upgrade', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0020_apart')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`insert into chains (id, kind, definition) values ('eth', 'evm', '{}')`)
  await migrate(url)
  const { rows } = await pool.query('select fence, leased_until, leased_by from chains')
  assert.deepEqual(rows, [{ fence: '0', leased_until: '0', leased_by: null }])
})
