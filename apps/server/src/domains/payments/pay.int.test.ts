import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { applicationStatus, type ErrorName, errors, paymentStatus, routes } from '@coffer/contract'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../kit/refusal.ts'
import { newSecret } from '../../kit/secrets.ts'
import { makeApp } from '../../serve.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { eth, moneyWorld } from '../../testing/money.ts'
import { applicationKeyRateLimit } from '../applications/authenticate-key.ts'

const world = await moneyWorld({ after })
const { deps, merchant } = world
const app: FastifyInstance = await makeApp(deps)
after(() => app.close())

let count = 0
const number = () => `A-${++count}`
const fresh = (given = {}) => testApplication(deps, merchant.id, given)

interface Ask {
  key: string
  body?: unknown
  headers?: Record<string, string>
  ip?: string
}

async function ask(method: 'GET' | 'POST', path: string, { key, body, headers, ip = '198.51.100.4' }: Ask) {
  const response = await app.inject({
    method,
    url: `/api/v1/pay${path}`,
    headers: { authorization: `Bearer ${key}`, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
    remoteAddress: ip,
  })
  return { status: response.statusCode, ...response.json() }
}

const refused = (answer: { status: number; code: number }, name: ErrorName) =>
  assert.deepEqual([answer.status, answer.code], [errors[name].status, errors[name].code], name)

test('create, read by either number, list and close return responses that match the contract', async () => {
  const { key } = await fresh()
  const out_trade_no = number()
  const made = await ask('POST', '/orders', {
    key,
    body: { out_trade_no, amount: '19.90', currency: 'EUR', attach: 'a b' },
  })
  assert.equal(made.code, 200)
  const order = routes['POST /api/v1/pay/orders'].data.parse(made.data)
  assert.deepEqual(
    [order.usdt_amount, order.fiat_name, order.fiat_amount, order.rate?.price, order.status, order.attach],
    ['21.89', 'EUR', '19.90', '1.1', 1, 'a b'],
  )
  assert.equal(order.pay_url, `${deps.config.publicUrl}/pay/${order.trade_no}`)
  for (const id of [order.trade_no, `out:${out_trade_no}`])
    assert.deepEqual((await ask('GET', `/orders/${id}`, { key })).data, order)
  const listed = await ask('GET', `/orders?current=1&pageSize=5&status=${paymentStatus.open}`, { key })
  assert.deepEqual(listed.data, { list: [order], total: 1, next_cursor: '' })
  const closed = await ask('POST', `/orders/${order.trade_no}/close`, { key })
  assert.deepEqual([closed.code, closed.data.status], [200, 4])
  assert.equal(
    (await ask('POST', `/orders/${order.trade_no}/close`, { key })).data.status,
    4,
    'closing again changes nothing',
  )
})

test('repeating an out_trade_no returns the same order or a conflict, separately for each application', async () => {
  const { key } = await fresh()
  const other = await fresh()
  const body = { out_trade_no: number(), amount: '5' }
  const [first, second] = await Promise.all([
    ask('POST', '/orders', { key, body }),
    ask('POST', '/orders', { key, body }),
  ])
  assert.equal(first.code, 200)
  assert.equal(first.data.trade_no, second.data.trade_no)
  refused(await ask('POST', '/orders', { key, body: { ...body, amount: '6' } }), 'order_conflict')
  const theirs = await ask('POST', '/orders', { key: other.key, body: { ...body, amount: '6' } })
  assert.notEqual(theirs.data.trade_no, first.data.trade_no)
})

test('an Idempotency-Key replays the first response and is refused for a different request', async () => {
  const { key } = await fresh()
  const headers = { 'idempotency-key': newSecret() }
  const body = { out_trade_no: number(), amount: '5' }
  const first = await ask('POST', '/orders', { key, body, headers })
  assert.equal(first.code, 200)
  const again = await ask('POST', '/orders', { key, body, headers })
  assert.deepEqual(again.data, first.data)
  refused(
    await ask('POST', '/orders', { key, body: { ...body, out_trade_no: number() }, headers }),
    'idempotency_conflict',
  )
})

test('a request that failed temporarily is retried under the same Idempotency-Key', async t => {
  const { key } = await fresh()
  const headers = { 'idempotency-key': newSecret() }
  const create = () =>
    ask('POST', '/orders', {
      key,
      body: { out_trade_no: 'moment', amount: '5', chain: eth.id, token: 'USDC' },
      headers,
    })
  const halt = (why: string | null) => world.owner.query('update chains set halted = $2 where id = $1', [eth.id, why])
  await halt('deep reorg')
  t.after(() => halt(null))
  const halted = await create()
  refused(halted, 'chain_halted')
  assert.match(halted.msg, / \(try again in 15 min\)$/)
  await halt(null)
  const quote = t.mock.method(deps.prices, 'quote', () => Promise.reject(new Refusal('price_unavailable')))
  refused(await create(), 'price_unavailable')
  quote.mock.mockImplementation(() => Promise.reject(new Error('a fault of ours')))
  assert.equal((await create()).status, 500)
  quote.mock.restore()
  const [made, ...more] = await Promise.all([create(), create(), create()])
  assert.equal(made.code, 200)
  for (const again of more) assert.deepEqual(again, made)
  await halt('deep reorg')
  assert.deepEqual(await create(), made, 'a stored response is replayed')
})

test('an application can read and close only its own orders, even if it knows other order numbers', async () => {
  const mine = await fresh()
  const neighbour = await fresh()
  const stranger = await testApplication(deps, (await testMerchant(deps)).id)
  const body = { out_trade_no: number(), amount: '5' }
  const { trade_no } = (await ask('POST', '/orders', { key: mine.key, body })).data
  for (const { key } of [neighbour, stranger]) {
    refused(await ask('GET', `/orders/${trade_no}`, { key }), 'transaction_not_exist')
    refused(await ask('GET', `/orders/out:${body.out_trade_no}`, { key }), 'transaction_not_exist')
    refused(await ask('POST', `/orders/${trade_no}/close`, { key }), 'transaction_not_exist')
    assert.deepEqual((await ask('GET', '/orders', { key })).data, { list: [], total: 0, next_cursor: '' })
    assert.equal((await ask('GET', `/orders?out_trade_no=${body.out_trade_no}`, { key })).data.total, 0)
  }
  assert.equal((await ask('GET', `/orders/${trade_no}`, { key: mine.key })).data.status, paymentStatus.open)
})

test('a list is read on by its cursor, which says when it ends', async () => {
  const { key } = await fresh()
  const made: string[] = []
  for (let i = 0; i < 3; i++) {
    const body = { out_trade_no: number(), amount: '5', metadata: { list: 'mine' } }
    made.push((await ask('POST', '/orders', { key, body })).data.trade_no)
  }
  const read = async (query: string) =>
    (await ask('GET', `/orders?pageSize=2&metadata=list%3Dmine${query}`, { key })).data
  const first = await read('')
  const second = await read(`&cursor=${first.next_cursor}`)
  const listed = [...first.list, ...second.list].map(order => order.trade_no)
  assert.deepEqual(listed.sort(), made.sort())
  assert.deepEqual([first.total, second.total, second.next_cursor], [3, 3, ''])
  for (const cursor of ['1', '1-2', `a-${'1'.repeat(32)}`, `${'9'.repeat(11)}-${'1'.repeat(32)}`])
    refused(await ask('GET', `/orders?cursor=${cursor}`, { key }), 'parameter_error')
  for (const query of ['exception=none', 'txid=1', 'metadata=a', 'text=', `address=${'a'.repeat(65)}`, 'text=a%00'])
    refused(await ask('GET', `/orders?${query}`, { key }), 'parameter_error')
})

test('missing keys, wrong keys, session tokens and disabled applications are refused', async () => {
  const off = await fresh({ status: applicationStatus.disabled })
  refused(await ask('GET', '/balances', { key: off.key }), 'application_disabled')
  for (const key of [`sk_live_${newSecret()}`, 'sk_live_', merchant.token, ''])
    refused(await ask('GET', '/balances', { key }), 'bad_key')
  refused(await ask('GET', '/balances', { key: 'x', headers: { 'x-token': merchant.token } }), 'bad_key')
})

test('an IP whitelist admits only the listed addresses', async () => {
  const { key } = await fresh({ ip_whitelist_enabled: true, ip_whitelist: ['198.51.100.4'] })
  assert.equal((await ask('GET', '/balances', { key })).code, 200)
  assert.equal((await ask('GET', '/balances', { key, ip: '::ffff:198.51.100.4' })).code, 200)
  for (const ip of ['198.51.100.5', '2001:db8::1'])
    refused(await ask('GET', '/balances', { key, ip }), 'ip_not_allowed')
  const headers = { 'x-forwarded-for': '198.51.100.4' }
  refused(await ask('GET', '/balances', { key, ip: '203.0.113.9', headers }), 'ip_not_allowed')
  const ranged = await fresh({ ip_whitelist_enabled: true, ip_whitelist: ['2001:db8:1::/48'] })
  const order = (ip: string) =>
    ask('POST', '/orders', { key: ranged.key, ip, body: { out_trade_no: number(), amount: '5' } })
  assert.equal((await order('2001:db8:1:2::3')).code, 200)
  refused(await order('2001:db8:2::3'), 'ip_not_allowed')
})

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))

test('invalid input is refused with the error name and field', async () => {
  const { key } = await fresh()
  const good = { out_trade_no: number(), amount: '5' }
  const cases: [Record<string, unknown>, ErrorName, string][] = [
    [{ amount: '0' }, 'bad_amount', 'amount'],
    [{ amount: '-1' }, 'bad_amount', 'amount'],
    [{ amount: '1e3' }, 'bad_amount', 'amount'],
    [{ amount: 5 }, 'bad_amount', 'amount'],
    [{ amount: '0.0000001' }, 'bad_amount', 'amount'],
    [{ amount: '0.000001' }, 'amount_too_small', 'amount'],
    [{ amount: '9'.repeat(30) }, 'amount_too_large', 'amount'],
    [{ out_trade_no: 'a\tb' }, 'parameter_error', 'out_trade_no'],
    [{ out_trade_no: '' }, 'parameter_error', 'out_trade_no'],
    [{ currency: 'usd' }, 'parameter_error', 'currency'],
    [{ currency: 'QQQ' }, 'currency_not_supported', 'currency'],
    [{ subject: 'a\u0000b' }, 'parameter_error', 'subject'],
    [{ subject: 'a\u202eb' }, 'parameter_error', 'subject'],
    [{ attach: 'x'.repeat(513) }, 'parameter_error', 'attach'],
    [{ return_url: 'javascript:alert(1)' }, 'bad_url', 'return_url'],
    [{ cancel_url: 'javascript:alert(1)' }, 'bad_url', 'cancel_url'],
    [{ auto_redirect: 'yes' }, 'parameter_error', 'auto_redirect'],
    [{ tolerance_permille: 51 }, 'parameter_error', 'tolerance_permille'],
    [{ tolerance_permille: 1 }, 'tolerance_too_large', 'tolerance_permille'],
    [{ metadata: { a: 'x'.repeat(16 * 1024) } }, 'metadata_too_large', 'metadata'],
    [{ metadata: many(51) }, 'metadata_too_large', 'metadata'],
    [{ metadata: ['a'] }, 'parameter_error', 'metadata'],
    [{ metadata: { a: {} } }, 'parameter_error', 'metadata.a'],
    [{ metadata: { a: null } }, 'parameter_error', 'metadata.a'],
    [{ metadata: { a: 2 ** 53 } }, 'parameter_error', 'metadata.a'],
    [{ metadata: { a: 'b\u0000' } }, 'parameter_error', 'metadata.a'],
    [{ metadata: { 'a=b': '1' } }, 'parameter_error', 'metadata.a=b'],
    [{ notify_url: 'http://user:pass@shop.example/' }, 'bad_url', 'notify_url'],
    [{ notify_url: 'http://169.254.169.254/latest' }, 'url_forbidden', 'notify_url'],
    [{ notify_url: 'http://127.0.0.1/' }, 'url_forbidden', 'notify_url'],
    [{ expires_in: 1 }, 'parameter_error', 'expires_in'],
    [{ chain: eth.id }, 'parameter_error', 'token'],
    [{ chain: eth.id, token: 'DOGE' }, 'currency_not_supported', 'token'],
    [{ merchant_id: 'other' }, 'parameter_error', 'merchant_id'],
  ]
  for (const [change, name, field] of cases) {
    const answer = await ask('POST', '/orders', { key, body: { ...good, ...change } })
    refused(answer, name)
    assert.equal(answer.field, field, JSON.stringify(change))
  }
  const inBaht = (language: string) =>
    ask('POST', '/orders', { key, body: { ...good, currency: 'THB' }, headers: { 'x-language': language } })
  const never = await inBaht('en-US')
  refused(never, 'price_unavailable')
  assert.match(never.msg, /\(THB has no reliable price yet; try again in 60 s\)/)
  const at = Date.UTC(2026, 8, 5, 12, 30) / 1000
  await world.owner.query(`insert into price_history values ('THB', $1, '0.03', 'a,b')`, [at])
  assert.match((await inBaht('en-US')).msg, /the last reliable price of THB is of 2026-09-05 12:30 UTC/)
  assert.match((await inBaht('zh-CN')).msg, /THB 的最近可靠报价时间为 2026-09-05 12:30 UTC，请 60 秒后重试/)
  for (const id of ['1', 'out:', 'out:a%09b', '%00'])
    assert.equal((await ask('GET', `/orders/${id}`, { key })).status, 422, id)
  refused(await ask('GET', '/orders?pageSize=1000', { key }), 'parameter_error')
  refused(await ask('GET', `/orders/${'9'.repeat(32)}`, { key }), 'transaction_not_exist')
})

test('currencies and balances belong to the calling merchant', async () => {
  const { key } = await fresh()
  const { data } = await ask('GET', '/currencies', { key })
  const currencies = routes['GET /api/v1/pay/currencies'].data.parse(data)
  assert.deepEqual(
    currencies.list.map(each => each.id),
    ['bsc', 'eth'],
  )
  const order = (
    await ask('POST', '/orders', { key, body: { out_trade_no: number(), amount: '10', chain: eth.id, token: 'USDT' } })
  ).data
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const paid = (await ask('GET', `/orders/${order.trade_no}`, { key })).data
  assert.deepEqual([paid.status, paid.paid_amount, paid.deposits[0].state], [2, '10', 'credited'])
  const balances = routes['GET /api/v1/pay/balances'].data.parse((await ask('GET', '/balances', { key })).data)
  const mine = balances.list.find(each => each.chain_id === eth.id && each.token === 'USDT')
  assert.deepEqual([mine?.available, mine?.held, balances.total_usdt], ['9.96', '0', '9.96'])
  const stranger = await testApplication(deps, (await testMerchant(deps)).id)
  assert.equal((await ask('GET', '/balances', { key: stranger.key })).data.total_usdt, '0')
})

test('rate limits apply per key', async () => {
  const busy = await fresh()
  const calm = await fresh()
  // One at a time, because few calls of a key run at once, and from several addresses, because each has its own limit.
  for (let i = 0; i < applicationKeyRateLimit.burst; i++)
    assert.equal((await ask('GET', '/currencies', { key: busy.key, ip: `192.0.2.${i % 200}` })).code, 200)
  refused(await ask('GET', '/currencies', { key: busy.key }), 'frequent_operation')
  assert.equal((await ask('GET', '/currencies', { key: calm.key })).code, 200)
})
