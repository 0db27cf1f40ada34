import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('keeps deposits whose position in the receipt is not known', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0007_identities')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const deposit = (id: string, asset: string, ordinal: number) =>
    `('m', '${id}', 'eth', '0xaa', '${asset}', ${ordinal}, 1, '0xb', 1, 0, '', '', 5, 'recharge', 'credited', 1)`
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals)
      values ('eth:USDT', 'eth', 'USDT', '0x1', 6), ('eth:ETH', 'eth', 'ETH', null, 18);
    insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
      from_address, to_address, amount, kind, state, seen_at)
    values ${[deposit('a', 'eth:USDT', 0), deposit('b', 'eth:USDT', 2), deposit('c', 'eth:ETH', 3)].join()}`)
  await migrate(url)
  const { rows } = await pool.query('select id, ordinal, replaced from deposits order by id')
  assert.deepEqual(
    rows.map(each => [each.id, each.ordinal, each.replaced]),
    [
      ['a', -1, false],
      ['b', -3, false],
      ['c', 3, false],
    ],
  )
})
