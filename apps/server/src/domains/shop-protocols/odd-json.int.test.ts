import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { btcpayPermissions } from '@coffer/contract/codes/shops.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { shopWorld } from '../../testing/shop-world.ts'

/* What JSON can hold and the database, a URL or a stack cannot: NUL, halves of characters, lists in lists. */

const { app, deps, owner, receiver, next, store, connect, payOrder, deliver } = await shopWorld({ after })
const refunds = 'btcpay.store.cancreatenonapprovedpullpayments'
const shop = await store({ notify_url: receiver.url, permissions: [refunds, ...btcpayPermissions] })
await owner.query(
  `update applications set refunds_allowed = true, ip_whitelist_enabled = true, ip_whitelist = '["127.0.0.1"]'
   where appid = $1`,
  [shop.appid],
)
deps.pass(2 * 86_400)
const invoice = (more: object) => shop.api('POST', 'invoices', { amount: '10', currency: 'CNY', ...more })
const unusual = ['\0', '\ud800', '\udc00x']

/** A shop of Coinbase's protocol, and calls that create charges in it. */
async function charges() {
  const { key } = await connect('coinbase', { notify_url: receiver.url })
  const charge = { pricing_type: 'fixed_price', local_price: { amount: '10', currency: 'CNY' } }
  const headers = { 'content-type': 'application/json', 'x-cc-api-key': key }
  const post = (payload: string) => app.inject({ method: 'POST', url: '/charges', headers, payload })
  const send = async (order: object) => {
    const answer = await post(JSON.stringify(order))
    return { status: answer.statusCode, data: answer.json() }
  }
  return { charge, post, send }
}

test('the way back that a shop gives has no NUL and no half of a character, with a placeholder or without', async () => {
  for (const each of unusual)
    for (const place of ['', '{InvoiceId}', '{OrderId}']) {
      const checkout = { redirectURL: `https://shop.example/${place}${each}` }
      const { status, data } = await invoice({ metadata: { orderId: next() }, checkout })
      assert.deepEqual([status, data[0]?.path], [422, 'checkout.redirectURL'], JSON.stringify(checkout))
    }
})

test('an order number is a text or a number: no two orders are the same because both are objects', async () => {
  for (const orderId of [{ a: 1 }, { toString: 1 }, ['12'], true, ...unusual]) {
    const { status, data } = await invoice({ metadata: { orderId } })
    assert.equal(status, 422, JSON.stringify(orderId))
    assert.match(data[0].path, /^metadata(?:\.orderId)?$/)
  }
  const made = await invoice({ metadata: { orderId: 1_200 } })
  assert.equal((await invoice({ metadata: { orderId: '1200' } })).data.id, made.data.id)
  const checkout = { redirectURL: 'https://shop.example/{OrderId}' }
  const { id } = (await invoice({ metadata: { orderId: null }, checkout })).data
  for (const orderId of [{ a: 1 }, '\ud800'])
    assert.equal((await shop.api('PUT', `invoices/${id}`, { metadata: { orderId } })).status, 422)
  const { return_url } = await firstRow(owner, 'select return_url from payments where trade_no = $1', [id])
  const back = await app.inject(return_url.replace(deps.config.publicUrl, ''))
  assert.deepEqual([back.statusCode, back.headers.location], [302, 'https://shop.example/'])
})

test('a number of more digits than a double holds stays what it is: two orders are not one', async () => {
  const raw = async (metadata: string, url = `/api/v1/stores/${shop.id}/invoices`) =>
    app.inject({
      method: url.endsWith('invoices') ? 'POST' : 'PUT',
      url,
      headers: { authorization: `token ${shop.key}`, 'content-type': 'application/json' },
      payload: `{"amount":"10","currency":"CNY","checkout":{"redirectURL":"https://shop.example/{OrderId}"},"metadata":${metadata}}`,
    })
  const one = '{"orderId":1234567890123456789,"cart":[9007199254740993,1.5]}'
  const two = '{"orderId":1234567890123456790}'
  const first = await raw(one!)
  const second = await raw(two!)
  assert.notEqual(first.json().id, second.json().id)
  assert.equal((await raw(one!)).json().id, first.json().id)
  for (const [made, metadata] of [
    [first, one],
    [second, two],
  ] as const)
    assert.ok(made.body.includes(`"metadata":${metadata}`), made.body)
  const { id } = first.json()
  const row = await firstRow(owner, 'select out_trade_no, return_url from payments where trade_no = $1', [id])
  assert.equal(row.out_trade_no, '1234567890123456789')
  const back = await app.inject(row.return_url.replace(deps.config.publicUrl, ''))
  assert.equal(back.headers.location, 'https://shop.example/1234567890123456789')
  const changed = await raw('{"customer":9007199254740993}', `/api/v1/stores/${shop.id}/invoices/${id}`)
  const stored = '{"customer":9007199254740993,"orderId":1234567890123456789}'
  assert.ok(changed.body.includes(`"metadata":${stored}`), changed.body)
  await payOrder(id)
  assert.ok((await deliver())[0]!.body.includes(`"metadata":${stored}`))
})

test('metadata with a NUL or half of a character is refused in words of its own, and what only looks like one is kept', async () => {
  const { send, charge } = await charges()
  for (const each of unusual)
    for (const metadata of [{ note: each }, { list: [{ [each]: 1 }] }, { orderId: each }]) {
      for (const answer of [await invoice({ metadata }), await send({ ...charge, metadata })]) {
        assert.ok([400, 422].includes(answer.status), JSON.stringify(metadata))
        assert.match(JSON.stringify(answer.data), /without NUL \(U\+0000\) or unpaired surrogates/)
      }
    }
  const stored = { note: 'a\\u0000, a\\ud800 and 😀' }
  assert.deepEqual((await invoice({ metadata: stored })).data.metadata, stored)
  assert.deepEqual((await send({ ...charge, metadata: stored })).data.data.metadata, stored)
})

test('a charge keeps a whole number of more digits than a double holds', async () => {
  const { post, charge } = await charges()
  const metadata = '{"cart":[9007199254740993,1.5],"order":1234567890123456789}'
  const made = await post(JSON.stringify({ ...charge, metadata: 0 }).replace('"metadata":0', `"metadata":${metadata}`))
  assert.equal(made.statusCode, 201, made.body)
  assert.ok(made.body.includes(`"metadata":${metadata}`), made.body)
  await payOrder(made.json().data.id)
  assert.ok((await deliver())[0]!.body.includes(`"metadata":${metadata}`))
})

test('the name of a refund may hold anything: it is kept as one line that pages can show', async () => {
  const orderId = next()
  const { id } = (await invoice({ metadata: { orderId } })).data
  await payOrder(id)
  const name = `Refund of order ${orderId}; a\0b\ud800\u202e\nc`
  const made = await shop.api('POST', 'pull-payments', { name, amount: '1', currency: 'CNY' })
  assert.deepEqual([made.status, made.data.name], [200, `Refund of order ${orderId}; a b c`])
  const [link] = await rowsOf(owner, 'select reason from refund_links where trade_no = $1', [id])
  assert.equal(link!.reason, made.data.name)
  const other = (await invoice({ metadata: { orderId: next() } })).data.id
  await payOrder(other)
  const refund = await shop.api('POST', `invoices/${other}/refund`, { refundVariant: 'RateThen', name: `x\0${name}` })
  assert.equal(refund.status, 200)
})

test('lists in lists are refused before anything writes them again', async () => {
  const coinbase = await connect('coinbase', { notify_url: receiver.url })
  const charge = { pricing_type: 'fixed_price', local_price: { amount: '10', currency: 'CNY' } }
  for (const depth of [200, 7_900, 30_000]) {
    const deep = `{"d":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const send = (url: string, order: object, headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url,
        payload: JSON.stringify({ ...order, metadata: 0 }).replace('"metadata":0', `"metadata":${deep}`),
        headers: { 'content-type': 'application/json', ...headers },
      })
    const invoices = `/api/v1/stores/${shop.id}/invoices`
    const order = { amount: '10', currency: 'CNY' }
    for (const answer of [
      await send(invoices, order, { authorization: `token ${shop.key}` }),
      await send('/charges', charge, { 'x-cc-api-key': coinbase.key }),
    ])
      assert.ok([400, 422].includes(answer.statusCode), `${depth}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
  }
})
