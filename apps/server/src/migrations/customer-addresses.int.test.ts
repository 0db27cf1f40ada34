import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { listFixedAddresses } from '../domains/addresses/store.ts'
import { countRecharges } from '../domains/recharges/store.ts'
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

test('recharges of an older database are found by token and by state', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0096_operator_passkeys')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
      from_address, to_address, amount, kind, state, seen_at)
    values ('m', 'a', 'eth', 'a', 'eth:USDT', 0, 1, '1', 1, 0, 'x', 'y', 1, 'recharge', 'credited', 1),
      ('m', 'b', 'eth', 'b', 'eth:ETH', 0, 1, '1', 1, 0, 'x', 'y', 1, 'recharge', 'seen', 2),
      ('m', 'c', 'eth', 'c', 'eth:ETH', 0, 1, '1', 1, 0, 'x', 'y', 1, 'payment', 'seen', 3)`)
  await migrate(url)
  const counts = [{}, { token_id: 'eth:ETH' }, { state: 'seen' }, { token_id: 'eth:ETH', state: 'credited' }]
  assert.deepEqual(await Promise.all(counts.map(filter => countRecharges(pool, 'm', filter))), [2, 1, 1, 0])
})
