import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('a group of postings of an older database is still reversed at most once, and other groups reverse nothing', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0070_dead_letters')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const add = (id: string, reverses: string | null) =>
    pool.query(
      `insert into ledger_groups (id, source, body_hash, reverses, memo, created_at) values ($1, $1, '', $2, '{}', 0)`,
      [id, reverses],
    )
  await add('credit', null)
  await add('other', null)
  await add('reversal', 'credit')
  await migrate(url)
  await add('third', null)
  await assert.rejects(add('again', 'credit'), { code: '23505', constraint: 'ledger_groups_reverses_key' })
  await assert.rejects(add('of nothing', 'none'), { code: '23503' })
})
