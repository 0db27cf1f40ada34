import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { takeFreeAddress } from '../domains/addresses/store.ts'
import { migrate } from './migrate.ts'

test('addresses leased before native coin and tokens were separated are not leased again', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0017_compared_time')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into deposit_addresses (chain_kind, address, key_index, merchant_id, purpose, free_at, created_at)
    values ('evm', '0xa', 0, 'm', 'lease', 1, 0), ('evm', '0xb', 1, 'm', 'fixed', null, 0)`)
  await migrate(url)
  const take = (leasedFor: 'native' | 'token') => takeFreeAddress(pool, 'm', 'evm', 2, leasedFor)
  assert.deepEqual([await take('native'), await take('token')], [undefined, undefined])
  await pool.query("update deposit_addresses set leased_for = 'token' where address = '0xa'")
  assert.deepEqual([await take('native'), (await take('token'))?.address], [undefined, '0xa'])
})
