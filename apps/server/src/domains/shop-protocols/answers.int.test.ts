import assert from 'node:assert/strict'
import { createHash, createHmac, createPrivateKey, createPublicKey, createSign, createVerify } from 'node:crypto'
import { after, test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import { firstRow } from '../../testing/money.ts'
import { shopWorld, signJson } from '../../testing/shop-world.ts'
import { resendCallback } from '../callbacks/resend-callback.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { expirePayments } from '../payments/expire-payments.ts'

/*
 * Programs mark an order as paid on any request to their notify URL, or return URL, whose signature is right: most look
 * neither at a status nor at what kind of message was signed. The payer holds the order's signed query and sees every
 * answer to it. Nothing that any route signs may pass these programs' checks, unless the order is paid and stays so.
 */

const world = await shopWorld({ after })
const { deps, owner, app, receiver, next, connect, deliver, payOrder: pay } = world

type Texts = Record<string, string>
interface Keys {
  key: string
  platform: string
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const joined = (fields: Texts, left: readonly string[], isCovered: (value: string) => boolean) =>
  Object.keys(fields)
    .filter(name => !left.includes(name) && isCovered(fields[name]!))
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')
const own = ['sign', 'sign_type']
const notEmpty = (value: string) => value !== ''
const notZero = (value: string) => notEmpty(value) && value !== '0'
const stripped = (text: string) => text.replace(/\\(.?)/g, '$1')
const rsa = (text: string, sign = '', platform = '') => {
  const key = createPublicKey({ key: Buffer.from(platform, 'base64'), format: 'der', type: 'spki' })
  return createVerify('RSA-SHA256').update(text).verify(key, sign, 'base64')
}

/** How the programs that the back-office offers check a callback, by the names that they have there. */
const programs: Record<string, (fields: Texts, keys: Keys) => boolean> = {
  'V2Board/Xboard': (f, { key }) => f.sign === md5(stripped(joined(f, own, () => true)) + key),
  'dujiaoka, SSPanel-UIM, ProxyPanel': (f, { key }) => f.sign === md5(joined(f, own, notEmpty) + key),
  'new-api, One Hub, Dujiao-Next': (f, { key }) => f.sign?.toLowerCase() === md5(joined(f, own, notEmpty) + key),
  'ACG-Faka': (f, { key }) => f.sign === md5(joined(f, own, () => true) + key),
  'those that leave out a zero': (f, { key }) => f.sign === md5(joined(f, own, notZero) + key),
  'those that write &key=': (f, { key }) => f.sign === md5(`${joined(f, own, notEmpty)}&key=${key}`),
  'those of the second version': (f, { platform }) =>
    platform !== '' && [notEmpty, notZero, () => true].some(each => rsa(joined(f, own, each), f.sign, platform)),
  'dujiaoka, WHMCS by epusdt': (f, { key }) => f.signature === md5(joined(f, ['signature'], notEmpty) + key),
  'those of epusdt that sign all': (f, { key }) => f.signature === md5(joined(f, ['signature'], () => true) + key),
}

/** Which programs would mark the order of a number as paid, given these fields as a callback. */
const fooled = (fields: Texts, keys: Keys, number: string) =>
  Object.keys(programs).filter(
    name => programs[name]!(fields, keys) && [fields.out_trade_no, fields.order_id].includes(number),
  )

/** Whatever of an answer can be sent as a callback: the plain fields of its objects, and the query of its address. */
function sendable(answer: { body: string; headers: Record<string, unknown> }): Texts[] {
  const found: Texts[] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const each of Object.values(value)) collect(each)
    const plain = Object.entries(value).filter(([, each]) => typeof each !== 'object')
    found.push(Object.fromEntries(plain.map(([name, each]) => [name, String(each)])))
  }
  if (/^\s*[{[]/.test(answer.body)) collect(JSON.parse(answer.body))
  const leads = String(answer.headers.location ?? '').split('#')[0]!
  if (leads.includes('?')) {
    const all = [...new URLSearchParams(leads.slice(leads.indexOf('?')))]
    // What stood in the shop's own URL may be left out.
    for (let from = 0; from < all.length; from++) found.push(Object.fromEntries(all.slice(from)))
  }
  return found
}

const set = (tradeNo: string, changes: string) =>
  owner.query(`update payments set ${changes} where trade_no = $1`, [tradeNo])
const giveBack = (tradeNo: string, part: number) =>
  owner.query(
    `insert into payment_refunds (merchant_id, trade_no, credited, refunded)
     select merchant_id, trade_no, paid_amount, trunc(paid_amount / $2) from payments where trade_no = $1`,
    [tradeNo, part],
  )
const choose = (tradeNo: string) => chooseAsset(deps, { tradeNo, assetId: `${world.eth.definition.id}:USDT` })

/** Brings an order into each state. Of those that are paid in full and stay so, a callback may be signed. */
const states: Record<string, { isPaid?: true; bring: (tradeNo: string) => Promise<unknown> }> = {
  unpaid: { bring: async () => {} },
  'partly paid': { bring: tradeNo => pay(tradeNo, 500_000n) },
  paid: { isPaid: true, bring: tradeNo => pay(tradeNo) },
  overpaid: { isPaid: true, bring: tradeNo => pay(tradeNo, 1_500_000n) },
  'overpaid, the surplus given back': {
    isPaid: true,
    bring: async tradeNo => {
      await pay(tradeNo, 1_500_000n)
      await giveBack(tradeNo, 3)
    },
  },
  'being refunded': {
    bring: async tradeNo => {
      await pay(tradeNo)
      await giveBack(tradeNo, 1)
      await set(tradeNo, `status = ${paymentStatus.refunding}`)
    },
  },
  'partly refunded': {
    bring: async tradeNo => {
      await pay(tradeNo)
      await giveBack(tradeNo, 10)
    },
  },
  refunded: {
    bring: async tradeNo => {
      await pay(tradeNo)
      await giveBack(tradeNo, 1)
      await set(tradeNo, `status = ${paymentStatus.refunded}`)
    },
  },
  expired: {
    bring: async tradeNo => {
      await choose(tradeNo)
      deps.pass(7_300)
      await expirePayments(deps)
    },
  },
  'paid too late': {
    bring: async tradeNo => {
      await choose(tradeNo)
      deps.pass(7_300)
      await expirePayments(deps)
      await pay(tradeNo)
    },
  },
  closed: { bring: tradeNo => set(tradeNo, `status = ${paymentStatus.closed}, closed_at = created_at`) },
  'in doubt': {
    bring: async tradeNo => {
      await pay(tradeNo)
      await set(tradeNo, `status = ${paymentStatus.in_doubt}`)
    },
  },
  'paid, then marked invalid': {
    bring: async tradeNo => {
      await pay(tradeNo)
      await set(tradeNo, `status = ${paymentStatus.closed}, exception = 'marked_invalid'`)
    },
  },
}

type Shop = Awaited<ReturnType<typeof connect>>
const form = 'application/x-www-form-urlencoded'
const ask = (method: 'GET' | 'POST', path: string, fields: Texts) => {
  const text = String(new URLSearchParams(fields))
  return method === 'GET'
    ? app.inject({ method, url: `${path}?${text}` })
    : app.inject({ method, url: path, payload: text, headers: { 'content-type': form } })
}
const pathOf = (url: string) => url.replace(deps.config.publicUrl, '')

const signing = {
  md5: (fields: Texts, { key }: Shop): Texts => ({
    ...fields,
    sign: md5(joined(fields, own, notEmpty) + key),
    sign_type: 'MD5',
  }),
  rsa: (fields: Texts, { private_key }: Shop): Texts => {
    const timed = { ...fields, timestamp: String(deps.clock()) }
    const key = createPrivateKey({ key: Buffer.from(private_key, 'base64'), format: 'der', type: 'pkcs8' })
    const text = joined(timed, own, notEmpty)
    return { ...timed, sign: createSign('RSA-SHA256').update(text).sign(key, 'base64'), sign_type: 'RSA' }
  },
}
const ofOrders = ['/api/pay/submit', '/api/pay/create', '/api/pay/query', '/api/pay/close']
const epayPaths = ['/submit.php', '/mapi.php', '/api.php', ...ofOrders, '/api/merchant/info', '/api/merchant/orders']
const epay = await connect('epay')
const epusdt = await connect('epusdt')
const bepusdt = await connect('bepusdt')
const gmpay = await connect('gmpay')

for (const by of ['md5', 'rsa'] as const)
  test(`EPay signed by ${by}: only an order that is paid and kept has an answer that passes as its callback`, async () => {
    const shop = epay
    const keys = { key: shop.key, platform: shop.platform_public_key }
    for (const [state, { isPaid = false, bring }] of Object.entries(states)) {
      deps.pass(60)
      const out_trade_no = next()
      const order: Texts = {
        pid: shop.id,
        type: 'alipay',
        out_trade_no,
        notify_url: receiver.url,
        name: 'VIP',
        money: '19.9',
        return_url: 'https://shop.example/back?order=1',
        param: 'x',
      }
      const made = await ask('GET', '/submit.php', signing[by](order, shop))
      const tradeNo = String(made.headers.location).split('/').at(-1)!
      await bring(tradeNo)
      // What the payer holds, at each route. By RSA it is as new as it can be.
      const held = signing[by](order, shop)
      const reads = ['/api.php', '/api/pay/query', '/api/pay/close', '/api/merchant/info', '/api/merchant/orders']
      const answers: [string, Awaited<ReturnType<typeof ask>>][] = []
      for (const path of epayPaths)
        for (const start of ['', '/', '/payments/epay/v1/order/create-transaction'])
          for (const method of ['GET', 'POST'] as const) {
            deps.pass(1)
            const answer = await ask(method, start + path, held)
            answers.push([`${method} ${start}${path}`, answer])
            if (reads.includes(path)) {
              assert.equal(answer.json().code, -1, `${state}: a held order opened ${path}`)
              assert.ok(!/"data"|"status":/.test(answer.body), answer.body)
            }
          }
      // What the shop itself asks. Nobody else sees it, yet it must be no callback either.
      const names: Texts[] = [{ trade_no: tradeNo }, { out_trade_no }]
      for (const path of reads.filter(each => each !== '/api/pay/close'))
        for (const more of names)
          for (const fields of [
            signing.rsa({ pid: shop.id, ...more, act: 'order' }, shop),
            { pid: shop.id, ...more, act: 'order', key: shop.key },
          ]) {
            const answer = await ask('POST', path, fields)
            assert.notEqual(answer.json().code, -1, `${state}: ${path}: ${answer.body}`)
            answers.push([path, answer])
          }
      const { return_url } = await firstRow(owner, 'select return_url from payments where trade_no = $1', [tradeNo])
      const back = await app.inject(pathOf(return_url))
      answers.push(['the way back', back])
      for (const [where, answer] of answers)
        for (const fields of sendable(answer)) {
          const names = fooled(fields, keys, out_trade_no)
          if (!isPaid) assert.deepEqual(names, [], `${state}: ${where} answers what passes: ${JSON.stringify(fields)}`)
        }
      const passing = sendable(back).flatMap(each => fooled(each, keys, out_trade_no))
      assert.equal(passing.length > 0, isPaid, `${state}: the way back ${back.headers.location}`)
      const sent = (await deliver()).filter(each => each.url.includes(out_trade_no))
      assert.equal(sent.length, isPaid ? 1 : 0, `${state}: callbacks`)
    }
  })

test('EPay: an order that the payer holds, signed by MD5, reads and closes nothing', async () => {
  const shop = epay
  const read = { pid: shop.id, act: 'orders' }
  for (const path of ['/api.php', '/api/pay/query', '/api/merchant/info', '/api/merchant/orders', '/api/pay/close'])
    assert.equal((await ask('POST', path, signing.md5(read, shop))).json().code, -1, `${path} without the key itself`)
  const order = { pid: shop.id, out_trade_no: next(), notify_url: receiver.url, name: 'VIP', money: '19.9' }
  const made = (await ask('POST', '/mapi.php', signing.md5(order, shop))).json()
  for (const field of ['money', 'notify_url'] as const)
    for (const path of ['/api.php', '/api/pay/query', '/api/merchant/orders', '/api/pay/close'])
      for (const fields of [
        signing.rsa({ ...read, act: 'order', trade_no: made.trade_no, [field]: order[field] }, shop),
        { ...read, key: shop.key, trade_no: made.trade_no, [field]: order[field] },
      ])
        assert.equal((await ask('POST', path, fields)).json().code, -1, `${path} with ${field}`)
  const { status } = await firstRow(owner, 'select status from payments where trade_no = $1', [made.trade_no])
  assert.equal(status, paymentStatus.open)
})

for (const [protocol, shop, paths] of [
  ['epusdt', epusdt, ['/api/v1/order/create-transaction', '/payments/epusdt/v1/order/create-transaction']],
  ['BEpusdt', bepusdt, ['/api/v1/order/create-transaction', '/api/v1/order/create-order']],
  ['GMPay', gmpay, ['/payments/gmpay/v1/order/create-transaction']],
] as const)
  test(`${protocol}: only an order that is paid and kept is signed`, async () => {
    const start = `/shop/${shop.id}`
    const keys = { key: shop.key, platform: '' }
    const call = (path: string, fields: Record<string, string | number>) =>
      app.inject({ method: 'POST', url: start + path, payload: fields })
    for (const [state, { isPaid = false, bring }] of Object.entries(states)) {
      deps.pass(60)
      const order_id = next()
      const order: Record<string, string | number> = { order_id, amount: 19.9, notify_url: receiver.url, pid: shop.id }
      const signed = { ...order, timeout: 7_200 }
      const held = { ...signed, signature: signJson(signed, shop.key) }
      const trade_id: string = (await call(paths[0], held)).json().data.trade_id
      await bring(trade_id)
      const read = { trade_id, signature: signJson({ trade_id }, shop.key) }
      const answers = [
        ...(await Promise.all(paths.map(path => call(path, held)))),
        await call('/api/v1/pay/methods', { trade_id }),
        await call('/api/v1/pay/update-order', { trade_id, currency: 'USDT', network: 'ethereum' }),
        await app.inject(`${start}/pay/check-status/${trade_id}`),
        await app.inject(`${start}/api/v1/order/check-status/${trade_id}`),
        await app.inject(`${start}/pay/checkout-counter/${trade_id}`),
        await call('/api/v1/order/cancel-transaction', state === 'unpaid' ? { trade_id } : read),
      ]
      for (const answer of answers)
        for (const fields of sendable(answer))
          if (!isPaid) assert.deepEqual(fooled(fields, keys, order_id), [], `${state}: ${answer.body}`)
      const sent = (await deliver()).filter(each => each.body.includes(order_id))
      assert.equal(sent.length, isPaid ? 1 : 0, `${state}: callbacks`)
      for (const each of sent) assert.ok(sendable(each).some(fields => fooled(fields, keys, order_id).length > 0))
    }
  })

for (const protocol of ['btcpay', 'coinbase'] as const)
  test(`${protocol}: no answer holds the signature of a callback, and only an order that is paid and kept has one`, async () => {
    const shop = await connect(protocol, { notify_url: receiver.url })
    const headers = { authorization: `token ${shop.key}`, 'x-cc-api-key': shop.key }
    const start = protocol === 'btcpay' ? `/api/v1/stores/${shop.id}/invoices` : '/charges'
    for (const [state, { isPaid = false, bring }] of Object.entries(states)) {
      deps.pass(60)
      const price = { amount: '19.9', currency: 'CNY' }
      const metadata = { orderId: next() }
      const checkout = { expirationMinutes: 120, redirectURL: 'https://shop.example/{InvoiceId}' }
      const order =
        protocol === 'btcpay'
          ? { ...price, metadata, checkout }
          : { pricing_type: 'fixed_price', local_price: price, metadata }
      const made = await app.inject({ method: 'POST', url: start, payload: order, headers })
      const id: string = protocol === 'btcpay' ? made.json().id : made.json().data.id
      await bring(id)
      const { return_url } = await firstRow(owner, 'select return_url from payments where trade_no = $1', [id])
      const paths = [start, `${start}/${id}`, `${start}/${id}/payment-methods`, pathOf(return_url)].filter(Boolean)
      const answers = await Promise.all(paths.map(url => app.inject({ method: 'GET', url, headers })))
      const webhook = `/api/v1/stores/${shop.id}/webhooks/${shop.id}/deliveries`
      const list = await app.inject({ method: 'GET', url: webhook, headers })
      const deliveries: { id: string }[] = protocol === 'btcpay' ? list.json() : []
      for (const each of deliveries) {
        const request = await app.inject({ method: 'GET', url: `${webhook}/${each.id}/request`, headers })
        const signature = createHmac('sha256', shop.key).update(request.body).digest('hex')
        for (const answer of [...answers, request, made])
          assert.ok(!(answer.body + JSON.stringify(answer.headers)).includes(signature), `${state}: ${answer.body}`)
      }
      const read = await app.inject({ method: 'GET', url: `${start}/${id}`, headers })
      const says = /"Settled"|"COMPLETED"/.test(read.body)
      assert.equal(says, isPaid, `${state}: ${read.body}`)
      const sent = (await deliver()).filter(each => each.body.includes(id))
      assert.equal(sent.length, isPaid ? 1 : 0, `${state}: callbacks`)
    }
  })

test('once money went back, each protocol says so in its own words, and no callback can be sent again', async () => {
  const btcpay = await connect('btcpay', { notify_url: receiver.url })
  const coinbase = await connect('coinbase', { notify_url: receiver.url })
  const json = async (method: 'GET' | 'POST', url: string, headers: Texts, payload?: object) =>
    (await app.inject({ method, url, headers, ...(payload && { payload }) })).json()
  const order = { out_trade_no: next(), notify_url: receiver.url, name: 'VIP', money: '19.9' }
  const made = (await ask('POST', '/mapi.php', signing.md5({ pid: epay.id, ...order }, epay))).json()
  const signed = { order_id: next(), amount: 19.9, notify_url: receiver.url }
  const create = `/shop/${epusdt.id}/api/v1/order/create-transaction`
  const { data } = await json('POST', create, {}, { ...signed, signature: signJson(signed, epusdt.key) })
  const token = { authorization: `token ${btcpay.key}` }
  const invoices = `/api/v1/stores/${btcpay.id}/invoices`
  const invoice = await json('POST', invoices, token, { amount: '19.9', currency: 'CNY' })
  const key = { 'x-cc-api-key': coinbase.key }
  const charge = await json('POST', '/charges', key, {
    pricing_type: 'fixed_price',
    local_price: { amount: '19.9', currency: 'CNY' },
  })
  const read = { act: 'order', pid: epay.id, key: epay.key, trade_no: made.trade_no }
  const words: [tradeNo: string, ask: () => Promise<unknown>, paid: unknown, back: unknown][] = [
    [made.trade_no, async () => (await ask('POST', '/api.php', read)).json().status, 1, 2],
    [
      data.trade_id,
      async () => (await json('GET', `/shop/${epusdt.id}/pay/check-status/${data.trade_id}`, {})).status,
      2,
      3,
    ],
    [invoice.id, async () => (await json('GET', `${invoices}/${invoice.id}`, token)).status, 'Settled', 'Invalid'],
    [
      charge.data.id,
      async () => (await json('GET', `/charges/${charge.data.id}`, key)).data.timeline.at(-1).status,
      'COMPLETED',
      'REFUNDED',
    ],
  ]
  const state = (tradeNo: string) =>
    firstRow(owner, `select id, status, result from callbacks where trade_no = $1 and form <> ''`, [tradeNo])
  const merchantId = world.merchant.id
  for (const [tradeNo, status, paid, back] of words) {
    await pay(tradeNo)
    assert.equal(await status(), paid)
    assert.equal((await deliver()).length, 1)
    const { id } = await state(tradeNo)
    await resendCallback(deps, { merchantId, id })
    assert.equal((await deliver()).length, 1, 'it may be sent again')
    await resendCallback(deps, { merchantId, id })
    await giveBack(tradeNo, 10)
    assert.equal(await status(), back)
    assert.deepEqual(await deliver(), [], 'what was due is not sent')
    assert.equal((await state(tradeNo)).result, 'not_paid')
    await assert.rejects(resendCallback(deps, { merchantId, id }), { reason: 'operation_failed' })
  }
  const deliveries = `/api/v1/stores/${btcpay.id}/webhooks/${btcpay.id}/deliveries`
  const [delivery] = await json('GET', deliveries, token)
  for (const [method, path] of [
    ['GET', 'request'],
    ['POST', 'redeliver'],
  ] as const) {
    const answer = await app.inject({ method, url: `${deliveries}/${delivery.id}/${path}`, headers: token })
    assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, answer.body)
  }
})
