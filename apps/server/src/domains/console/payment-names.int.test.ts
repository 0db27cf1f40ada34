import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackStatus } from '@coffer/contract/codes.ts'
import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'
import { findCommand, runCommand } from '../../cli/run.ts'
import { call } from '../../testing/call.ts'
import { visitor } from '../../testing/merchants.ts'
import { moneyWorld } from '../../testing/money.ts'
import { callbackHandlers } from '../callbacks/routes.ts'
import { createCollection } from '../payment-links/collect.ts'
import { paymentLinkHandlers } from '../payment-links/routes.ts'
import { closePayment } from '../payments/close-payment.ts'
import { paymentHandlers } from '../payments/routes.ts'
import { lookupHandlers } from './lookup-routes.ts'
import { operationHandlers } from './operation-routes.ts'

const world = await moneyWorld({ after })
const { deps, merchant, appid } = world
const from = visitor

/** Hostile where a page, a spreadsheet or a statement would read it. */
const title = `<img src=x onerror=alert(1)> =1+1 '"; “茶” 100 g`

/** What operators see of a payment's name. */
async function operatorsSee(tradeNo: string) {
  const search = await lookupHandlers['GET /api/operator/v1/search']({ deps, query: { text: tradeNo } } as never)
  const listed = await lookupHandlers['GET /api/operator/v1/payments']({ deps, query: { text: tradeNo } } as never)
  const activity = await lookupHandlers['GET /api/operator/v1/merchants/:id/activity']({
    deps,
    params: { id: merchant.mchid },
  } as never)
  return [search.payments, listed.list, activity.payments].map(
    rows => rows.find((row: { trade_no: string }) => row.trade_no === tradeNo)?.title,
  )
}

/** The name of a payment in the merchant's records and callbacks. */
async function merchantSees(trade_no: string) {
  const records = await call(paymentHandlers, 'GET /api/v1/transactions/list', deps, merchant.id, {
    query: { trade_no },
  })
  const query = { query: { trade_no } }
  const { list } = await call(callbackHandlers, 'GET /api/v1/callback/list', deps, merchant.id, query)
  const details = await Promise.all(
    list.map(({ id }) => call(callbackHandlers, 'GET /api/v1/callback/detail', deps, merchant.id, { query: { id } })),
  )
  return [...records.list, ...list, ...details].map(row => row.title)
}

test('operators and callbacks name a payment of a link by what it sells', async () => {
  const { trade_no } = await world.pay({ subject: title, metadata: { [paymentLinkMetadataKey]: 'a-link' } })
  await closePayment(deps, { merchantId: merchant.id, appid, tradeNo: trade_no })
  assert.deepEqual(await operatorsSee(trade_no), [title, title, title])
  assert.deepEqual(await merchantSees(trade_no), [title, title, title])
})

test('a payment at the counter has its note as its name', async () => {
  const request = { amount: '5', currency: 'USDT', note: title }
  const { trade_no } = await createCollection(deps, { merchantId: merchant.id, personId: merchant.id, request, from })
  assert.deepEqual(await operatorsSee(trade_no), [title, title, title])
  assert.deepEqual(await merchantSees(trade_no), [title])
  const { list } = await call(paymentLinkHandlers, 'GET /api/v1/collect', deps, merchant.id, {})
  assert.deepEqual(
    list.map(({ note }) => note),
    [title],
  )
})

test('another payment has no name but its number', async () => {
  for (const out_trade_no of ['counter-12', 'A-1']) {
    const { trade_no } = await world.pay({ out_trade_no, subject: title })
    assert.deepEqual(await operatorsSee(trade_no), ['', '', ''])
    assert.deepEqual(await merchantSees(trade_no), [''])
  }
})

test('abandoned callbacks name their payment as every list does, on each page and on the command line', async () => {
  const sold = await world.pay({ subject: title, metadata: { [paymentLinkMetadataKey]: 'a-link' } })
  const ordered = await world.pay({ out_trade_no: 'A-2', subject: title })
  for (const { trade_no: tradeNo } of [sold, ordered]) {
    await closePayment(deps, { merchantId: merchant.id, appid, tradeNo })
    await world.owner.query(
      `update callbacks set status = ${callbackStatus.given_up}, next_at = null where trade_no = $1`,
      [tradeNo],
    )
  }
  const ask = { deps, query: {}, params: { id: merchant.mchid } } as never
  const lists = [
    (await operationHandlers['GET /api/operator/v1/queues'](ask)).dead_letters,
    (await lookupHandlers['GET /api/operator/v1/callbacks'](ask)).list,
    (await lookupHandlers['GET /api/operator/v1/merchants/:id/activity'](ask)).callbacks,
  ]
  for (const list of lists)
    assert.deepEqual(
      [sold, ordered]
        .map(({ trade_no }) => list.find(row => row.trade_no === trade_no))
        .map(row => [row?.title, row?.out_trade_no]),
      [
        [title, sold.out_trade_no],
        ['', 'A-2'],
      ],
    )
  const ofOne = { deps, query: { trade_no: sold.trade_no } } as never
  assert.equal((await lookupHandlers['GET /api/operator/v1/callbacks'](ofOne)).list[0]?.title, title)
  const { text } = await runCommand(deps, findCommand(['callback', 'list'])!)
  assert.ok(text.includes(title) && text.includes('A-2'), text)
})
