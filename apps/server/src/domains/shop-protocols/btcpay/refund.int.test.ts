import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { btcpayPermissions } from '@coffer/contract/codes/shops.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { rowsOf } from '../../../testing/money.ts'
import { shopWorld } from '../../../testing/shop-world.ts'

const refunds = 'cancreatenonapprovedpullpayments'
const { app, deps, owner, receiver, next, store, payOrder } = await shopWorld({ after })

/** A shop that may make refund links, with its paid orders of 10 CNY. */
async function refunding() {
  const shop = await store({ notify_url: receiver.url, permissions: [`btcpay.store.${refunds}`, ...btcpayPermissions] })
  const set = (changes: string) => owner.query(`update applications set ${changes} where appid = $1`, [shop.appid])
  await set(`refunds_allowed = true, ip_whitelist_enabled = true, ip_whitelist = '["127.0.0.1"]'`)
  const paid = async (orderId = next(), millionths?: bigint) => {
    const { id } = await shop.invoice(orderId)
    await payOrder(id, millionths)
    return id as string
  }
  const amountOf = async (number: string) =>
    (await rowsOf(owner, 'select paid_amount from payments where trade_no = $1', [number]))[0]!.paid_amount as string
  const linksOf = (number: string) => rowsOf(owner, 'select * from refund_links where trade_no = $1', [number])
  return { ...shop, set, paid, amountOf, linksOf }
}

test('a shop makes a refund link of a paid invoice once, which the payer claims', async () => {
  const { set, api, paid, amountOf, linksOf } = await refunding()
  const number = await paid()
  const refund = (more = {}) =>
    api('POST', `invoices/${number}/refund`, { refundVariant: 'RateThen', name: 'back', ...more })
  deps.config = { ...deps.config, withdrawHoldHours: 24 }
  const early = await refund()
  assert.equal(early.status, 403, 'who reads the mailbox could have made the key')
  assert.match(early.data.message, /opens in/)
  deps.pass(2 * 86_400)
  await set(`ip_whitelist = '["192.0.2.1"]'`)
  assert.equal((await refund()).status, 403, 'from elsewhere')
  await set(`ip_whitelist = '["127.0.0.1"]', refunds_allowed = false`)
  assert.equal((await refund()).status, 403, 'where keys may not pay out')
  await set('refunds_allowed = true')
  assert.deepEqual(await linksOf(number), [])

  const answers = await Promise.all([refund(), refund(), refund()])
  assert.deepEqual(
    answers.map(each => each.status),
    [200, 200, 200],
  )
  const { data } = answers[0]!
  assert.deepEqual(new Set(answers.map(each => each.data.id)).size, 1)
  assert.deepEqual([data.name, data.currency, data.archived, data.autoApproveClaims], ['back', 'USDT', false, false])
  assert.equal(data.amount, formatDecimal(BigInt(await amountOf(number)), 6))
  assert.match(data.viewLink, /\/refund\/[\w-]{22}$/)
  assert.deepEqual((await api('GET', `/api/v1/pull-payments/${data.id}`)).data, data)
  assert.equal((await linksOf(number)).length, 1)
  const another = await refund({ refundVariant: 'Custom', customAmount: '0.1', customCurrency: 'USDT' })
  assert.deepEqual([another.status, another.data.code], [400, 'non-refundable'], 'while one is open')
  const token = new URL(data.viewLink).pathname.split('/')[2]!
  const claim = await app.inject({ method: 'POST', url: '/api/v1/public/refund-claim', payload: { token } })
  assert.deepEqual([claim.json().data.state, claim.json().data.amount], ['open', data.amount])
  const other = await refunding()
  deps.pass(2 * 86_400)
  assert.equal((await other.api('GET', `/api/v1/pull-payments/${data.id}`)).status, 404)
  assert.equal((await other.api('POST', `invoices/${number}/refund`, { refundVariant: 'RateThen' })).status, 404)
})

test('a refund of a part counts in the token at the rate of the invoice, and never gives more than was paid', async () => {
  const { api, invoice, paid, amountOf } = await refunding()
  deps.pass(2 * 86_400)
  const orderId = next()
  const number = await paid(orderId)
  const most = BigInt(await amountOf(number))
  const pull = (body: object) =>
    api('POST', 'pull-payments', { name: `Refund for order no.: ${orderId} reason: 7`, ...body })
  for (const [what, body, path] of [
    ['no order of the shop', { name: 'Refund for order no.: none', amount: '1', currency: 'CNY' }, 'name'],
    ['another currency', { amount: '1', currency: 'BTC' }, 'currency'],
    ['more than was paid', { amount: '10.01', currency: 'CNY' }, 'amount'],
    ['nothing', { amount: '0', currency: 'CNY' }, 'amount'],
    ['no amount', { amount: 'x', currency: 'CNY' }, 'amount'],
  ] as const) {
    const { status, data } = await pull(body)
    assert.deepEqual([status, data[0]?.path], [422, path], `${what}: ${JSON.stringify(data)}`)
  }
  const half = await pull({ amount: '5', currency: 'CNY' })
  assert.deepEqual([half.status, half.data.amount], [200, formatDecimal(most / 2n, 6)])
  await owner.query("update refund_links set state = 'canceled' where id = $1", [half.data.id])
  await owner.query('update payment_refunds set refunded = 0 where trade_no = $1', [number])
  const less = await api('POST', `invoices/${number}/refund`, { refundVariant: 'RateThen', subtractPercentage: 12.5 })
  assert.equal(less.data.amount, formatDecimal((most * 875n) / 1_000n, 6))
  for (const body of [
    { refundVariant: 'CurrentRate', subtractPercentage: 1 },
    { refundVariant: 'Custom' },
    { refundVariant: 'RateThen', subtractPercentage: 100 },
    { refundVariant: 'Everything' },
  ])
    assert.equal((await api('POST', `invoices/${number}/refund`, body)).status, 422, JSON.stringify(body))
  const unpaid = await api('POST', `invoices/${(await invoice()).id}/refund`, { refundVariant: 'RateThen' })
  assert.ok(unpaid.status >= 400 && unpaid.status < 500, JSON.stringify(unpaid))
})

test('a pull payment pays back the order whose whole number stands in its name, and no other', async () => {
  const { api, invoice, paid, linksOf } = await refunding()
  deps.pass(2 * 86_400)
  const pull = (name: string) => api('POST', 'pull-payments', { name, amount: '1', currency: 'CNY' })
  const orders = new Map<string, string>()
  for (const number of ['55', '60', '12', 'RE 12', 'A/7 #2', '80', '80; b', 'R'.repeat(34)])
    orders.set(number, await paid(number))
  orders.set('61', (await invoice('61')).id)
  const links = async () => {
    const made: string[] = []
    for (const [number, tradeNo] of orders) if ((await linksOf(tradeNo)).length > 0) made.push(number)
    return made
  }
  for (const name of [
    'Refund of order 56; duplicate of 60',
    'Refund of order 61; paid with 60',
    'Refund of order RE 60; broken',
    'Refund of order #60; broken',
    '60 12',
    'Order 60',
    'Refund of order 80; b; c',
    `Refund of order ${'R'.repeat(40)}; lost`.slice(0, 50),
    'Refund of order ; 60',
    'Refund for order no.: 59 reason: instead of 60 reason: x',
  ]) {
    const { status, data } = await pull(name)
    assert.deepEqual([status, data[0]?.path], [422, 'name'], `${name}: ${JSON.stringify(data)}`)
  }
  assert.deepEqual(await links(), [])
  for (const name of [
    'Refund of order 55; duplicate of 60',
    'Refund of order RE 12; 12 pieces',
    'Refund for order no.: A/7 #2 reason: 60; 80',
    '80',
  ])
    assert.equal((await pull(name)).status, 200, name)
  assert.deepEqual(await links(), ['55', 'RE 12', 'A/7 #2', '80'])
})

test('an order number that ends as the count of a second invoice is an order of its own', async () => {
  const { api, invoice, paid, linksOf } = await refunding()
  deps.pass(2 * 86_400)
  const other = await paid('90 #2')
  const first = (await invoice('90')).id
  await api('POST', `invoices/${first}/status`, { status: 'Invalid' })
  const second = (await invoice('90')).id
  assert.ok(second !== first && second !== other, 'another order was handed out')
  const pull = { name: 'Refund of order 90; x', amount: '1', currency: 'CNY' }
  assert.equal((await api('POST', 'pull-payments', pull)).status, 422, 'nothing was paid')
  assert.deepEqual(await linksOf(other), [])
  await payOrder(second)
  assert.equal((await api('POST', 'pull-payments', pull)).status, 200)
  assert.equal((await linksOf(second)).length, 1)
})
