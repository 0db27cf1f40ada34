import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { RouteData, RouteQuery } from '@coffer/contract'
import { foldLists } from '../../kit/counted-list.ts'
import { tx } from '../../kit/db.ts'
import { makeApp } from '../../serve.ts'
import { call } from '../../testing/call.ts'
import { exportCells } from '../../testing/export-cells.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { applyWithdrawalSteps } from '../withdrawals/steps.ts'
import { lockWithdrawal } from '../withdrawals/store.ts'
import gasExport from './gas-export.ts'
import { fundFlowHandlers } from './routes.ts'

const world = await withdrawalWorld({ after })
const { deps, owner, merchant } = world
const app = await makeApp(deps)
after(() => app.close())
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

type Flow = RouteData<'GET /api/v1/account/stream'>
const list = (query: RouteQuery<'GET /api/v1/account/stream'> = {}, merchantId = merchant.id): Promise<Flow> =>
  call(fundFlowHandlers, 'GET /api/v1/account/stream', deps, merchantId, { query: { pageSize: '100', ...query } })
const file = async (format: string, query = '', token = merchant.token) => {
  const headers = { 'x-token': token, 'x-download': '1' }
  const answer = await fetch(`${origin}/api/v1/account/stream/export?format=${format}${query}`, { headers })
  assert.equal(answer.status, 200)
  return {
    rows: Number(answer.headers.get('x-total-rows')),
    name: answer.headers.get('content-disposition'),
    text: await answer.text(),
  }
}

let tradeNo = ''
let paidOut = ''
let undone = ''
before(async () => {
  const price = (symbol: string, at: number, value: string) =>
    owner.query('insert into price_history values ($1, $2, $3, $4)', [symbol, at, value, 'kraken,okx'])
  await owner.query(`update merchants set fiat = 'EUR', time_zone = 'Asia/Shanghai' where id = $1`, [merchant.id])
  deps.pass(600)
  await price('USDT', deps.clock() - 100, '0.9990')
  await price('EUR', deps.clock() - 200, '1.11')
  const order = await world.pay({ amount: '50' })
  tradeNo = order.trade_no
  await world.eth.add([{ to: order.address, amount: 50_000_000n }])
  await world.eth.confirm()
  deps.pass(60)
  paidOut = await world.withdraw('100')
  undone = await world.withdraw('20')
  deps.pass(60)
  await tx(deps.pool, async (c, uow) => {
    const final = await lockWithdrawal(c, merchant.id, paidOut)
    const canceled = await lockWithdrawal(c, merchant.id, undone)
    const changes = { txid: `0x${'ab'.repeat(32)}` }
    await applyWithdrawalSteps(
      uow,
      [
        { row: final!, event: 'final', to: 'accomplished', changes },
        { row: canceled!, event: 'canceled', to: 'canceled' },
      ],
      deps.clock(),
    )
  })
})

test('lists every posting of an account, by default the available one, with its cause and value, newest first', async () => {
  const rows: Flow['list'] = []
  for (const account of ['available', 'held'] as const) {
    const { list: listed, total } = await list(account === 'held' ? { account } : {})
    const { rows: stored } = await owner.query(
      `select * from ledger_postings where merchant_id = $1 and $2 in (split_part(debit_account, '/', 2), split_part(credit_account, '/', 2))`,
      [merchant.id, account],
    )
    assert.deepEqual([total, listed.length], [stored.length, stored.length])
    assert.ok(listed.every(row => row.account === account))
    assert.deepEqual(
      listed,
      listed.toSorted((a, b) => b.created_time - a.created_time || (b.id > a.id ? 1 : -1)),
    )
    rows.push(...listed)
  }
  const payment = rows.find(row => row.type === 'payment')!
  assert.deepEqual(
    [payment.payment_type, payment.account, payment.direction, payment.amount, payment.cause, payment.balance],
    ['on_chain', 'available', 'in', '50', { kind: 'payment', id: tradeNo }, '1050'],
  )
  assert.deepEqual(payment.value, {
    fiat: 'EUR',
    amount: '45',
    rate: '0.9',
    source: 'kraken,okx / kraken,okx',
    time: payment.created_time - 200,
  })
  const of = (id: string) =>
    rows
      .filter(row => row.cause.id === id)
      .map(row => [row.account, row.direction, row.payment_type, row.type].join(' '))
  assert.deepEqual(of(paidOut).sort(), [
    'available out reserve withdrawal',
    'held in reserve withdrawal',
    'held out on_chain withdrawal',
    'held out platform fee',
    'held out platform gas',
  ])
  assert.deepEqual(of(undone).sort(), [
    'available in reserve withdrawal',
    'available out reserve withdrawal',
    'held in reserve withdrawal',
    'held out reserve withdrawal',
  ])
  assert.equal(rows.find(row => row.cause.kind === 'other')?.value, null, 'no price was known at that time')
})

test('filters by account, direction, type and token, folded or not, and shows nothing to others', async () => {
  const { list: rows } = await list()
  const check = async () => {
    for (const query of [
      { type: 'payment' as const },
      { account: 'available' as const, direction: 'out' as const, type: 'withdrawal' as const },
      { type: 'fee' as const, token_id: 'eth:USDT' },
      { network_id: 'bsc' },
    ]) {
      const { token_id: _, network_id, ...fields } = { token_id: '', network_id: '', ...query }
      const expected = rows.filter(
        row => Object.entries(fields).every(([name, value]) => row[name as 'type'] === value) && network_id === '',
      )
      assert.deepEqual(await list(query), { list: expected, total: expected.length }, JSON.stringify(query))
    }
  }
  const sumOf = (shown: Flow['list'], direction: string) =>
    shown
      .filter(row => row.direction === direction && row.token === 'USDT')
      .reduce((sum, row) => sum + Number(row.amount), 0)
  const checkSums = async () => {
    for (const account of ['available', 'held'] as const) {
      const all = await list({ account })
      const incoming = await list({ account, direction: 'in' })
      const outgoing = await list({ account, direction: 'out' })
      assert.equal(all.total, incoming.total + outgoing.total)
      assert.ok(incoming.total > 0 && all.list.every(row => row.account === account))
      const { rows: stored } = await owner.query(
        `select sum(balance) as n from ledger_accounts where merchant_id = $1 and part = $2 and asset_id like '%USDT'`,
        [merchant.id, account],
      )
      assert.equal((sumOf(incoming.list, 'in') - sumOf(outgoing.list, 'out')) * 1e6, Number(stored[0].n), account)
    }
    const moved = [await file('hledger', '&direction=in'), await file('hledger', '&direction=out')]
    assert.deepEqual(
      moved.flatMap(({ text }) => text.match(/(?<=^[\d-]{10} \* \()[\w-]+/gm)).sort(),
      [...rows, ...(await list({ account: 'held' })).list]
        .filter(row => row.payment_type !== 'reserve')
        .map(row => row.id)
        .sort(),
      'a reserve is neither incoming nor outgoing for both accounts together',
    )
    const held = await file('csv', '&account=held')
    assert.equal(held.text.trimEnd().split('\r\n').length - 1, (await list({ account: 'held' })).total)
  }
  await check()
  await checkSums()
  while (await foldLists(deps));
  await check()
  await checkSums()
  const other = await testMerchant(deps)
  assert.deepEqual(await list({}, other.id), { list: [], total: 0 })
  assert.deepEqual((await file('hledger', '', other.token)).rows, 0)
})

test('the file of gas fees has each of the merchant, newest first', async () => {
  const { id } = await testMerchant(deps)
  for (const [n, units] of [2_000_000_000_000_000n, 1n].entries())
    await owner.query(
      `insert into gas_expenses (merchant_id, id, chain_id, asset_id, amount, txid, created_at)
       select $1, $2, chain_id, id, $3, $4, $5 from assets where id = 'eth:ETH'`,
      [id, `g-${n}`, units, `0x${'e'.repeat(64)}`, deps.clock() - n],
    )
  const rows = await exportCells(deps, gasExport, { merchantId: id, filter: {}, language: 'en' })
  const both = { Token: 'ETH', Chain: 'Ethereum', Transaction: `0x${'e'.repeat(64)}` }
  assert.deepEqual(rows, [
    { Time: deps.clock(), Amount: { number: '0.002' }, ...both },
    { Time: deps.clock() - 1, Amount: { number: '0.000000000000000001' }, ...both },
  ])
})

test('the comma-separated file has every posting, oldest first, and no formulas', async () => {
  await owner.query(`update ledger_groups set memo = memo || '{"trade_no": "=1+1,\\"x"}' where source like 'grant%'`)
  const { rows, name, text } = await file('csv')
  assert.match(name!, /filename="FundFlow\d{14}\.csv"/)
  const [head, ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n')
  assert.match(head!, /^Serial number,Time \(Asia\/Shanghai\),Transaction type,/)
  const shown = (await list()).list.toReversed()
  assert.equal(rows, shown.length)
  assert.deepEqual(
    lines.map(line => line.split(',')[0]),
    shown.map(row => row.id),
  )
  assert.match(lines[0]!, /^[\w-]+,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+08:00,/)
  assert.match(lines[0]!, /,"'=1\+1,""x",/)
  const fees = await file('csv', '&type=fee')
  assert.equal(fees.text.trimEnd().split('\r\n').length - 1, fees.rows)
})

/**
 * Reads a journal as `hledger check --strict` does: sums of each account, with the balance of each transaction checked,
 * and every account and commodity declared before its use. Tags are read up to a comma.
 */
function readJournal(text: string): Map<string, number> {
  const sums = new Map<string, number>()
  const declared = new Set<string>()
  const mustDeclare = (...names: string[]) => {
    for (const name of names) assert.ok(declared.has(name), `undeclared ${name}`)
  }
  let open: number | null = null
  for (const line of text.split('\n')) {
    const posted = /^ {4}([a-z][^;]*?) {2,}(-?\d+(?:\.\d+)?) ([A-Z]+)$/.exec(line)
    const [, directive] = /^((?:account|commodity) \S(?: ?[^ ;])*)$/.exec(line) ?? []
    const price = /^P \d{4}-\d\d-\d\d ([A-Z]+) [\d.]+ ([A-Z]{3})$/.exec(line)
    const tag = /^ {4}; ([a-z]+): ([^,;]+)$/.exec(line)
    if (directive) declared.add(directive)
    else if (price) mustDeclare(`commodity ${price[1]}`, `commodity ${price[2]}`)
    else if (tag) {
      if (tag[1] === 'time') assert.match(tag[2]!, /^\d\d:\d\d:\d\d\+08:00$/)
    } else if (posted) {
      assert.ok(open !== null, line)
      mustDeclare(`account ${posted[1]}`, `commodity ${posted[3]}`)
      const amount = Math.round(Number(posted[2]) * 1e6)
      sums.set(posted[1]!, (sums.get(posted[1]!) ?? 0) + amount)
      open += amount
    } else if (/^\d{4}-\d\d-\d\d \* \([0-9a-f-]{36}\) [A-Z][a-z]+$/.test(line)) open = 0
    else if (line === '') {
      assert.ok(!open, `out of balance before ${line}`)
      open = null
    } else assert.match(line, /^(;.*|decimal-mark \.)$/)
  }
  return sums
}

test('the journal balances, agrees with the ledger, and hledger accepts it', async t => {
  const rename = (name: string) =>
    owner.query(`update chains set definition = jsonb_set(definition, '{name}', $1::jsonb) where id = 'eth'`, [
      JSON.stringify(name),
    ])
  await rename('Ether;  eum: x')
  t.after(() => rename('Ethereum'))
  const { rows, text } = await file('hledger')
  assert.equal(text.match(/^\d{4}-/gm)?.length, rows)
  const sums = readJournal(text)
  const accounts = await rowsOf(
    owner,
    'select part, balance from ledger_accounts where merchant_id = $1 and balance > 0',
    [merchant.id],
  )
  for (const { part, balance } of accounts) assert.equal(sums.get(`assets:coffer:${part}:Ether eum x`), Number(balance))
  assert.equal(sums.get('income:payments'), -50_000_000)
  assert.match(text, /^P \d{4}-\d\d-\d\d USDT 0\.9 EUR$/m)
  if (spawnSync('hledger', ['--version']).error) return t.diagnostic('hledger is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'coffer-journal-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'flow.journal'), text)
  const checked = spawnSync('hledger', ['-f', join(folder, 'flow.journal'), 'check', '--strict', 'ordereddates'], {
    encoding: 'utf8',
  })
  assert.equal(checked.status, 0, checked.stderr)
})
