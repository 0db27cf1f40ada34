import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { RouteData, RouteFilter } from '@coffer/contract'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { readConfig } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { formatUtcMonth, readInvoiceLines } from '../../domains/billing/bill.ts'
import flowExport from '../../domains/fund-flow/export.ts'
import { fundFlowHandlers } from '../../domains/fund-flow/routes.ts'
import { startExport } from '../../kit/export/export-rows.ts'
import { appRoleConnectionOptions } from '../../migrations/app-role.ts'
import { call } from '../../testing/call.ts'
import { ownerReader } from '../../testing/merchants.ts'
import { runDemo } from './run.ts'
import { demoLogin } from './shop.ts'

/** A sandbox of its own, whose chains began `days` ago, or now. */
async function emptySandbox(t: TestContext, days = 0) {
  const data = mkdtempSync(join(tmpdir(), 'coffer-demo-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const chain = days > 0 ? { genesisTime: Math.floor(Date.now() / 1_000) - days * 86_400 } : {}
  const [database, first, second] = await Promise.all([
    withPostgres(t),
    withAnvil(t, chain),
    withAnvil(t, { ...chain, chainId: 31338 }),
  ])
  process.env.COFFER_SANDBOX_CHAINS = `${first.url},${second.url}`
  return readConfig({ DATABASE_URL: database.url, COFFER_DATA: data })
}

test('refuses a sandbox that was started before, whose chains already have current blocks', async t => {
  const config = await emptySandbox(t)
  await assert.rejects(
    runDemo(config, () => assert.fail('the demo started')),
    error => error instanceof OperatorProblem && /has been started before/.test(error.message),
  )
})

test('the shop is paid, withdraws, gives back and shares', async t => {
  const config = await emptySandbox(t, 20)
  // The tenth day has the transfer. The last one ends now, perhaps before its payouts.
  assert.ok((await runDemo(config, () => {}, 11)) > 100)
  const pool = new pg.Pool({ connectionString: config.databaseUrl, options: appRoleConnectionOptions })
  // The database may be dropped first.
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const { rows } = await pool.query(
    `select (select count(*) from withdrawals where status = 5) > 0 as withdrawn, (select count(*) from withdrawals where status <> 5) as stuck,
       (select count(*) from refunds where status = 5) > 0 as refunded, (select count(*) from refunds where status <> 5) as kept,
       (select count(*) from internal_transfers) as shared, (select count(*) > 0 from sweeps where state = 'swept') as swept,
       (select count(*) from list_changes) as unfolded`,
  )
  assert.deepEqual(rows, [{ withdrawn: true, stuck: 0, refunded: true, kept: 0, shared: 2, swept: true, unfolded: 0 }])
  await flowAddsUp({ pool, config } as Deps)
  await everythingHasPrice(pool)
})

/** Every entry that an invoice of the demo's merchant has, also of this month, has a price of its time. */
async function everythingHasPrice(pool: pg.Pool) {
  const { rows: merchants } = await pool.query('select id from persons where email = $1', [demoLogin.email])
  const now = Date.now() / 1_000
  const months = new Set([now - 10 * 86_400, now].map(formatUtcMonth))
  const lines = await Promise.all([...months].map(month => readInvoiceLines(pool, merchants[0].id, month, 'EUR')))
  assert.ok(lines.flat().some(({ item }) => item === 'aggregation_gas'))
  assert.deepEqual(
    lines.flat().filter(({ unvalued }) => unvalued > 0),
    [],
  )
}

/**
 * The fund flow as the list, the files and a bookkeeping journal have it adds up to each balance of the demo's
 * merchant.
 */
async function flowAddsUp(deps: Deps) {
  const { rows: accounts } = await deps.pool.query(
    `select l.merchant_id, l.part, a.id, a.symbol, a.decimals, h.definition ->> 'name' as chain, l.balance
     from ledger_accounts l join assets a on a.id = l.asset_id join chains h on h.id = a.chain_id
     where l.merchant_id = (select id from persons where email = $1)`,
    [demoLogin.email],
  )
  assert.ok(accounts.some(each => each.part === 'held') && accounts.length > 4)
  const scope = (filter: RouteFilter<'GET /api/v1/account/stream/export'>) =>
    ({ ...ownerReader(accounts[0].merchant_id), filter, language: 'en' }) as const
  const { file } = await startExport(deps, flowExport, scope({ format: 'hledger' }))
  const journal = await text(file)
  for (const { merchant_id, part, id, symbol, decimals, chain, balance } of accounts) {
    const sum = (amounts: string[]) =>
      amounts.reduce(
        (total, each) => total + parseDecimal(each.replace('-', ''), decimals)! * (each[0] === '-' ? -1n : 1n),
        0n,
      )
    const about = `${part} ${symbol} on ${chain}`
    // The account that is listed unless another is requested.
    const account = part === 'available' ? {} : { account: part }
    const listed: RouteData<'GET /api/v1/account/stream'>['list'] = []
    for (let current = 1, total = 1; listed.length < total; current++) {
      const query = { ...account, token_id: id, current: String(current), pageSize: '100' }
      const page = await call(fundFlowHandlers, 'GET /api/v1/account/stream', deps, merchant_id, { query })
      listed.push(...page.list)
      total = page.total
      if (page.list.length === 0) break
    }
    assert.ok(listed.every(row => row.account === part))
    assert.equal(sum(listed.map(row => `${row.direction === 'in' ? '' : '-'}${row.amount}`)), BigInt(balance), about)
    // Each entry has the balance that it left, also among those of one second.
    let left = 0n
    for (const row of listed.toReversed()) {
      left += sum([`${row.direction === 'in' ? '' : '-'}${row.amount}`])
      assert.equal(parseDecimal(row.balance, decimals), left, `${about} after ${row.id}`)
    }
    const csv = await startExport(deps, flowExport, scope({ format: 'csv', ...account, token_id: id }))
    const [head, ...lines] = (await text(csv.file))
      .trimEnd()
      .split('\r\n')
      .map(line => line.split(','))
    // The column itself adds up, as a bookkeeper adds it up.
    const exported = lines.map(cells => cells[head!.indexOf('Amount')]!)
    assert.deepEqual([lines.length, sum(exported)], [listed.length, BigInt(balance)], about)
    const posted = [...journal.matchAll(new RegExp(`^ {4}assets:coffer:${part}:${chain}  (\\S+) ${symbol}$`, 'gm'))]
    assert.equal(sum(posted.map(([, amount]) => amount!)), BigInt(balance), `${about} in the journal`)
  }
}
