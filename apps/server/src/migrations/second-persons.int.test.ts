// second-server: the migration runs beside triggers of this PostgreSQL
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('approvals of an older database name the account that had the address then', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0048_credentials')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into persons (id, realm, email, created_at, deleted_at) values
      ('former', 'console', 'ann@example.com', 10, 50), ('present', 'console', 'ann@example.com', 60, null),
      ('shop', 'shop', 'bob@example.com', 10, null);
    insert into merchants (id, mchid, created_at) values ('shop', 'shop', 10);
    insert into operator_approvals (subject, who, created_at) values
      ('withdrawal 1 1', 'ann@example.com', 40), ('withdrawal 2 1', 'ann@example.com', 70),
      ('withdrawal 3 1', 'root@host', 70), ('withdrawal 4 1', 'bob@example.com', 70), ('withdrawal 5 1', 'ann@example.com', 1);
    insert into merchant_assessments (merchant_id, what, who, created_at) values ('shop', 'risk', 'ann@example.com', 40);
    insert into authenticator_removals (merchant_id, requested_by, requested_at) values ('shop', 'ann@example.com', 70)`)
  await migrate(url)
  const { rows } = await pool.query('select person_id, who from operator_approvals order by subject')
  assert.deepEqual(
    rows.map(row => [row.person_id, row.who]),
    [
      ['former', 'ann@example.com'],
      ['present', 'ann@example.com'],
      ['', 'root@host'],
      ['', 'bob@example.com'],
      ['present', 'ann@example.com'],
    ],
  )
  const { rows: assessed } = await pool.query('select person_id from merchant_assessments')
  const { rows: removals } = await pool.query('select requested_person, confirmed_person from authenticator_removals')
  assert.deepEqual(
    [assessed, removals],
    [[{ person_id: 'former' }], [{ requested_person: 'present', confirmed_person: null }]],
  )
})
