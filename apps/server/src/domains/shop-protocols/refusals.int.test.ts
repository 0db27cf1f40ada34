import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { newSession } from '../../testing/merchants.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'
import domain from './domain.ts'

const { app, deps, merchant, owner, receiver, next, connect } = await shopWorld({ after })
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** The refusals of a connection, as the back-office reads them. */
async function refusalsOf({ id, appid }: { id: string; appid: string }, language = 'en') {
  const answer = await app.inject({
    url: `/api/v1/user/shop/list?appid=${appid}`,
    headers: { 'x-token': await newSession(deps, merchant.id), 'accept-language': language },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const { list } = answer.json().data as { list: { id: string; refusals: Refusal[] }[] }
  return list.find(each => each.id === id)!.refusals
}
interface Refusal {
  code: number
  text: string
  field: string
  count: number
  last_time: number
}

type Texts = Record<string, string>
const epayOrder = (pid: string, key: string, more: Texts = {}) => {
  const fields: Texts = { money: '19.9', name: 'VIP', notify_url: receiver.url, out_trade_no: next(), pid, ...more }
  const text = Object.keys(fields)
    .sort()
    .map(name => `${name}=${fields[name]}`)
  return `/submit.php?${new URLSearchParams({ ...fields, sign: md5(text.join('&') + key), sign_type: 'MD5' })}`
}

test('the refusals of each protocol stand at its own connection, in words, and nowhere else', async () => {
  const silent = await connect('epay')
  const epay = await connect('epay')
  await app.inject(epayOrder(epay.id, epay.key, { money: '0' }))
  await app.inject(epayOrder(epay.id, epay.key, { money: '0' }))
  deps.pass(5)
  await app.inject(epayOrder(epay.id, 'x'))
  const [wrong, money] = await refusalsOf(epay)
  assert.deepEqual([wrong?.field, wrong?.count, wrong?.last_time], ['sign', 1, deps.clock()])
  assert.equal(wrong?.text, 'Invalid API key (sign does not match the id and its key)')
  assert.deepEqual([money?.field, money?.count, money?.last_time], ['money', 2, deps.clock() - 5])
  assert.match(money!.text, /money: /)
  assert.match((await refusalsOf(epay, 'zh-CN'))[1]!.text, /money：/)

  for (const protocol of ['epusdt', 'bepusdt', 'gmpay'] as const) {
    const shop = await connect(protocol)
    const at = protocol === 'gmpay' ? '/payments/gmpay' : ''
    const path =
      protocol === 'gmpay' ? '/v1/order/create-transaction' : `/shop/${shop.id}/api/v1/order/create-transaction`
    const post = (payload: object | string) =>
      app.inject({ method: 'POST', url: at + path, payload, headers: { 'content-type': 'application/json' } })
    const fields = { amount: 0, notify_url: receiver.url, order_id: next(), pid: Number(shop.id) }
    await post({ ...fields, signature: signJson(fields, shop.key) })
    deps.pass(1)
    await post({ ...fields, signature: 'x' })
    deps.pass(1)
    // A body that cannot be read names its shop by the path only.
    await post('{')
    const found = (await refusalsOf(shop)).map(({ field, code }) => [code, field])
    const unread = protocol === 'gmpay' ? [] : [[10002, 'body']]
    assert.deepEqual(found, [...unread, [10076, 'signature'], [found.at(-1)![0], 'amount']], protocol)
  }

  const btcpay = await connect('btcpay', { notify_url: receiver.url })
  const invoice = (key: string, payload: object) =>
    app.inject({
      method: 'POST',
      url: `/api/v1/stores/${btcpay.id}/invoices`,
      headers: { authorization: `token ${key}` },
      payload,
    })
  await invoice(btcpay.key, { amount: '0', currency: 'CNY' })
  deps.pass(1)
  await invoice('x'.repeat(32), { amount: '1', currency: 'CNY' })
  assert.deepEqual(
    (await refusalsOf(btcpay)).map(({ field }) => field),
    ['Authorization', 'amount'],
  )

  const coinbase = await connect('coinbase', { notify_url: receiver.url })
  const charge = { pricing_type: 'fixed_price', local_price: { amount: '-1', currency: 'CNY' } }
  const headers = { 'x-cc-api-key': coinbase.key }
  await app.inject({ method: 'POST', url: '/charges', headers, payload: charge })
  assert.deepEqual(
    (await refusalsOf(coinbase)).map(({ field }) => field),
    ['local_price.amount'],
  )
  assert.deepEqual(await refusalsOf(silent), [])
})

test('a flood of strangers is counted in few writes, and hides no refusal of the shop itself', async () => {
  const { id, key, appid } = await connect('epay')
  for (let at = 0; at < 60; at++) await app.inject(epayOrder(id, 'x', { [`a${at}`]: '1' }))
  const [flood, ...others] = await refusalsOf({ id, appid })
  assert.deepEqual(others, [])
  assert.equal(flood?.count, 5)
  await app.inject(epayOrder(id, key, { money: '0' }))
  assert.deepEqual((await refusalsOf({ id, appid })).map(({ field }) => field).sort(), ['money', 'sign'])
  for (let at = 0; at < 8; at++) await app.inject(epayOrder(id, key, { money: '0' }))
  await app.inject(epayOrder(id, key, { type: 'a b' }))
  const met = (await refusalsOf({ id, appid })).map(({ field }) => field)
  assert.ok(met.includes('type'), 'a kind that comes after others is listed, too')
  deps.pass(10)
  await app.inject(epayOrder(id, 'x'))
  const [all] = await refusalsOf({ id, appid })
  assert.deepEqual([all?.field, all?.count], ['sign', 61])
})

test('a connection keeps its newest kinds of refusals, for 30 days, whatever a shop calls its fields', async () => {
  const shop = await connect('epusdt')
  for (let at = 0; at < 30; at++) {
    deps.pass(2)
    const fields = { amount: 1, notify_url: receiver.url, order_id: next(), network: 'x', token: `T${at}` }
    const payload = { ...fields, signature: signJson({ ...fields, address: 'x' }, shop.key), address: 'x' }
    await app.inject({ method: 'POST', url: `/shop/${shop.id}/api/v1/order/create-transaction`, payload })
  }
  assert.deepEqual(
    (await refusalsOf(shop)).map(({ field, count }) => [field, count]),
    [['address', 30]],
  )

  const { id, key, appid } = await connect('btcpay', { notify_url: receiver.url })
  for (let at = 0; at < 30; at++) {
    deps.pass(2)
    await owner.query('update shop_refusals set field = $2 where connection = $1 and field = $3', [
      id,
      `f${at}`,
      'amount',
    ])
    const headers = { authorization: `token ${key}` }
    await app.inject({ method: 'POST', url: `/api/v1/stores/${id}/invoices`, headers, payload: { amount: '0' } })
  }
  const stored = (await refusalsOf({ id, appid })).map(({ field }) => field)
  assert.deepEqual([stored.length, stored[0], stored[1], stored.at(-1)], [20, 'amount', 'f29', 'f11'])

  deps.pass(30 * 86_400)
  assert.equal((await refusalsOf({ id, appid })).length, 1)
  deps.pass(1)
  assert.deepEqual(await refusalsOf({ id, appid }), [])
  await domain.deleteExpired!(deps)
  assert.equal((await owner.query('select 1 from shop_refusals where connection = $1', [id])).rowCount, 0)
})

test('an order on a network that is halted is told when to ask again, in the form of each protocol', async t => {
  await owner.query(`update chains set halted = 'deep reorg'`)
  t.after(() => owner.query('update chains set halted = null'))
  const gmpay = await connect('gmpay')
  const epay = await connect('epay')
  const fields = {
    amount: 10,
    notify_url: receiver.url,
    order_id: next(),
    pid: Number(gmpay.id),
    token: 'usdt',
    currency: 'cny',
    network: 'ethereum',
  }
  const answer = await app.inject({
    method: 'POST',
    url: '/payments/gmpay/v1/order/create-transaction',
    payload: { ...fields, signature: signJson(fields, gmpay.key) },
  })
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '900'], answer.body)
  assert.match(answer.json().message, /is halted .* \(try again in 15 min\)$/)
  // An order without a network is taken: its payer chooses another one, or waits.
  assert.equal((await app.inject(epayOrder(epay.id, epay.key))).statusCode, 302)
})
