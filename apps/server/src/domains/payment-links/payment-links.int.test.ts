import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { applicationStatus, errors, paymentStatus, type RouteBody, type RouteData } from '@coffer/contract'
import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'
import { makeApp } from '../../serve.ts'
import { changeTestMerchant, newSession, testApplication, testMerchant } from '../../testing/merchants.ts'
import { eth, moneyWorld, rowsOf } from '../../testing/money.ts'
import { changeApplication } from '../applications/store.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { nextPayments } from '../payments/records/payment-list.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant, appid } = world
const app = await makeApp(deps)
after(() => app.close())

type Link = RouteData<'POST /api/v1/payment-link'>

let visitors = 0
async function call(method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) {
  const remoteAddress = headers.from ?? `10.9.${++visitors >> 8}.${visitors & 255}`
  const url = `/api/v1/${path}`
  const answer = await app.inject({ method, url, remoteAddress, headers, ...(body && { payload: body }) })
  return answer.json()
}
let asOwner: { 'x-token': string }
// Sessions end while time passes.
beforeEach(async () => {
  asOwner = { 'x-token': await newSession(deps, merchant.id) }
})
const create = async (more: Partial<RouteBody<'POST /api/v1/payment-link'>> = {}): Promise<Link> => {
  const { code, data, msg } = await call('POST', 'payment-link', { title: 'A cake', appid, ...more }, asOwner)
  assert.equal(code, 200, msg)
  return data
}
const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1)!
const open = (link: { url: string }, amount?: string, headers = {}) =>
  call('POST', `public/payment-link/${tokenOf(link)}`, amount === undefined ? {} : { amount }, headers)
const openOf = async (link: { url: string }, amount?: string) => {
  const { code, data, msg } = await open(link, amount)
  assert.equal(code, 200, msg)
  return data.trade_no as string
}
const stateOf = async (link: Link) => (await call('GET', `public/payment-link/${tokenOf(link)}`)).data.state
const paymentsOf = (link: { id: string }) =>
  rowsOf(owner, `select * from payments where metadata ->> '${paymentLinkMetadataKey}' = $1 order by created_at`, [
    link.id,
  ])
async function payIn(tradeNo: string) {
  await chooseAsset(deps, { tradeNo, assetId: `${eth.id}:USDT` })
  const [{ address, amount }] = await rowsOf(owner, 'select address, amount from payments where trade_no = $1', [
    tradeNo,
  ])
  await world.eth.add([{ to: address, amount: BigInt(amount) }])
  await world.eth.confirm()
}

test('a reusable link opens a payment for each payer, and records name it', async () => {
  const link = await create({ title: 'A birthday cake', amount: '12.5', currency: 'USDT' })
  const first = await openOf(link)
  const second = await openOf(link)
  assert.notEqual(first, second)
  const click = { 'idempotency-key': 'double-click', from: '10.8.0.1' }
  const clicks = await Promise.all([open(link, undefined, click), open(link, undefined, click)])
  const done = clicks.filter(each => each.code === 200)
  assert.ok(done.length > 0 && new Set(done.map(each => each.data.trade_no)).size === 1)
  assert.equal((await paymentsOf(link)).length, 3)
  await payIn(first)
  const listed = await call('GET', 'payment-link?text=BIRTHDAY', undefined, asOwner)
  assert.deepEqual([listed.data.total, listed.data.list[0].paid, listed.data.list[0].state], [1, 1, 'open'])
  const records = await call(
    'GET',
    `transactions/list?metadata=${paymentLinkMetadataKey}%3D${link.id}`,
    undefined,
    asOwner,
  )
  assert.equal(records.data.total, 3)
  // What was sold is its name wherever payments are listed.
  const title = 'A birthday cake'
  const [record] = records.data.list
  const detail = await call('GET', `transactions/detail?trade_no=${first}`, undefined, asOwner)
  const found = await call('GET', `transactions/search?text=${record.out_trade_no}`, undefined, asOwner)
  assert.deepEqual([record.title, detail.data.title, found.data.list[0].title], [title, title, title])
  const said = await call('GET', 'message?all=1', undefined, asOwner)
  assert.match(said.data.list[0].content, /12.50 USDT on Ethereum for order “A birthday cake”/)
  const scope = { merchantId: merchant.id, filter: { parts: [{ trade_no: first! }], truncated: false } }
  assert.equal((await nextPayments(deps.pool, scope, undefined, 1))[0]!.title, title)
  // Nobody else can see or end it.
  const stranger = { 'x-token': (await testMerchant(deps)).token }
  assert.equal((await call('GET', 'payment-link', undefined, stranger)).data.total, 0)
  assert.equal((await call('POST', 'payment-link/disable', { id: link.id }, stranger)).code, 10200)
  assert.equal(await stateOf(link), 'open')
})

test('a crash between number and payment costs a link for one payment nothing', async () => {
  const link = await create({ amount: '2', once: true })
  await owner.query('update payment_links set payments = 1 where id = $1', [link.id])
  const tradeNo = await openOf(link)
  assert.equal(await openOf(link), tradeNo)
})

test('takes no payment when it is disabled, expired, or its merchant or application is not active', async () => {
  const soon = await create({ expire_time: deps.clock() + 60 })
  const disabled = await create()
  const plain = await create()
  for (const _click of [1, 2])
    assert.equal((await call('POST', 'payment-link/disable', { id: disabled.id }, asOwner)).code, 200)
  deps.pass(61)
  const closed = async (link: Link, state: string) => {
    assert.equal(await stateOf(link), state)
    assert.equal((await open(link, '3')).code, 10201)
    assert.equal((await paymentsOf(link)).length, 0)
  }
  await closed(soon, 'expired')
  await closed(disabled, 'disabled')
  await changeTestMerchant(deps.pool, merchant.id, { frozen: true })
  await closed(plain, 'unavailable')
  await changeTestMerchant(deps.pool, merchant.id, { frozen: false })
  await changeApplication(deps.pool, merchant.id, appid, { status: applicationStatus.disabled })
  await closed(plain, 'unavailable')
  assert.equal((await call('POST', 'payment-link', { title: 'A', appid }, asOwner)).code, 10061)
  await changeApplication(deps.pool, merchant.id, appid, { status: applicationStatus.enabled })
  assert.equal(await stateOf(plain), 'open')
})

test('amounts outside the range, floods and unknown links are refused', async () => {
  const link = await create({ currency: 'EUR', min_amount: '5', max_amount: '20.50' })
  for (const amount of ['4.99', '20.51', '0', '-5', '1e1', undefined]) {
    const { code } = await open(link, amount)
    assert.ok(code === 10202 || code === 10048, `${amount}: ${code}`)
  }
  assert.match((await open(link, '4')).msg, /at least 5 EUR, at most 20.50 EUR/)
  const [payment] = [await openOf(link, '20.50'), ...(await paymentsOf(link))].slice(1)
  assert.deepEqual([payment.fiat_name, payment.fiat_amount, payment.subject], ['EUR', '20.50', 'A cake'])
  const flood = await Promise.all(Array.from({ length: 31 }, () => open(link, '5', { from: '10.7.7.7' })))
  assert.equal(flood.filter(each => each.code === 200).length, 30)
  assert.ok(flood.find(each => each.code !== 200).retry_after > 0)
  assert.equal((await call('GET', 'public/payment-link/AAAAAAAAAAAAAAAAAAAAAA')).code, 10200)
  await owner.query("update throttles set n = 2000 where key like 'payment link %' and key not like '% ip %'")
  const codes: number[] = []
  for (let n = 0; n < 4; n++) codes.push((await open(link, '5', { from: '10.8.8.8' })).code)
  assert.deepEqual(codes, [200, 200, 200, 10010], 'whoever floods a link closes it to no other network')
})

test('hostile and contradictory links are refused', async () => {
  for (const bad of [
    { title: ' ' },
    { title: 'x\u202egnp' },
    { title: 'x'.repeat(101) },
    { currency: 'XXX' },
    { amount: '1.1234567' },
    { amount: '5', min_amount: '1' },
    { min_amount: '5', max_amount: '4' },
    { expire_time: deps.clock() },
    { appid: 'app_nobody' },
  ])
    assert.notEqual(
      (await call('POST', 'payment-link', { title: 'A', appid, ...bad }, asOwner)).code,
      200,
      JSON.stringify(bad),
    )
  const title = '<img src=x onerror=alert(1)>'
  const link = await create({ title })
  assert.equal((await call('GET', `public/payment-link/${tokenOf(link)}`)).data.title, title)
})

type KeyLink = RouteData<'GET /api/v1/pay/links/:id'>
/** Calls of a server with the key of a new application. */
async function server(merchantId = merchant.id) {
  const { key, appid } = await testApplication(deps, merchantId)
  const ask = (method: 'GET' | 'POST', path: string, body?: object, headers = {}) =>
    call(method, `pay/links${path}`, body, { authorization: `Bearer ${key}`, ...headers })
  return { appid, ask }
}

test('a key creates links by which payers pay its application, lists them by cursor, and closes them', async () => {
  const { appid: own, ask } = await server()
  const twice = { 'idempotency-key': 'one-cake' }
  const made = await ask('POST', '', { title: 'Cake', amount: '5', once: true }, twice)
  const again = await ask('POST', '', { title: 'Cake', amount: '5', once: true }, twice)
  assert.equal(made.code, 200, made.msg)
  assert.equal(again.data.id, made.data.id)
  assert.deepEqual([made.data.appid, made.data.state, made.data.currency], [own, 'open', 'USDT'])
  const tradeNo = await openOf(made.data)
  assert.equal((await paymentsOf(made.data))[0].appid, own)
  await payIn(tradeNo)
  const { data: read } = await ask('GET', `/${made.data.id}`)
  assert.deepEqual(read, { ...made.data, state: 'used', paid: 1 })

  const tip = (await ask('POST', '', { title: 'Tip', min_amount: '1' })).data as KeyLink
  deps.pass(10)
  const late = (await ask('POST', '', { title: 'Late' })).data as KeyLink
  await create()
  const ids = async (query: string) => {
    const { data } = await ask('GET', `?${query}`)
    return { ids: data.list.map((link: KeyLink) => link.id), cursor: data.next_cursor as string }
  }
  const first = await ids('pageSize=2')
  const rest = await ids(`pageSize=2&cursor=${first.cursor}`)
  assert.deepEqual([...first.ids, ...rest.ids].toSorted(), [late.id, tip.id, made.data.id].toSorted())
  assert.equal(first.ids[0], late.id)
  assert.equal(rest.cursor, '')
  assert.deepEqual((await ids(`start_time=${late.created_time}`)).ids, [late.id])
  assert.equal((await ids(`end_time=${tip.created_time}`)).ids.length, 2)

  for (const _retry of [1, 2]) assert.equal((await ask('POST', `/${tip.id}/close`)).data.state, 'closed')
  assert.equal((await open(tip, '3')).code, 10201)
  const all = await call('GET', 'payment-link?text=Tip', undefined, asOwner)
  assert.deepEqual([all.data.total, all.data.list[0].state], [1, 'disabled'])
})

test('a key finds and closes no link of another application or merchant, and none while the account is frozen', async () => {
  const { ask } = await server()
  const link: KeyLink = (await ask('POST', '', { title: 'Cake' })).data
  const strangers = [await server(), await server((await testMerchant(deps)).id)]
  for (const stranger of strangers)
    for (const [method, path] of [
      ['GET', `/${link.id}`],
      ['POST', `/${link.id}/close`],
    ] as const) {
      const { code, field } = await stranger.ask(method, path)
      assert.deepEqual([code, field], [10200, 'id'])
    }
  for (const stranger of strangers) assert.deepEqual((await stranger.ask('GET', '')).data.list, [])
  for (const [given, field] of [
    [{ amount: '5', min_amount: '1' }, 'min_amount'],
    [{ min_amount: '5', max_amount: '4' }, 'max_amount'],
    [{ amount: '1.1234567' }, 'amount'],
    [{ expire_time: deps.clock() }, 'expire_time'],
    [{ currency: 'XXX' }, 'currency'],
    [{ appid }, 'appid'],
  ] as const) {
    const refused = await ask('POST', '', { title: 'Cake', ...given })
    assert.equal(refused.field, field)
    assert.match(refused.msg, new RegExp(`\\(${field}: .{8,}\\)$`))
  }
  await changeTestMerchant(deps.pool, merchant.id, { frozen: true })
  const codes = [await ask('POST', '', { title: 'Cake' }), await ask('POST', `/${link.id}/close`)].map(
    ({ code }) => code,
  )
  await changeTestMerchant(deps.pool, merchant.id, { frozen: false })
  assert.deepEqual(codes, [errors.account_frozen.code, errors.account_frozen.code])
  assert.equal((await ask('GET', `/${link.id}`)).data.state, 'open')
})

test('a shop without an application collects, in one application made for it, and cancels', async () => {
  const shop = await testMerchant(deps)
  const headers = { 'x-token': shop.token }
  const requested = await Promise.all(['5', '6', '7'].map(amount => call('POST', 'collect', { amount }, headers)))
  assert.deepEqual([...new Set(requested.map(each => each.code))], [200])
  const link = await call('POST', 'payment-link', { title: 'Tip' }, headers)
  assert.equal(link.data.apply_name, 'Collect')
  assert.equal((await rowsOf(owner, 'select from applications where merchant_id = $1', [shop.id])).length, 1)
  const cancel = (of: { data: { trade_no: string } }, by = headers) =>
    call('POST', 'collect/cancel', { trade_no: of.data.trade_no }, by)
  const [first, second] = requested
  const listed = async (by = headers) => (await call('GET', 'collect', undefined, by)).data.list
  assert.deepEqual(
    (await listed()).map((each: { amount: string; partial: boolean }) => [each.amount, each.partial]).toSorted(),
    ['5', '6', '7'].map(amount => [amount, false]),
  )
  assert.deepEqual(await listed(asOwner), [])
  assert.equal((await cancel(first, asOwner)).code, 10006)
  for (const _click of [1, 2]) assert.equal((await cancel(first)).code, 200)
  await payIn(second.data.trade_no)
  assert.notEqual((await cancel(second)).code, 200)
  assert.deepEqual(
    (await listed()).map((each: { status: number }) => each.status).toSorted(),
    [paymentStatus.open, paymentStatus.paid, paymentStatus.closed].toSorted(),
  )
  const order = await world.pay({ out_trade_no: 'not-of-the-counter' })
  assert.equal((await cancel({ data: order }, asOwner)).code, 10006)
  await changeTestMerchant(deps.pool, shop.id, { frozen: true })
  assert.notEqual((await call('POST', 'collect', { amount: '5' }, headers)).code, 200)
})

test('a link for one payment leads all payers to the same one, and to a new one only when it ended unpaid', async () => {
  // Sessions end while time passes.
  for (const link of [await create({ amount: '7', once: true }), await create({ once: true })]) {
    const { amount } = link
    const payers = await Promise.all(['3', '4', '5', '6'].map(each => open(link, amount === '' ? each : undefined)))
    assert.deepEqual([...new Set(payers.map(each => each.code))], [200])
    assert.equal(new Set(payers.map(each => each.data.trade_no)).size, 1)
    assert.equal((await paymentsOf(link)).length, 1)
    const [unpaid] = await paymentsOf(link)
    deps.pass(4_000)
    await world.eth.confirm()
    await expirePayments(deps)
    const again = await openOf(link, amount === '' ? '3' : undefined)
    assert.notEqual(again, unpaid.trade_no)
    await payIn(again)
    assert.equal(await stateOf(link), 'used')
    assert.equal(await openOf(link, '3'), again)
    assert.deepEqual(
      (await paymentsOf(link)).map(each => each.status),
      [paymentStatus.timed_out, paymentStatus.paid],
    )
  }
})

test('the application of Collect is created in the account’s language, and found in any', async () => {
  const { id, token } = await testMerchant(deps)
  await changeTestMerchant(deps.pool, id, { language: 'zh-CN' })
  const made = async () => (await call('POST', 'payment-link', { title: 'Tea' }, { 'x-token': token })).data.apply_name
  assert.equal(await made(), '收款')
  await changeTestMerchant(deps.pool, id, { language: 'en' })
  assert.equal(await made(), '收款')
  const headers = { 'x-token': token }
  const [own] = (await call('GET', 'user/secret-key/select', undefined, headers)).data.list
  await changeApplication(deps.pool, id, own.appid, { name: 'Tea stall' })
  await testApplication(deps, id, { name: 'Collect' })
  assert.equal(await made(), 'Tea stall', 'whatever its name is now')
  const { list } = (await call('GET', 'user/secret-key/select', undefined, headers)).data
  const marks = list.map((each: { name: string; collects: boolean }) => [each.name, each.collects])
  assert.deepEqual(Object.fromEntries(marks), { Collect: false, 'Tea stall': true })
})
