// second-server: runs the statements of all migrations, and hashes what is posted
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { availableAccount, groupPostings, houseAccount, makePosting } from '@coffer/core'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { type LedgerEntry, postEntries, readBalances } from '../domains/ledger/store.ts'
import { appRoleConnectionOptions } from './app-role.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { version } from './version.ts'

test('upgrades an earlier database with its ledger, and a second run changes nothing', async t => {
  const { url } = await withPostgres(t)
  const ran = await migrate(url, '0004_outbox')
  assert.equal(ran.at(-1), '0004_outbox')
  const pool = new pg.Pool({ connectionString: url, options: appRoleConnectionOptions })
  // Dropping the database at the end of the test closes its open connections.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into chains (id, kind, definition) values ('eth', 'evm', '{}');
    insert into assets (id, chain_id, symbol, contract, decimals) values ('eth:USDT', 'eth', 'USDT', '0x1', 6)`)
  const deposit = (source: string): LedgerEntry => ({
    group: groupPostings(source, [
      makePosting('payment', houseAccount('chain', 'eth:USDT'), availableAccount('m', 'eth:USDT'), 5n),
    ]),
  })
  // As the version of that database posted: with the ids of the postings.
  await pool.query('select from ledger_post($1, $2)', [
    JSON.stringify([{ id: 'g1', source: 'first', memo: {}, created_at: 1 }]),
    JSON.stringify([
      {
        id: 'p1',
        group_id: 'g1',
        place: 0,
        kind: 'payment',
        asset_id: 'eth:USDT',
        amount: 5,
        debit_part: 'chain',
        credit_merchant: 'm',
        credit_part: 'available',
      },
    ]),
  ])
  assert.ok((await migrate(url)).length > 0)
  assert.deepEqual(await migrate(url), [])
  const [again] = await postEntries(pool, [deposit('first')], 2)
  assert.equal(again?.fresh, false, 'the hash of earlier postings is computed in the same way')
  await postEntries(pool, [deposit('second')], 3)
  assert.equal((await readBalances(pool, 'm'))[0]?.available, 10n)
})

test('refuses a database of a later version, and says which version can start on it', async t => {
  const { url } = await withPostgres(t)
  const refused = async (message: RegExp) => {
    for (const open of [migrate, pendingMigrations])
      await assert.rejects(open(url), { name: 'OperatorProblem', message })
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
  await assert.rejects(migrate(foreign.url), { name: 'OperatorProblem', message: /no record of their version/ })
  const { url } = await withPostgres(t)
  await migrate(url)
  await onDatabase(url, client => client.query(`delete from kysely_migration where name = '0005_ledger_once'`))
  await assert.rejects(migrate(url), {
    name: 'OperatorProblem',
    message: /later migrations than 0005_ledger_once and not/,
  })
})

async function onDatabase(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client).finally(() => client.end())
}
