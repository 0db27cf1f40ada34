import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createSign } from 'node:crypto'
import { after, test } from 'node:test'
import { rowsOf } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'
import { applicationKeyRateLimit } from '../applications/authenticate-key.ts'

/*
 * A signature covers `name=value` joined by `&`, in the order of the names. Who holds a signed order may cut the same
 * text into other fields, and whoever writes its title or a field of his own writes some of the text too.
 */

const { app, deps, owner, receiver, next, connect } = await shopWorld({ after })
const epay = await connect('epay')
const epusdt = await connect('epusdt')

type Texts = Record<string, string>
const textOf = (fields: Texts) =>
  Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(pair => pair.join('='))
    .join('&')
const byMd5 = (fields: Texts): Texts => ({
  ...fields,
  sign: createHash('md5')
    .update(textOf(fields) + epay.key)
    .digest('hex'),
  sign_type: 'MD5',
})
const byRsa = (fields: Texts): Texts => {
  const timed = { ...fields, timestamp: String(deps.clock()) }
  const key = createPrivateKey({ key: Buffer.from(epay.private_key, 'base64'), format: 'der', type: 'pkcs8' })
  return { ...timed, sign: createSign('RSA-SHA256').update(textOf(timed)).sign(key, 'base64'), sign_type: 'RSA' }
}
const send = async (path: string, fields: Texts) =>
  (await app.inject({ method: 'GET', url: `${path}?${new URLSearchParams(fields)}` })).json()
const pricesOf = async (number: string) =>
  (await rowsOf(owner, 'select fiat_amount from payments where out_trade_no = $1', [number])).map(
    row => row.fiat_amount,
  )

/** Moves what follows a field in the signed text into it, up to another field. */
function cut(signed: Texts, into: string, until: string): Texts {
  const text = textOf(signed)
  const start = text.indexOf(`${into}=`)
  const end = text.indexOf(`&${until}=`)
  const inside = text.slice(start, end).split('&')
  const moved = inside.slice(1).map(each => each.slice(0, each.indexOf('=')))
  const rest = Object.fromEntries(Object.entries(signed).filter(([name]) => !moved.includes(name)))
  return { ...rest, [into]: inside.join('&').slice(into.length + 1) }
}

test('an order that was signed by RSA just now reads, lists and closes nothing, however its text is cut', async () => {
  const order = byRsa({
    pid: epay.id,
    type: 'alipay',
    out_trade_no: next(),
    notify_url: receiver.url,
    name: 'VIP',
    money: '100',
    clientip: '192.0.2.1',
    device: 'pc',
  })
  assert.equal((await send('/api/pay/create', order)).code, 0)
  for (const into of ['clientip', 'device']) {
    const held = cut(order, into, 'out_trade_no')
    assert.deepEqual([held.money, held.notify_url, textOf(held)], [undefined, undefined, textOf(order)])
    for (const path of ['/api.php', '/api/pay/query', '/api/merchant/info', '/api/merchant/orders', '/api/pay/close'])
      for (const act of ['', 'orders'])
        assert.equal((await send(path, act ? { ...held, act } : held)).code, -1, `${path} by ${into}`)
  }
})

test('a title that somebody else wrote moves no field of the order', async () => {
  const victim = next()
  const back = 'https://shop.example/back?a=1'
  const url = receiver.url
  const end = `&notify_url=${url}`
  const title = `x&notify_url=${url}&out_trade_no=${victim}&pid=${epay.id}&return_url=${back}`
  const fields = { pid: epay.id, out_trade_no: next(), notify_url: url, return_url: back, name: title, money: '1' }
  for (const sign of [byMd5, byRsa]) {
    const signed = sign(fields)
    const { timestamp, sign: signature, sign_type } = signed as Texts
    const rest = textOf(signed).slice(textOf(signed).lastIndexOf(end))
    const [swallowed = ''] = timestamp ? rest.split('&timestamp=') : [rest]
    const forged: Texts = {
      pid: epay.id,
      out_trade_no: victim,
      notify_url: url,
      return_url: back + swallowed,
      name: 'x',
      money: '1',
      ...(timestamp && { timestamp }),
      sign: signature!,
      sign_type: sign_type!,
    }
    assert.equal(textOf(forged), textOf(signed))
    assert.equal((await send('/mapi.php', forged)).code, -1)
  }
  // A field before the amount that somebody else wrote, such as the name of a buyer.
  const own = { pid: epay.id, out_trade_no: next(), notify_url: url, name: 'VIP', money: '100' }
  const bought = byMd5({ ...own, buyer: 'x&money=1&name=Y' })
  const cheap = { ...bought, buyer: 'x', money: '1', name: 'Y&money=100&name=VIP' }
  assert.equal(textOf(cheap), textOf(bought))
  assert.equal((await send('/mapi.php', cheap)).code, -1)
  assert.deepEqual(await pricesOf(own.out_trade_no), [])
  const order = { order_id: next(), amount: '1', notify_url: url, redirect_url: back }
  const name = `x&notify_url=${url}&order_id=${victim}&redirect_url=${back}`
  const signature = signJson({ ...order, name }, epusdt.key)
  const forged = {
    ...order,
    order_id: victim,
    name: 'x',
    redirect_url: `${back}${end}&order_id=${order.order_id}&redirect_url=${back}`,
  }
  assert.equal(signJson(forged, epusdt.key), signature)
  const create = `/shop/${epusdt.id}/api/v1/order/create-transaction`
  const answer = await app.inject({ method: 'POST', url: create, payload: { ...forged, signature } })
  assert.ok(answer.json().status_code >= 400, answer.body)
  assert.deepEqual(await pricesOf(victim), [])
})

test('who sends a held order again and again takes no turns of the other customers of the shop', async () => {
  const order = (out_trade_no: string) => ({
    pid: epay.id,
    out_trade_no,
    notify_url: receiver.url,
    name: 'VIP',
    money: '100',
  })
  const open = async (signed: Texts, remoteAddress: string) =>
    (await app.inject({ url: `/submit.php?${new URLSearchParams(signed)}`, remoteAddress })).statusCode
  const mine = byMd5(order(next()))
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < applicationKeyRateLimit.burst; sent++) {
    const status = await open(mine, '192.0.2.1')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.equal(await open(byMd5(order(next())), '198.51.100.1'), 302, 'another customer')
  assert.deepEqual([...statuses.keys()], [302, 429])
  assert.ok(statuses.get(302)! >= 10, 'a payer may come back')
  deps.pass(60)
  assert.equal(await open(mine, '192.0.2.1'), 302, 'the same payer, a minute later')
  const json = { order_id: next(), amount: '1', notify_url: receiver.url }
  const payload = { ...json, signature: signJson(json, epusdt.key) }
  const create = `/shop/${epusdt.id}/api/v1/order/create-transaction`
  let last = 200
  for (let sent = 0; sent < 100 && last === 200; sent++)
    last = (await app.inject({ method: 'POST', url: create, payload })).json().status_code
  assert.equal(last, 429)
})
