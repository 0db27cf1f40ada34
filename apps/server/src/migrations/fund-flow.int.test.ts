import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { listFundFlow } from '../domains/fund-flow/store.ts'
import { foldLists } from '../kit/counted-list.ts'
import { migrate } from './migrate.ts'

test('the fund flow of an older database has every posting of a merchant, also those of held balances', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0037_values_and_sweeps')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const post = (place: number, debit: string, credit: string) =>
    pool.query('select from ledger_post($1, $2)', [
      JSON.stringify([{ id: `g${place}`, source: `s:${place}`, memo: {}, created_at: 1_000 + place }]),
      JSON.stringify([
        {
          ...{ id: `p${place}`, group_id: `g${place}`, place: 0, kind: 'withdrawal', asset_id: 'eth:USDT', amount: 10 },
          ...{ debit_merchant: debit === 'chain' ? null : 'm', debit_part: debit },
          ...{ credit_merchant: ['chain', 'fees'].includes(credit) ? null : 'm', credit_part: credit },
        },
      ]),
    ])
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('eth:USDT', 'eth', 'USDT', '0x1', 6)`)
  await post(1, 'chain', 'available')
  await post(2, 'available', 'held')
  await foldLists({ pool })
  await post(3, 'held', 'chain')
  await migrate(url)
  await post(4, 'chain', 'available')
  await post(5, 'available', 'fees')
  const check = async () => {
    for (const [filter, expected] of [
      [{}, ['p5', 'p4', 'p3', 'p2', 'p1']],
      [{ account: 'held' }, ['p3']],
      [{ direction: 'in' }, ['p4', 'p1']],
    ] as const) {
      const { rows, total } = await listFundFlow(pool, 'm', filter, { offset: 0, limit: 10 })
      assert.deepEqual([rows.map(row => row.id), total], [expected, expected.length])
    }
  }
  await check()
  while (await foldLists({ pool }));
  await check()
})
