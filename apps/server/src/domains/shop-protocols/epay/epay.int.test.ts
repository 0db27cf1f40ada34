import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey, createSign, createVerify } from 'node:crypto'
import { after, test } from 'node:test'
import { callbackStatus, paymentStatus } from '@coffer/contract'
import { firstRow, rowsOf } from '../../../testing/money.ts'
import { shopWorld } from '../../../testing/shop-world.ts'
import { chooseAsset } from '../../payments/choose-asset.ts'
import { expirePayments } from '../../payments/expire-payments.ts'
import { disconnectShop, renewShopKey } from '../connect.ts'

const world = await shopWorld({ after })
const { deps, owner, app, sent, shop, receiver, next, proved, connect, deliver, payOrder: pay } = world

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
type Texts = Record<string, string>
const covered = (fields: Texts) =>
  Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(pair => pair.join('='))
    .join('&')
const signMd5 = (fields: Texts, key: string, between = ''): Texts => ({
  ...fields,
  sign: md5(covered(fields) + between + key),
  sign_type: 'MD5',
})
const isSigned = (fields: Texts, key: string, between = '') => fields.sign === md5(covered(fields) + between + key)

const ask = (method: 'GET' | 'POST', path: string, fields: Texts | string) => {
  const form = typeof fields === 'string' ? fields : String(new URLSearchParams(fields))
  const typed = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject(
    method === 'GET' ? { method, url: `${path}?${form}` } : { method, url: path, payload: form, headers: typed },
  )
}

const epayFields = (id: string, more: Texts = {}): Texts => ({
  pid: id,
  type: 'alipay',
  out_trade_no: next(),
  notify_url: `${receiver.url}?m=epay`,
  return_url: 'https://shop.example/thanks?a=1',
  name: 'VIP 会员 & more + 1',
  money: '19.9',
  ...more,
})
const queryOf = (url: string) => Object.fromEntries(new URLSearchParams(url.split('?')[1]))

test('EPay: a shop sends its payer, is paid, told once by GET, and may ask', async () => {
  const { id, key } = await connect('epay')
  const fields = epayFields(id)
  const led = await ask('GET', '/submit.php', signMd5(fields, key))
  assert.equal(led.statusCode, 302, led.body)
  const tradeNo = led.headers.location!.split('/').at(-1)!
  for (const start of ['/', '/payments/epay/v1/order/create-transaction'])
    assert.equal(
      (await ask('POST', `${start}/submit.php`, signMd5(fields, key))).headers.location,
      led.headers.location,
    )
  const read = async () =>
    (await ask('GET', '/api.php', { act: 'order', pid: id, key, out_trade_no: fields.out_trade_no! })).json()
  assert.deepEqual([(await read()).code, (await read()).status, (await read()).money], [1, 0, '19.9'])
  const row = await firstRow(owner, 'select usdt_amount, return_url from payments where trade_no = $1', [tradeNo])
  assert.equal(row.usdt_amount, '2786000', '19.9 CNY at 0.14')

  assert.equal(new URL(row.return_url).searchParams.get('host'), new URL(fields.return_url!).host)
  const back = () => app.inject(row.return_url.replace(deps.config.publicUrl, ''))
  assert.equal((await back()).headers.location, fields.return_url, 'unpaid, nothing is signed')
  await pay(tradeNo, 500_000n)
  assert.deepEqual(await deliver(), [], 'a part is not reported')
  await pay(tradeNo, 500_000n)
  const [callback, ...more] = await deliver()
  assert.deepEqual(more, [])
  assert.ok(callback && callback.method === 'GET' && callback.url.startsWith('/notify?m=epay&'), callback?.url)
  const { m, ...given } = queryOf(callback.url)
  assert.ok(isSigned(given, key))
  const { sign: _, ...plain } = given
  assert.deepEqual(plain, {
    pid: id,
    trade_no: tradeNo,
    out_trade_no: fields.out_trade_no,
    type: 'alipay',
    name: fields.name,
    money: '19.9',
    trade_status: 'TRADE_SUCCESS',
    sign_type: 'MD5',
  })
  assert.deepEqual([(await read()).status, (await read()).trade_no], [1, tradeNo])
  const { a, ...returned } = queryOf((await back()).headers.location as string)
  assert.ok(a === '1' && isSigned(returned, key) && returned.trade_status === 'TRADE_SUCCESS')
  await pay(tradeNo, 200_000n)
  assert.deepEqual(await deliver(), [], 'what comes on top is not reported')
})

test('EPay: mapi.php makes the same order of the same number, from a form of any kind', async () => {
  const { id, key } = await connect('epay', { callback_method: 'POST' })
  const fields = epayFields(id, { param: 'p=1', clientip: '203.0.113.4', device: 'mobile', money: '0.1' })
  const made = (await ask('POST', '/mapi.php', signMd5(fields, key, '&key='))).json()
  assert.deepEqual([made.code, made.payurl], [1, `${deps.config.publicUrl}/pay/${made.trade_no}`])
  const boundary = 'xyz'
  const parts = Object.entries(signMd5(fields, key))
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const again = await app.inject({
    method: 'POST',
    url: '/mapi.php',
    payload: `${parts}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  assert.equal(again.json().trade_no, made.trade_no, again.body)
  const joined = (await ask('POST', '/mapi.php', signMd5(epayFields(id), key, '&key='))).json()
  await pay(joined.trade_no)
  assert.ok(isSigned(Object.fromEntries(new URLSearchParams((await deliver())[0]!.body)), key, '&key='))
  const other = (await ask('POST', '/mapi.php', signMd5({ ...fields, money: '0.2' }, key))).json()
  assert.equal(other.code, -1)
  await pay(made.trade_no)
  const [callback] = await deliver()
  assert.deepEqual([callback?.method, callback?.url], ['POST', '/notify?m=epay'])
  const given = Object.fromEntries(new URLSearchParams(callback!.body))
  assert.ok(isSigned(given, key) && given.param === 'p=1', 'signed as the shop signed last')
  const listed = (await ask('GET', '/api.php', { act: 'orders', pid: id, key, limit: '500', page: 'x' })).json()
  assert.deepEqual(
    listed.data.map((each: { trade_no: string }) => each.trade_no).toSorted(),
    [made.trade_no, joined.trade_no].toSorted(),
  )
  const settled = (await ask('GET', '/api.php', { act: 'settle', pid: id, key })).json()
  assert.deepEqual(settled, { code: 1, msg: 'success', data: [] })
  assert.equal((await ask('GET', '/api.php', { act: 'query', pid: id, key })).json().orders, 2)
  const one = { act: 'order', pid: id, out_trade_no: fields.out_trade_no! }
  assert.equal((await ask('GET', '/api.php', { ...one, key })).json().status, 1)
  assert.equal((await ask('GET', '/api.php', signMd5(one, key))).json().code, -1, 'signed, without the key')
})

test('EPay: clients that sign empty fields, or the text without backslashes', async () => {
  const { id, key } = await connect('epay')
  const { type: _, ...fields } = epayFields(id, { name: 'a\\b\\\\c', return_url: '' })
  const all = Object.keys(fields)
    .sort()
    .map(name => `${name}=${fields[name]!.replace(/\\(.?)/g, '$1')}`)
    .join('&')
  const made = (await ask('POST', '/mapi.php', { ...fields, sign: md5(all + key).toUpperCase() })).json()
  assert.equal(made.code, 1, made.msg)
  await pay(made.trade_no)
  const { m: __, ...given } = queryOf((await deliver())[0]!.url)
  assert.ok(isSigned(given, key) && given.name === 'ab\\c' && !('type' in given))
})

test('EPay: the second version signs with RSA, both ways', async () => {
  const { id, private_key, platform_public_key } = await connect('epay')
  const mine = createPrivateKey({ key: Buffer.from(private_key, 'base64'), format: 'der', type: 'pkcs8' })
  const theirs = createPublicKey({ key: Buffer.from(platform_public_key, 'base64'), format: 'der', type: 'spki' })
  const rsa = (fields: Texts): Texts => {
    const timed = { ...fields, timestamp: String(deps.clock()) }
    return { ...timed, sign: createSign('RSA-SHA256').update(covered(timed)).sign(mine, 'base64'), sign_type: 'RSA' }
  }
  const verifies = (fields: Texts) =>
    createVerify('RSA-SHA256').update(covered(fields)).verify(theirs, fields.sign!, 'base64')
  const fields = epayFields(id, { method: 'web' })
  const made = (await ask('POST', '/api/pay/create', rsa(fields))).json()
  assert.deepEqual([made.code, made.pay_type], [0, 'jump'], made.msg)
  assert.ok(verifies(Object.fromEntries(Object.entries(made).map(([name, value]) => [name, String(value)]))))
  const stale = rsa(fields)
  deps.pass(301)
  assert.equal((await ask('POST', '/api/pay/create', stale)).json().code, -1)
  await pay(made.trade_no)
  const { m: _, ...given } = queryOf((await deliver())[0]!.url)
  assert.ok(verifies(given) && given.sign_type === 'RSA')
  const v2 = async (path: string, more: Texts) => (await ask('POST', path, rsa({ pid: id, ...more }))).json()
  assert.equal((await v2('/api/pay/query', { trade_no: made.trade_no })).status, 1)
  assert.equal((await v2('/api/pay/close', { trade_no: made.trade_no })).code, -1, 'it is paid')
  const unpaid = await v2('/api/pay/create', epayFields(id))
  const closed = await v2('/api/pay/close', { trade_no: unpaid.trade_no })
  assert.ok(closed.code === 0 && verifies({ ...closed, code: '0' }))
  const row = await firstRow(owner, 'select status from payments where trade_no = $1', [unpaid.trade_no])
  assert.equal(row.status, paymentStatus.closed)
  const { data, ...list } = await v2('/api/merchant/orders', { offset: '1', limit: '50' })
  assert.ok(verifies({ ...list, code: '0' }))
  assert.deepEqual(
    data.map((each: { trade_no: string; status: number }) => [each.trade_no, each.status]),
    [[made.trade_no, 1]],
  )
})

test('EPay: bad requests are refused in its own form, and change nothing', async () => {
  const { id, key } = await connect('epay')
  const other = await connect('epay')
  const fields = epayFields(id)
  const good = String(new URLSearchParams(signMd5(fields, key)))
  const before = await firstRow(owner, 'select count(*) as n from payments')
  const signedWith = (more: Texts, by = key) => String(new URLSearchParams(signMd5({ ...fields, ...more }, by)))
  const bad: Record<string, string> = {
    nothing: '',
    'wrong key': signedWith({}, other.key),
    'of another shop': signedWith({ pid: other.id }),
    'changed afterwards': good.replace('19.9', '0.1'),
    'list for text': `${good}&money[]=1`,
    'repeated field': `${good}&money=19.9`,
    'wrong charset': good.replace(/name=[^&]*/, 'name=%BB%E1'),
    'control character': signedWith({ param: 'a\u0000b' }),
    'unknown sign type': good.replace('sign_type=MD5', 'sign_type=SHA1'),
    'RSA without a key': good.replace('sign_type=MD5', 'sign_type=RSA'),
    'prototype as field': `${good}&__proto__=1`,
    'huge amount': signedWith({ money: '9'.repeat(39) }),
    'endless decimals': signedWith({ money: '0.123456789' }),
    exponent: signedWith({ money: '1e3' }),
    'negative amount': signedWith({ money: '-1' }),
    'no amount': signedWith({ money: '' }),
    'hidden field': signedWith({ param: 'a&trade_no=other' }),
    'no notify URL': signedWith({ notify_url: '' }),
    'script as notify URL': signedWith({ notify_url: 'javascript:alert(1)' }),
    'script as return URL': signedWith({ return_url: 'javascript:alert(1)' }),
    'endless number': signedWith({ out_trade_no: 'x'.repeat(65) }),
  }
  for (const [what, form] of Object.entries(bad)) {
    const answer = await ask('POST', '/mapi.php', form)
    assert.equal(answer.json().code, -1, `${what}: ${answer.body}`)
    assert.ok(answer.json().msg.length > 0 && answer.statusCode === 200, what)
    const page = await ask('GET', '/submit.php', form)
    assert.ok(
      page.statusCode >= 400 && page.statusCode < 500 && /^<!doctype html>/.test(page.body),
      `${what}: ${page.body}`,
    )
  }
  for (const [payload, type] of [
    ['{"pid":1', 'application/json'],
    ['<a/>', 'text/xml'],
    [Buffer.from([0xff]), 'application/x-www-form-urlencoded'],
  ] as const) {
    const answer = await app.inject({ method: 'POST', url: '/mapi.php', payload, headers: { 'content-type': type } })
    assert.equal(answer.json().code, -1, `${type}: ${answer.body}`)
  }
  for (const key of ['', 'x', other.key])
    assert.equal((await ask('GET', '/api.php', { act: 'query', pid: id, key })).json().code, -1)
  assert.deepEqual(await firstRow(owner, 'select count(*) as n from payments'), before)
  const foreign = (await ask('POST', '/mapi.php', good)).json()
  const seen = await ask('GET', '/api.php', { act: 'order', pid: other.id, key: other.key, trade_no: foreign.trade_no })
  assert.equal(seen.json().code, -1, 'the order of another shop')
})

test('EPay: nothing but a payment in full is reported', async () => {
  const { id, key } = await connect('epay')
  const make = async () => (await ask('POST', '/mapi.php', signMd5(epayFields(id), key))).json().trade_no as string
  const part = await make()
  const late = await make()
  const over = await make()
  await pay(part, 999_999n)
  await pay(over, 1_500_000n)
  assert.deepEqual(
    (await deliver()).map(each => queryOf(each.url).trade_no),
    [over],
  )
  assert.equal(queryOf(sent[0]!.url).money, '19.9', 'as asked, not as paid')
  await chooseAsset(deps, { tradeNo: late, assetId: `${world.eth.definition.id}:USDT` })
  deps.pass(7_300)
  await expirePayments(deps)
  await pay(late)
  assert.deepEqual(await deliver(), [])
})

test('a callback is confirmed by the word of the protocol alone, and tried again until then', async () => {
  const { id, key } = await connect('epay')
  const { trade_no } = (await ask('POST', '/mapi.php', signMd5(epayFields(id), key))).json()
  await pay(trade_no)
  shop.says = '{"success":false}'
  const [sent] = await deliver()
  const attempt = await firstRow(owner, 'select sent from callback_attempts order by created_at desc, id desc limit 1')
  assert.deepEqual(queryOf(attempt.sent), queryOf(sent!.url), 'the record holds what was sent')
  const row = () => firstRow(owner, 'select status, result, form from callbacks where trade_no = $1', [trade_no])
  assert.deepEqual(await row(), { status: callbackStatus.retrying, result: 'not_confirmed', form: 'epay' })
  for (const [says, result] of [
    ['ok, but the order does not exist', 'not_confirmed'],
    ['<p>success</p>', 'not_confirmed'],
    ['{"msg":"success"}', 'not_confirmed'],
    ['<!DOCTYPE html><html><title>One moment</title>ok</html>', 'page_answered'],
  ] as const) {
    shop.says = says
    deps.pass(7_200)
    await deliver()
    assert.deepEqual(await row(), { status: callbackStatus.retrying, result, form: 'epay' }, says)
  }
  shop.says = '\uFEFF SUCCESS\n'
  deps.pass(21_600)
  assert.equal((await deliver()).length, 1)
  assert.equal((await row()).status, callbackStatus.delivered)
  shop.says = 'success'
})

test('while a key is replaced both work, and callbacks are signed with the one that the shop uses', async () => {
  const { id, key: old } = await connect('epay')
  const make = async (key: string) => (await ask('POST', '/mapi.php', signMd5(epayFields(id), key))).json()
  const { key } = await renewShopKey(deps, { ...(await proved()), id, keepSeconds: 86_400 })
  const signer = async (tradeNo: string) => {
    await pay(tradeNo)
    const { m: _, ...given } = queryOf((await deliver())[0]!.url)
    return isSigned(given, old) ? 'old' : isSigned(given, key) ? 'new' : 'neither'
  }
  assert.equal(await signer((await make(old)).trade_no), 'old')
  assert.equal(await signer((await make(key)).trade_no), 'new')
  assert.equal(await signer((await make(old)).trade_no), 'new')
  const { trade_no } = await make(key)
  deps.pass(86_400)
  assert.equal((await make(old)).code, -1)
  await disconnectShop(deps, { ...(await proved()), id })
  assert.equal((await make(key)).code, -1)
  assert.deepEqual(
    (await rowsOf(owner, 'select type from audit_log where subject like $1 order by seq', [`%${id}`])).map(
      row => row.type,
    ),
    ['shop_connected', 'shop_key_renewed', 'shop_disconnected'],
  )
  assert.ok(trade_no)
})
