import { paymentStatus } from '@coffer/contract'
import type pg from 'pg'
import { lately } from '../../apps/server/src/domains/payment-links/collect.ts'
import { findAnyPayments } from '../../apps/server/src/domains/payments/find-any-payment.ts'
import { findPaymentsByText } from '../../apps/server/src/domains/payments/records/find-payments-by-text.ts'
import {
  findPayments,
  nextPayments,
  pagePayments,
  pageWithDeposits,
} from '../../apps/server/src/domains/payments/records/payment-list.ts'
import { searchPayments } from '../../apps/server/src/domains/payments/records/payment-search.ts'
import type { Queryable } from '../../apps/server/src/kit/db.ts'
import { wholeShop } from '../../apps/server/src/kit/visible-to.ts'
import { testStart } from '../../apps/server/src/testing/deps.ts'
import { busyHourOf } from '../../apps/server/src/testing/life.ts'
import { page } from './plan-faults.ts'
import { emptyUpdate, payments, type planWorld } from './plan-world.ts'

/** Sends a statement. */
export type Ask = (c: Queryable) => Promise<unknown>

/** Makes what reads the first and the last page of a list. */
export const makeFirstAndLastPage =
  (pool: pg.Pool) =>
  (list: (c: Queryable, offset: number) => Promise<{ total: number }>): Ask[] => [
    c => list(c, 0),
    async c => list(c, Math.max(0, (await list(pool, 0)).total - page)),
  ]

type World = Awaited<ReturnType<typeof planWorld>>
type Plans = Record<string, unknown[] | Ask[]>

const { start } = busyHourOf(payments)
const sale = { start_time: start + 30, end_time: start + 3_590 }
const after500 = { created_at: start + 3_000, trade_no: '9' }
/** One of the persons who collect payments of the busy merchant. */
const clerk = 'clerk 7'

const makePaged =
  ({ pool, id }: World) =>
  (filter: Parameters<typeof pagePayments>[2]) => [
    ...makeFirstAndLastPage(pool)((c, offset) => pagePayments(c, wholeShop(id), filter, { offset, limit: page })),
    ...makeFirstAndLastPage(pool)((c, offset) =>
      pageWithDeposits({ pool: c as pg.Pool, clock: () => testStart }, wholeShop(id), filter, { offset, limit: page }),
    ),
  ]

/** Inputs of each statement about payments: values, or functions that send it. */
export const makePaymentPlans = (world: World): Plans => ({
  ...planSinglePayments(world),
  ...planLists(world),
  ...planSearches(world),
  ...planCollectedPayments(world),
})

function planSinglePayments({ id, appid, address, tradeNo, tradeNos, orderNo, open, txid }: World): Plans {
  return {
    'create-payment-earlier': [id, appid, orderNo, '', '1'],
    'payment-extras': [id, tradeNo],
    'payment-history': [id, tradeNo],
    'payment-insert-leased': [
      id,
      appid,
      null,
      JSON.stringify({
        trade_no: '9',
        out_trade_no: 'new',
        body_hash: '',
        usdt_amount: '1',
        fiat_name: '',
        fiat_amount: '',
        token_rates: {},
        fixed_asset_id: 'eth:USDT',
        subject: '',
        attach: '',
        metadata: {},
        return_url: '',
        cancel_url: '',
        auto_redirect: false,
        notify_url: '',
        created_at: testStart,
        expire_at: testStart + 60,
      }),
      ['w:new'],
      testStart,
      0,
      null,
      '',
      'evm',
      'token',
      '1',
      1,
      '0xnew',
      testStart + 60,
      'eth',
      'eth:USDT',
    ],
    'payment-lock-of': [id, tradeNo],
    'payment-read-of': [id, tradeNo],
    'payments-credited-late': [tradeNos.map(() => id), tradeNos],
    'payments-find-any': [tradeNo, orderNo, address, txid].map(text => (c: Queryable) => findAnyPayments(c, text)),
    'payments-lock': [tradeNos, 'eth'],
    'payments-lock-expired': [testStart + 3_600, '[]', 100],
    'payments-txids': [id, tradeNos],
    'payments-update': [JSON.stringify(open.map(trade_no => ({ ...emptyUpdate(), merchant_id: id, trade_no })))],
  }
}

function planLists(world: World): Plans {
  const { id, appid, tradeNo } = world
  const paged = makePaged(world)
  return {
    'payments-next': [
      {},
      { appid },
      { status: paymentStatus.in_doubt },
      { appid, status: paymentStatus.paid, ...sale },
      { text: tradeNo.slice(0, 4) },
    ].flatMap(filter =>
      [undefined, after500].map(
        place => async (c: Queryable) =>
          nextPayments(c, { merchantId: id, filter: await findPayments(c, wholeShop(id), filter) }, place, 500),
      ),
    ),
    'payments-page': [
      {},
      { status: paymentStatus.paid },
      { status: paymentStatus.in_doubt },
      { appid },
      sale,
      { ...sale, appid },
      { ...sale, appid, status: paymentStatus.timed_out },
    ].flatMap(paged),
  }
}

function planSearches(world: World): Plans {
  const { id, appid, address, tradeNo, orderNo, txid } = world
  const paged = makePaged(world)
  return {
    'payments-search': [
      orderNo,
      tradeNo,
      tradeNo.slice(0, 6),
      'ORDER',
      '94.90',
      address.slice(0, 12),
      txid.slice(0, 20),
    ].map(text => (c: Queryable) => searchPayments(c, id, text)),
    'payments-found': [
      { trade_no: tradeNo },
      { out_trade_no: orderNo },
      { out_trade_no: orderNo, appid, ...sale },
      { exception: 'late' as const },
      { text: tradeNo },
      { text: 'item12345' },
      { address },
      { txid },
      { metadata: 'customer=42' },
      { text: tradeNo.slice(0, 4) },
      { text: tradeNo.slice(0, 8), appid },
    ].flatMap(paged),
    'payments-match': [
      ...[orderNo, tradeNo, 'ORDER', 'item', 'item1 order', '94.90', address, txid].map(text => ({ text })),
      { text: 'order', ...sale },
      { text: '94.90', ...sale },
    ].map(
      ({ text, ...filter }) =>
        (c: Queryable) =>
          findPaymentsByText(c, id, text, filter),
    ),
  }
}

/** Those of one person, which a clerk alone sees, and an owner by a filter. */
function planCollectedPayments(world: World): Plans {
  const { id, appid, address, tradeNo, orderNo, txid } = world
  const paged = makePaged(world)
  return {
    'collect-lately': [null, clerk].map(person => (c: Queryable) => lately(c, id, testStart - 7_200, person)),
    'collect-application-of': [id, tradeNo, clerk],
    'payments-collected-page': [
      {},
      { status: paymentStatus.paid },
      { status: paymentStatus.in_doubt },
      { appid },
      sale,
      { ...sale, appid, status: paymentStatus.timed_out },
    ].flatMap(filter => paged({ collected_by: clerk, ...filter })),
    'payments-collected-found': [
      { trade_no: tradeNo },
      { out_trade_no: orderNo, appid, ...sale },
      { exception: 'late' as const },
      { address },
      { txid },
      { metadata: 'customer=42' },
    ].flatMap(filter => paged({ collected_by: clerk, ...filter })),
    'payments-collected-next': [{}, { appid, status: paymentStatus.paid, ...sale }].flatMap(filter =>
      [undefined, after500].map(place => async (c: Queryable) => {
        const found = await findPayments(c, { merchantId: id, collectedBy: clerk }, filter)
        return nextPayments(c, { merchantId: id, filter: found }, place, 500)
      }),
    ),
    'payments-match-collected': [orderNo, tradeNo, 'item', 'item1 order', '94.90', address, txid].map(
      text => (c: Queryable) => findPaymentsByText(c, id, text, { collected_by: clerk }),
    ),
  }
}
