import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('keeps the verification codes of an earlier version, each with a challenge of its own', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0007_identities')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`insert into verification_codes (channel, target, purpose, code_hash, created_at, expires_at)
    values ('email', 'a', 1, '1', 5, 605), ('email', 'a', 2, '2', 6, 606)`)
  await migrate(url)
  const { rows } = await pool.query('select purpose, asker, challenge_hash from verification_codes order by purpose')
  assert.deepEqual(Object.fromEntries(rows.map(({ purpose, asker }) => [purpose, asker])), { 1: '', 2: '' })
  assert.notDeepEqual(rows[0].challenge_hash, rows[1].challenge_hash)
})
