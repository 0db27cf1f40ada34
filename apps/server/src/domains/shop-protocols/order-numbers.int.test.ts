import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import { firstRow, fixedPrices, rowsOf } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { createPayment } from '../payments/create-payment.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { readApplicationOrder } from '../payments/present-order.ts'
import { disconnectShop } from './connect.ts'

const world = await shopWorld({ after })
const { app, deps, owner, receiver, sent, next, proved, connect, deliver, payOrder } = world

type Shop = Pick<Awaited<ReturnType<typeof connect>>, 'id' | 'key'>
type Texts = Record<string, string>
interface Order {
  number: string
  amount?: string
  title?: string
  notify?: string
  back?: string
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const signMd5 = (fields: Texts, key: string) =>
  md5(
    Object.entries(fields)
      .filter(([, value]) => value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(pair => pair.join('='))
      .join('&') + key,
  )

/** Each protocol that names orders: asks for one, and returns its trade_no, or '' when it is refused. */
const protocols = {
  async epay({ id, key }: Shop, { number, amount = '19.90', title = 'VIP', notify = '', back = '' }: Order) {
    const fields = {
      pid: id,
      out_trade_no: number,
      money: amount,
      name: title,
      notify_url: receiver.url + notify,
      return_url: back,
    }
    const payload = String(new URLSearchParams({ ...fields, sign: signMd5(fields, key) }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return ((await app.inject({ method: 'POST', url: '/mapi.php', payload, headers })).json().trade_no ?? '') as string
  },
  async epusdt({ id, key }: Shop, { number, amount = '19.90', title = 'VIP', notify = '', back = '' }: Order) {
    const fields = { order_id: number, amount, name: title, notify_url: receiver.url + notify, redirect_url: back }
    const payload = { ...fields, signature: signJson(fields, key) }
    const url = `/shop/${id}/api/v1/order/create-transaction`
    return ((await app.inject({ method: 'POST', url, payload })).json().data?.trade_id ?? '') as string
  },
  async btcpay({ id, key }: Shop, { number, amount = '19.90', title = 'VIP', back = '' }: Order) {
    const payload = {
      amount,
      currency: 'CNY',
      metadata: { orderId: number, itemDesc: title },
      ...(back && { checkout: { redirectURL: back } }),
    }
    const headers = { authorization: `token ${key}` }
    const answer = await app.inject({ method: 'POST', url: `/api/v1/stores/${id}/invoices`, payload, headers })
    return (answer.json().id ?? '') as string
  },
}
type Named = keyof typeof protocols
const names = Object.keys(protocols) as Named[]
const shops: Record<Named, Awaited<ReturnType<typeof connect>>> = {
  epay: await connect('epay'),
  epusdt: await connect('epusdt'),
  btcpay: await connect('btcpay', { notify_url: receiver.url }),
}
const shopOf = (tradeNo: string) =>
  firstRow(owner, `select appid, shop ->> 'connection' as connection from payments where trade_no = $1`, [tradeNo])
const expire = async () => {
  deps.pass(7_300)
  await expirePayments(deps)
}

test('shops of one application, by each protocol, all sell the same number, and each is told of its own', async () => {
  const { appid } = shops.epay
  const merchantId = world.merchant.id
  const all: [Named, Awaited<ReturnType<typeof connect>>][] = [
    ['epay', shops.epay],
    ['epay', await connect('epay', { appid })],
    ['epusdt', await connect('epusdt', { appid })],
    ['btcpay', await connect('btcpay', { appid, notify_url: receiver.url })],
  ]
  const number = '12'
  const body = {
    out_trade_no: number,
    amount: '3',
    currency: 'USDT',
    subject: '',
    attach: '',
    return_url: '',
    expires_in: 7_200,
  }
  const own = await createPayment(deps, { merchantId, appid, order: body })
  const made: string[] = []
  for (const [protocol, shop] of all) made.push(await protocols[protocol](shop, { number }))
  assert.equal(new Set([...made, own.trade_no]).size, 5, String(made))
  for (const [at, [protocol, shop]] of all.entries()) {
    assert.deepEqual(await shopOf(made[at]!), { appid, connection: shop.id })
    assert.equal(await protocols[protocol](shop, { number }), made[at], 'again')
    await payOrder(made[at]!)
    const [callback, ...others] = await deliver()
    assert.deepEqual(others, [])
    if (protocol !== 'epay') continue
    const { m: _, sign, sign_type: __, ...given } = Object.fromEntries(new URLSearchParams(callback!.url.split('?')[1]))
    assert.deepEqual([given.pid, given.trade_no, sign], [shop.id, made[at], signMd5(given as Texts, shop.key)])
  }
  const byNumber = await readApplicationOrder(deps.pool, '', { merchantId, appid, outTradeNo: number })
  assert.equal(byNumber!.trade_no, own.trade_no, "the application's own comes first")
})

test('a shop that was disconnected and connected anew is served, with its old checkouts still open', async () => {
  for (const protocol of names) {
    const old = await connect(protocol, { notify_url: receiver.url })
    const number = next()
    const before = await protocols[protocol](old, { number })
    await disconnectShop(deps, { ...(await proved()), id: old.id })
    const anew = await connect(protocol, { appid: old.appid, notify_url: receiver.url })
    const made = await protocols[protocol](anew, { number })
    assert.ok(made && made !== before, protocol)
    assert.equal(await protocols[protocol](old, { number }), '', 'the old key')
    for (const tradeNo of [made, before]) {
      await payOrder(tradeNo)
      assert.equal((await deliver()).length, 1, `${protocol}: ${tradeNo === made ? 'new' : 'old'}`)
    }
  }
})

test('the same number and price is the same order whatever else differs, and the newest URLs count', async () => {
  for (const protocol of names) {
    deps.pass(5)
    const ask = (more: Partial<Order>) => protocols[protocol](shops[protocol], { number, ...more })
    const number = next()
    const first = await ask({ notify: '/old', back: 'https://old.example/a' })
    const differing: Partial<Order>[] = [
      { amount: '19.9' },
      { amount: '19.900', title: 'another\ntitle' },
      { back: 'https://new.example:8443/b?c=1#/d' },
      { back: '' },
      { notify: '/new?x=1', back: 'https://new.example/e' },
    ]
    for (const more of differing) assert.equal(await ask(more), first, `${protocol}: ${JSON.stringify(more)}`)
    for (const amount of ['19.91', '199', '0.02']) assert.equal(await ask({ amount }), '', `${protocol}: ${amount}`)
    assert.equal((await protocols[protocol](shops[protocol], { number: `${number}x` })) === first, false)
    await ask({ notify: '/new?x=1', back: 'https://new.example/e' })
    const row = await firstRow(owner, 'select notify_url, return_url from payments where trade_no = $1', [first])
    assert.match(row.return_url, /new\.example/)
    await payOrder(first)
    if (protocol !== 'btcpay') assert.ok(row.notify_url.endsWith('/new?x=1'), row.notify_url)
    // The shop moved after the payment, and before the callback arrived.
    assert.equal(await ask({ notify: '/newest' }), first, 'paid')
    const [callback, ...others] = await deliver()
    assert.deepEqual(others, [])
    if (protocol !== 'btcpay') assert.match(callback!.url, /\/newest/)
    assert.equal(await ask({}), first)
    assert.deepEqual(await deliver(), [], 'it is reported once')
  }
})

test('an order that ended without any payment opens anew under its number, at the rate of the day', async () => {
  for (const protocol of names) {
    deps.pass(5)
    const number = next()
    const ask = (more: Partial<Order> = {}) => protocols[protocol](shops[protocol], { number, ...more })
    const priceOf = async (tradeNo: string) =>
      (await firstRow(owner, 'select usdt_amount from payments where trade_no = $1', [tradeNo])).usdt_amount
    const first = await ask()
    await expire()
    deps.prices = fixedPrices({ USDT: '1', USDC: '1', ETH: '2500', EUR: '1.1', CNY: '0.15' }, deps.clock)
    const again = await Promise.all([ask(), ask({ title: 'at once' }), ask()])
    deps.prices = fixedPrices({ USDT: '1', USDC: '1', ETH: '2500', EUR: '1.1', CNY: '0.14' }, deps.clock)
    const [second] = again
    assert.deepEqual(new Set(again), new Set([second]), `${protocol}: one, also at once`)
    assert.ok(second && second !== first, protocol)
    assert.deepEqual([await priceOf(first), await priceOf(second)], ['2786000', '2985000'])
    assert.equal(await ask(), second)
    await owner.query('update payments set status = $2, closed_at = created_at where trade_no = $1', [
      second,
      paymentStatus.closed,
    ])
    const third = await ask({ amount: '30' })
    assert.ok(third && third !== second, `${protocol}: after it was closed, also at another price`)
    assert.equal(await ask({ amount: '30' }), third)
    await payOrder(third)
    assert.equal((await deliver()).length, 1)
    await expire()
    assert.equal(await ask({ amount: '30' }), third, 'a paid one stays')
    const rows = await rowsOf(owner, `select out_trade_no from payments where trade_no = any($1)`, [
      [first, second, third],
    ])
    assert.deepEqual(new Set(rows.map(row => row.out_trade_no)), new Set([number]))
  }
})

test('an order for which something came stays the order of its number, open or ended', async () => {
  for (const protocol of names) {
    deps.pass(5)
    const ask = (number: string, more: Partial<Order> = {}) => protocols[protocol](shops[protocol], { number, ...more })
    const differing: Partial<Order> = { amount: '19.9', title: 'once more', back: 'https://elsewhere.example/' }
    const partly = next()
    const late = next()
    const first = await ask(partly)
    const other = await ask(late)
    await payOrder(first, 500_000n)
    assert.equal(await ask(partly, differing), first, `${protocol}: partly paid`)
    await chooseAsset(deps, { tradeNo: other, assetId: `${world.eth.definition.id}:USDT` })
    await expire()
    await payOrder(other)
    assert.equal(await ask(partly, differing), first, `${protocol}: partly paid and expired`)
    assert.equal(await ask(late, differing), other, `${protocol}: paid late`)

    const seen = next()
    const ended = next()
    const unconfirmed = await ask(seen)
    const closed = await ask(ended)
    await chooseAsset(deps, { tradeNo: unconfirmed, assetId: `${world.eth.definition.id}:USDT` })
    await payOrder(closed)
    await expire()
    const row = await firstRow(owner, 'select address, amount from payments where trade_no = $1', [unconfirmed])
    await world.eth.add([{ to: row.address, amount: BigInt(row.amount) }])
    await owner.query('update payments set status = $2, closed_at = paid_at where trade_no = $1', [
      closed,
      paymentStatus.closed,
    ])
    assert.equal(await ask(seen), unconfirmed, `${protocol}: expired, and a transfer waits for confirmations`)
    assert.equal(await ask(ended), closed, `${protocol}: paid, and closed since`)
    await world.eth.confirm()
  }
  sent.length = 0
})
