// second-server: the migration computes with this PostgreSQL's numbers
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('a payment of an older database has the rate that was applied to it, where only one fits', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0045_people')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at, fee_bps) values ('m', 'm', 'm', 0, 99);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('eth:USDT', 'eth', 'USDT', '0x1', 6)`)
  let deposits = 0
  /** A payment with credited deposits of an amount and a fee each. */
  const pay = async (tradeNo: string, ...credited: [amount: number, fee: number, state?: string][]) => {
    await pool.query(
      `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille, mixed_payment, created_at, expire_at)
       values ('m', $1, 'a', $1, '', 1, 1, 0, true, 1, 2)`,
      [tradeNo],
    )
    for (const [amount, fee, state = 'credited'] of credited)
      await pool.query(
        `insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
           from_address, to_address, amount, fee, kind, state, seen_at, trade_no)
         values ('m', $1, 'eth', $1, 'eth:USDT', 0, 1, '1', 1, 0, 'x', 'y', $2, $3, 'payment', $4, 1, $5)`,
        [`d${++deposits}`, amount, fee, state, tradeNo],
      )
  }
  await pay('one', [10_000_000, 40_000])
  await pay('rounded down', [10_000_001, 45_000])
  await pay('free', [10_000_000, 0])
  await pay('two', [4_000_000, 16_000], [6_000_000, 24_000])
  await pay('tiny beside one', [9, 0], [6_000_000, 24_000])
  await pay('tiny', [9, 0])
  await pay('changed', [4_000_000, 16_000], [6_000_000, 30_000])
  await pay('seen', [4_000_000, 0, 'seen'])
  await pay('undone', [4_000_000, 16_000, 'undone'])
  await pay('nothing')
  await migrate(url)
  const { rows } = await pool.query('select trade_no, fee_bps from payments')
  assert.deepEqual(Object.fromEntries(rows.map(row => [row.trade_no, row.fee_bps])), {
    one: 40,
    'rounded down': 45,
    free: 0,
    two: 40,
    'tiny beside one': 40,
    tiny: null,
    changed: null,
    seen: null,
    undone: null,
    nothing: null,
  })
})
