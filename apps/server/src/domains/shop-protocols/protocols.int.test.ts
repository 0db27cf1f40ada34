import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { firstRow } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { disconnectShop } from './connect.ts'
import { listConnections } from './store.ts'
import { createTestOrder } from './test-order.ts'

const world = await shopWorld({ after })
const { deps, owner, app, receiver, next, connect, deliver, payOrder: pay } = world

type Texts = Record<string, string>
const askJson = (path: string, payload: string) =>
  app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': 'application/json' } })
test('epusdt, BEpusdt and GMPay: create, pay and report, each in its form', async () => {
  const path = '/api/v1/order/create-transaction'
  const more = { notify_url: receiver.url, redirect_url: 'https://shop.example/back' }
  const bep20 = { trade_type: 'usdt.bep20', timeout: 1_200, fiat: 'EUR', rate: '' }
  const named = { currency: 'cny', token: 'usdt', network: 'ethereum', name: '会员' }
  const dialects = [
    { protocol: 'epusdt', at: path, given: {}, amount: '10.0' },
    { protocol: 'bepusdt', at: path, given: bep20, amount: '19.90' },
    { protocol: 'gmpay', at: `/payments/gmpay/v1/order/create-transaction`, given: named, amount: '0.1' },
  ] as const
  for (const { protocol, at, given, amount } of dialects) {
    const { id, key, url } = await connect(protocol)
    const start = url.replace(deps.config.publicUrl, '')
    const pid: Texts = protocol === 'gmpay' ? { pid: id } : {}
    const fields: Record<string, string | number> = {
      ...pid,
      order_id: next(),
      amount: Number(amount),
      ...more,
      ...given,
    }
    const wire = { ...fields, signature: signJson(fields, key) }
    // PHP writes the number with its decimals, and signs it without.
    const payload = JSON.stringify(wire).replace(/"amount":[^,]+/, `"amount":${amount}`)
    const answer = await askJson(start + at, payload)
    const made = answer.json()
    assert.equal(made.status_code, 200, answer.body)
    // Clients of BEpusdt in Go read nothing else than texts, those of epusdt nothing else than numbers.
    const [read, due] = protocol === 'bepusdt' ? [String(fields.amount), 'string'] : [Number(amount), 'number']
    assert.deepEqual([made.data.order_id, made.data.amount], [fields.order_id, read])
    assert.equal(typeof made.data.actual_amount, due)
    assert.equal(made.data.expiration_time < 2_000, protocol === 'bepusdt', 'seconds left, or a time')
    assert.equal(made.data.payment_url, `${deps.config.publicUrl}/pay/${made.data.trade_id}`)
    assert.equal((await askJson(start + at, payload)).json().data.trade_id, made.data.trade_id)
    const order = await firstRow(owner, 'select chain_id, address, amount from payments where trade_no = $1', [
      made.data.trade_id,
    ])
    assert.equal(order.chain_id, { epusdt: null, bepusdt: 'bsc', gmpay: 'eth' }[protocol])
    if (protocol === 'bepusdt') {
      await world.bsc.add([{ to: order.address, amount: BigInt(order.amount) }])
      await world.bsc.confirm()
    } else await pay(made.data.trade_id)
    const [callback, ...others] = await deliver()
    assert.deepEqual(others, [])
    const body = JSON.parse(callback!.body)
    assert.equal(body.signature, signJson(body, key))
    assert.deepEqual([body.status, body.amount, body.order_id], [2, Number(amount), fields.order_id])
    const address = protocol === 'gmpay' ? body.receive_address : body.token
    assert.ok(/^0x[0-9a-fA-F]{40}$/.test(address) && body.block_transaction_id, callback!.body)
  }
})

test('epusdt: bad requests are refused in its own form, and change nothing', async () => {
  const { id, key } = await connect('epusdt')
  const other = await connect('bepusdt')
  const path = `/shop/${id}/api/v1/order/create-transaction`
  const before = await firstRow(owner, 'select count(*) as n from payments')
  const fields = { order_id: next(), amount: 10, notify_url: receiver.url, redirect_url: '' }
  const with_ = (more: Record<string, string | number>, by = key) => {
    const all = { ...fields, ...more }
    return JSON.stringify({ ...all, signature: signJson(all, by) })
  }
  const good = with_({})
  const bad: Record<string, string> = {
    'no JSON': '{',
    'a list': '[]',
    null: 'null',
    'list for text': good.replace('"amount":10', '"amount":[10]'),
    'repeated field': good.replace('{', '{"amount":10,'),
    'changed amount': good.replace('"amount":10', '"amount":1'),
    'number beyond a double': good.replace('"amount":10', '"amount":10.00000000000000000001'),
    exponent: good.replace('"amount":10', '"amount":1e1'),
    'huge amount': with_({ amount: '9'.repeat(39) }),
    negative: with_({ amount: -1 }),
    'wrong key': with_({}, other.key),
    'no signature': JSON.stringify(fields),
    'signature as a number': JSON.stringify({ ...fields, signature: 1 }),
    'address of the shop': with_({ address: '0x00000000000000000000000000000000000000aa' }),
    'unknown network': with_({ trade_type: 'usdt.nowhere' }),
    'a rate below zero': with_({ rate: '-1000' }),
    'a rate in words': with_({ rate: '~' }),
    'zero rate': with_({ rate: '0' }),
    'hidden field': with_({ name: 'x&network=tron' }),
    'control character': with_({ trade_type: 'a\u0000' }),
  }
  for (const [what, payload] of Object.entries(bad)) {
    const answer = await askJson(path, payload)
    const { status_code, message, data } = answer.json()
    assert.equal(answer.statusCode, 200, 'clients take another status for a gateway that is down')
    assert.ok(status_code >= 400 && status_code < 500, `${what}: ${answer.body}`)
    assert.ok(message.length > 0 && data === null, what)
  }
  assert.equal((await askJson(`/shop/${other.id}/api/v1/order/create-transaction`, good)).json().status_code, 401)
  assert.deepEqual(await firstRow(owner, 'select count(*) as n from payments'), before)
  const fixed = (await askJson(path, with_({ rate: 7.4, amount: 74 }))).json()
  assert.equal(fixed.data.actual_amount, 10)

  // Relative to the market: a factor, and a distance in units of the currency.
  const due = async (more: object) =>
    (await askJson(path, with_({ order_id: next(), amount: 100, ...more }))).json().data.actual_amount as number
  const market = await due({})
  const near = (given: number, expected: number) => assert.ok(Math.abs(given - expected) < 1e-4, `${given} ${expected}`)
  near(await due({ rate: '~2' }), market / 2)
  near(await due({ rate: '+1' }), 100 / (100 / market + 1))
  near(await due({ rate: '-0.5' }), 100 / (100 / market - 0.5))
  const again = with_({ order_id: next(), rate: '~1.02' })
  const made = (await askJson(path, again)).json().data
  assert.ok(made.trade_id)
  assert.deepEqual((await askJson(path, again)).json().data, made)
})

/** Calls of Coinbase Commerce with a key. */
const coinbaseCalls =
  (key: string) =>
  async (method: 'GET' | 'POST', path: string, payload = '', { by = key, type = 'application/json' } = {}) => {
    const headers = { 'x-cc-api-key': by, 'x-cc-version': '2018-03-22', 'content-type': type }
    const answer = await app.inject({ method, url: path, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, ...answer.json() }
  }

test('Coinbase Commerce: a shop creates a charge, is told once it is paid in full, and reads it', async () => {
  const { id, key } = await connect('coinbase', { notify_url: receiver.url })
  const other = await connect('coinbase', { notify_url: receiver.url })
  const btcpay = await connect('btcpay', { notify_url: receiver.url })
  const call = coinbaseCalls(key)
  const body = {
    name: '会员',
    description: 'One month',
    pricing_type: 'fixed_price',
    redirect_url: 'https://shop.example/back',
    local_price: { amount: '19.90', currency: 'CNY' },
    metadata: { order_id: 'A-1', customer: { name: 'é' } },
  }
  const { status, data: made } = await call('POST', '/charges', JSON.stringify(body))
  assert.deepEqual([status, made.hosted_url], [201, `${deps.config.publicUrl}/pay/${made.id}`])
  assert.deepEqual([made.pricing.local, made.metadata], [body.local_price, body.metadata])
  assert.deepEqual(Date.parse(made.expires_at) - Date.parse(made.created_at), 3_600_000)
  await pay(made.id, 500_000n)
  assert.deepEqual(await deliver(), [])
  assert.equal((await call('GET', `/charges/${made.code}`)).data.timeline.at(-1).status, 'PENDING')
  await pay(made.id, 500_000n)
  const [callback, ...more] = await deliver()
  assert.deepEqual(more, [])
  assert.ok(callback!.headerNames.includes('X-Cc-Webhook-Signature'))
  assert.equal(
    callback!.headers['x-cc-webhook-signature'],
    createHmac('sha256', key).update(callback!.body).digest('hex'),
  )
  const { type, data } = JSON.parse(callback!.body).event
  assert.deepEqual([type, data.id, data.metadata], ['charge:confirmed', made.id, body.metadata])
  const worth = (charge: { payments: { value: { local: object } }[] }) => charge.payments.map(each => each.value.local)
  assert.deepEqual(worth(data), Array(2).fill({ amount: '9.95', currency: 'CNY' }), 'a half each')
  assert.equal((await call('GET', `/charges/${made.id}`)).data.timeline.at(-1).status, 'COMPLETED')

  const whole = (await call('POST', '/charges', JSON.stringify(body))).data
  await pay(whole.id, 1_100_000n)
  const [sent] = await deliver()
  assert.deepEqual(
    worth(JSON.parse(sent!.body).event.data),
    [body.local_price],
    'as it was asked, whatever came on top',
  )
  assert.deepEqual((await call('GET', '/checkouts?limit=0')).data, [])
  assert.equal((await call('GET', '/checkouts', '', { by: btcpay.key })).status, 401)

  const form = 'application/x-www-form-urlencoded'
  const fields = 'name=x&pricing_type=fixed_price&local_price%5Bamount%5D=3&local_price%5Bcurrency%5D=CNY'
  const second = (await call('POST', '/charges/', `${fields}&metadata%5BoutTradeNo%5D=7`, { type: form })).data
  assert.deepEqual(second.metadata, { outTradeNo: '7' })
  const ids = async (query: string) =>
    (await call('GET', `/charges${query}`)).data.map((each: { id: string }) => each.id)
  const all = await ids('')
  assert.deepEqual(all.toSorted(), [made.id, whole.id, second.id].toSorted())
  assert.deepEqual([...(await ids('?limit=1')), ...(await ids(`?limit=2&starting_after=${all[0]}`))], all)

  assert.equal((await call('GET', `/charges/${made.id}`, '', { by: other.key })).status, 404)
  assert.ok(id)
})

test('Coinbase Commerce: a bad request is refused, and changes nothing', async () => {
  const { key } = await connect('coinbase', { notify_url: receiver.url })
  const btcpay = await connect('btcpay', { notify_url: receiver.url })
  const call = coinbaseCalls(key)
  const body = { name: 'x', pricing_type: 'fixed_price', local_price: { amount: '19.90', currency: 'CNY' } }
  const form = 'application/x-www-form-urlencoded'
  const fields = 'name=x&pricing_type=fixed_price&local_price%5Bamount%5D=3&local_price%5Bcurrency%5D=CNY'
  const before = await firstRow(owner, 'select count(*) as n from payments')
  for (const [what, payload, more] of [
    ['no price', JSON.stringify({ ...body, pricing_type: 'no_price' })],
    ['no amount', JSON.stringify({ ...body, local_price: { currency: 'CNY' } })],
    ['negative', JSON.stringify({ ...body, local_price: { amount: '-1', currency: 'CNY' } })],
    ['a script', JSON.stringify({ ...body, redirect_url: 'javascript:1' })],
    ['large metadata', JSON.stringify({ ...body, metadata: { x: 'y'.repeat(20_000) } })],
    ['no JSON', '{'],
    ['repeated field', `${fields}&local_price%5Bamount%5D=1`, { type: form }],
    ['field and list', `${fields}&local_price=1`, { type: form }],
    ['no key', JSON.stringify(body), { by: '' }],
    ['key of another protocol', JSON.stringify(body), { by: btcpay.key }],
  ] as const) {
    const { status, error } = await call('POST', '/charges', payload, more)
    assert.ok(status >= 400 && status < 500 && error.message.length > 0, `${what}: ${status}`)
  }
  assert.deepEqual(await firstRow(owner, 'select count(*) as n from payments'), before)
})

/** Calls of BTCPay's API with a key. */
const btcpayCalls =
  (key: string) =>
  async (method: 'GET' | 'POST', path: string, body?: unknown, by = key) => {
    const answer = await app.inject({
      method,
      url: path,
      headers: { authorization: `token ${by}`, 'content-type': 'application/json' },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.statusCode, data: answer.json() }
  }

test('BTCPay: a shop creates an invoice, is told when it is settled, and reads it', async () => {
  const { id, key } = await connect('btcpay', { notify_url: receiver.url })
  const other = await connect('btcpay')
  const store = `/api/v1/stores/${id}`
  const api = btcpayCalls(key)
  const own = (await api('GET', '/api/v1/api-keys/current')).data
  assert.deepEqual([own.apiKey, own.permissions.length], [key, 5])
  assert.equal((await api('GET', store)).data.id, id)
  const metadata = { orderId: next(), buyer: { name: '客户' }, items: [1] }
  const body = { jsonResponse: true, amount: '19.90', currency: 'CNY', metadata }
  const made = (await api('POST', `${store}/invoices`, body)).data
  assert.deepEqual([made.status, made.amount, made.metadata, made.storeId], ['New', '19.90', metadata, id])
  assert.equal((await api('POST', `${store}/invoices`, body)).data.id, made.id, 'the same order, the same invoice')
  const invoice = `${store}/invoices/${made.id}`
  assert.deepEqual((await api('GET', `${invoice}/payment-methods`)).data, [])

  await pay(made.id, 500_000n)
  assert.deepEqual(await deliver(), [])
  assert.deepEqual((await api('GET', invoice)).data.additionalStatus, 'PaidPartial')
  await pay(made.id, 600_000n)
  const [callback, ...more] = await deliver()
  assert.deepEqual(more, [])
  // PHP clients look for this spelling.
  assert.ok(callback!.headerNames.includes('Btcpay-Sig'))
  assert.equal(
    callback!.headers['btcpay-sig'],
    `sha256=${createHmac('sha256', key).update(callback!.body).digest('hex')}`,
  )
  const event = JSON.parse(callback!.body)
  assert.deepEqual(
    [event.type, event.invoiceId, event.overPaid, event.metadata],
    ['InvoiceSettled', made.id, true, metadata],
  )
  const [method] = (await api('GET', `${invoice}/payment-methods`)).data
  assert.deepEqual([method.due, method.payments.length], ['0', 2])
  assert.equal((await api('GET', invoice)).data.status, 'Settled')

  for (const [what, path, sent, by, expected] of [
    ['no such key', `${store}/invoices`, body, 'f'.repeat(32), 401],
    ['the store of another', `${store}/invoices`, body, other.key, 403],
    ['no JSON', `${store}/invoices`, '{', key, 422],
    ['a list', `${store}/invoices`, { ...body, amount: ['1'] }, key, 422],
    ['another amount', `${store}/invoices`, { ...body, amount: '1' }, key, 422],
    ['a negative amount', `${store}/invoices`, { amount: -1, currency: 'USD' }, key, 422],
    ['a script to return to', `${store}/invoices`, { amount: 1, checkout: { redirectURL: 'javascript:1' } }, key, 422],
    ['too much metadata', `${store}/invoices`, { amount: 1, metadata: { a: 'x'.repeat(16_000) } }, key, 422],
  ] as const) {
    const answer = await api('POST', path, sent, by)
    assert.equal(answer.status, expected, `${what}: ${JSON.stringify(answer.data)}`)
    const [{ message }] = Array.isArray(answer.data) ? answer.data : [answer.data]
    assert.ok(message.length > 0, what)
  }
  assert.equal((await api('GET', `/api/v1/stores/${other.id}/invoices/${made.id}`, undefined, other.key)).status, 404)
})

test('BTCPay: an invoice that is paid late expires, and stays the one of its order', async () => {
  const { id, key } = await connect('btcpay', { notify_url: receiver.url })
  const store = `/api/v1/stores/${id}`
  const api = btcpayCalls(key)
  const late = (await api('POST', `${store}/invoices`, { amount: 5, currency: 'EUR', metadata: { orderId: next() } }))
    .data
  const again = { amount: 5, currency: 'EUR', metadata: { orderId: late.metadata.orderId } }
  await chooseAsset(deps, { tradeNo: late.id, assetId: `${world.eth.definition.id}:USDT` })
  deps.pass(1_900)
  await pay(late.id)
  await expirePayments(deps)
  assert.deepEqual(await deliver(), [])
  const { status, additionalStatus } = (await api('GET', `${store}/invoices/${late.id}`)).data
  assert.deepEqual([status, additionalStatus], ['Expired', 'None'], 'clients take PaidLate for paid')
  assert.equal((await api('POST', `${store}/invoices`, again)).data.id, late.id, 'money came for it, if late')
})

test('a test order is made and reported as of the shop, and does not tell which key the shop uses', async () => {
  const merchantId = world.merchant.id
  const expected = {
    epay: /trade_status=TRADE_SUCCESS/,
    epusdt: /"status":2/,
    gmpay: /"status":2/,
    btcpay: /InvoiceSettled/,
    coinbase: /charge:confirmed/,
  }
  for (const [protocol, text] of Object.entries(expected) as ['epay' | 'btcpay', RegExp][]) {
    const { id, appid } = await connect(protocol, {
      notify_url: protocol === 'btcpay' ? receiver.url : '',
      currency: 'CNY',
    })
    const notify_url = protocol === 'btcpay' ? '' : receiver.url
    const made = await createTestOrder(deps, { merchantId, id, notify_url })
    await pay(made.trade_no)
    const [callback, ...more] = await deliver()
    assert.deepEqual(more, [])
    assert.match(decodeURIComponent(callback!.url + callback!.body), text)
    const [listed] = await listConnections(deps.pool, merchantId, appid)
    assert.equal(listed!.key_used, false)
  }
  const { id } = await connect('epay')
  const given = { merchantId, id, notify_url: receiver.url }
  const { trade_no } = await createTestOrder(deps, { ...given, amount: '12.5', title: 'Two shirts' })
  assert.deepEqual(
    await firstRow(owner, 'select subject, fiat_amount::text as amount from payments where trade_no = $1', [trade_no]),
    { subject: 'Two shirts', amount: '12.5' },
  )
  const before = await firstRow(owner, 'select count(*) as n from payments')
  const tooSmall = createTestOrder(deps, { ...given, amount: '0.000001' })
  await assert.rejects(tooSmall, { reason: 'amount_too_small', field: 'money' })
  const live = { ...deps, config: { ...deps.config, mode: 'production' as const } }
  await assert.rejects(createTestOrder(live, given), { reason: 'parameter_error' })
  await assert.rejects(createTestOrder(deps, { ...given, merchantId: 'other' }), { reason: 'application_not_exist' })
  await assert.rejects(createTestOrder(deps, { ...given, notify_url: '' }), { reason: 'bad_url' })
  await owner.query('update merchants set frozen = true where id = $1', [merchantId])
  await assert.rejects(createTestOrder(deps, given), { reason: 'account_frozen' })
  await owner.query('update merchants set frozen = false where id = $1', [merchantId])
  await disconnectShop(deps, { ...(await world.proved()), id })
  await assert.rejects(createTestOrder(deps, given), { reason: 'application_not_exist' })
  assert.deepEqual(await firstRow(owner, 'select count(*) as n from payments'), before)
})
