import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { firstRow } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'

/* Callbacks as receivers read them: PHP numbers, texts that a framework trims, requests that a proxy bounds. */

const { app, deps, owner, eth, receiver, next, connect, deliver, payOrder } = await shopWorld({ after })
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
type Texts = Record<string, string>
const signOf = (fields: Texts, key: string) =>
  md5(
    Object.entries(fields)
      .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(pair => pair.join('='))
      .join('&') + key,
  )

/** The longest line of a request that nginx takes as it is installed. */
const requestLineMax = 8_192

/** What Laravel's TrimStrings leaves of a text. */
const trimmed = (text: string) => text.replace(/^[\s\uFEFF\u200B\u200E\0]+|[\s\uFEFF\u200B\u200E\0]+$/g, '')

test('EPay: any title arrives, fits what proxies take, and is verified by shops that trim what they read', async () => {
  const { id: pid, key } = await connect('epay')
  for (const name of [
    ' VIP ',
    '\u00a0会员\u200b\r\n',
    ' \t ',
    '会'.repeat(1_400),
    '👨‍👩‍👧'.repeat(200),
    'e\u0301 é ﬁ',
    '<script>alert(1)</script>',
    'a+b%20c%00%',
    `${'x'.repeat(126)} y`,
  ]) {
    deps.pass(1)
    const fields: Texts = { pid, out_trade_no: next(), notify_url: `${receiver.url}?m=epay`, name, money: '100' }
    const form = String(new URLSearchParams({ ...fields, sign: signOf(fields, key), sign_type: 'MD5' }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const made = (await app.inject({ method: 'POST', url: '/mapi.php', payload: form, headers })).json()
    assert.equal(made.code, 1, `${name.slice(0, 20)}: ${made.msg}`)
    await payOrder(made.trade_no)
    const [callback] = await deliver()
    assert.ok(callback!.url.length < requestLineMax, `${name.slice(0, 20)}: ${callback!.url.length}`)
    const { m: _, ...sent } = Object.fromEntries(new URLSearchParams(callback!.url.split('?')[1])) as Texts
    const read = Object.fromEntries(Object.entries(sent).map(([field, text]) => [field, trimmed(text)]))
    for (const each of [sent, read]) assert.equal(each.sign, signOf(each, key), JSON.stringify(name.slice(0, 20)))
    assert.ok(trimmed(name).startsWith(sent.name ?? ''))
  }
})

/** A number as PHP writes it: with an exponent below 0.0001 and from 10^15. */
function phpText(value: unknown): string {
  if (typeof value !== 'number' || Number.isInteger(value) || (value >= 1e-4 && value < 1e15)) return String(value)
  const [digits = '', power = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${power}`
}

test('epusdt: an amount that PHP would write in another way is sent as a text', async () => {
  const { id, key } = await connect('epusdt')
  const order = { order_id: next(), amount: 0.5, notify_url: receiver.url, trade_type: 'eth.eth' }
  const url = `/shop/${id}/api/v1/order/create-transaction`
  const payload = { ...order, signature: signJson(order, key) }
  const { data } = (await app.inject({ method: 'POST', url, payload })).json()
  assert.ok(data.actual_amount > 0 && data.actual_amount < 0.0001, String(data.actual_amount))
  const { address, amount } = await firstRow(owner, 'select address, amount from payments where trade_no = $1', [
    data.trade_id,
  ])
  await eth.add([{ to: address, amount: BigInt(amount), token: null }])
  await eth.confirm()
  const [callback] = await deliver()
  const sent = JSON.parse(callback!.body) as Record<string, unknown>
  assert.equal(Number(sent.actual_amount), data.actual_amount)
  const read = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, phpText(value)]))
  assert.equal(sent.signature, signJson(read, key), JSON.stringify(sent))
})
