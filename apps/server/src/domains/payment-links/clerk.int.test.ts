import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type ParsedQuery, type RouteData } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import { startExport } from '../../kit/export/export-rows.ts'
import { sendHints } from '../../kit/hints.ts'
import type { LiveHint } from '../../kit/live.ts'
import { wholeShop } from '../../kit/visible-to.ts'
import { makeApp } from '../../serve.ts'
import { nothingLive } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { eth, type MoneyWorld, moneyWorld, rowsOf } from '../../testing/money.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import paymentExport from '../payments/records/export.ts'
import { findPayments, nextPayments } from '../payments/records/payment-list.ts'
import refundExport from '../refunds/export.ts'

/* Clerks of one shop and of another one: what each collected is seen by its clerk, and by who sees the whole shop. */

const listening = new Set<(hint: LiveHint) => void>()
const world: MoneyWorld = await moneyWorld(
  { after },
  {
    live: {
      ...nothingLive,
      onMerchant: (_, listen) => {
        listening.add(listen)
        return () => listening.delete(listen)
      },
      recent: merchant_id => [{ merchant_id, type: 'balance', id: 'recent' }],
    },
  },
)
const { deps, owner, merchant, appid: foreignAppid } = world
const app = await makeApp(deps)
after(() => app.close())
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

type Records = RouteData<'GET /api/v1/transactions/list'>
let visitors = 0
async function call(token: string, method: 'GET' | 'POST', path: string, body?: object, headers = {}) {
  const remoteAddress = `10.7.${++visitors >> 8}.${visitors & 255}`
  const url = `/api/v1/${path}`
  const payload = body && { payload: body }
  return (
    await app.inject({ method, url, remoteAddress, headers: { 'x-token': token, ...headers }, ...payload })
  ).json()
}
const read = async (token: string, path: string) => {
  const { code, data, msg } = await call(token, 'GET', path)
  assert.equal(code, 200, `${path}: ${msg}`)
  return data
}
const numbers = ({ list }: { list: { trade_no: string }[] }) => list.map(each => each.trade_no)

async function collect(token: string, note = ''): Promise<string> {
  const { code, data, msg } = await call(token, 'POST', 'collect', { amount: '12.5', note })
  assert.equal(code, 200, msg)
  return data.trade_no
}
async function payIn(tradeNo: string) {
  await chooseAsset(deps, { tradeNo, assetId: `${eth.id}:USDT` })
  const [{ address, amount }] = await rowsOf(owner, 'select address, amount from payments where trade_no = $1', [
    tradeNo,
  ])
  await world.eth.add([{ to: address, amount: BigInt(amount) }])
  await world.eth.confirm()
}

/** A shop with two clerks, each with a payment at the counter, a link and a payment by it, and an order of the shop. */
async function shopWithClerks() {
  const shop = await testMerchant(deps)
  const { appid } = await testApplication(deps, shop.id)
  const clerks = []
  for (const name of ['one', 'two']) {
    const member = await testMember(deps, owner, { merchantId: shop.id, role: 'clerk' })
    const { token, session } = await member.signIn()
    const counter = await collect(token, `cake of ${name}`)
    const link = await call(token, 'POST', 'payment-link', { title: `tart of ${name}`, amount: '9' })
    assert.equal(link.code, 200, link.msg)
    const linkToken = link.data.url.split('/').at(-1)
    const opened = await call('', 'POST', `public/payment-link/${linkToken}`, {})
    assert.equal(opened.code, 200, opened.msg)
    clerks.push({ ...member, token, session, counter, link: link.data.id, linked: opened.data.trade_no as string })
  }
  const order = await world.pay({ subject: 'cake of the shop' }, { merchantId: shop.id, appid })
  const [one, two] = clerks as [(typeof clerks)[0], (typeof clerks)[0]]
  return { shop, appid, one, two, order: order.trade_no }
}

test('each list of a clerk has what this clerk collected, and its total; the owner’s has everything', async () => {
  const { shop, one, two, order } = await shopWithClerks()
  const all = [one.counter, one.linked, two.counter, two.linked, order]
  for (const clerk of [one, two]) {
    const own = [clerk.counter, clerk.linked].sort()
    for (const filter of [
      '',
      '?pageSize=1',
      '?status=1',
      '?text=20250',
      '?text=of',
      '?end_time=9999999999&start_time=1',
    ]) {
      const page: Records = await read(clerk.token, `transactions/list${filter}`)
      assert.equal(page.total, 2, filter)
      assert.equal(page.truncated, false)
      const listed = filter.includes('pageSize')
        ? [...numbers(page), ...numbers(await read(clerk.token, 'transactions/list?pageSize=1&current=2'))]
        : numbers(page)
      assert.deepEqual(listed.sort(), own, filter)
    }
    assert.deepEqual(numbers(await read(clerk.token, 'collect')), [clerk.counter])
    const links = await read(clerk.token, 'payment-link')
    assert.deepEqual([links.total, links.list.map((each: { id: string }) => each.id)], [1, [clerk.link]])
  }
  assert.deepEqual(numbers(await read(shop.token, 'transactions/list')).sort(), all.sort())
  assert.deepEqual(numbers(await read(shop.token, 'collect')).sort(), [one.counter, two.counter].sort())
  assert.equal((await read(shop.token, 'payment-link')).total, 2)
})

test('a clerk finds nothing of others by any filter, number, address, text or transaction', async () => {
  const { one, two, order } = await shopWithClerks()
  await payIn(two.counter)
  const [paid] = await rowsOf(
    owner,
    `select p.address, p.out_trade_no, p.appid, d.txid from payments p join deposits d using (merchant_id, trade_no) where trade_no = $1`,
    [two.counter],
  )
  const foreign = await shopWithClerks()
  const hidden = [two.counter, two.linked, order, foreign.one.counter, foreign.order]
  const texts = [...hidden, paid.address, paid.txid, paid.out_trade_no, 'two', 'shop', '12.5', order.slice(0, 20)]
  const filters: ParsedQuery<'GET /api/v1/transactions/list'>[] = [
    ...hidden.map(trade_no => ({ trade_no })),
    ...texts.map(text => ({ text })),
    { out_trade_no: paid.out_trade_no },
    { address: paid.address },
    { txid: paid.txid },
    { metadata: `payment_link=${two.link}` },
    { collected_by: two.personId },
    { collected_by: foreign.one.personId },
    { status: 2 },
    { appid: paid.appid },
  ].map(filter => ({ current: 1, pageSize: 100, ...filter }))
  for (const filter of filters) {
    const query = new URLSearchParams(filter as unknown as Record<string, string>)
    const page: Records = await read(one.token, `transactions/list?${query}`)
    assert.ok(
      numbers(page).every(each => [one.counter, one.linked].includes(each)),
      String(query),
    )
    assert.equal(page.total, page.list.length, String(query))
    if (filter.text) {
      const found = await read(one.token, `transactions/search?text=${encodeURIComponent(filter.text)}`)
      assert.ok(
        numbers(found).every(each => [one.counter, one.linked].includes(each)),
        filter.text,
      )
    }
  }
  // What it finds is its own.
  for (const text of [one.counter, 'cake of one', '12.5'])
    for (const path of ['list', 'search'])
      assert.ok(
        numbers(await read(one.token, `transactions/${path}?text=${text}`)).includes(one.counter),
        `${path} ${text}`,
      )
  for (const trade_no of hidden) {
    const { code } = await call(one.token, 'GET', `transactions/detail?trade_no=${trade_no}`)
    assert.equal(code, errors.transaction_not_exist.code)
  }
  assert.equal((await read(one.token, `transactions/detail?trade_no=${one.counter}`)).trade_no, one.counter)
})

test('a clerk cancels payments and disables links of its own only', async () => {
  const { one, two } = await shopWithClerks()
  const foreign = await shopWithClerks()
  for (const other of [two, foreign.one]) {
    const cancel = await call(one.token, 'POST', 'collect/cancel', { trade_no: other.counter })
    assert.equal(cancel.code, errors.transaction_not_exist.code)
    const disable = await call(one.token, 'POST', 'payment-link/disable', { id: other.link })
    assert.equal(disable.code, errors.payment_link_not_exist.code)
  }
  const states = () =>
    rowsOf(owner, 'select disabled_at is null as open from payment_links where id = any($1)', [
      [two.link, foreign.one.link],
    ])
  assert.deepEqual(await states(), [{ open: true }, { open: true }])
  assert.equal((await call(one.token, 'POST', 'collect/cancel', { trade_no: one.counter })).code, 200)
  assert.equal((await call(one.token, 'POST', 'payment-link/disable', { id: one.link })).code, 200)
})

test('a clerk’s link is in the application of the counter, whatever it names', async () => {
  const { one, appid: other } = await shopWithClerks()
  const [{ appid: counter }] = await rowsOf(owner, 'select appid from payments where trade_no = $1', [one.counter])
  const link = { title: 'a tart', amount: '9' }
  for (const appid of [other, foreignAppid])
    assert.equal(
      (await call(one.token, 'POST', 'payment-link', { ...link, appid })).code,
      errors.application_not_exist.code,
    )
  assert.equal((await call(one.token, 'POST', 'payment-link', { ...link, appid: counter })).code, 200)
  for (const path of ['user/application-list', 'user/secret-key/select']) {
    const { list } = await read(one.token, path)
    assert.deepEqual(
      list.map((each: { appid: string }) => each.appid),
      [counter],
      path,
    )
  }
})

test('a payment keeps its person when the role changes, and a link its maker', async () => {
  const { shop, one, two } = await shopWithClerks()
  await setTestRole(owner, { personId: one.personId, merchantId: shop.id, role: 'finance', now: deps.clock() })
  assert.equal((await read(one.token, 'transactions/list')).total, 5, 'who sees the shop sees everything')
  const own: Records = await read(one.token, `transactions/list?collected_by=${two.personId}`)
  assert.deepEqual(numbers(own).sort(), [two.counter, two.linked].sort())
  assert.deepEqual(own.list[0]?.collected_by, { id: two.personId, email: two.email })
  await setTestRole(owner, { personId: one.personId, merchantId: shop.id, role: 'clerk', now: deps.clock() })
  assert.equal((await read(one.token, 'transactions/list')).total, 2)
})

test('the counts of a person follow each change of state', async () => {
  const { shop, one } = await shopWithClerks()
  await payIn(one.counter)
  const totals = async (token: string, more = '') =>
    Promise.all([1, 2, 4].map(async status => (await read(token, `transactions/list?status=${status}${more}`)).total))
  assert.deepEqual(await totals(one.token), [1, 1, 0])
  assert.deepEqual(await totals(shop.token, `&collected_by=${one.personId}`), [1, 1, 0])
  const again = await collect(one.token)
  assert.equal((await call(one.token, 'POST', 'collect/cancel', { trade_no: again })).code, 200)
  assert.deepEqual(await totals(one.token), [1, 1, 1])
})

test('who collected it is told to those who see the shop, and to nobody who works alone', async () => {
  const { shop, one } = await shopWithClerks()
  const detail = (token: string, trade_no: string) => read(token, `transactions/detail?trade_no=${trade_no}`)
  assert.deepEqual((await detail(shop.token, one.linked)).collected_by, { id: one.personId, email: one.email })
  assert.ok(!('collected_by' in (await detail(one.token, one.linked))))
  const alone = await collect(merchant.token)
  assert.ok(!('collected_by' in (await detail(merchant.token, alone))))
  const page: Records = await read(merchant.token, 'transactions/list')
  assert.ok(page.list.every(each => !('collected_by' in each)))
  await owner.query('update members set removed_at = 1 where merchant_id = $1 and role = $2', [shop.id, 'clerk'])
  assert.ok(!('collected_by' in (await detail(shop.token, one.linked))), 'alone again')
})

test('an export is limited to the person, and refused where it cannot be', async () => {
  const { shop, one } = await shopWithClerks()
  const scope = { ...one.session, language: 'en' as const }
  const filter = await paymentExport.find!(deps.pool, { ...scope, filter: {} })
  const rows = await nextPayments(deps.pool, { merchantId: shop.id, filter }, undefined, 100)
  assert.deepEqual(numbers({ list: rows }).sort(), [one.counter, one.linked].sort())
  assert.equal(await paymentExport.count(deps.pool, { ...scope, filter }), 2)
  await assert.rejects(startExport(deps, refundExport, { ...scope, filter: {} }), { reason: 'forbidden' })
  const all = await findPayments(deps.pool, wholeShop(shop.id), {})
  assert.equal(await paymentExport.count(deps.pool, { ...shop.session, language: 'en', filter: all }), 5)
})

/** Reads a stream of events; `next` waits for a part of it. */
async function openStream(t: { after(work: () => void): void }, token: string, since = 0) {
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  const response = await fetch(`${origin}/api/v1/user/events?since=${since}`, {
    headers: { 'x-token': token },
    signal: stopping.signal,
  })
  assert.equal(response.status, 200)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (part: string) => {
    while (!text.includes(part)) {
      const { value, done } = await reader.read()
      assert.ok(!done, `ended before ${part}`)
      text += value
    }
    return text
  }
  const toEnd = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
    return text
  }
  return { until, toEnd }
}

test('a clerk’s stream has no hint about others, balances or the account, and ends with the role', {
  timeout: 180_000,
}, async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { shop, one, two } = await shopWithClerks()
  const tell = (hint: Partial<LiveHint>) => {
    for (const listen of listening) listen({ merchant_id: shop.id, type: 'payment', id: 'x', ...hint })
  }
  const own = await openStream(t, one.token)
  const whole = await openStream(t, shop.token)
  await own.until('retry')
  await whole.until('retry')
  const others: Partial<LiveHint>[] = [
    { id: 'of the shop' },
    { id: 'of two', person: two.personId },
    { type: 'link', id: 'link of two', person: two.personId },
    ...(['balance', 'withdrawal', 'notification', 'callback', 'deposit', 'account'] as const).map(type => ({ type })),
  ]
  for (const hint of others) tell(hint)
  tell({ id: one.counter, person: one.personId })
  const text = await own.until(one.counter)
  assert.equal(text.match(/data:/g)?.length, 1, text)
  assert.equal((await whole.until(one.counter)).match(/data:/g)?.length, others.length + 1)
  const later = await openStream(t, one.token, 900)
  assert.ok(!(await later.until('"account"')).includes('balance'))
  await setTestRole(owner, { personId: one.personId, merchantId: shop.id, role: 'viewer', now: deps.clock() })
  tell({ type: 'account' })
  await own.toEnd()
  await later.toEnd()
})

test('hints of a payment and of a link carry their person through the database', async () => {
  const { one } = await shopWithClerks()
  const sent: string[] = []
  const pool = {
    query: async (query: { values: [string[]] }) => {
      sent.push(...query.values[0])
      return { rows: [] }
    },
  }
  const hint = { merchant_id: one.session.merchantId, type: 'payment' as const }
  sendHints(pool as never, [
    { ...hint, id: 'a', person: one.personId },
    { ...hint, id: 'b' },
    { ...hint, id: 'c', person: one.personId },
  ])
  await until('they are sent', () => sent.length === 2)
  assert.deepEqual(
    sent.map(each => JSON.parse(each)),
    [
      { ...hint, person: one.personId, ids: ['a', 'c'] },
      { ...hint, ids: ['b'] },
    ],
  )
})

test('a payment is pushed to the devices of who sees the shop and of its own clerk', async () => {
  const { shop, one, two } = await shopWithClerks()
  const device = (personId: string, id: string) =>
    owner.query(
      `insert into push_devices (id, merchant_id, person_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
       values ($1, $2, $3, '', $1, '', '', 'en-US', '', $4, $4)`,
      [id, shop.id, personId, deps.clock()],
    )
  for (const [person, name] of [
    [shop.id, 'owner'],
    [one.personId, 'one'],
    [two.personId, 'two'],
  ] as const)
    await device(person, `${shop.id} ${name}`)
  await payIn(one.counter)
  const pushed = await rowsOf(owner, 'select address from messages where address like $1 order by 1', [`${shop.id} %`])
  assert.deepEqual(
    pushed.map(each => each.address),
    [`${shop.id} one`, `${shop.id} owner`],
  )
})
