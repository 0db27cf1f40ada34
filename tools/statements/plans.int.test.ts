import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEntries } from '../../apps/server/src/domains/address-book/store.ts'
import { addressFile, listFixedAddresses } from '../../apps/server/src/domains/addresses/store.ts'
import { listCallbacks } from '../../apps/server/src/domains/callbacks/store.ts'
import {
  type FlowFilter,
  listFundFlow,
  listGasExpenses,
  readNextFundFlow,
} from '../../apps/server/src/domains/fund-flow/store.ts'
import { findMerchants } from '../../apps/server/src/domains/merchants/store.ts'
import { listNotifications } from '../../apps/server/src/domains/notifications/store.ts'
import { listLinks } from '../../apps/server/src/domains/payment-links/store.ts'
import { textMatchesMax } from '../../apps/server/src/domains/payments/records/find-payments-by-text.ts'
import { metadataTerm } from '../../apps/server/src/domains/payments/records/payment-search.ts'
import { listRecharges, rechargeFile } from '../../apps/server/src/domains/recharges/store.ts'
import { listRefundLinks } from '../../apps/server/src/domains/refunds/link-store.ts'
import { listRefunds, refundFile } from '../../apps/server/src/domains/refunds/list.ts'
import { listTransfers } from '../../apps/server/src/domains/transfers/store.ts'
import { listWithdrawals } from '../../apps/server/src/domains/withdrawals/list.ts'
import { listAnyWorkOrders, listWorkOrders } from '../../apps/server/src/domains/work-orders/store.ts'
import { audiencesOfRole } from '../../apps/server/src/kit/audience.ts'
import { noMerchantId } from '../../apps/server/src/kit/audit.ts'
import type { Queryable } from '../../apps/server/src/kit/db.ts'
import { testStart } from '../../apps/server/src/testing/deps.ts'
import { busyHourOf } from '../../apps/server/src/testing/life.ts'
import { ownerOf } from '../../apps/server/src/testing/members.ts'
import { collectStatements } from './generate.ts'
import { type Ask, makeFirstAndLastPage, makePaymentPlans } from './payment-plans.ts'
import { explain, faults, page } from './plan-faults.ts'
import { payments, planWorld } from './plan-world.ts'

/** Tables that grow with every payment. */
const ofPayments = ['payments', 'payment_history', 'payment_terms', 'payment_counts', 'list_counts']
const ofMoney = [
  'deposits',
  'address_leases',
  'deposit_addresses',
  'known_addresses',
  'ledger_groups',
  'ledger_postings',
]
const big = [...ofPayments, ...ofMoney, 'callbacks', 'callback_attempts', 'notifications', 'messages']
/** Tables of statements that run every few seconds. */
const polled: Record<string, string[]> = {
  'alerts-insert': ['incidents', 'messages', 'audit_log'],
  'alerts-insert-ends': ['incidents', 'messages'],
}
const readsBig = new RegExp(`\\b(from|join|update|using)\\s+(${big.join('|')})\\b`)
/**
 * Statements that read all there is, which nobody waits for, or all that waits to be swept or is compared by the hour.
 */
const readsAll =
  /^(announcement-end|billing-|ledger-law-|sandbox-|demo-|reconcile-(addresses|flows|uncompared)$|addresses-(awaiting|in-part)$|sweep-(authorizations-count|candidates|collectable|status)$)/

const world = await planWorld({ after })
const { owner, pool, read, id, appid, rare, address } = world
const { tradeNo, tradeNos, orderNo, deposit, txid, block, callback, newest, linkToken } = world

const pages = makeFirstAndLastPage(pool)
const { start } = busyHourOf(payments)
const sale = { start_time: start + 30, end_time: start + 3_590 }
const after500 = { created_at: start + 3_000, trade_no: '9' }
const flows: FlowFilter[] = [
  {},
  { type: 'fee' as const },
  { network_id: 'eth', ...sale },
  { token_id: 'eth:USDT' },
  { account: 'available', direction: 'in' },
]
/** Inputs of each statement that reads a big table: values, or functions that send it. */
const requested: Record<string, unknown[] | Ask[]> = {
  ...makePaymentPlans(world),
  'address-fixed': [id, 'evm'],
  'address-lease': ['evm', address, id, 'other', testStart, testStart],
  'address-of-payment': [id, tradeNo, 'evm', 'token'],
  'address-spendable': ['evm', address],
  'address-range-unused': ['evm', testStart - 60],
  'address-take-free': [id, 'evm', testStart, 'token'],
  'addresses-first': [['evm', 'tron']],
  'addresses-from': ['evm', 3_000, 1_000],
  'applications-all': [id],
  'assets-contract-changed': [JSON.stringify([{ id: 'eth:USDT', contract: `0x${'d'.repeat(40)}` }])],
  'callback-attempts': [id, callback],
  'callback-events': [id, appid, start, '', 20],
  'callback-insert-test': [id, 'x', appid, 'https://shop.example', '{}', testStart, 10, ''],
  'callback-lease-end': [id, callback, 2, 1, null, '', 0, 1],
  'callback-owner': [callback],
  'callback-queue-again': [id, callback, testStart],
  'callback-read': [id, callback],
  'callback-withheld': [id, callback],
  'callbacks-due': [testStart],
  'callbacks-first-due': [testStart],
  'callbacks-given-up': [],
  'console-dead-letters': [testStart],
  'alerts-insert': [testStart, testStart - 86_400, 'id'],
  'alerts-insert-ends': [testStart, testStart - 86_400, 'id'],
  'alert-hook-last': ['hook'],
  'message-give-back': ['m1', 1, testStart],
  'callbacks-lease': [testStart, testStart + 60, 50, '{}', 10, 10],
  'callbacks-found': [{}, { status: 1, appid, ...sale }].flatMap(filter =>
    pages((c, offset) => listCallbacks(c, id, { trade_no: tradeNo, ...filter }, { offset, limit: page })),
  ),
  'callbacks-of-application': [id, appid, start + 3_000, '', 0, 0, '', '', 20],
  'callbacks-of-event': [id, appid, callback],
  'callbacks-page': [
    {},
    { status: 4 },
    { appid },
    { appid, status: 2, event: 'payment.paid' as const, ...sale },
  ].flatMap(filter => pages((c, offset) => listCallbacks(c, id, filter, { offset, limit: page }))),
  'callbacks-supersede': [id, tradeNo],
  'checkout-read': [tradeNo],
  'embed-origins-of-payment': [tradeNo],
  'deposit-lock': [deposit],
  'deposit-place': [id, deposit, 3],
  'deposit-read': [deposit],
  'incident-deposits': [[deposit]],
  'deposit-replace': [id, deposit],
  'asset-decide': ['eth:USDT', null, 10, testStart, '', ''],
  'chain-append-empty': ['eth', newest + 1, '2', '1', 1, newest, newest, null, newest + 1, '1', 1, [], true, newest],
  'deposits-above': ['eth', newest - 20],
  'deposits-chains-to-decide': [10],
  'deposits-blocks': ['eth', newest],
  'deposits-doubted': [[id], tradeNos],
  'deposits-known': ['eth', 'eth:USDT', address, 'evm', id, newest],
  'console-held': ['eth:USDT'],
  'incident-waiting': ['eth', 'eth:USDT'],
  'incident-waiting-sum': ['eth', 'eth:USDT'],
  'siblings-waiting': ['eth'],
  'deposits-lock-held': ['eth', tradeNos],
  'deposits-gas': ['eth', JSON.stringify([{ txid, gas: '1' }]), null],
  'deposits-match': [
    'eth',
    JSON.stringify([{ place: 0, txid: '0xnew', token: `0x${'d'.repeat(40)}`, from: '0x1', to: address, amount: '5' }]),
  ],
  'deposits-write': (await read('select json_agg(d)::text from deposits d where merchant_id = $1')).flat(),
  'deposits-of-block': ['eth', block, JSON.stringify([{ txid, asset_id: 'eth:USDT', ordinal: 0 }]), newest],
  'deposits-of-payments': [tradeNos.map(() => id), tradeNos, 100],
  'deposits-of-new': ['eth', 10],
  'deposits-undecided': ['eth'],
  'refund-decisions-newest': [],
  'deposits-unconfirmed-from': ['eth', newest],
  'deposits-without-gas': ['eth', 100],
  'fixed-address-read': [id, '', 'unknown'],
  'fixed-addresses-next': [c => addressFile.next(c, { merchantId: id, filter: {} }, { created_at: newest, id }, 100)],
  'fixed-addresses-page': pages((c, offset) => listFixedAddresses(c, id, {}, { offset, limit: page })),
  'fund-flow-next': flows.flatMap(filter =>
    [undefined, after500].flatMap(place =>
      [true, false].map(
        oldest => (c: Queryable) => readNextFundFlow(c, id, filter, oldest, place && { ...place, id: '' }, 500),
      ),
    ),
  ),
  'fund-flow-page': flows.flatMap(filter => pages((c, offset) => listFundFlow(c, id, filter, { offset, limit: page }))),
  'gas-expenses-page': pages((c, offset) => listGasExpenses(c, id, {}, { offset, limit: page })),
  'ledger-group': [`deposit:${deposit}`],
  'merchant-holds': [id],
  'native-changed': ['eth', 'eth:ETH', newest - 20, newest, [address]],
  'native-watches': ['eth', 'evm', 'eth:ETH', newest, testStart - 86_400],
  'notifications-page': [
    { status: undefined, types: undefined },
    { status: 2, types: 3 },
    { status: 2, types: undefined, group: '5,6' },
  ].flatMap(filter => pages((c, offset) => listNotifications(c, ownerOf(id), filter, { offset, limit: page }))),
  'notifications-read': [id, [`n${tradeNo}`], '', audiencesOfRole('owner')],
  'notifications-unread': [id, audiencesOfRole('owner')],
  'notifications-unread-money': [id, audiencesOfRole('owner')],
  'message-end': ['m1', 1, testStart, 'accepted', '', ['m2']],
  'message-later': ['m1', 1, testStart, ''],
  'messages-lease': [testStart, testStart + 60, 50, '{}', '{"mail": 10, "push": 50}', '{"mail": 5, "push": 25}'],
  'messages-unreached': [['account_passkey_added']],
  'messages-waiting': [testStart],
  'message-settings': [id, id],
  'message-settings-apply': [id, id, '[{"event":"payment_paid","channel":"mail","mode":"off"}]', testStart],
  'messages-to-place': [500],
  'messages-place': [JSON.stringify([{ id: 'm1', due_at: testStart }])],
  'messages-sent-with': ['m5'],
  'messages-forget': [testStart - 90 * 86_400],
  'order-by-trade-no': [id, tradeNo],
  'order-of-application-by-out_trade_no': [id, appid, orderNo],
  'order-of-application-by-trade_no': [id, appid, tradeNo],
  'shop-orders-among': [id, '1', tradeNos],
  'shop-order-set-field': [id, tradeNo, '1', 'metadata', '{}'],
  'shop-orders-page': [id, appid, '1', 0, testStart * 2, 0, page, false],
  'shop-order-by-trade-no': [id, appid, '1', tradeNo],
  'shop-order-attempts': [id, appid, '1', orderNo, 5],
  'shop-order-repeat': [id, tradeNo, '1', 'https://shop.example', '', '', false, 'x', '{}'],
  'orders-by-trade-no': [tradeNos],
  'payment-link-by-id': [id, 'link'],
  'payment-link-by-token': [linkToken],
  'payment-links-list': pages((c, offset) => listLinks(c, id, {}, { offset, limit: page })),
  'payment-links-of-application': [id, appid, start, '', 0, 20],
  'payment-links-paid': [id, [metadataTerm('customer=42'), metadataTerm('payment_link=link')]],
  'callbacks-given-up-of': [id],
  'messages-sent': [id, id],
  'notifications-insert': [
    '[{"merchant_id":"m","id":"n","types":1,"listed_as":"","params":{},"created_at":1,"audience":"payments","roles":["owner"],"collectors":["clerk"]}]',
  ],
  'work-order-subject': [id, 'payment', tradeNo],
  'known-addresses-similar': [id, 'eth', ['0xnew'], ['000000'], ['00beef']],
  'withdrawal-address-ours': ['evm', address],
  'address-book-count': [id],
  'address-book-page': [{}, { currency_id: 'eth' }].flatMap(filter =>
    pages((c, offset) => listEntries(c, id, filter, { offset, limit: page })),
  ),
  'work-orders-page': [{}, { status: 2, type: 'billing' as const }].flatMap(filter =>
    pages((c, offset) => listWorkOrders(c, id, filter, { offset, limit: page })),
  ),
  'any-work-orders-waiting': [noMerchantId, null, null],
  'any-work-orders-page': [{}, { status: 2, type: 'billing' as const }].flatMap(filter =>
    pages((c, offset) => listAnyWorkOrders(c, filter, { offset, limit: page })),
  ),
  'merchants-search-page': [{}, { status: 2 }].flatMap(filter =>
    pages((c, offset) => findMerchants(c, null, filter, { offset, limit: page })),
  ),
  'address-book-facts': [id, 'eth', 'evm', [address, '0xnew']],
  'withdrawals-page': pages((c, offset) => listWithdrawals(c, id, {}, { offset, limit: page })),
  'refund-any': ['none'],
  'refund-lock': [id, 'none'],
  'refund-lock-any': ['none'],
  'refund-read': [id, 'none'],
  'refund-link-by-token': [`\\x${'ab'.repeat(32)}`],
  'refund-link-lock': [id, 'none'],
  'refund-link-read': [id, 'none'],
  'refund-links-of-payment': [id, tradeNo],
  'refund-links-page': pages((c, offset) => listRefundLinks(c, id, {}, { offset, limit: page })),
  'refund-links-found': [c => listRefundLinks(c, id, { order: orderNo }, { offset: 0, limit: page })],
  'refund-links-promised': [id, 0],
  'payment-deposits-count': [tradeNo],
  'payment-doubts': [tradeNo],
  'refunds-abnormal': [],
  'refunds-found': [c => listRefunds(c, id, { order: orderNo }, { offset: 0, limit: page })],
  'refunds-lock': [[id], ['none']],
  'refund-senders': [id, tradeNo],
  'refunds-next': [c => refundFile.next(c, { merchantId: id, filter: {} }, undefined, 500)],
  'refunds-page': pages((c, offset) => listRefunds(c, id, {}, { offset, limit: page })),
  'sweeps-coming': ['eth'],
  'sweeps-failed': [['swept'], '', testStart, null],
  'sweeps-foreign': ['eth', '[]'],
  'sweeps-insert': [
    'eth',
    'eth:USDT',
    'sent',
    JSON.stringify([{ merchant_id: id, id: 'next', address: '0xnext', key_index: 1, reason: 'worth', weight: 1 }]),
    testStart,
  ],
  'sweeps-unasked': ['eth', 'eth:USDT'],
  'sweeps-swept': [JSON.stringify([{ id: 'swept', amount: '5' }]), txid, testStart],
  'recharges-page': [
    ...pages((c, offset) => listRecharges(c, 'recharged', {}, { offset, limit: page })),
    ...rare.flatMap(filter => pages((c, offset) => listRecharges(c, 'recharged', filter, { offset, limit: page }))),
  ],
  'recharges-found': [{ addresses: [address] }, { text: address }, { text: address, state: 'seen' }].flatMap(filter =>
    pages((c, offset) => listRecharges(c, id, filter, { offset, limit: page })),
  ),
  'recharges-next': [
    ...[undefined, { seen_at: 100, id: 'r100' }].map(
      after => (c: Queryable) => rechargeFile.next(c, { merchantId: 'recharged', filter: {} }, after, 500),
    ),
    c => rechargeFile.next(c, { merchantId: id, filter: { text: address } }, undefined, 500),
    c => rechargeFile.next(c, { merchantId: id, filter: { addresses: [address] } }, { seen_at: newest, id: 'r' }, 100),
  ],
  'transfers-page': pages((c, offset) => listTransfers(c, id, {}, { offset, limit: page })),
  'proof-key-indexes': ['evm', [address]],
  'reconcile-ledger': ['eth:USDT', testStart - 3_600, testStart],
}

/** Rows for which a statement may read that answers with many in an array. */
const inArrays: Record<string, number> = {
  'payments-match': textMatchesMax / 10,
  'payments-match-collected': textMatchesMax / 10,
}

for (const [name, texts] of await collectStatements()) {
  if (readsAll.test(name) || !(name in polled || texts.some(text => readsBig.test(text)))) continue
  test(`${name} reads by its keys, whatever plan is chosen`, async t => {
    const each = requested[name]
    if (!each && /-list$/.test(name)) return t.diagnostic('a list by ids is tested with its page')
    assert.ok(each, 'say what is expected of it')
    const c = await owner.connect()
    try {
      const found = new Map<string, string>()
      const check = async (text: string, values: unknown[]) => {
        for (const mode of ['force_generic_plan', 'force_custom_plan']) {
          const plan = await explain(c, mode, text, values)
          for (const fault of faults(plan, polled[name] ?? big, inArrays[name])) found.set(fault, `${mode}: ${fault}`)
        }
      }
      const listening = {
        query: async ({ text, values }: { text: string; values: unknown[] }) => {
          await check(text, values)
          return pool.query(text, values)
        },
      } as unknown as Queryable
      if (typeof each[0] === 'function') for (const ask of each as Ask[]) await ask(listening)
      else await check(texts[0]!, each)
      assert.deepEqual([...found.values()], [])
    } finally {
      c.release()
    }
  })
}
