import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { listFixedAddresses } from '../domains/addresses/store.ts'
import { migrate } from './migrate.ts'

test('fixed addresses of an older database stay, are counted, and remain one for each chain', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0041_batches')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}'), ('bsc', 'evm', '{}');
    insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, created_at)
      values ('evm', '0x1', 0, 'm', 'fixed', 1);
    insert into fixed_addresses (merchant_id, chain_id, id, address, created_at)
      values ('m', 'eth', 'a', '0x1', 1), ('m', 'bsc', 'b', '0x1', 2)`)
  await migrate(url)
  const { total, rows } = await listFixedAddresses(pool, 'm', {}, { limit: 10, offset: 0 })
  assert.deepEqual(
    [total, rows.map(row => [row.id, row.reference, row.appid])],
    [
      2,
      [
        ['b', '', ''],
        ['a', '', ''],
      ],
    ],
  )
  const again = `insert into fixed_addresses (merchant_id, chain_id, id, address, created_at) values ('m', 'eth', 'c', '0x1', 3)`
  await assert.rejects(pool.query(again), { code: '23505' })
})
