import assert from 'node:assert/strict'
import { test } from 'node:test'
import { available, group, house, posting } from '@coffer/core'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { checkAudit } from '../domains/audit/check-audit.ts'
import { type Entry, post, readBalances } from '../domains/ledger/store.ts'
import { asAppRole } from './app-role.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { version } from './version.ts'

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

test('recomputes the value of credited USDT exactly, so that sums agree with balances', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0007_identities')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const amount = 12345678901234567890n
  const fee = (amount * 4n) / 1000n
  const [volume, rounded] = [12_345_678n, 12_345_678n - (12_345_678n * fee) / amount]
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('bsc', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values
      ('bsc:USDT', 'bsc', 'USDT', '0x1', 18), ('bsc:BNB', 'bsc', 'BNB', null, 18);
    insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, token_rates,
      tolerance_permille, mixed_payment, created_at, expire_at, events)
      values ('m', 't', 'app', 'o', 'x', 2, 10000000, '{}', 0, true, 0, 1, 1);
    insert into deposits (merchant_id, id, chain_id, txid, asset_id, ordinal, block_number, block_hash, block_time, log_index,
      from_address, to_address, amount, usdt_amount, fee, trade_no, kind, state, seen_at, credited_at) values
      ('m', 'a', 'bsc', '1', 'bsc:USDT', 0, 1, 'x', 1, 0, 'x', 'x', ${amount}, ${volume}, ${fee}, 't', 'payment', 'credited', 1, 1000),
      ('m', 'b', 'bsc', '2', 'bsc:BNB', 0, 1, 'x', 1, 0, 'x', 'x', 5, 7000000, 0, 't', 'payment', 'credited', 1, 1000);
    insert into statistics (merchant_id, span, slot, appid, asset_id, created_num, paid_num, volume_usdt, income_usdt,
      refund_usdt, withdrawn_usdt, volume) select 'm', span, 0, 'app', 'bsc:USDT', 0, 1, ${volume}, ${rounded}, 0, 0, ${amount}
      from unnest(array['quarter', 'day', 'all']) span`)
  await migrate(url)
  const { rows } = await pool.query(`select sum(volume_usdt) as volume, sum(income_usdt) as income from (
    select volume_usdt, income_usdt from statistics where span = 'all'
    union all select volume_usdt, income_usdt from statistics_changes) s`)
  assert.deepEqual(rows, [{ volume: String(amount), income: String(amount - fee) }])
  const deposits = await pool.query('select usdt_amount from deposits order by id')
  assert.deepEqual(deposits.rows, [{ usdt_amount: String(amount) }, { usdt_amount: `7${'0'.repeat(18)}` }])
})

test('chains the entries of the account log', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0007_identities')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('a', 'a', 'a', 5), ('b', 'b', 'b', 6);
    insert into account_log (merchant_id, id, type, ip, device, address, created_at) values
      ('a', '2', 'login', '203.0.113.7', 'Firefox, 手机', 'unknown', 8), ('a', '1', 'registered', '', '', '', 7),
      ('b', '3', 'logout', '', '', '', 9)`)
  await migrate(url)
  const { rows } = await pool.query(
    'select merchant_id, seq::int, type, device, created_at::int from audit_log order by 1, 2',
  )
  assert.deepEqual(rows.map(Object.values), [
    ['a', 1, 'registered', '', 7],
    ['a', 2, 'login', 'Firefox, 手机', 8],
    ['b', 1, 'logout', '', 9],
  ])
  assert.deepEqual(await checkAudit({ pool }), { entries: 3, faults: [] })
})

test('counts the rows of lists that exist already, and what is written later', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0007_identities')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, created_at)
      select 'm', n, 'app', 'payment.paid', 0, '', '', 1 + n % 2, 86400 * n from generate_series(1, 40) n`)
  await migrate(url)
  const counts = async () =>
    (
      await pool.query(`
        select span, a as status, sum(n)::int as n from list_counts where list = 'callbacks' group by 1, 2
        union all select 0, a, sum(n) from list_changes where list = 'callbacks' group by a having sum(n) <> 0 order by 1, 2`)
    ).rows.map(({ span, status, n }) => `${span} ${status} ${n}`)
  const before = [60, 3600, 86400, 2592000].flatMap(span => [`${span} 1 20`, `${span} 2 20`])
  assert.deepEqual(await counts(), before)
  await pool.query('update callbacks set status = 2 where id in ($1, $2)', ['2', '4'])
  assert.deepEqual(await counts(), ['0 1 -2', '0 2 2', ...before])
})

test('refuses a database of a later version, and says which version can start on it', async t => {
  const { url } = await withPostgres(t)
  const refused = async (message: RegExp) => {
    for (const open of [migrate, pendingMigrations]) await assert.rejects(open(url), { name: 'Problem', message })
  }
  const run = (sql: string) => onDatabase(url, client => client.query(sql))
  await migrate(url, '0006_moves_together')
  await run(`insert into kysely_migration values ('0999_later', '2027-01-01')`)
  await refused(
    /^The database was upgraded by a later build than this one .*: it has the migration 0999_later\. Start that build or/,
  )
  await run(`delete from kysely_migration where name = '0999_later'`)
  await migrate(url)
  assert.deepEqual(await pendingMigrations(url), [])
  await run(`insert into kysely_migration values ('0999_later', '2027-01-01')`)
  await refused(new RegExp(`by a later build than this one \\(${version}\\)`))
  await run(`insert into fingerprints values ('version', '7.1.0', 9999999999)`)
  await refused(
    /^The database was upgraded by Coffer 7\.1\.0, and this is .*\. Start 7\.1\.0 or a later version, or restore/,
  )
})

test('refuses databases that no version can upgrade', async t => {
  const foreign = await withPostgres(t)
  await onDatabase(foreign.url, client => client.query('create table merchants ()'))
  await assert.rejects(migrate(foreign.url), { name: 'Problem', message: /no record of their version/ })
  const { url } = await withPostgres(t)
  await migrate(url)
  await onDatabase(url, client => client.query(`delete from kysely_migration where name = '0005_ledger_once'`))
  await assert.rejects(migrate(url), { name: 'Problem', message: /later migrations than 0005_ledger_once and not/ })
})

async function onDatabase(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client).finally(() => client.end())
}
