import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { notificationStatus, notificationType } from '@coffer/contract'
import type { ListedEvent } from '@coffer/contract/events.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { newId } from '../../kit/ids.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { call } from '../../testing/call.ts'
import { testStart, withDeps } from '../../testing/deps.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { addRecords } from '../../testing/records.ts'
import { endAnnouncements, publishAnnouncement, withdrawAnnouncement } from './announce.ts'
import { messageHandlers } from './routes.ts'

const deps = await withDeps({ after })
const list = (merchantId: string, query: object = {}, language: Language = 'en') =>
  call(messageHandlers, 'GET /api/v1/message', deps, merchantId, { query, language })
const read = (merchantId: string, message_ids: (string | -1)[]) =>
  call(messageHandlers, 'PUT /api/v1/message/read', deps, merchantId, { body: { message_ids } })

const row = (merchant_id: string, name: ListedEvent, params: Record<string, string>, age = 0) => ({
  merchant_id,
  id: newId((testStart - age) * 1000),
  name,
  params,
  created_at: testStart - age,
})

type Given = [name: ListedEvent, params: Record<string, string>]

async function merchantWith(...rows: Given[]) {
  const { id } = await testMerchant(deps)
  await deps.owner.query('delete from notifications where merchant_id = $1', [id])
  const made = rows.map(([name, params], index) => row(id, name, params, index))
  await insertEvents(deps.pool, made)
  return { id, ids: made.map(each => each.id) }
}

const paid = { out_trade_no: 'shop-7', amount: '10', token: 'USDT', chain: 'Ethereum', trade_no: '2'.repeat(32) }

test('a notification is rendered in the reader’s language', async () => {
  const { id } = await merchantWith(['payment_paid', paid])
  const [en] = (await list(id)).list
  assert.equal(en?.content, '10.00 USDT on Ethereum for order shop-7.')
  assert.equal(en?.trade_no, paid.trade_no)
  const [zh] = (await list(id, {}, 'zh-CN')).list
  assert.match(zh?.title ?? '', /收款成功/)
})

test('a payment in another currency is told with its price', async () => {
  const priced = (fiat_name: string, fiat_amount: string) =>
    merchantWith(['payment_paid', { ...paid, fiat_name, fiat_amount }])
  const { id } = await priced('EUR', '94.9')
  const yen = await priced('JPY', '12000')
  const content = async (language: Language) => (await list(id, {}, language)).list[0]?.content
  assert.equal(await content('en'), '10.00 USDT on Ethereum for order shop-7 (94.90 EUR).')
  assert.equal(await content('zh-CN'), '10.00 USDT（Ethereum）已到账，订单 shop-7（94.90 EUR）。')
  // With the decimals of the currency.
  assert.match((await list(yen.id)).list[0]?.content ?? '', /\(12,000 JPY\)/)
})

test('a reason is rendered in the reader’s language, and what a person wrote as it is', async () => {
  const { id } = await merchantWith(
    ['refund_short', { trade_no: 'T', reason: 'insufficient_balance' }],
    ['refund_abnormal', { trade_no: 'T', amount: '2', token: 'USDT', reason: 'reverted' }],
    ['withdrawal_rejected', { id: 'W', amount: '1', token: 'USDT', reason: 'constructor' }],
  )
  const contents = async (language: Language) => (await list(id, {}, language)).list.map(each => each.content)
  assert.deepEqual(await contents('en'), [
    'The refund of order T cannot be paid: Insufficient balance. The payer can try again later.',
    '2.00 USDT of order T could not be refunded: The chain did not execute the transaction. The amount stays reserved.',
    '1.00 USDT: constructor. The amount is available again.',
  ])
  assert.deepEqual(await contents('zh-CN'), [
    '订单 T 的退款暂时无法支付：余额不足。付款人可稍后重试。',
    '2.00 USDT 退款失败（订单 T）：链上交易执行失败。相关金额仍被冻结。',
    '1.00 USDT：constructor。金额已退回可用余额。',
  ])
})

test('what is reported of an order names the number of the shop, also where only ours was stored', async () => {
  const { id } = await merchantWith()
  const { appid } = await testApplication(deps, id)
  const [payment] = await addRecords(deps, id, [{ appid, created_at: testStart }])
  const { trade_no } = payment!
  await deps.owner.query(`update payments set out_trade_no = 'shop-9' where trade_no = $1`, [trade_no])
  const params = { trade_no, amount: '2', token: 'USDT' }
  await insertEvents(deps.pool, [row(id, 'refund_accomplished', params)])
  const [shown] = (await list(id)).list
  assert.equal(shown?.content, '2.00 USDT of order shop-9 were sent back and are final.')
  assert.deepEqual(shown?.about, { kind: 'refund', id: trade_no })
  const other = await merchantWith(['refund_accomplished', params])
  assert.match((await list(other.id)).list[0]?.content ?? '', new RegExp(trade_no), 'of another merchant')
})

test('a withdrawal is known by its receiver and by the number that a shop gave it', async () => {
  const to = '0x1234567890123456789012345678901234567890'
  const params = { id: 'W', amount: '1', token: 'USDT', chain: 'Ethereum', to }
  const { id } = await merchantWith(
    ['withdrawal_accomplished', params],
    ['withdrawal_accomplished', { ...params, out_no: 'payout-7' }],
  )
  assert.deepEqual(
    (await list(id)).list.map(each => [each.content, each.about]),
    [
      ['1.00 USDT on Ethereum were withdrawn to 0x123...7890.', { kind: 'withdrawal', id: 'W' }],
      ['1.00 USDT on Ethereum were withdrawn to 0x123...7890 (payout-7).', { kind: 'withdrawal', id: 'W' }],
    ],
  )
})

test('money that moved as it should is listed and counted apart from what should be read', async () => {
  const { id, ids } = await merchantWith(
    ['payment_paid', paid],
    ['payment_over', paid],
    ['fund_aggregation', { amount: '0.002', token: 'ETH', chain: 'Ethereum' }],
    ['account_login', {}],
    ['payment_paid', paid],
  )
  const shown = async (query: object) => {
    const { list: rows, total, unread, unread_money } = await list(id, query)
    return [rows.map(each => ids.indexOf(each.id)), total, unread, unread_money]
  }
  assert.deepEqual(await shown({ group: 'notices' }), [[1, 3], 2, 5, 3])
  assert.deepEqual(await shown({ group: 'money' }), [[0, 2, 4], 3, 5, 3])
  await read(id, [ids[0]!, ids[1]!])
  assert.deepEqual(await shown({ group: 'money', read: notificationStatus.unread }), [[2, 4], 2, 3, 2])
  await read(id, [-1])
  assert.deepEqual(await shown({}), [[0, 1, 2, 3, 4], 5, 0, 0])
})

test('all gives read and unread ones in one answer unless a page is requested', async () => {
  const { id, ids } = await merchantWith(
    ...Array.from({ length: 24 }, (_, n): Given => ['payment_paid', { ...paid, out_trade_no: `shop-${n}` }]),
  )
  await read(id, ids.slice(0, 3))
  const everything = await list(id, { all: '1' })
  assert.deepEqual([everything.list.length, everything.total, everything.unread], [24, 24, 21])
  const whatever = await list(id, { all: '1', read: notificationStatus.unread })
  assert.equal(whatever.list.length, 24)
  const page = await list(id, { all: '1', pageSize: 10, current: 3 })
  assert.deepEqual([page.list.length, page.total], [4, 24])
  assert.equal((await list(id)).list.length, 10)
})

test('a login notice carries its origin, a fund aggregation its gas', async () => {
  const { id } = await merchantWith(
    ['account_login', { ip: '203.0.113.7', device: 'Firefox', address: 'x' }],
    ['fund_aggregation', { amount: '0.002', token: 'ETH', chain: 'Ethereum' }],
  )
  const { list: rows } = await list(id)
  assert.deepEqual([rows[0]?.ip, rows[0]?.device], ['203.0.113.7', 'Firefox'])
  assert.equal(rows[1]?.amount, '0.002')
  assert.deepEqual(rows[1]?.currency, { token: 'ETH', chain: 'Ethereum', logo: '/logos/token-eth.svg' })
})

test('a sign-in without a browser name is from an unknown device', async () => {
  const { id } = await merchantWith(['account_login', { ip: '203.0.113.7', device: '', address: 'private' }])
  const [en] = (await list(id)).list
  assert.deepEqual([en?.ip, en?.device, en?.address], ['203.0.113.7', 'Unknown device', 'Private network'])
  const [zh] = (await list(id, {}, 'zh-CN')).list
  assert.deepEqual([zh?.ip, zh?.device, zh?.address], ['203.0.113.7', '未知设备', '内部网络'])
})

test('marks own ids, or all for -1, never those of another merchant', async () => {
  const { id, ids } = await merchantWith(['payment_paid', paid], ['payment_late', paid], ['account_approved', {}])
  const other = await merchantWith(['payment_paid', paid])
  assert.deepEqual(await read(id, [ids[0]!, other.ids[0]!, 'nothing']), { unread: 2 })
  assert.equal((await list(other.id)).unread, 1)
  assert.deepEqual(
    (await list(id)).list.map(each => each.status),
    [notificationStatus.read, notificationStatus.unread, notificationStatus.unread],
  )
  assert.deepEqual(await read(id, [-1]), { unread: 0 })
  assert.equal((await list(other.id)).unread, 1)
})

test('the list is filtered by status and type, and paged', async () => {
  const { id, ids } = await merchantWith(['payment_over', paid], ['account_approved', {}], ['payment_over', paid])
  await read(id, [ids[0]!])
  const shown = async (query: object) => (await list(id, query)).list.map(each => ids.indexOf(each.id))
  assert.deepEqual(await shown({ read: notificationStatus.read }), [0])
  assert.deepEqual(await shown({ read: notificationStatus.unread }), [1, 2])
  assert.deepEqual(await shown({ read: notificationStatus.unread, all: '1' }), [0, 1, 2])
  assert.deepEqual(await shown({ types: notificationType.payment }), [0, 2])
  assert.deepEqual(await shown({ current: 2, pageSize: 2 }), [2])
  const { total, unread } = await list(id, { types: notificationType.payment })
  assert.deepEqual([total, unread], [2, 2])
})

test('a new merchant has no notifications; an unknown key is shown as it is', async () => {
  const { id } = await merchantWith()
  assert.deepEqual(await list(id), { list: [], total: 0, unread: 0, unread_money: 0, work_orders: 0 })
  const strange = await merchantWith(['account_approved', {}])
  await deps.owner.query(`update notifications set message = 'from_tomorrow' where merchant_id = $1`, [strange.id])
  assert.equal((await list(strange.id)).list[0]?.title, 'from_tomorrow')
})

test('an announcement reaches all or some merchants, ends by itself, and loses its text when it is withdrawn', async t => {
  const own = await withDeps(t)
  const one = await testMerchant(own)
  const two = await testMerchant(own)
  const ticker = async (merchantId: string) =>
    (
      await call(messageHandlers, 'GET /api/v1/message', own, merchantId, {
        query: { read: notificationStatus.unread, types: notificationType.announcement },
      })
    ).list.map(each => each.title)
  const texts = { title_en: '<b>Upgrade</b> {title_zh}', content_en: 'a\nb', title_zh: '升级', content_zh: '周日' }
  const given = { texts, mchids: null as string[] | null, ends_at: own.clock() + 600, operator: 'ann@example.com' }
  const all = await publishAnnouncement(own, given)
  const some = await publishAnnouncement(own, {
    ...given,
    mchids: [one.mchid.toLowerCase(), one.mchid],
    ends_at: own.clock() + 60,
  })
  assert.deepEqual([all.receivers, some.receivers], [2, 1])
  assert.deepEqual([(await ticker(one.id)).length, await ticker(two.id)], [2, ['<b>Upgrade</b> {title_zh}']])
  for (const wrong of [
    { mchids: ['M0'] },
    { ends_at: own.clock() },
    { ends_at: own.clock() + 400 * 86_400 },
    { texts: { ...texts, content_zh: ' ' } },
    { texts: { ...texts, title_en: 'a\u202eb' } },
  ])
    await assert.rejects(publishAnnouncement(own, { ...given, ...wrong }), { name: 'Refusal' })

  own.pass(60)
  assert.deepEqual((await Promise.all([endAnnouncements(own), endAnnouncements(own)])).sort(), [false, true])
  assert.equal((await ticker(one.id)).length, 1)
  await Promise.all([1, 2].map(() => withdrawAnnouncement(own, { id: all.id })))
  await withdrawAnnouncement(own, { id: some.id })
  assert.deepEqual([await ticker(one.id), await ticker(two.id)], [[], []])
  const { list: left } = await call(messageHandlers, 'GET /api/v1/message', own, one.id, { query: { all: '1' } })
  assert.deepEqual(
    left.filter(each => each.types === notificationType.announcement).map(each => each.title),
    ['Announcement withdrawn', 'Announcement withdrawn'],
  )
  own.pass(600)
  assert.equal(await endAnnouncements(own), false)
  await assert.rejects(withdrawAnnouncement(own, { id: 'none' }), { reason: 'announcement_not_exist' })
  await assert.rejects(own.pool.query('delete from announcements'), { code: '42501' })
})
