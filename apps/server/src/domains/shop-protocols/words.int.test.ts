import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { firstRow } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'

const { app, deps, owner, receiver, next, connect, payOrder } = await shopWorld({ after })
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

test('EPay: the way back keeps path, query, port and what stands behind #, unpaid and paid', async () => {
  const { id: pid, key } = await connect('epay')
  for (const [url, before, behind] of [
    ['https://panel.example/#/order/202406', 'https://panel.example/?', '#/order/202406'],
    ['https://panel.example:8443/a/b?x=1&y=%2F#/c?d=1', 'https://panel.example:8443/a/b?x=1&y=%2F&', '#/c?d=1'],
    ['http://shop.example/back?order=1', 'http://shop.example/back?order=1&', ''],
    ['https://shop.example/订单#/好', 'https://shop.example/%E8%AE%A2%E5%8D%95?', '#/%E5%A5%BD'],
  ] as const) {
    const fields = { money: '19.9', name: 'VIP', notify_url: receiver.url, out_trade_no: next(), pid, return_url: url }
    const sign = md5(
      Object.entries(fields)
        .map(pair => pair.join('='))
        .join('&') + key,
    )
    const led = await app.inject(`/submit.php?${new URLSearchParams({ ...fields, sign, sign_type: 'MD5' })}`)
    const tradeNo = led.headers.location!.split('/').at(-1)!
    const { return_url } = await firstRow(owner, 'select return_url from payments where trade_no = $1', [tradeNo])
    const back = async () =>
      (await app.inject(return_url.replace(deps.config.publicUrl, ''))).headers.location as string
    assert.equal(await back(), url.replace('订单', '%E8%AE%A2%E5%8D%95').replace('好', '%E5%A5%BD'))
    await payOrder(tradeNo)
    const paid = await back()
    assert.ok(paid.startsWith(`${before}pid=`) && paid.endsWith(behind), paid)
  }
})

test('errors come as the originals give them', async () => {
  const epusdt = await connect('epusdt')
  const bepusdt = await connect('bepusdt')
  const gmpay = await connect('gmpay')
  const coinbase = await connect('coinbase', { notify_url: receiver.url })
  const create = '/api/v1/order/create-transaction'
  for (const [url, status] of [
    [`/shop/${epusdt.id}${create}`, 200],
    [`/shop/${bepusdt.id}${create}`, 200],
    [`/shop/${gmpay.id}/payments/gmpay/v1/order/create-transaction`, 400],
    // The path says who asks, and not what else stands in the URL.
    [`/shop/${epusdt.id}${create}?from=/payments/gmpay/`, 200],
  ] as const) {
    const answer = await app.inject({ method: 'POST', url, payload: { order_id: '1', amount: 1, signature: 'x' } })
    assert.deepEqual([answer.statusCode, answer.json().status_code, answer.json().data], [status, 401, null], url)
  }
  const charge = { pricing_type: 'fixed_price', local_price: { amount: '-1', currency: 'CNY' } }
  for (const [key, method, url, status, type] of [
    ['', 'GET', '/charges', 401, 'authentication_error'],
    [coinbase.key, 'GET', '/charges/1', 404, 'not_found'],
    [coinbase.key, 'POST', '/charges', 400, 'invalid_request'],
  ] as const) {
    const payload = method === 'POST' ? { payload: charge } : {}
    const answer = await app.inject({ method, url, headers: { 'x-cc-api-key': key }, ...payload })
    assert.deepEqual([answer.statusCode, answer.json().error.type], [status, type])
  }
})

test('an amount that was calculated with floating point is paid in coins, and repeated as it came', async () => {
  const btcpay = await connect('btcpay', { notify_url: receiver.url })
  const coinbase = await connect('coinbase', { notify_url: receiver.url })
  const epusdt = await connect('epusdt')
  const amount = 20.895000000000003
  const headers = { authorization: `token ${btcpay.key}`, 'x-cc-api-key': coinbase.key }
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, payload, headers })).json()
  const invoice = (currency: string) => post(`/api/v1/stores/${btcpay.id}/invoices`, { amount, currency })
  assert.equal((await invoice('CNY')).amount, '20.9')
  assert.equal((await invoice('USDT')).amount, '20.895')
  const local_price = { amount, currency: 'CNY' }
  const made = await post('/charges', { pricing_type: 'fixed_price', local_price, name: 'x\n'.repeat(400) })
  assert.equal(made.data.pricing.local.amount, '20.9')
  const order = { order_id: next(), amount, notify_url: receiver.url }
  const create = `/shop/${epusdt.id}/api/v1/order/create-transaction`
  const { data } = await post(create, { ...order, signature: signJson(order, epusdt.key) })
  assert.equal(data.amount, amount)
  const row = await firstRow(owner, 'select fiat_amount from payments where trade_no = $1', [data.trade_id])
  assert.equal(row.fiat_amount, '20.9')
})

test('a cent of a weak currency is enough in the sandbox; elsewhere the refusal says what is', async () => {
  const { id, key } = await connect('epusdt')
  const create = async (notify_url: string) => {
    const order = { order_id: next(), amount: 0.01, notify_url }
    const url = `/shop/${id}/api/v1/order/create-transaction`
    const payload = { ...order, signature: signJson(order, key) }
    return (await app.inject({ method: 'POST', url, payload })).json()
  }
  const { data } = await create(receiver.url)
  await payOrder(data.trade_id)
  const row = await firstRow(owner, 'select paid_at from payments where trade_no = $1', [data.trade_id])
  assert.ok(row.paid_at > 0)
  const { mode } = deps.config
  deps.config.mode = 'production'
  try {
    assert.match((await create('https://1.1.1.1/notify')).message, /worth at least 0\.01 USDT \(0\.08 CNY\)/)
  } finally {
    deps.config.mode = mode
  }
})
