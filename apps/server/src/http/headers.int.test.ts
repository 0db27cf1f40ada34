import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parseShopOrigin } from '@coffer/contract/codes/shops.ts'
import { isOrigin } from '@coffer/contract/kit/validators.ts'
import { checkOrigins } from '../domains/applications/create-application.ts'
import { makeConsoleApp } from '../domains/console/app.ts'
import { createPayment } from '../domains/payments/create-payment.ts'
import { makeApp } from '../serve.ts'
import { builtWeb } from '../testing/built-web.ts'
import { withDeps } from '../testing/deps.ts'
import { testApplication, testMerchant } from '../testing/merchants.ts'
import { contentSecurityPolicy, otherDevicePath, webDistPath } from './web.ts'

await builtWeb()
const deps = await withDeps({ after }, { config: { publicUrl: 'https://pay.example' } })
const app = await makeApp(deps)
after(() => app.close())
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers, remoteAddress: '10.0.0.1' })

test('serves every page with its security policy, by any URL', async () => {
  const routes = ['/', '/login', '/m/login', '/pay/1', '/record', '/docs']
  const files = [
    '/index.html',
    '/login.html',
    '/pay.html',
    '/index.html?x',
    '/./login.html',
    '/%6cogin.html',
    '//pay.html',
  ]
  for (const url of [...routes, ...files]) {
    const { headers } = await get(url, { accept: 'text/html' })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/, url)
    assert.match(policy, /frame-ancestors 'none'/, url)
    assert.doesNotMatch(policy, /unsafe|\*/, url)
    assert.equal(headers['x-frame-options'], 'DENY', url)
    assert.match(String(headers['strict-transport-security']), /max-age=\d{8}/, url)
  }
})

test('lets one page send a form elsewhere: to the shop that asks for a key', () => {
  const allowed = (redirect: string, inSandbox = false) =>
    /form-action ([^;]*)/.exec(
      contentSecurityPolicy('index', undefined, { formsTo: parseShopOrigin(redirect, inSandbox) }),
    )![1]
  assert.equal(allowed('https://shop.example:8443/back?x=1'), "'self' https://shop.example:8443")
  assert.equal(allowed('http://shop.example/', true), "'self' http://shop.example")
  for (const evil of [
    '',
    'http://shop.example/',
    'javascript:alert(1)',
    '//shop.example',
    'https://a@shop.example',
    'data:text/html,x',
    'https://*.example/',
    'https://*/',
    "https://shop.example;script-src 'unsafe-inline'",
    'https://[::1]/',
    'https:shop.example',
    'https://shop.example\\@evil.example',
    'https://shop.example,evil.example/',
  ])
    assert.equal(allowed(evil), "'self'", evil)
})

test('only a page of an allowed origin may frame a checkout, and only that checkout', async () => {
  const { id } = await testMerchant(deps)
  const origins = ['https://shop.example', 'https://till.example:8443']
  const { appid } = await testApplication(deps, id, { embed_origins: origins })
  const other = await testApplication(deps, id)
  const orderOf = (of: string) =>
    createPayment(deps, {
      merchantId: id,
      appid: of,
      order: {
        out_trade_no: 'embed',
        amount: '1',
        currency: 'USDT',
        chain: undefined,
        token: undefined,
        subject: '',
        attach: '',
        return_url: '',
        expires_in: 1_800,
      },
    })
  const allowed = await orderOf(appid)
  const refused = await orderOf(other.appid)
  const framedBy = async (path: string, embed: string) => {
    const { headers } = await get(`${path}?embed=${encodeURIComponent(embed)}`)
    const by = /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))![1]!
    assert.equal(headers['x-frame-options'], by === "'none'" ? 'DENY' : undefined)
    assert.equal(headers['access-control-allow-origin'], by === "'none'" ? undefined : by)
    return by
  }
  const path = `/pay/${allowed.trade_no}`
  for (const origin of origins) {
    assert.equal(await framedBy(path, origin), origin)
    assert.equal(await framedBy(`/pay/${refused.trade_no}`, origin), "'none'")
    for (const elsewhere of ['/login', '/', `/refund/${allowed.trade_no}`, '/pay/1', '/l/x'])
      assert.equal(await framedBy(elsewhere, origin), "'none'", elsewhere)
  }
  for (const evil of [
    '',
    '*',
    'null',
    "'self'",
    'https:',
    'https://evil.example',
    'http://shop.example',
    'https://shop.example:444',
    'https://shop.example/',
    'https://shop.example.evil.example',
    'https://a.shop.example',
    'https://SHOP.example',
    'https://shop.example https://evil.example',
    'https://shop.example; script-src *',
    'https://till.example',
  ])
    assert.equal(await framedBy(path, evil), "'none'", evil)
  const twice = await get(`${path}?embed=https://shop.example&embed=https://evil.example`)
  assert.match(String(twice.headers['content-security-policy']), /frame-ancestors 'none'/)
  for (const no of [
    'https://*.example',
    'null',
    'https://shop.example/',
    'https://shop.example:443',
    'https://a@b.example',
  ])
    assert.ok(!isOrigin(no), no)
  assert.throws(() => checkOrigins(deps, { embed_origins: ['http://shop.example'] }), { reason: 'https_needed' })
})

test('leads a device to its pages of this site, whatever the path', () => {
  assert.equal(otherDevicePath('/record?page=2', false), '/m/record?page=2')
  assert.equal(otherDevicePath('/m/record?page=2', true), '/record?page=2')
  const site = 'https://pay.example'
  for (const evil of ['\\evil.example', '/evil.example', '\\/evil.example', '/\\evil.example', '/\\\\evil.example'])
    for (const [url, underM] of [
      [`/m${evil}`, true],
      [`/m/${evil}`, true],
      [`/${evil}`, false],
    ] as const)
      assert.equal(new URL(otherDevicePath(url, underM), site).origin, site, url)
})

test('forbids caching, loading and framing of API answers', async () => {
  const { token } = await testMerchant(deps)
  for (const [url, sent] of [
    ['/api/v1/user/info', { 'x-token': token }],
    ['/api/v1/user/info', {}],
    ['/api/v1/nothing', {}],
    ['/api/v1/public/config', {}],
  ] as const) {
    const { headers } = await get(url, { ...sent })
    assert.deepEqual(
      ['cache-control', 'content-security-policy', 'x-content-type-options', 'access-control-allow-origin'].map(
        name => headers[name],
      ),
      ['no-store', "default-src 'none';frame-ancestors 'none'", 'nosniff', undefined],
      url,
    )
  }
})

test('compresses long answers to a signed-in browser, and no others', async () => {
  const { token } = await testMerchant(deps)
  const long = '/api/v1/statistics/daily-collection?days=59'
  const browser = { 'x-token': token, 'accept-encoding': 'gzip, deflate, br' }
  const { rawPayload, headers } = await get(long, browser)
  assert.deepEqual([headers['content-encoding'], headers['content-length']], ['gzip', `${rawPayload.length}`])
  const plain = await get(long, { 'x-token': token })
  assert.ok(rawPayload.length < plain.rawPayload.length / 2)
  assert.deepEqual(JSON.parse(gunzipSync(rawPayload).toString()).data, plain.json().data)
  for (const [url, sent] of [
    ['/api/v1/public/config', browser],
    ['/docs/openapi.json', { 'accept-encoding': 'gzip' }],
  ] as const)
    assert.equal((await get(url, { ...sent })).headers['content-encoding'], undefined, url)
})

test('serves what was built, compressed if the browser takes it, and nothing else', async () => {
  const folder = join(webDistPath, 'assets')
  const built = readdirSync(folder)
  const names = built.filter(name => !/^(?:inSandbox|sandbox)-|\.br$/.test(name))
  assert.ok(names.length > 100)
  for (const name of names.filter((_, at) => at % 20 === 0)) {
    const { statusCode, rawPayload, headers } = await get(`/assets/${name}`)
    assert.ok(statusCode === 200 && rawPayload.equals(readFileSync(join(folder, name))), name)
    assert.match(String(headers['cache-control']), /immutable$/, name)
  }
  const name = names.find(each => built.includes(`${each}.br`))!
  const url = `/assets/${name}`
  const { rawPayload, headers } = await get(url, { 'accept-encoding': 'br' })
  assert.deepEqual([headers['content-encoding'], headers.vary], ['br', 'accept-encoding'])
  assert.match(String(headers['content-type']), /javascript/)
  assert.ok(brotliDecompressSync(rawPayload).equals(readFileSync(join(folder, name))))
  const again = await get(url, { 'if-none-match': String((await get(url)).headers.etag) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  const head = await app.inject({ method: 'HEAD', url, remoteAddress: '10.0.0.1' })
  assert.deepEqual([head.statusCode, head.body], [200, ''])
  const post = await app.inject({ method: 'POST', url, remoteAddress: '10.0.0.1' })
  assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD'])
  for (const none of ['/assets/none.js', '/assets/', '/assets/..%2findex.html', '/assets/..%2f..%2fpackage.json']) {
    const { statusCode, headers } = await get(none)
    assert.deepEqual([statusCode, headers['cache-control']], [404, 'no-store'], none)
  }
})

test('serves no sandbox route in production', async t => {
  const pages = ['', '/inbox', '/merchants', '/payments', '/page.js', '/oidc/client.js', '/oidc/auth', '/sign-in/x']
  // What acts for mailbox, operator and payer is a file of its own in each build of the pages.
  const actingOf = (build: string) =>
    readdirSync(join(build, 'assets')).filter(name => /^(?:inSandbox|sandbox)-/.test(name))
  const acting = actingOf(webDistPath)
  const ofConsole = actingOf(join(webDistPath, 'operator'))
  assert.ok(acting.length > 0 && ofConsole.length > 0)
  const operators = await makeConsoleApp(deps)
  t.after(() => operators.close())
  for (const each of ofConsole) assert.equal((await operators.inject(`/assets/${each}`)).statusCode, 404, each)
  for (const url of [...pages.map(each => `/sandbox${each}`), ...acting.map(each => `/assets/${each}`)])
    assert.equal((await get(url)).statusCode, 404, url)
  for (const act of ['pay', 'mine', 'reorg', 'reverse', 'scenarios', 'merchants', 'sign-in/x']) {
    const request = { method: 'POST', url: `/sandbox/${act}`, payload: {}, remoteAddress: '10.0.0.1' } as const
    assert.equal((await app.inject(request)).statusCode, 404, act)
  }
})

test('counts unknown paths and uploads towards the rate limit of an address', async () => {
  const remoteAddress = '10.9.9.9'
  const remaining = async (url: string, method: 'GET' | 'POST' = 'GET') =>
    Number((await app.inject({ url, method, remoteAddress })).headers['x-ratelimit-remaining'])
  const first = await remaining('/healthz')
  const requested = [
    '/nothing',
    '/api/v1/nothing',
    '/uploads/none.png',
    `/uploads/${'a'.repeat(32)}.png`,
    '/assets/none.js',
  ]
  for (const [index, url] of requested.entries()) assert.equal(await remaining(url), first - 1 - index, url)
  assert.equal(await remaining('/api/v1/user/upload', 'POST'), first - 1 - requested.length)
  assert.equal(await remaining('/api/v1/none', 'POST'), first - 2 - requested.length)
  for (let left = first - 2 - requested.length; left > 0; left--) await app.inject({ url: '/nothing', remoteAddress })
  const { statusCode, body } = await app.inject({ url: '/nothing', remoteAddress })
  assert.deepEqual([statusCode, JSON.parse(body).code], [429, 10010])
})

test('limits rates per IPv6 /64, and the time of a request', async () => {
  const left = async (remoteAddress: string) =>
    Number((await app.inject({ url: '/healthz', remoteAddress })).headers['x-ratelimit-remaining'])
  const first = await left('2001:db8:1:1::1')
  assert.equal(await left('2001:db8:1:1:ffff::2'), first - 1)
  assert.equal(await left('2001:db8:1:2::1'), first)
  assert.ok(app.server.requestTimeout > 0 && app.server.requestTimeout <= 300_000)
})

test('answers malformed URLs in the usual format without echoing them', async () => {
  const long = `/api/v1/checkout/${'1'.repeat(900)}`
  for (const [url, status, code] of [
    ['/%zz', 422, 10002],
    ['/api/v1/checkout/%E0%A4%A', 422, 10002],
    [long, 404, 404],
  ] as const) {
    const answer = await get(url, { 'x-language': 'zh-CN' })
    assert.deepEqual([answer.statusCode, answer.json().code], [status, code], url)
    assert.deepEqual(Object.keys(answer.json()), ['code', 'msg'], url)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.match(answer.json().msg, /^[\u4e00-\u9fff]+$/)
  }
})

test('answers a wrong method with 405 and the methods that the path takes', async () => {
  for (const [method, url, allow] of [
    ['PUT', '/api/v1/pay/orders', 'GET, HEAD, POST'],
    ['DELETE', '/api/v1/pay/orders/out:A%2F1?x=/y', 'GET, HEAD'],
    ['GET', '/api/v1/pay/orders/1/close', 'POST'],
    ['POST', '/api/v1/openapi.json', 'GET, HEAD'],
  ] as const) {
    const { statusCode, headers, body } = await app.inject({ method, url, remoteAddress: '10.0.0.1' })
    assert.deepEqual([statusCode, headers.allow, JSON.parse(body).code], [405, allow, 405], `${method} ${url}`)
  }
  for (const url of ['/api/v1/pay/order', '/api/v1/pay/orders/1/close/2', '/api/v1/openapi2json'])
    assert.equal((await get(url)).statusCode, 404, url)
})

test('trusts X-Forwarded-For only from the configured number of proxies', async t => {
  const { id } = await testMerchant(deps)
  const listed = { ip_whitelist_enabled: true, ip_whitelist: ['203.0.113.9'] }
  const { key } = await testApplication(deps, id, listed)
  const behind = await Promise.all(
    [0, 1, 2].map(trustProxy => makeApp({ ...deps, config: { ...deps.config, trustProxy } })),
  )
  t.after(() => Promise.all(behind.map(each => each.close())))
  const status = async (trustProxy: number, remoteAddress: string, forwarded?: string) => {
    const headers = { authorization: `Bearer ${key}`, ...(forwarded && { 'x-forwarded-for': forwarded }) }
    return (await behind[trustProxy]!.inject({ url: '/api/v1/pay/currencies', remoteAddress, headers })).statusCode
  }
  assert.equal(await status(0, '203.0.113.9'), 200)
  assert.equal(await status(0, '198.51.100.1', '203.0.113.9'), 403)
  assert.equal(await status(1, '10.0.0.1', '203.0.113.9'), 200)
  assert.equal(await status(1, '10.0.0.1', '203.0.113.9, 198.51.100.1'), 403)
  assert.equal(await status(1, '10.0.0.1', '203.0.113.9:61598'), 200)
  assert.equal(await status(1, '10.0.0.1', 'nonsense, 203.0.113.9:61598'), 200)
  assert.equal(await status(1, '10.0.0.1', '203.0.113.9:61598, [2001:db8::1]:443'), 403)
  for (const none of ['nonsense', 'unknown', '203.0.113.9, unknown', ' , '])
    assert.equal(await status(1, '10.0.0.1', none), 422, none)
  assert.equal(await status(2, '10.0.0.1', '203.0.113.9, 10.0.0.2'), 200)
  assert.equal(await status(2, '10.0.0.1', '203.0.113.9, 198.51.100.1, 10.0.0.2'), 403)
})
