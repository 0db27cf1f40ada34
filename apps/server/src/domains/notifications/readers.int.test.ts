import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { notificationGroups, notificationStatus, notificationType } from '@coffer/contract'
import { events, type ListedEvent } from '@coffer/contract/events.ts'
import { type MerchantRole, merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import { foldLists } from '../../kit/counted-list.ts'
import { tx } from '../../kit/db.ts'
import { insertEvents, insertNotificationForAll, type NewEvent } from '../../kit/outbox.ts'
import { call } from '../../testing/call.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { addRecords } from '../../testing/records.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { publishAnnouncement, withdrawAnnouncement } from './announce.ts'
import { notificationMessages } from './messages.ts'
import { messageHandlers } from './routes.ts'

const deps = await withDeps({ after })

interface Reader {
  merchantId: string
  personId: string
  role: MerchantRole
}

async function shopWith<Role extends MerchantRole>(...roles: Role[]) {
  const { id: merchantId } = await testMerchant(deps)
  const members: Reader[] = []
  for (const role of roles) {
    const { personId } = await testMember(deps, deps.owner, { merchantId, role })
    members.push({ merchantId, personId, role })
  }
  await deps.owner.query('delete from notifications where merchant_id = $1', [merchantId])
  return { owner: { merchantId, personId: merchantId, role: 'owner' as const } satisfies Reader, members }
}

const list = ({ merchantId, ...by }: Reader, query: object = { all: '1' }) =>
  call(messageHandlers, 'GET /api/v1/message', deps, merchantId, { query, by })
const read = ({ merchantId, ...by }: Reader, message_ids: (string | -1)[]) =>
  call(messageHandlers, 'PUT /api/v1/message/read', deps, merchantId, { body: { message_ids }, by })
const titles = async (reader: Reader, query?: object) => (await list(reader, query)).list.map(each => each.title)

const about = (merchant_id: string, name: ListedEvent, more: Partial<NewEvent> = {}) => ({
  merchant_id,
  name,
  params: { amount: '1', token: 'USDT', chain: 'Ethereum', trade_no: 'T', ip: '', device: '', address: '' },
  created_at: deps.clock(),
  ...more,
})

const messages = Object.keys(notificationMessages) as ListedEvent[]
/** What each role reads of a shop, as docs/merchant-roles.md says in words. */
const read6: Record<MerchantRole, RegExp> = {
  owner: /./,
  finance:
    /^(payment|refund|recharge|deposit|transfer|withdrawal|callback|fund|chain|announcement|work)|^account_(not_me|hold|withdrawal|address|transfer|refund_|fees)/,
  developer:
    /^(payment|callback|deposit_callback|chain|announcement|work)|^account_(payouts|secret|webhook|notify|rates|shop)/,
  support: /^(payment|refund|callback|deposit_callback|chain|announcement|work)|^account_refund_/,
  clerk: /^(chain|announcement)/,
  viewer:
    /^(payment|refund|recharge|deposit|transfer|withdrawal_(?!waits)|callback|fund|chain|announcement|work)|^account_fees/,
}

test('each notification has a row for each member whose role it concerns, and for nobody else', async () => {
  const { owner, members } = await shopWith(...merchantRoleNames)
  const everybody = [owner, ...members]
  const own = await deps.owner.query('select person_id from members where merchant_id = $1', [owner.merchantId])
  assert.equal(own.rows.length, 7)
  for (const message of messages) {
    await insertEvents(deps.pool, [about(owner.merchantId, message, { person_id: members[4]!.personId })])
    const { rows } = await deps.owner.query('select person_id, audience from notifications where merchant_id = $1', [
      owner.merchantId,
    ])
    const audience = events[message].to
    const expected = everybody.filter(({ personId, role }) =>
      audience === 'self' ? personId === members[4]!.personId : read6[role].test(message),
    )
    assert.deepEqual(
      rows.map(row => row.person_id || owner.merchantId).sort(),
      expected.map(({ personId }) => personId).sort(),
      message,
    )
    for (const reader of everybody)
      assert.equal((await list(reader)).list.length, expected.includes(reader) ? 1 : 0, `${message} ${reader.role}`)
    await deps.owner.query('delete from notifications where merchant_id = $1', [owner.merchantId])
  }
})

test('who loses a role reads no longer what the role read, in lists, counts and marks', async () => {
  const { owner, members } = await shopWith('finance')
  const [member] = members as [Reader]
  await insertEvents(deps.pool, [
    about(owner.merchantId, 'withdrawal_accomplished'),
    about(owner.merchantId, 'payment_paid'),
    about(owner.merchantId, 'account_password_changed', { person_id: member.personId }),
  ])
  assert.equal((await list(member)).total, 3)
  for (const [role, expected] of [
    ['support', ['Password changed', 'Payment received']],
    ['clerk', ['Password changed']],
  ] as const) {
    const demoted = { ...member, role }
    assert.deepEqual((await titles(demoted)).sort(), expected)
    const { total, unread } = await list(demoted)
    assert.deepEqual([total, unread], [expected.length, expected.length])
  }
  assert.deepEqual(await read({ ...member, role: 'clerk' }, [-1]), { unread: 0 })
  const { unread, list: rows } = await list(member)
  assert.equal(unread, 2)
  await read(
    { ...member, role: 'clerk' },
    rows.map(each => each.id),
  )
  assert.equal((await list(member)).unread, 2)
  assert.deepEqual((await titles(owner)).sort(), ['Payment received', 'Withdrawal accomplished'])
})

test('read markers, counts and pages are those of each person', async () => {
  const { owner, members } = await shopWith('finance', 'viewer')
  const [finance, viewer] = members as [Reader, Reader]
  const rows = Array.from({ length: 25 }, (_, n) =>
    about(owner.merchantId, n % 2 ? 'payment_paid' : 'withdrawal_rejected', { created_at: deps.clock() - n }),
  )
  await insertEvents(deps.pool, rows)
  const shown = async (reader: Reader) => {
    const { unread, unread_money, total } = await list(reader)
    const { list: open, total: left } = await list(reader, { read: notificationStatus.unread, pageSize: 50 })
    assert.equal(open.length, left)
    assert.equal(unread, left)
    assert.ok(open.every(each => each.status === notificationStatus.unread))
    const money = await list(reader, { group: 'money', read: notificationStatus.unread })
    assert.equal(unread_money, money.total)
    return [total, unread, unread_money]
  }
  const fresh = [25, 25, 12]
  assert.deepEqual([await shown(owner), await shown(finance), await shown(viewer)], [fresh, fresh, fresh])
  const { list: first } = await list(finance, { pageSize: 5 })
  await read(
    finance,
    first.map(each => each.id),
  )
  await read(
    owner,
    first.map(each => each.id),
  )
  assert.deepEqual([await shown(owner), await shown(finance), await shown(viewer)], [fresh, [25, 20, 10], fresh])
  await read(viewer, [-1])
  while (await foldLists(deps));
  assert.deepEqual([await shown(owner), await shown(finance), await shown(viewer)], [fresh, [25, 20, 10], [25, 0, 0]])
  const pages = await Promise.all([1, 2, 3].map(current => list(finance, { current, pageSize: 10 })))
  const times = pages.flatMap(page => page.list.map(each => each.created_time))
  assert.deepEqual(
    times,
    rows.map(row => row.created_at),
  )
  assert.equal(new Set(pages.flatMap(page => page.list.map(each => each.id))).size, 25)
  assert.deepEqual(notificationGroups.money.includes(notificationType.moved), true)
})

test('what concerns a person alone is the person’s in this shop, and nobody else’s', async () => {
  const { owner, members } = await shopWith('developer')
  const [member] = members as [Reader]
  const { merchantId, personId } = member
  const from = { ip: '203.0.113.7', device: 'Phone', language: 'en' } as never
  await tx(deps.pool, async (_c, uow) => {
    recordEvent(deps, uow, { merchantId, personId, type: 'password_changed', from })
    recordEvent(deps, uow, { merchantId, personId: merchantId, type: 'phone_bound', from })
    recordEvent(deps, uow, { merchantId, type: 'policy_loosened', from })
    recordEvent(deps, uow, { merchantId, type: 'rates_changed', from, params: { appid: 'a' } })
  })
  assert.deepEqual((await titles(owner)).sort(), ['Phone bound', 'Rates changed'])
  assert.deepEqual((await titles(member)).sort(), ['Password changed', 'Rates changed'])
})

test('an event that is reported twice has one row for each person', async () => {
  const { owner, members } = await shopWith('viewer', 'viewer')
  const event = about(owner.merchantId, 'callback_given_up', { id: 'given-up-1' })
  await insertEvents(deps.pool, [event])
  await insertEvents(deps.pool, [event])
  for (const reader of [owner, ...members]) assert.equal((await list(reader)).total, 1)
  // Who joined between the two reads the second report.
  const late = await testMember(deps, deps.owner, { merchantId: owner.merchantId, role: 'support' })
  await insertEvents(deps.pool, [event])
  assert.equal((await list({ ...owner, ...late, role: 'support' })).total, 1)
  assert.equal((await list(owner)).total, 1)
})

test('invited, removed and unknown members get nothing', async () => {
  const { owner, members } = await shopWith('viewer', 'viewer', 'viewer')
  const [invited, removed, unknown] = members as [Reader, Reader, Reader]
  const { merchantId } = owner
  const set = (column: string, { personId }: Reader) =>
    deps.owner.query(`update members set ${column} where merchant_id = $1 and person_id = $2`, [merchantId, personId])
  await set(`invitation_hash = '\\x01', invitation_until = 1`, invited)
  await set('removed_at = 1', removed)
  await setTestRole(deps.owner, { merchantId, personId: unknown.personId, role: 'from_tomorrow', now: 1 })
  await insertEvents(deps.pool, [about(merchantId, 'payment_paid')])
  await tx(deps.pool, (_c, uow) =>
    insertNotificationForAll(uow, { name: 'chain_halted', params: {}, created_at: deps.clock() }),
  )
  const { rows } = await deps.owner.query('select person_id from notifications where merchant_id = $1', [merchantId])
  assert.deepEqual(
    rows.map(row => row.person_id),
    ['', ''],
  )
})

test('an announcement counts shops, reaches every member, and is withdrawn for each', async () => {
  const { owner, members } = await shopWith('clerk', 'developer')
  const { rows } = await deps.owner.query('select mchid from merchants where id = $1', [owner.merchantId])
  const texts = { title_en: 'Upgrade', content_en: 'a', title_zh: '升级', content_zh: '周日' }
  const given = { texts, mchids: [rows[0].mchid], ends_at: deps.clock() + 600, operator: 'ann@example.com' }
  const { id, receivers } = await publishAnnouncement(deps, given)
  assert.equal(receivers, 1)
  const everybody = [owner, ...members]
  for (const reader of everybody) assert.deepEqual(await titles(reader), ['Upgrade'])
  await withdrawAnnouncement(deps, { id })
  for (const reader of everybody) {
    assert.deepEqual(await titles(reader), ['Announcement withdrawn'])
    assert.equal((await list(reader)).unread, 0)
  }
})

test('a clerk is notified of the payments that this person collected, and of no others', async () => {
  const { owner, members } = await shopWith('clerk', 'clerk')
  const [mine, other] = members as [Reader, Reader]
  const { merchantId } = owner
  const { appid } = await testApplication(deps, merchantId)
  const [payment] = await addRecords(deps, merchantId, [{ appid, created_at: deps.clock() }])
  const { trade_no } = payment!
  await deps.owner.query('update payments set collected_by = $2 where trade_no = $1', [trade_no, mine.personId])
  await insertEvents(deps.pool, [
    about(merchantId, 'payment_paid', { params: { trade_no } }),
    about(merchantId, 'payment_over'),
    about(merchantId, 'refund_accomplished', { params: { trade_no } }),
  ])
  assert.deepEqual([await titles(mine), await titles(other)], [['Payment received'], []])
  assert.equal((await list(owner)).total, 3)
  await setTestRole(deps.owner, { merchantId, personId: mine.personId, role: 'developer', now: deps.clock() })
  assert.deepEqual(await titles({ ...mine, role: 'developer' }), ['Payment received'])
})
