import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { wholeShop } from '../../../kit/visible-to.ts'
import { ownerReader, testApplication, testMerchant } from '../../../testing/merchants.ts'
import { bsc, eth, type MoneyWorld, moneyWorld } from '../../../testing/money.ts'
import { closePayment } from '../close-payment.ts'
import payments, { formatPaymentCursor, readPaymentsAfter } from './export.ts'
import { textMatchesMax } from './find-payments-by-text.ts'
import { findPayments, nextPayments, type PaymentFilter, pagePayments, pageWithDeposits } from './payment-list.ts'

const all = { limit: 100, offset: 0 }

/** Finds the order numbers of a filter by the list, by that of the records and by the export, which must agree. */
async function found({ deps, merchant }: MoneyWorld, filter: PaymentFilter, merchantId = merchant.id) {
  const { rows, total } = await pagePayments(deps.pool, wholeShop(merchantId), filter, all)
  const exported = await nextPayments(
    deps.pool,
    { merchantId, filter: await findPayments(deps.pool, wholeShop(merchantId), filter) },
    undefined,
    100,
  )
  const numbers = rows.map(row => row.out_trade_no)
  const records = await pageWithDeposits(deps, wholeShop(merchantId), filter, all)
  assert.deepEqual(
    [records.rows.map(({ row }) => row.out_trade_no), records.total, records.truncated],
    [numbers, total, false],
    JSON.stringify(filter),
  )
  assert.deepEqual(
    exported.map(row => row.out_trade_no),
    numbers,
    JSON.stringify(filter),
  )
  assert.equal(total, numbers.length)
  return numbers.sort()
}

test('payments are found by exception, text, address, transaction and metadata, also combined', async t => {
  const world = await moneyWorld(t)
  const { eth: chain, deps, merchant, appid } = world
  const metadata = { customer: 42, vip: true }
  const book = await world.pay({ out_trade_no: 'A-100', subject: 'A Red Book', metadata })
  deps.pass(10)
  const pen = await world.pay({
    out_trade_no: 'A-101',
    amount: '94.9',
    subject: 'Red pen, 年度会员订阅',
    attach: 'row7',
  })
  deps.pass(10)
  await world.pay({ out_trade_no: 'B-200', chain: bsc.id, metadata: { customer: 42 } })
  await chain.add([{ to: book.address, amount: 4_000_000n, txid: `0x${'ab'.repeat(32)}` }])
  await chain.confirm()
  const table: [PaymentFilter, string[]][] = [
    [{ exception: 'partial' }, ['A-100']],
    [{ exception: 'over' }, []],
    [{ exception: 'none' as never }, []],
    [{ text: 'a-1' }, ['A-100', 'A-101']],
    [{ text: 'red' }, ['A-100', 'A-101']],
    [{ text: 'pen RED' }, ['A-101']],
    [{ text: 'pen ed' }, []],
    [{ text: 'r p' }, ['A-101']],
    [{ text: 'pen .*' }, ['A-101']],
    [{ text: '会员' }, ['A-101']],
    [{ text: 'row7' }, ['A-101']],
    [{ text: '94.90' }, ['A-101']],
    [{ text: '94,90 USDT' }, ['A-101']],
    [{ text: book.trade_no.slice(0, 31) }, ['A-100']],
    [{ text: chainAdapters.evm.address.show(pen.address) }, ['A-101']],
    [{ text: ` ${pen.address}` }, ['A-101']],
    [{ text: `0x${'AB'.repeat(32)}` }, ['A-100']],
    [{ text: 'ab'.repeat(32) }, ['A-100']],
    [{ text: 'cd'.repeat(32) }, []],
    [{ text: '%' }, []],
    [{ text: 'blue' }, []],
    [{ address: chainAdapters.evm.address.show(pen.address) }, ['A-101']],
    [{ address: pen.address }, ['A-101']],
    [{ address: 'no address' }, []],
    [{ txid: `0x${'AB'.repeat(32)}` }, ['A-100']],
    [{ txid: 'ab'.repeat(32) }, ['A-100']],
    [{ txid: 'cd'.repeat(32) }, []],
    [{ metadata: 'customer=42' }, ['A-100', 'B-200']],
    [{ metadata: 'customer=4' }, []],
    [
      { metadata: 'vip=true', text: 'book', exception: 'partial', txid: 'ab'.repeat(32), address: book.address },
      ['A-100'],
    ],
    [{ metadata: 'vip=true', text: 'pen' }, []],
    [{ text: 'red', status: 2 }, []],
    [{ text: 'red', out_trade_no: 'A-101' }, ['A-101']],
    [{ text: 'red', trade_no: book.trade_no }, ['A-100']],
    [{ text: 'red', start_time: pen.created_time }, ['A-101']],
    [{ text: 'red', end_time: pen.created_time - 1 }, ['A-100']],
    [{ text: 'red', appid }, ['A-100', 'A-101']],
    [{ text: 'red', appid: 'app_other' }, []],
  ]
  for (const [filter, expected] of table) assert.deepEqual(await found(world, filter), expected, JSON.stringify(filter))
  const stranger = await testMerchant(deps)
  for (const [filter] of table) assert.deepEqual(await found(world, filter, stranger.id), [], JSON.stringify(filter))
  assert.equal(merchant.id === stranger.id, false)
})

test('pages of a search are disjoint and count all', async t => {
  const world = await moneyWorld(t)
  for (let i = 0; i < 7; i++) await world.pay({ subject: 'shirt', chain: undefined, token: undefined })
  const seen: string[] = []
  for (let offset = 0; offset < 9; offset += 3) {
    const { rows, total } = await pagePayments(
      world.deps.pool,
      wholeShop(world.merchant.id),
      { text: 'shirt' },
      { limit: 3, offset },
    )
    assert.equal(total, 7)
    seen.push(...rows.map(row => row.trade_no))
  }
  assert.equal(new Set(seen).size, 7)
  const beyond = await pagePayments(
    world.deps.pool,
    wholeShop(world.merchant.id),
    { text: 'shirt' },
    { limit: 3, offset: 90 },
  )
  assert.deepEqual([beyond.rows, beyond.total], [[], 7])
})

/**
 * Makes one more payment than a text finds, each a second older than the one before. Returns the number of the newest.
 */
async function manyShirts({ owner, pay }: MoneyWorld): Promise<string> {
  const { trade_no } = await pay({ subject: 'shirt', chain: undefined, token: undefined })
  for (const [table, more] of [
    ['payments', `'out_trade_no', 'more-' || n`],
    ['payment_terms', `'term', r.term`],
  ])
    await owner.query(
      `insert into ${table} select (jsonb_populate_record(r, jsonb_build_object(
         'trade_no', lpad(n::text, 32, '0'), 'created_at', r.created_at - n, ${more}))).*
       from ${table} r, generate_series(1, ${textMatchesMax}) n where r.trade_no = $1`,
      [trade_no],
    )
  return trade_no
}

test('a text that finds too many finds the newest, in every list and file', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant } = world
  const trade_no = await manyShirts(world)
  const filter = { text: 'shirt' }
  const scope = { merchantId: merchant.id, filter: await findPayments(deps.pool, wholeShop(merchant.id), filter) }
  const { rows, total, truncated } = await pageWithDeposits(deps, wholeShop(merchant.id), filter, all)
  const listed = await pagePayments(deps.pool, wholeShop(merchant.id), filter, all)
  assert.deepEqual([total, truncated, listed.total], [textMatchesMax, true, textMatchesMax])
  assert.equal(rows[0]!.row.trade_no, trade_no)
  const exported = await nextPayments(deps.pool, scope, undefined, textMatchesMax + 10)
  assert.equal(exported.length, textMatchesMax)
  assert.deepEqual(
    exported.slice(0, all.limit).map(row => row.trade_no),
    rows.map(({ row }) => row.trade_no),
  )
})

test('an export searches for its text once, however many reads it takes', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant } = world
  for (let n = 0; n < 5; n++) await world.pay({ subject: 'shirt', chain: undefined, token: undefined })
  const statements: string[] = []
  const c = {
    query: (statement: { name: string }) => {
      statements.push(statement.name)
      return deps.pool.query(statement as unknown as string)
    },
  } as unknown as typeof deps.pool
  const scope = { ...ownerReader(merchant.id), language: 'en' as const }
  const filter = await payments.find!(c, { ...scope, filter: { text: 'shirt' } })
  assert.equal(await payments.count(c, { ...scope, filter }), 5)
  let rows = await payments.next(c, { ...scope, filter }, undefined, 2)
  let read = rows.length
  for (; rows.length === 2; read += rows.length) rows = await payments.next(c, { ...scope, filter }, rows.at(-1), 2)
  assert.equal(read, 5)
  assert.equal(statements.filter(name => name === 'payments-match').length, 1)
})

test('a cursor of a text that finds too many is not shifted by new orders', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant, appid } = world
  await manyShirts(world)
  const filter = { appid, text: 'shirt' }
  const { rows } = await pagePayments(deps.pool, wholeShop(merchant.id), filter, {
    limit: 1,
    offset: textMatchesMax - 3,
  })
  const after = async () =>
    (await readPaymentsAfter(deps.pool, wholeShop(merchant.id), filter, formatPaymentCursor(rows[0]!), 2)).map(
      row => row.trade_no,
    )
  const expected = await after()
  assert.equal(expected.length, 2)
  deps.pass(1)
  for (let n = 0; n < 3; n++) await world.pay({ subject: 'shirt', chain: undefined, token: undefined })
  assert.deepEqual(await after(), expected)
})

test('the beginning of platform numbers finds all of its time, and other texts of any time', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant } = world
  // Ten o'clock on 2 June 2025.
  const make = (out_trade_no: string) => world.pay({ out_trade_no, chain: undefined, token: undefined })
  await make('2025060211-earlier')
  await make('other-earlier')
  deps.pass(3_600)
  for (const number of ['2025060211-within', 'B-1', 'B-2']) {
    await make(number)
    deps.pass(600)
  }
  deps.pass(3_600)
  await make('other-later')
  await make('2025060211-later')
  const filter = { text: '2025060211' }
  const expected = ['2025060211-later', 'B-2', 'B-1', '2025060211-within', '2025060211-earlier']
  const pages: string[] = []
  for (let offset = 0; offset < 8; offset += 2) {
    const { rows, total } = await pagePayments(deps.pool, wholeShop(merchant.id), filter, { limit: 2, offset })
    assert.equal(total, 5)
    pages.push(...rows.map(row => row.out_trade_no))
  }
  assert.deepEqual(pages, expected)
  const exported: string[] = []
  const scope = { merchantId: merchant.id, filter: await findPayments(deps.pool, wholeShop(merchant.id), filter) }
  for (let last: Parameters<typeof nextPayments>[2]; exported.length < 6; ) {
    const rows = await nextPayments(deps.pool, scope, last, 2)
    exported.push(...rows.map(row => row.out_trade_no))
    if (rows.length < 2) break
    last = rows.at(-1)
  }
  assert.deepEqual(exported, expected)
  assert.deepEqual(await found(world, { ...filter, start_time: deps.clock() - 3_600 }), ['2025060211-later'])
  assert.deepEqual(await found(world, { ...filter, end_time: deps.clock() - 4_500 }), [
    '2025060211-earlier',
    '2025060211-within',
    'B-1',
  ])
  assert.deepEqual(await found(world, { ...filter, out_trade_no: 'B-2' }), ['B-2'])
  assert.deepEqual(await found(world, { ...filter, status: 2 }), [])
})

test('a cursor is not shifted by new orders and respects filters and applications', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant, appid } = world
  const other = await testApplication(deps, merchant.id)
  const made: string[] = []
  for (let i = 0; i < 5; i++) {
    deps.pass(1)
    made.unshift((await world.pay({ chain: undefined, token: undefined, metadata: { n: i % 2 } })).trade_no)
    await world.pay({ chain: eth.id }, { merchantId: merchant.id, appid: other.appid })
  }
  const place = (await pagePayments(deps.pool, wholeShop(merchant.id), { appid }, { limit: 2, offset: 0 })).rows.at(-1)!
  await world.pay({ chain: undefined, token: undefined })
  await closePayment(deps, { merchantId: merchant.id, appid, tradeNo: made[2]! })
  const cursor = `${place.created_at}-${place.trade_no}`
  const after = async (filter: PaymentFilter) =>
    (await readPaymentsAfter(deps.pool, wholeShop(merchant.id), { appid, ...filter }, cursor, 10)).map(
      row => row.trade_no,
    )
  assert.deepEqual(await after({}), made.slice(2))
  assert.deepEqual(await after({ status: 1 }), made.slice(3))
  assert.deepEqual(await after({ metadata: 'n=0' }), [made[2], made[4]])
  assert.deepEqual(await after({ end_time: place.created_at - 2 }), made.slice(3))
})
