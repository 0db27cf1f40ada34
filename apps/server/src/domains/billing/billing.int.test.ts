import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formatDecimal, parseDecimal, roundDecimal } from '@coffer/contract/kit/decimal.ts'
import { availableAccount, groupPostings, houseAccount, makePosting, reverseGroup } from '@coffer/core'
import { foldLists } from '../../kit/counted-list.ts'
import { tx } from '../../kit/db.ts'
import { breakOnce } from '../../testing/break.ts'
import { call } from '../../testing/call.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { moneyWorld } from '../../testing/money.ts'
import { fundFlowHandlers } from '../fund-flow/routes.ts'
import { postEntries } from '../ledger/store.ts'
import { monthRange, readInvoiceLines } from './bill.ts'
import { correctInvoice } from './correct-invoice.ts'
import { issueInvoices } from './issue-invoices.ts'
import { billingHandlers } from './routes.ts'
import { readMerchantSpending } from './store.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant } = world
const asset = 'eth:USDT'
const get = (merchantId = merchant.id) => call(billingHandlers, 'GET /api/v1/account/billing', deps, merchantId)
const invoices = (merchantId = merchant.id) =>
  call(billingHandlers, 'GET /api/v1/account/invoices', deps, merchantId, { query: {} })
const invoice = (merchantId: string, month: string, version?: string) =>
  call(billingHandlers, 'GET /api/v1/account/invoice', deps, merchantId, {
    query: { month, ...(version && { version }) },
  })
const setDetails = (merchantId: string, name: string, fiat: 'USD' | 'EUR') =>
  call(billingHandlers, 'PUT /api/v1/account/billing', deps, merchantId, {
    body: { name, address: ' 1 High Street ', tax_number: 'GB 123', fiat },
  })

/** Unix seconds of the day of October or November. */
const at = (month: number, day: number) => Date.UTC(2025, month - 1, day, 12) / 1000
let count = 0
const credit = (amount: bigint, fee: bigint, time: number, merchantId: string) => ({
  time,
  group: groupPostings(`deposit:${++count}`, [
    makePosting('payment', houseAccount('chain', asset), availableAccount(merchantId, asset), amount),
    makePosting('fee', availableAccount(merchantId, asset), houseAccount('fees', asset), fee),
  ]),
})
const write = (entry: { time: number; group: ReturnType<typeof groupPostings> }) =>
  tx(deps.pool, c => postEntries(c, [{ group: entry.group }], entry.time))

deps.pass(at(11, 20) - deps.clock())
await owner.query(`insert into price_history values ('USDT', $1, '0.99', 'a,b'), ('EUR', $1, '1.10', 'c,d')`, [
  at(10, 5) - 60,
])

test('a month is billed once it is over, and its invoice never changes', async () => {
  const { id, mchid } = await testMerchant(deps)
  await setDetails(id, ' Shop Ltd ', 'EUR')
  const undone = credit(2_000_000n, 8_000n, at(10, 5), id)
  for (const each of [credit(10_000_000n, 40_000n, at(10, 5), id), undone, credit(5_000_000n, 20_000n, at(11, 2), id)])
    await write(each)
  await write({ time: at(10, 6), group: reverseGroup(undone.group) })
  await owner.query(
    `insert into gas_expenses (merchant_id, id, chain_id, asset_id, amount, txid, created_at) values ($1, 'x', 'eth', 'eth:ETH', 7, '', $2)`,
    [id, at(10, 7)],
  )
  assert.deepEqual(
    (await get(id)).current.lines.map(line => [line.item, line.count, line.amount, line.value, line.unvalued]),
    [['payment_fee', 1, '0.02', null, 1]],
  )
  while (await foldLists(deps));
  await Promise.all([issueInvoices(deps), issueInvoices(deps)])
  const { list, total } = await invoices(id)
  assert.equal(total, 1)
  assert.deepEqual([list[0]!.number, list[0]!.month, list[0]!.version], [`INV-202510-${mchid}`, '2025-10', 1])
  const october = await invoice(id, '2025-10')
  assert.deepEqual(october.details, { name: 'Shop Ltd', address: '1 High Street', tax_number: 'GB 123' })
  assert.deepEqual(
    october.lines.map(line => [line.item, line.token, line.count, line.amount, line.value, line.unvalued]),
    [
      ['aggregation_gas', 'ETH', 1, '0.000000000000000007', null, 1],
      // The reversed fee is deducted, but had no price on its day: its value is left out.
      ['payment_fee', 'USDT', 1, '0.04', '0.04', 1],
    ],
  )
  await write(credit(1_000_000n, 4_000n, at(10, 30), id))
  while (await foldLists(deps));
  await issueInvoices(deps)
  assert.deepEqual(await invoice(id, '2025-10'), october)
  for (const sql of [`update invoices set fiat = 'USD'`, 'delete from invoices'])
    await assert.rejects(deps.pool.query(sql), { code: '42501' })
})

test('charges are valued at the prices of their time', async () => {
  const other = await testMerchant(deps)
  await owner.query(`update merchants set fiat = 'EUR' where id = $1`, [other.id])
  await write(credit(10_000_000n, 40_000n, at(10, 5), other.id))
  while (await foldLists(deps));
  await issueInvoices(deps)
  const { list } = await invoices(other.id)
  assert.deepEqual([list[0]!.total, list[0]!.count, list[0]!.fiat], ['0.04', 1, 'EUR'])
  assert.equal((await invoices()).total, 0, 'another merchant sees its own invoices only')
})

test('an entry has one value, in the fund flow and on the invoice, and columns add up', async () => {
  const { id } = await testMerchant(deps)
  await owner.query(`update merchants set fiat = 'EUR' where id = $1`, [id])
  const start = at(11, 12) - (at(11, 12) % 300)
  await owner.query(
    `insert into price_history values ('USDT', $1, '0.9991', 'a,b'), ('EUR', $1, '1.1003', 'c,d'),
       ('USDT', $2, '1.0007', 'a,b'), ('EUR', $2, '1.0711', 'c,d')`,
    [start - 200, start + 101],
  )
  // Before and after the price within the same five minutes, and when the older price is too old for the second of two.
  for (const [time, fee] of [
    [start + 1, 235_111n],
    [start + 100, 7n],
    [start + 101, 235_115n],
    [start + 250, 3_333_333n],
    [start + 101 + 899, 1n],
    [start + 101 + 900, 999_999n],
  ] as const)
    await write(credit(10_000_000n, fee, time, id))
  const flow = await call(fundFlowHandlers, 'GET /api/v1/account/stream', deps, id, { query: { type: 'fee' } })
  const values = flow.list.map(row => row.value)
  const sum = values.reduce((total, value) => total + (parseDecimal(value?.amount ?? '0', 8) ?? 0n), 0n)
  const lines = await readInvoiceLines(deps.pool, id, '2025-11', 'EUR')
  assert.deepEqual(
    lines.map(({ item, count, value, unvalued }) => [item, count, value, unvalued]),
    [['payment_fee', 6, roundDecimal(formatDecimal(sum, 8), 2), values.filter(value => value === null).length]],
  )
  const { start: from, end } = monthRange('2025-11')
  const [exact] = await readMerchantSpending(deps.pool, id, from, end, 'EUR')
  assert.equal(parseDecimal(exact!.value!, 8), sum, 'each entry at its own price, rounded as in the fund flow')
  assert.equal(values.at(-1)?.amount, '0.21348669')
})

test('a correction is a new version with the new details; a second click is refused', async () => {
  const { id } = await testMerchant(deps)
  await setDetails(id, 'Shop Ltd', 'EUR')
  await write(credit(10_000_000n, 40_000n, at(10, 5), id))
  while (await foldLists(deps));
  await issueInvoices(deps)
  const ask = () => correctInvoice(deps, { merchantId: id, month: '2025-10' })
  await assert.rejects(ask(), { reason: 'invoice_unchanged' })
  await assert.rejects(correctInvoice(deps, { merchantId: id, month: '2025-09' }), { reason: 'not_found' })
  await setDetails(id, 'Shop GmbH', 'USD')
  const [one, two] = await Promise.allSettled([ask(), ask()])
  assert.deepEqual([one!.status, two!.status].sort(), ['fulfilled', 'rejected'])
  const first = await invoice(id, '2025-10', '1')
  const second = await invoice(id, '2025-10')
  assert.deepEqual([first.corrected_by, second.corrects], [second.number, first.number])
  assert.deepEqual([first.details.name, second.details.name], ['Shop Ltd', 'Shop GmbH'])
  assert.deepEqual([second.lines, second.fiat, (await invoices(id)).total], [first.lines, 'EUR', 1])
})

test('details that are saved without text correct nothing', async () => {
  const other = await testMerchant(deps)
  await write(credit(10_000_000n, 40_000n, at(10, 5), other.id))
  while (await foldLists(deps));
  await issueInvoices(deps)
  await call(billingHandlers, 'PUT /api/v1/account/billing', deps, other.id, {
    body: { name: ' ', address: '', tax_number: '', fiat: 'USD' },
  })
  await assert.rejects(correctInvoice(deps, { merchantId: other.id, month: '2025-10' }), {
    reason: 'invoice_unchanged',
  })
})

test('billing details are the own ones, for accounts that are not frozen or closed, and a crash changes nothing', async () => {
  const { id } = await testMerchant(deps)
  const save = (name: string, of = deps) =>
    call(billingHandlers, 'PUT /api/v1/account/billing', of, id, {
      body: { name, address: '', tax_number: '', fiat: 'EUR' },
    })
  const { details: before } = await get(id)
  for (const pattern of [/update merchants set billing/, /^commit/i])
    await assert.rejects(save('Crashed', { ...deps, pool: breakOnce(deps.pool, pattern) }), /killed here/)
  for (const [set, reason] of [
    ['frozen = true', 'account_frozen'],
    ['frozen = false, deleted_at = 1', 'login_expired'],
  ]) {
    await owner.query(`update merchants set ${set} where id = $1`, [id])
    await assert.rejects(save('Refused'), { reason })
  }
  await owner.query('update merchants set deleted_at = null where id = $1', [id])
  assert.deepEqual((await get(id)).details, before)
  const others = (await get()).details
  await Promise.all([save('Second click'), save('Second click')])
  assert.deepEqual([(await get(id)).details.name, (await get()).details], ['Second click', others])
})
