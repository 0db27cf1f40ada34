// second-server: who may create roles and grant them, which differs by version
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, type Scope, withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { testDatabase } from '../testing/deps.ts'
import { appRoleConnectionOptions, requireLimitedUser } from './app-role.ts'
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
    name: 'OperatorProblem',
    message: `${user} cannot create the database role coffer_app. Run once as a superuser: create role coffer_app nologin; grant coffer_app to ${user};`,
  })
  await owner.query(`grant coffer_app to ${user}`)
  await migrate(url)
  const pool = new pg.Client({ connectionString: url, options: appRoleConnectionOptions })
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

test('grants the role every table, the ledger, the audit log and the migrations read-only', async t => {
  const { owner } = await testDatabase(t)
  const { rows } = await owner.query(`
    select relname as name, has_table_privilege('coffer_app', c.oid, 'select') as read,
      has_table_privilege('coffer_app', c.oid, 'insert') and has_table_privilege('coffer_app', c.oid, 'update')
      and has_table_privilege('coffer_app', c.oid, 'delete') as write,
      has_table_privilege('coffer_app', c.oid, 'truncate') as empty
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  assert.ok(rows.length > 20)
  const ledger = ['ledger_accounts', 'ledger_groups', 'ledger_postings']
  const readOnly = ['audit_heads', 'audit_log', 'kysely_migration', 'kysely_migration_lock', 'online_steps', ...ledger]
  // Records of money that was sent are never deleted.
  const protectedTables = [
    'outgoing',
    'outgoing_attempts',
    'outgoing_items',
    'payment_links',
    'payment_refunds',
    'refunds',
    'refund_links',
    'wallets',
    'price_history',
    'invoices',
    'work_orders',
    'work_order_messages',
  ]
  protectedTables.push(
    'known_addresses',
    'operator_decisions',
    'refund_decisions',
    'incident_entries',
    'withdrawal_approvals',
    'withdrawal_decisions',
    'withdrawal_events',
    'withdrawals',
    'persons',
    'members',
    'operator_approvals',
    'member_agreements',
    'merchant_assessments',
    'merchant_entries',
    'announcements',
    'push_keys',
    'sweep_authorizations',
    'payout_releases',
    'webhook_endpoints',
    'proofs',
    'proof_trees',
    'proof_chunks',
    'proof_shares',
    'lineage',
    'found_payouts',
  )
  for (const { name, read, write, empty } of rows) {
    const isWritable = !readOnly.includes(name) && !protectedTables.includes(name)
    assert.deepEqual([name, read, write, empty], [name, true, isWritable, false])
  }
})

test('refuses a login user that could be more than the role, and accepts one that cannot', async t => {
  const { owner, url } = await testDatabase(t)
  const user = `login_${process.pid}`
  await owner.query(`create role ${user} login password '${user}' in role coffer_app`)
  t.after(async () => {
    // The database is dropped by now.
    const cluster = new pg.Client({ connectionString: databaseUrl(url, 'postgres') })
    await cluster.connect()
    await cluster.query(`drop role ${user}`)
    await cluster.end()
  })
  const poolOf = (connectionString: string) => {
    const pool = new pg.Pool({ connectionString, options: appRoleConnectionOptions, max: 1 })
    pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
    t.after(() => pool.end())
    return pool
  }
  await assert.rejects(requireLimitedUser(poolOf(url)), {
    name: 'OperatorProblem',
    message:
      /the user of DATABASE_URL, is a superuser, so one injected .* create role coffer_server login .* DATABASE_OWNER_URL\.$/,
  })
  const limited = poolOf(url.replace(/\/\/[^@]*@/, `//${user}:${user}@`))
  await requireLimitedUser(limited)
  await limited.query('set role none')
  for (const sql of ['delete from ledger_postings', 'update kysely_migration set name = name'])
    await assert.rejects(limited.query(sql), { code: '42501' }, sql)
  for (const sql of [
    'alter table ledger_postings disable trigger all',
    'drop function ledger_post',
    'create table x ()',
  ])
    await assert.rejects(limited.query(sql), { code: '42501' }, sql)
  const table = `table_of_${process.pid}`
  await owner.query(`create table ${table} (); alter table ${table} owner to ${user}`)
  await assert.rejects(requireLimitedUser(limited), /DATABASE_URL, owns tables, so/)
  await owner.query(`drop table ${table}; alter role ${user} createrole`)
  await assert.rejects(requireLimitedUser(limited), /DATABASE_URL, may create roles, so/)
})
