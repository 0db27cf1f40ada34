import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { paymentStatus } from '@coffer/contract'
import { Refusal } from '../../kit/refusal.ts'
import { call } from '../../testing/call.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { eth, moneyWorld } from '../../testing/money.ts'
import { paymentHandlers } from './routes.ts'

const world = await moneyWorld({ after })
const { deps, merchant } = world
const list = (query: object, merchantId = merchant.id) =>
  call(paymentHandlers, 'GET /api/v1/transactions/list', deps, merchantId, { query })
const detail = (trade_no: string, merchantId = merchant.id) =>
  call(paymentHandlers, 'GET /api/v1/transactions/detail', deps, merchantId, { query: { trade_no } })
const refusal = (reason: string) => (error: unknown) => error instanceof Refusal && error.reason === reason

test('a record shows the requested amount, the deposits and the receiving address', async () => {
  const now = deps.clock()
  const order = await world.pay({ amount: '12.5', currency: 'EUR', out_trade_no: 'shop-1' })
  await world.eth.add([{ to: order.address, amount: BigInt(13_750_000) }])
  await world.eth.confirm()
  const { list: rows, total } = await list({ out_trade_no: 'shop-1' })
  assert.equal(total, 1)
  const [row] = rows
  assert.deepEqual(
    { ...row, chain_confirmation_information: row?.chain_confirmation_information.length },
    {
      apply_name: 'Corner shop',
      title: '',
      appid: world.appid,
      out_trade_no: 'shop-1',
      trade_no: order.trade_no,
      amount: '13.75',
      token: 'USDT',
      usdt_amount: '13.75',
      fiat_name: 'EUR',
      fiat_amount: '12.5',
      chain: eth.name,
      contract: chainAdapters.evm.address.show(eth.tokens[0]!.contract),
      fees: '0.055',
      status: paymentStatus.paid,
      exception: 'none',
      paid_amount: '13.75',
      address: chainAdapters.evm.address.show(order.address),
      created_time: now,
      expire_time: now + 1800,
      paid_time: now,
      logo: '/logos/token-usdt.svg',
      chain_confirmation_information: 1,
    },
  )
  const full = await detail(order.trade_no)
  assert.equal(full.rate?.price, '1.1')
  assert.deepEqual(full.history.map(step => step.event).slice(0, 2), ['created', 'asset_chosen'])
  assert.deepEqual(full.history.at(-1)?.status, paymentStatus.paid)
  assert.deepEqual(full.callbacks.map(each => each.event).sort(), ['payment.paid', 'payment.seen'])
})

test('a payment without a chosen token has empty amounts, and no rate if priced in USDT', async () => {
  const order = await world.pay({ chain: undefined, token: undefined })
  const full = await detail(order.trade_no)
  assert.deepEqual([full.amount, full.token, full.chain, full.address, full.rate], ['', '', '', '', null])
})

test('records of other merchants are not visible', async () => {
  const stranger = await testMerchant(deps)
  const { trade_no, out_trade_no } = await world.pay()
  for (const query of [{}, { trade_no }, { out_trade_no }, { appid: world.appid }, { status: paymentStatus.open }])
    assert.deepEqual(await list(query, stranger.id), { list: [], total: 0, truncated: false })
  await assert.rejects(detail(trade_no, stranger.id), refusal('transaction_not_exist'))
})

test('records are sorted newest first and filtered by status', async () => {
  deps.pass(60)
  const newest = await world.pay()
  const { list: rows, total } = await list({ pageSize: 1, current: 1 })
  assert.equal(rows[0]?.trade_no, newest.trade_no)
  const paid = await list({ status: paymentStatus.paid })
  const open = await list({ status: paymentStatus.open })
  assert.equal(paid.total + open.total, total)
  assert.ok(paid.list.every(row => row.status === paymentStatus.paid))
})

test('invalid input is refused with the error name', async () => {
  for (const query of [
    { pageSize: 101 },
    { pageSize: 0 },
    { current: 0 },
    { current: '1; drop table payments' },
    { status: 9 },
    { appid: 'a\u0000b' },
    { out_trade_no: 'a\u202e' },
    { exception: 'none' },
    { txid: "' or 1=1 --" },
    { metadata: 'without a value' },
    { text: ' ' },
    { address: 'a'.repeat(65) },
    { trade_no: '١٢٣' },
    { start_time: -1 },
    { unknown: '1' },
  ])
    await assert.rejects(list(query), { name: 'ZodError' })
  assert.equal((await list({ appid: "x' or '1'='1" })).total, 0)
})
