import assert from 'node:assert/strict'
import { test } from 'node:test'
import { available, group, house, posting } from '@coffer/core'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { type Entry, post, readBalances } from '../domains/ledger/store.ts'
import { asAppRole } from './app-role.ts'
import { migrate } from './migrate.ts'

test('upgrades an earlier database with its ledger, and a second run changes nothing', async t => {
  const { url } = await withPostgres(t)
  const ran = await migrate(url, '0004_outbox')
  assert.equal(ran.at(-1), '0004_outbox')
  const pool = new pg.Pool({ connectionString: url, options: asAppRole })
  // Dropping the database at the end of the test closes its open connections.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('eth:USDT', 'eth', 'USDT', '0x1', 6)`)
  const deposit = (source: string): Entry => ({
    group: group(source, [posting('payment', house('chain', 'eth:USDT'), available('m', 'eth:USDT'), 5n)]),
  })
  await post(pool, [deposit('first')], 1)
  assert.ok((await migrate(url)).length > 0)
  assert.deepEqual(await migrate(url), [])
  const [again] = await post(pool, [deposit('first')], 2)
  assert.equal(again?.fresh, false, 'the hash of earlier postings is computed in the same way')
  await post(pool, [deposit('second')], 3)
  assert.equal((await readBalances(pool, 'm'))[0]?.available, '10')
})

test('moves the identity of a third-party sign-in to its own table', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0006_moves_together')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`insert into merchants (id, mchid, email, google_sub, created_at)
    values ('a', 'a', 'a', 'sub-a', 5), ('b', 'b', 'b', null, 6)`)
  await migrate(url)
  const { rows } = await pool.query('select provider, subject, merchant_id, created_at::int from identities')
  assert.deepEqual(rows, [{ provider: 'google', subject: 'sub-a', merchant_id: 'a', created_at: 5 }])
})
