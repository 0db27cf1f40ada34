import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('what waits was asked for by the owner, who also made the keys', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0006_moves_together')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
      values ('m', 'app', 'app', 1, 'x', '', '', 0);
    insert into chains (id, kind, definition) values ('bsc', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('bsc:USDT', 'bsc', 'USDT', '0x1', 18)`)
  await migrate(url, '0050_members')
  await pool.query(`
    insert into withdrawals (merchant_id, id, asset_id, chain_id, to_address, amount, fee, gas, receives, usdt_value, rate,
      status, origin, released, created_at, updated_at)
    select 'm', status, 'bsc:USDT', 'bsc', '0x2', 5, 0, 0, 5, 5, '{}', status, 'page', case status when 6 then 5 else 0 end, 0, 0
    from unnest(array[1, 6]) as status`)
  await migrate(url)
  const { rows } = await pool.query('select id, requested_by from withdrawals order by id')
  assert.deepEqual(rows.map(Object.values), [
    ['1', 'm'],
    ['6', ''],
  ])
  const keys = await pool.query('select secret_by, previous_secret_by from applications')
  assert.deepEqual(keys.rows, [{ secret_by: 'm', previous_secret_by: '' }])
})
