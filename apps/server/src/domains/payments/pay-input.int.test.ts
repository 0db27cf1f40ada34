import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type RouteDefinition, routes } from '@coffer/contract'
import exceljs from 'exceljs'
import { makeApp } from '../../serve.ts'
import { newSession, testApplication } from '../../testing/merchants.ts'
import { eth, moneyWorld } from '../../testing/money.ts'

const world = await moneyWorld({ after })
const { deps, merchant } = world
const app = await makeApp(deps)
after(() => app.close())
const { key } = await testApplication(deps, merchant.id, {
  payouts_allowed: true,
  marks_allowed: true,
  settings_allowed: true,
  members_allowed: true,
  ip_whitelist_enabled: true,
  ip_whitelist: ['127.0.0.0/8', '10.0.0.0/8'],
})
// Its payouts wait, so that they are refused only after every field has been read.
await deps.owner.query('update applications set opened_at = opened_at + 10000000')

let calls = 0
/** Sends a call of the merchant's server, each from its own address so that limits do not interfere. */
async function call(method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) {
  calls++
  const answer = await app.inject({
    method: method as 'GET',
    url,
    remoteAddress: `10.0.${calls >> 8}.${calls & 255}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })
  return { status: answer.statusCode, ...answer.json() }
}
const create = (body: unknown, headers?: Record<string, string>) => call('POST', '/api/v1/pay/orders', body, headers)
const valid = { out_trade_no: 'input-1', amount: '5' }

const said: [what: string, body: object, code: number, field: string, en: string, zh: string][] = [
  [
    'an amount sent as a number',
    { amount: 19.9 },
    errors.bad_amount.code,
    'amount',
    'Please enter a correct amount (amount: a decimal string above 0 such as "19.90", without exponent, sign and leading zeros, not a number)',
    '请输入正确的金额（amount：大于 0 的十进制字符串，例如 "19.90"，不含指数、正负号和前导零，不能是数字）',
  ],
  [
    'too many decimal places',
    { amount: '0.0000001' },
    errors.bad_amount.code,
    'amount',
    'Please enter a correct amount (amount: at most 6 decimal places in USDT)',
    '请输入正确的金额（amount：USDT 金额最多 6 位小数）',
  ],
  [
    'an amount worth too little',
    { amount: '0.001' },
    errors.amount_too_small.code,
    'amount',
    'Amount is too small (amount: worth at least 0.01 USDT)',
    '金额过小（amount：价值不低于 0.01 USDT）',
  ],
  [
    'a line break in the order number',
    { out_trade_no: 'a\nb' },
    errors.parameter_error.code,
    'out_trade_no',
    'Parameter error (out_trade_no: a string of 1 to 64 printable characters, without spaces at its ends)',
    '参数错误（out_trade_no：1 至 64 个可打印字符的字符串，首尾不能为空格）',
  ],
  [
    'no order number',
    { out_trade_no: undefined },
    errors.parameter_error.code,
    'out_trade_no',
    'Parameter error (out_trade_no: required, a string of 1 to 64 printable characters, without spaces at its ends)',
    '参数错误（out_trade_no：必填，1 至 64 个可打印字符的字符串，首尾不能为空格）',
  ],
  [
    'the chain without its token',
    { chain: eth.id },
    errors.parameter_error.code,
    'token',
    'Parameter error (token: required together with chain)',
    '参数错误（token：须与 chain 同时提供）',
  ],
  [
    'the token without its chain',
    { token: 'USDT' },
    errors.parameter_error.code,
    'chain',
    'Parameter error (chain: required together with token)',
    '参数错误（chain：须与 token 同时提供）',
  ],
  [
    'an unknown chain',
    { chain: 'mars', token: 'USDT' },
    errors.currency_not_supported.code,
    'chain',
    'Currency not supported temporarily (chain: one of bsc, eth)',
    '暂不支持该币种（chain：可选值为 bsc、eth）',
  ],
  [
    'a token that the chain does not have',
    { chain: eth.id, token: 'DOGE' },
    errors.currency_not_supported.code,
    'token',
    'Currency not supported temporarily (token: one of ETH, USDC, USDT)',
    '暂不支持该币种（token：可选值为 ETH、USDC、USDT）',
  ],
  [
    'an expiry out of range',
    { expires_in: 1 },
    errors.parameter_error.code,
    'expires_in',
    'Parameter error (expires_in: a whole number from 300 to 86400)',
    '参数错误（expires_in：300 至 86400 的整数）',
  ],
  [
    'an unknown field',
    { order_no: 'a' },
    errors.parameter_error.code,
    'order_no',
    'Parameter error (order_no: unknown field)',
    '参数错误（order_no：未知字段）',
  ],
]
for (const [what, change, code, field, en, zh] of said)
  test(`says in both languages what is wrong with ${what}, and what is allowed`, async () => {
    const body = { ...valid, ...change }
    assert.deepEqual(await create(body), { status: 422, code, msg: en, field })
    assert.deepEqual(await create(body, { 'x-language': 'zh-CN' }), { status: 422, code, msg: zh, field })
  })

test('an unsupported currency is refused with the list of those that work', async () => {
  const { code, field, msg } = await create({ ...valid, currency: 'XAU' })
  assert.deepEqual([code, field], [errors.currency_not_supported.code, 'currency'])
  for (const each of ['USDT', 'ETH', 'USDC', 'USD', 'EUR'])
    assert.match(msg, new RegExp(`currency: one of .*\\b${each}\\b`))
})

test('a body that is no JSON object, a wrong header and a missing key name what is expected', async () => {
  const json = /body: a JSON object, sent with Content-Type: application\/json/
  assert.match((await call('POST', '/api/v1/pay/orders', '{')).msg, json)
  assert.match((await call('POST', '/api/v1/pay/orders', 'a=b', { 'content-type': 'text/plain' })).msg, json)
  assert.deepEqual(
    [(await call('POST', '/api/v1/pay/orders', '[]')).field, (await call('POST', '/api/v1/pay/orders')).field],
    ['body', 'body'],
  )
  const wrongKey = await create(valid, { 'idempotency-key': 'a b' })
  assert.deepEqual([wrongKey.status, wrongKey.field], [422, 'Idempotency-Key'])
  assert.match(wrongKey.msg, /1 to 255 printable ASCII characters/)
  const anonymous = await create(valid, { authorization: 'Basic x' })
  assert.deepEqual([anonymous.status, anonymous.field], [401, 'Authorization'])
  assert.match(anonymous.msg, /Bearer, followed by the secret key/)
})

test('an unknown order is 404 by either number, also for the checkout', async () => {
  const number = '9'.repeat(32)
  for (const [method, url, field] of [
    ['GET', `/api/v1/pay/orders/${number}`, 'trade_no'],
    ['GET', '/api/v1/pay/orders/out:none', 'trade_no'],
    ['POST', `/api/v1/pay/orders/${number}/close`, 'trade_no'],
    ['GET', `/api/v1/checkout/${number}`, 'trade_no'],
  ] as const) {
    const answer = await call(method, url, method === 'POST' ? {} : undefined)
    assert.deepEqual([answer.status, answer.code, answer.field], [404, errors.transaction_not_exist.code, field], url)
  }
})

const numbers = [
  '2026/11 #7',
  '订单-1',
  "a' or 1=1; --",
  '%_\\',
  '=cmd|calc',
  'ünï😀',
  '<b>&amp;',
  '..',
  'a?b=c',
  '"x"',
]
for (const out_trade_no of numbers)
  test(`the order number ${out_trade_no} is stored, found by it and listed as sent`, async () => {
    const made = await create({ ...valid, out_trade_no })
    assert.equal(made.data?.out_trade_no, out_trade_no, made.msg)
    const inPath = encodeURIComponent(`out:${out_trade_no}`)
    assert.equal((await call('GET', `/api/v1/pay/orders/${inPath}`)).data.trade_no, made.data.trade_no)
    const list = await call('GET', `/api/v1/pay/orders?${new URLSearchParams({ out_trade_no })}`)
    assert.deepEqual(
      list.data.list.map((each: { trade_no: string }) => each.trade_no),
      [made.data.trade_no],
    )
  })

test('the longest order number of the widest characters works in a path', async () => {
  const out_trade_no = '😀'.repeat(64)
  const made = await create({ ...valid, out_trade_no })
  const read = await call('GET', `/api/v1/pay/orders/${encodeURIComponent(`out:${out_trade_no}`)}`)
  assert.equal(read.data.trade_no, made.data.trade_no)
})

test('an export has every order number as text', async () => {
  // Again, should they be made already.
  for (const out_trade_no of numbers) await create({ ...valid, out_trade_no })
  const response = await app.inject({
    url: '/api/v1/transactions/list/export',
    headers: { 'x-token': await newSession(deps, merchant.id), 'x-download': '1' },
  })
  assert.match(String(response.headers['content-type']), /spreadsheet/, response.body.slice(0, 200))
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load(response.rawPayload as never)
  const cells = (workbook.worksheets[0]!.getSheetValues() as unknown[][]).flat()
  for (const number of numbers) assert.ok(cells.includes(number), number)
})

for (const [currency, amount, chain, token] of [
  ['USDC', '12.34', eth.id, 'USDC'],
  ['ETH', '0.123456789', eth.id, 'ETH'],
] as const)
  test(`an order priced in ${currency} asks for exactly that amount in ${token}`, async () => {
    const { data } = await create({ out_trade_no: `in ${currency}`, amount, currency, chain, token })
    assert.deepEqual([data.fiat_name, data.fiat_amount, data.amount, data.token], [currency, amount, amount, token])
    assert.equal(data.rate.source, 'test')
  })

const hostile: unknown[] = [
  'x\u0000y',
  'x\u202ey',
  'x\ud800y',
  // Below the size at which calls of the public are refused unread.
  'x'.repeat(12_000),
  'javascript:alert(1)',
  ' ',
  -1,
  2 ** 60,
  1.5,
  null,
  true,
  [],
  {},
]

test('every refused field of the public API is named, with what is allowed, in both languages', async () => {
  const fields: Record<string, string> = { ...valid, chain: eth.id, token: 'USDT' }
  const { trade_no } = (await create({ ...valid, out_trade_no: 'input-table' })).data
  const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  const endpoint = (await call('POST', '/api/v1/pay/webhook-endpoints', { url: 'https://shop.example/hook' })).data
  const link = (await call('POST', '/api/v1/pay/links', { title: 'Cake' })).data
  /** Bodies whose other fields are right. */
  const filled: Record<string, () => object> = {
    'POST /api/v1/pay/orders': () => ({ ...fields, out_trade_no: `input-${calls}` }),
    'POST /api/v1/pay/links': () => ({ title: 'Cake' }),
    'POST /api/v1/pay/addresses': () => ({ reference: `input-${calls}`, chain: eth.id }),
    'POST /api/v1/pay/withdrawals': () => ({ out_no: 'w', chain: eth.id, token: 'USDT', amount: '5', address }),
    'POST /api/v1/pay/webhook-endpoints': () => ({ url: `https://shop.example/${calls}` }),
    'POST /api/v1/pay/refunds': () => ({ out_no: 'r', trade_no, kind: 'all', gas_payer: 'merchant', address }),
    'POST /api/v1/pay/members': () => ({ email: 'clerk@example.com', role: 'clerk' }),
    'POST /api/v1/pay/refund-links': () => ({ out_no: 'l', trade_no, kind: 'all', gas_payer: 'merchant' }),
  }
  const open: string[] = []
  for (const [route, { docs, body, query, params, kind }] of Object.entries<RouteDefinition>(routes)) {
    if (!docs || kind === 'events') continue
    // The limit of the key counts by the clock.
    deps.pass(60)
    const [method = '', path = ''] = route.split(' ')
    const ofEndpoint = path.includes('/webhook-endpoints/') ? endpoint.endpoint.id : trade_no
    const known = path.includes('/links/') ? link.id : ofEndpoint
    const refusedBy = async (place: 'body' | 'query' | 'params', field: string, value: unknown) => {
      const text = String(value).toWellFormed()
      const url = path.replace(/:\w+/, place === 'params' ? encodeURIComponent(text) : known)
      const requested = place === 'query' ? `?${new URLSearchParams({ [field]: text })}` : ''
      const rest = filled[route]?.() ?? {}
      const sent = method === 'GET' ? undefined : place === 'body' ? { ...rest, [field]: value } : {}
      const why = `${route} ${field} ${JSON.stringify(value)?.slice(0, 40)}`
      const en = await call(method, url + requested, sent)
      const zh = await call(method, url + requested, sent, { 'x-language': 'zh-CN' })
      assert.ok(en.status < 500, why)
      // Payouts are refused only after every field has been read.
      if (en.code === 200 || en.code === errors.payouts_not_allowed.code) return false
      assert.deepEqual([en.field, zh.field], [field, field], `${why}: ${en.msg}`)
      // Of something that does not exist, there is nothing to say but that.
      if (en.status === 404) return true
      assert.match(en.msg, new RegExp(`\\(${field}: .{8,}\\)$`), why)
      assert.match(zh.msg, new RegExp(`（${field}：.{2,}）$`), why)
      return true
    }
    const shapes = [
      ['body', (body as { shape?: object } | undefined)?.shape],
      ['query', query?.shape],
      ['params', params?.shape],
    ] as const
    for (const [place, shape] of shapes)
      for (const field of Object.keys(shape ?? {})) {
        const answers = []
        for (const value of hostile) {
          // No value of a path is that long or an object.
          if (place === 'params' && (String(value).length > 800 || typeof value === 'object')) continue
          answers.push(await refusedBy(place, field, value))
        }
        if (!answers.includes(true)) open.push(`${route} ${field}`)
      }
  }
  assert.deepEqual(open, [])
})

test('assistants read by MCP what the key may read, change nothing, and get no further than the key', async () => {
  const ask = async (method: string, params: object = {}, authorization = `Bearer ${key}`) => {
    const headers = {
      ...(authorization && { authorization }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
    if (statusCode !== 200) return { content: [{ text: body }], isError: true }
    return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body).result
  }
  const use = async (name: string, input: object, authorization?: string) => {
    const { content, isError } = await ask('tools/call', { name, arguments: input }, authorization)
    return { text: String(content[0].text), isError: isError === true }
  }
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  assert.equal((await ask('initialize', client)).serverInfo.name, 'coffer')
  const { tools } = (await ask('tools/list')) as { tools: { name: string; inputSchema: { properties: object } }[] }
  const names = tools.map(({ name }) => name)
  assert.ok(names.includes('listOrders') && names.includes('readDocumentation'), names.join())
  assert.deepEqual(
    names.filter(name => /create|cancel|close|choose/i.test(name)),
    [],
  )
  assert.doesNotMatch(JSON.stringify(tools), /\$ref/)

  const { data } = await create({ ...valid, out_trade_no: 'mcp/ 1' })
  const { text } = await use('getOrder', { trade_no: 'out:mcp/ 1' })
  assert.equal(JSON.parse(text).data.trade_no, data.trade_no)
  assert.equal(JSON.parse((await use('listOrders', { text: 'mcp/ 1' })).text).data.list.length, 1)
  assert.match((await use('readDocumentation', { page: 'create' })).text, /^# Create an order/)

  const refused = async (name: string, input: object, message: RegExp, authorization?: string) => {
    const answer = await use(name, input, authorization)
    assert.ok(answer.isError && message.test(answer.text), answer.text)
  }
  await refused('listOrders', {}, new RegExp(String(errors.bad_key.code)), '')
  await refused('listOrders', {}, new RegExp(errors.bad_key.en), `Bearer sk_test_${'x'.repeat(43)}`)
  await refused('listOrders', { page: 'a' }, new RegExp(String(errors.parameter_error.code)))
  await refused('getOrder', { trade_no: '../balances' }, /"code":/)
  await refused('createOrder', valid, /Unknown tool/)
  await refused('readDocumentation', { page: '../secret' }, /one of/)
})
