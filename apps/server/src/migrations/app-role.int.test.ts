import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, type Scope, withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { testDatabase } from '../testing/deps.ts'
import { asAppRole } from './app-role.ts'
import { migrate } from './migrate.ts'

let count = 0

/** A database with its own user, which has only the given rights. */
async function ownedBy(t: Scope, rights: string) {
  let drop: () => Promise<void> | void = () => {}
  const { url } = await withPostgres({
    after: end => {
      drop = end
    },
  })
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const user = `limited_${process.pid}_${++count}`
  await owner.query(`create role ${user} login password '${user}' ${rights}; grant all on schema public to ${user}`)
  const name = (await owner.query('select current_database() as name')).rows[0].name
  t.after(async () => {
    await owner.query(`drop owned by ${user}; drop role ${user}`)
    await owner.end()
    await drop()
  })
  return { owner, user, url: databaseUrl(url, name).replace(/\/\/[^@]*@/, `//${user}:${user}@`) }
}

test('explains in one line what to run when the database user cannot create the role', async t => {
  await testDatabase(t)
  const { url, user, owner } = await ownedBy(t, 'nocreaterole')
  await assert.rejects(migrate(url), {
    name: 'Problem',
    message: `${user} cannot create the database role coffer_app. Run once as a superuser: create role coffer_app nologin; grant coffer_app to ${user};`,
  })
  await owner.query(`grant coffer_app to ${user}`)
  await migrate(url)
  const pool = new pg.Client({ connectionString: url, options: asAppRole })
  await pool.connect()
  await pool.query('select * from ledger_accounts')
  await assert.rejects(pool.query('delete from ledger_groups'), { code: '42501' })
  await pool.query('select * from ledger_post($1, $2)', ['[]', '[]'])
  await pool.end()
})

test('migrates several databases of one cluster concurrently', async t => {
  const databases = await Promise.all([1, 2, 3, 4].map(() => withPostgres(t)))
  await Promise.all(databases.map(({ url }) => migrate(url)))
})

test('grants the role every table, the ledger and the audit log read-only', async t => {
  const { owner } = await testDatabase(t)
  const { rows } = await owner.query(`
    select relname as name, has_table_privilege('coffer_app', c.oid, 'select') as read,
      has_table_privilege('coffer_app', c.oid, 'insert') and has_table_privilege('coffer_app', c.oid, 'update')
      and has_table_privilege('coffer_app', c.oid, 'delete') as write,
      has_table_privilege('coffer_app', c.oid, 'truncate') as empty
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  assert.ok(rows.length > 20)
  const readOnly = ['audit_heads', 'audit_log', 'ledger_accounts', 'ledger_groups', 'ledger_postings']
  for (const { name, read, write, empty } of rows) {
    assert.deepEqual([name, read, write, empty], [name, true, !readOnly.includes(name), false])
  }
})
