import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Template } from './postgres.ts'
import { withWarmPostgres } from './warm-database.ts'

const schema = `
  create table parents (id bigint generated always as identity primary key, name text not null);
  create table children (parent bigint not null references parents, bytes bytea);
  create table seeds (name text primary key, value bytea not null);
  insert into seeds values ('kept', '\\x00ff');
  create function refuse() returns trigger language plpgsql as $$ begin raise 'nothing is deleted'; end $$;
  create trigger refuse before delete or truncate on parents execute function refuse();`
const template: Template = {
  key: schema,
  prepare: async url => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(schema).finally(() => client.end())
  },
}

/** Runs `work` as a test would, with a database of its own. Returns its URL. */
async function use(work: (pool: pg.Pool, url: string) => Promise<unknown>): Promise<string> {
  const ends: (() => Promise<void> | void)[] = []
  const { url, pool } = await withWarmPostgres({ after: end => void ends.push(end) }, template)
  try {
    await work(pool(2), url)
  } finally {
    for (const end of ends) await end()
  }
  return url
}

/** What a test finds in its database. */
const found = `select (select count(*)::int from parents) as parents, (select count(*)::int from children) as children,
  (select array_agg(s::text) from seeds s) as seeds`
const empty = { parents: 0, children: 0, seeds: ['(kept,"\\\\x00ff")'] }
const nothing = async () => {}

test('the next test finds the rows of the template, and identities start anew', async () => {
  const fill = `insert into parents (name) select 'x' from generate_series(1, $1); insert into children values (1, '\\x01');
    insert into seeds values ('more', ''); update seeds set value = '' where name = 'kept'`
  for (const rows of [1, 2_000]) {
    const first = await use(pool => pool.query(fill.replace('$1', String(rows))))
    const second = await use(async pool => {
      assert.deepEqual((await pool.query(found)).rows[0], empty)
      const { rows } = await pool.query(`insert into parents (name) values ('x') returning id::int`)
      assert.deepEqual(rows, [{ id: 1 }])
      await assert.rejects(pool.query('delete from parents'), /nothing is deleted/)
    })
    assert.equal(second, first)
  }
})

test('a session is kept, without what was set in it', async () => {
  const session = `select pg_backend_pid() as pid, current_setting('search_path') as path,
    (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`
  let before: { pid: number; path: string; locks: number } | undefined
  await use(async pool => {
    before = (await pool.query(session)).rows[0]
    await pool.query(`set search_path = pg_catalog; create temp table mine (); select pg_advisory_lock(1)`)
  })
  await use(async pool => {
    assert.deepEqual((await pool.query(session)).rows[0], before)
    await assert.rejects(pool.query('select from mine'), /does not exist/)
  })
})

test('pools that have ended do nothing more, and a client that was thrown away is closed', async () => {
  let old: pg.Pool | undefined
  let pid = 0
  await use(async pool => {
    old = pool
    const client = await pool.connect()
    pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    client.release(true)
  })
  await assert.rejects(old!.query('select 1'), /after calling end/)
  await use(async pool => {
    const { rowCount } = await pool.query('select from pg_stat_activity where pid = $1', [pid])
    assert.equal(rowCount, 0)
  })
})

const changes: [what: string, statement: string][] = [
  ['a table is added', 'create table more ()'],
  ['a table is dropped', 'drop table children'],
  ['a default is set', `alter table seeds alter column value set default ''`],
  ['a trigger is disabled', 'alter table parents disable trigger refuse'],
  [
    'a function is replaced',
    `create or replace function refuse() returns trigger language plpgsql as 'begin return old; end'`,
  ],
  ['a right is granted', 'grant select on parents to public'],
  ['statistics are gathered', 'analyze seeds'],
]
for (const [what, statement] of changes)
  test(`a database is not used again when ${what}`, async () => {
    const first = await use(pool => pool.query(statement))
    const second = await use(async pool => assert.deepEqual((await pool.query(found)).rows[0], empty))
    assert.notEqual(second, first)
  })

test('a database is not used again while something is connected to it', async t => {
  const first = await use(async (_, url) => {
    const stranger = new pg.Client({ connectionString: url })
    stranger.on('error', () => {})
    await stranger.connect()
    t.after(() => stranger.end())
  })
  assert.notEqual(await use(nothing), first)
})
