import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { firstRow } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'

const { app, deps, owner, receiver, next, connect, deliver, payOrder } = await shopWorld({ after })
const epay = await connect('epay')
const epusdt = await connect('epusdt')
const gmpay = await connect('gmpay')

type Texts = Record<string, string>
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const signedText = (fields: Texts) =>
  Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(pair => pair.join('='))
    .join('&')
const signMd5 = (fields: Texts): Texts => ({ ...fields, sign: md5(signedText(fields) + epay.key), sign_type: 'MD5' })
const form = (fields: Texts, path = '/mapi.php') =>
  app.inject({
    method: 'POST',
    url: path,
    payload: String(new URLSearchParams(fields)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const multipart = (fields: Texts) =>
  app.inject({
    method: 'POST',
    url: '/mapi.php',
    payload: `${Object.entries(fields)
      .map(([name, value]) => `--xyz\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')}--xyz--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  })
const json = (shop: { id: string }, path: string, body: object | string) =>
  app.inject({
    method: 'POST',
    url: `/shop/${shop.id}${path}`,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const create = '/api/v1/order/create-transaction'
const payments = async () => Number((await firstRow(owner, 'select count(*) as n from payments')).n)

const epayOrder = (more: Texts = {}): Texts => ({
  pid: epay.id,
  type: 'alipay',
  out_trade_no: next(),
  notify_url: `${receiver.url}?m=epay`,
  return_url: 'https://shop.example/?a=1&type=x',
  name: 'VIP',
  money: '100',
  ...more,
})

/** What the shop signed, as other fields of which the signature covers the same text. */
const others: [what: string, remake: (signed: Texts) => Texts | undefined][] = [
  [
    'the amount in the name of another field',
    ({ money, name, ...signed }) => ({ ...signed, [`a=1&money=${money}&name`]: name!, money: '0.01' }),
  ],
  [
    'the amount in the name of a field that is the first',
    ({ money, name, notify_url, ...signed }) => ({
      ...signed,
      [`money=${money}&name=${name}&notify_url`]: notify_url!,
      money: '0.01',
    }),
  ],
  ['a field in the name of an empty one', signed => ({ ...signed, 'a&money': '' })],
  ['a list', signed => ({ ...signed, 'money[]': '0.01' })],
  ['a name with a space', signed => ({ ...signed, ' money': '0.01' })],
  ['a name with a dot, which PHP takes for a _', signed => ({ ...signed, 'out.trade.no': 'x' })],
  ['a wide letter', signed => ({ ...signed, ｍoney: '0.01' })],
]

test('a field whose name is no word is refused, in forms and JSON of each protocol', async () => {
  const signed = signMd5(epayOrder())
  const before = await payments()
  for (const [what, remake] of others) {
    // The signature of the attack is right where the text is the same; elsewhere the shop itself signs the odd name.
    const { sign: _, sign_type: __, ...fields } = remake(signed)!
    const covers = { ...fields, ...Object.fromEntries(Object.entries(signMd5(fields)).slice(-2)) }
    for (const sent of [remake(signed)!, covers])
      for (const answer of [await form(sent), await multipart(sent), await form(sent, '/api/pay/create')])
        assert.equal(answer.json().code, -1, `${what}: ${answer.body}`)
    const order = { pid: gmpay.id, order_id: next(), amount: '100', notify_url: receiver.url, name: 'VIP' }
    const { money, ...more } = Object.fromEntries(Object.entries(fields).filter(([name]) => !/^\w+$/.test(name)))
    for (const [shop, path] of [
      [epusdt, create],
      [gmpay, '/payments/gmpay/v1/order/create-transaction'],
    ] as const) {
      const unusual = { ...order, ...more }
      const answer = await json(shop, path, { ...unusual, signature: signJson(unusual, shop.key) })
      assert.ok(answer.json().status_code >= 400, `${what}: ${answer.body}`)
    }
  }
  assert.equal(await payments(), before)
})

test('what is signed is what is used: nothing is moved between fields, and true is the reading that was signed', async () => {
  const before = await payments()
  const order = {
    order_id: next(),
    amount: '100',
    notify_url: receiver.url,
    name: 'VIP',
    network: 'ethereum',
    token: 'usdt',
  }
  const held = { ...order, pid: gmpay.id }
  const signature = signJson(held, gmpay.key)
  const { network: _, ...without } = held
  const path = '/payments/gmpay/v1/order/create-transaction'
  for (const [what, sent] of [
    ['the network behind the title', { ...without, name: 'VIP&network=ethereum' }],
    ['the same, beside an empty one', { ...without, name: 'VIP&network=ethereum', network: '' }],
  ] as const) {
    const answer = await json(gmpay, path, { ...sent, signature })
    assert.ok(answer.json().status_code >= 400, `${what}: ${answer.body}`)
  }
  const signed = signMd5(epayOrder({ param: 'x' }))
  for (const [what, sent] of [
    ['in the query and in the body', { path: `/mapi.php?money=0.01`, fields: signed }],
    ['a number behind other letters', { path: '/mapi.php', fields: { ...signed, money: '１００' } }],
    ['a space', { path: '/mapi.php', fields: { ...signed, money: ' 100' } }],
    ['capital letters', { path: '/mapi.php', fields: { ...signed, Money: '0.01' } }],
    ['a backslash', { path: '/mapi.php', fields: { ...signed, out_trade_no: `\\${signed.out_trade_no}`, Money: '1' } }],
  ] as const)
    assert.equal((await form(sent.fields, sent.path)).json().code, -1, what)
  for (const twice of ['{"amount":1,', '{"\\u0061mount":1,', '{"amount" :1,']) {
    const body = JSON.stringify({ ...order, signature: signJson(order, epusdt.key) }).replace('{', twice)
    assert.ok((await json(epusdt, create, body)).json().status_code >= 400, twice)
  }
  assert.equal(await payments(), before)
  // Go signs the word, and the title is what it signed.
  const word = { ...order, name: 'true' }
  const made = (await json(epusdt, create, { ...word, name: true, signature: signJson(word, epusdt.key) })).json()
  const { subject } = await firstRow(owner, 'select subject from payments where trade_no = $1', [made.data.trade_id])
  assert.equal(subject, 'true')
})

test('a title refuses no order, whatever it holds, and hides no field in the callback', async () => {
  const victim = next()
  const titles: [title: string, shown: string, repeated?: string][] = [
    ['one\r\ntwo\tthree', 'one two three'],
    ['x'.repeat(500), 'x'.repeat(60), 'x'.repeat(127)],
    ['👨‍👩‍👧 & Söhne <b>"\\ 100%', '👨‍👩‍👧 & Söhne <b>" 100%', '👨‍👩‍👧 & Söhne <b>" 100%'],
    ['a\0b\u202ec\ufffd', 'a b c\ufffd', 'ab\u202ec\ufffd'],
    ['Q&A=1&b=2', 'Q&A=1&b=2', 'Q＆A=1＆b=2'],
    [
      `x&out_trade_no=${victim}&pid=${epay.id}&zz=1`,
      `x&out_trade_no=${victim}&pid=${epay.id}&zz=1`.slice(0, 60),
      `x＆out_trade_no=${victim}＆pid=${epay.id}＆zz=1`,
    ],
  ]
  for (const [name, shown, repeated = name] of titles) {
    deps.pass(1)
    const { sign: _, ...fields } = signMd5(epayOrder({ name, return_url: '' }))
    const bare = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value.replaceAll('\\', '')]))
    const made = (await form({ ...fields, sign: md5(signedText(bare) + epay.key) })).json()
    assert.equal(made.code, 1, `${name}: ${made.msg}`)
    const row = await firstRow(owner, 'select subject from payments where trade_no = $1', [made.trade_no])
    assert.equal(row.subject, shown)
    await payOrder(made.trade_no)
    const [callback] = await deliver()
    const { m: __, ...sent } = Object.fromEntries(new URLSearchParams(callback!.url.split('?')[1]))
    assert.equal(sent.name, repeated)
    assert.equal(sent.sign, md5(signedText(sent) + epay.key))
    const order = { order_id: next(), amount: 100, notify_url: receiver.url, name: name.replaceAll('\\', '') }
    const answer = (await json(epusdt, create, { ...order, signature: signJson(order, epusdt.key) })).json()
    assert.equal(answer.status_code, 200, `${name}: ${answer.message}`)
  }
})
