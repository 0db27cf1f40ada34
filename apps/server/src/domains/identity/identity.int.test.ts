import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RouteDefinition, routes } from '@coffer/contract'
import { pino } from 'pino'
import sharp from 'sharp'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import {
  codeIn,
  mailedProof,
  password,
  testApplication,
  testAuthenticator,
  testMerchant,
} from '../../testing/merchants.ts'

const logged: string[] = []
const deps = await withDeps({ after }, { log: pino({ level: 'trace' }, { write: line => void logged.push(line) }) })
const app = await makeApp(deps)
after(() => app.close())
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

interface Answer {
  status: number
  code: number
  msg?: string
  field?: string
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call under test
  data: any
}

async function call(key: string, given: { token?: string; body?: unknown; raw?: string; headers?: object } = {}) {
  const [method = '', path = ''] = key.split(' ')
  const body = given.raw ?? (given.body === undefined ? undefined : JSON.stringify(given.body))
  const answer = await fetch(origin + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(given.token === undefined ? {} : { 'x-token': given.token }),
      ...given.headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, ...((await answer.json()) as object) } as Answer
}
const base64 = (text: string) => Buffer.from(text).toString('base64')
let clients = 0
const newEmail = () => `client${++clients}@example.com`

test('registers, signs in and out over HTTP, with the password in base64', async () => {
  const email = newEmail()
  await call('POST /api/v1/public/email/send-verification-code', { body: { email, type: 2 } })
  const form = {
    email,
    code: codeIn(deps.mails.at(-1)),
    password: base64(password),
    confirm_password: base64(password),
  }
  const plain = await call('POST /api/v1/public/register', { body: { ...form, password } })
  assert.deepEqual([plain.status, plain.field], [422, 'password'])
  const registered = await call('POST /api/v1/public/register', { body: form })
  assert.deepEqual([registered.code, registered.data.verification], [200, false])
  const signedIn = await call('POST /api/v1/public/login', {
    body: { email: email.toUpperCase(), password: base64(password) },
  })
  const { token } = signedIn.data
  const info = await call('GET /api/v1/user/info', { token })
  assert.deepEqual([info.data.email, info.data.status, info.data.password], [email, 0, true])
  assert.deepEqual(await call('POST /api/v1/user/login-out', { token }), { status: 200, code: 200, data: {} })
  const ended = await call('GET /api/v1/user/info', { token })
  assert.deepEqual([ended.status, ended.code, ended.msg], [401, 401, 'Login expired'])
})

test('a code comes back with its challenge, and a sign-in leaves a cookie by which the device is recognised', async () => {
  const { email, id } = await testMerchant(deps)
  const requested = await call('POST /api/v1/public/email/send-verification-code', { body: { email, type: 1 } })
  const signIn = (body: object, headers = {}) =>
    fetch(`${origin}/api/v1/public/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const { challenge } = requested.data
  const code = codeIn(deps.mails.at(-1))
  const stolen = await signIn({ email, code, challenge: 'another' })
  assert.equal(((await stolen.json()) as Answer).code, 10027)
  assert.equal(stolen.headers.get('set-cookie'), null)
  const answer = await signIn({ email, code, challenge })
  const cookie = answer.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^coffer-device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
  const devices = async () =>
    (await deps.owner.query('select token_hash from known_devices where person_id = $1', [id])).rows
  const [pair = ''] = cookie.split(';')
  const again = await signIn({ email, password: base64(password) }, { cookie: `other=1; ${pair}` })
  assert.equal(again.headers.get('set-cookie'), cookie)
  assert.equal((await devices()).length, 1)
  assert.equal(JSON.stringify(await again.json()).includes(pair.split('=')[1]!), false)
  const forged = await signIn({ email, password: base64(password) }, { cookie: 'coffer-device=short' })
  assert.notEqual(forged.headers.get('set-cookie'), cookie)
  assert.equal((await devices()).length, 2)
})

test('a wrong password is reported in the requested language', async () => {
  const body = { email: newEmail(), password: base64('Wrong1Horse') }
  for (const [language, msg] of [
    ['en-US', 'Wrong email or password'],
    ['zh-CN', '邮箱或密码错误'],
  ] as const) {
    const answer = await call('POST /api/v1/public/login', { body, headers: { 'x-language': language } })
    assert.deepEqual(answer, { status: 422, code: 10066, msg })
  }
})

test('the zone of the clock is a header of the sign-in, and a name that is none is as if absent', async () => {
  const { email, id } = await testMerchant(deps)
  const body = { email, password: base64(password) }
  for (const [named, expected] of [
    ["UTC'; --", null],
    ['x'.repeat(5_000), null],
    ['asia/SHANGHAI', 'Asia/Shanghai'],
    ['Mars/Base', 'Asia/Shanghai'],
  ] as const) {
    const answer = await call('POST /api/v1/public/login', { body, headers: { 'x-time-zone': named } })
    const { rows } = await deps.owner.query('select time_zone from persons where id = $1', [id])
    assert.deepEqual(
      [answer.status, Object.keys(answer.data), rows[0].time_zone],
      [200, ['token', 'verification'], expected],
    )
  }
})

test('every route with a session refuses a missing, a wrong and a pending token', async () => {
  const { email, id, token } = await testMerchant(deps)
  await testAuthenticator(deps, id)
  const pending = (await call('POST /api/v1/public/login', { body: { email, password: base64(password) } })).data
  assert.equal(pending.verification, true)
  let seen = 0
  for (const [key, route] of Object.entries(routes) as [string, RouteDefinition][]) {
    if (route.auth !== 'token') continue
    seen++
    const path = key.replace(/:\w+/g, 'x')
    for (const wrong of [undefined, '', 'x'.repeat(43), 'x'.repeat(5_000), pending.token]) {
      const answer = await call(path, wrong === undefined ? {} : { token: wrong })
      assert.deepEqual([answer.status, answer.code], [401, 401], `${key} with ${String(wrong).slice(0, 50)}`)
    }
    const inAddress = await call(`${path}?token=${token}&x-token=${token}`)
    assert.equal(inAddress.status, 401, `${key} with the token in its address`)
  }
  assert.ok(seen > 30)
  const full = await call('POST /api/v1/public/login/verification', { token, body: { google_code: '123456' } })
  assert.equal(full.status, 401, 'a full token opens no verification')
})

test('the verification returns another token', async () => {
  const { email, id } = await testMerchant(deps)
  const { code } = await testAuthenticator(deps, id)
  const body = { email, password: base64(password) }
  const { token: pending } = (await call('POST /api/v1/public/login', { body })).data
  const verify = (google_code: string) =>
    call('POST /api/v1/public/login/verification', { token: pending, body: { google_code } })
  assert.deepEqual(
    [(await verify('12345')).field, (await verify('１２３４５６')).field],
    ['google_code', 'google_code'],
  )
  const { token } = (await verify(code())).data
  assert.equal((await call('GET /api/v1/user/info', { token })).data.bind_google_auth, true)
  assert.equal((await verify(code())).status, 401)
})

test('codes for session actions require the session and go to its email', async () => {
  const { email, token } = await testMerchant(deps)
  const ask = (type: number, more: object = {}, as?: string) =>
    call('POST /api/v1/public/email/send-verification-code', { body: { type, ...more }, ...(as && { token: as }) })
  assert.equal((await ask(8, { email })).status, 401)
  assert.equal((await ask(8, { email }, 'x'.repeat(43))).status, 401)
  assert.equal((await ask(8, { email: 'elsewhere@example.com' }, token)).code, 200)
  assert.equal(deps.mails.at(-1)?.to, email)
  const again = await ask(8, {}, token)
  assert.deepEqual([again.status, again.code], [429, 10010])
  for (const type of [0, 99, 1.5, '8', null]) assert.equal((await ask(type as number, {}, token)).status, 422)
})

const hostile: [name: string, body: unknown][] = [
  ['a list', []],
  ['text', 'x'],
  ['a number', 7],
  ['nothing', null],
  ['a field too many', { name: 'x', admin: true }],
  ['a field of Object', { name: 'x', __proto__: undefined, constructor: 'x' }],
  ['an object for a text', { name: { $ne: '' } }],
  ['a list for a text', { name: ['x'] }],
  ['a number for a text', { name: 7 }],
  ['a NUL', { name: 'x\u0000' }],
  ['a direction override', { name: 'x\u202egnp' }],
  ['an isolate', { name: '\u2066x' }],
  ['blanks alone', { name: ' \t ' }],
  ['a very long name', { name: 'x'.repeat(65) }],
  ['a script for a website', { name: 'x', website: 'javascript:alert(1)' }],
  ['a website with a password', { name: 'x', website: 'https://a:b@example.com' }],
  ['a fraction for a mode', { name: 'x', payment_mode: 1.5 }],
  ['a text for a switch', { name: 'x', mixed_payment: 'false' }],
  ['an address that is none', { name: 'x', ip_whitelist: ['1.2.3.4.5'] }],
  ['too many addresses', { name: 'x', ip_whitelist: Array(21).fill('1.2.3.4') }],
]

test('hostile bodies are refused with their field and change nothing', async () => {
  const { token, id } = await testMerchant(deps)
  for (const [name, body] of hostile) {
    const answer = await call('POST /api/v1/user/secret-key', { token, body })
    assert.equal(answer.status, 422, `${name}: ${JSON.stringify(answer)}`)
    assert.ok(answer.msg && answer.code > 10_000, name)
  }
  const proto = await call('POST /api/v1/user/secret-key', { token, raw: '{"name":"x","__proto__":{"status":3}}' })
  assert.equal(proto.status, 422)
  for (const raw of ['{', '{"name":"x"', '\u0000', '[[['])
    assert.equal((await call('POST /api/v1/user/secret-key', { token, raw })).status, 422)
  const deep = await call('POST /api/v1/user/secret-key', {
    token,
    raw: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  })
  assert.equal(deep.status, 422)
  const large = await call('POST /api/v1/user/secret-key', {
    token,
    raw: JSON.stringify({ name: 'x'.repeat(300_000) }),
  })
  assert.deepEqual([large.status, large.code], [413, 413])
  const form = await call('POST /api/v1/user/secret-key', {
    token,
    raw: 'name=x',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(form.status, 422)
  const { rowCount } = await deps.owner.query('select 1 from applications where merchant_id = $1', [id])
  assert.equal(rowCount, 0)
})

test('hostile queries are refused, and a list returns at most a hundred rows', async () => {
  const { token } = await testMerchant(deps)
  for (const query of [
    'pageSize=101',
    'pageSize=0',
    'current=-1',
    'current=1e99',
    'current=x',
    'current=1&current=2',
    'order=1;drop',
    'name=%00',
  ])
    assert.equal((await call(`GET /api/v1/user/secret-key/list?${query}`, { token })).status, 422, query)
  assert.equal((await call("GET /api/v1/user/secret-key/list?name=%25'--", { token })).data.total, 0)
})

test('the application of another merchant is not found', async () => {
  const owner = await testMerchant(deps)
  const { token } = await testMerchant(deps)
  const { appid } = await testApplication(deps, owner.id)
  const other = await call(`GET /api/v1/user/secret-key?appid=${appid}`, { token })
  assert.deepEqual([other.status, other.code], [422, 10062])
  const own = await call(`GET /api/v1/user/secret-key?appid=${appid}`, { token: owner.token })
  assert.ok(!('webhook_secret' in own.data) && !('merchant_id' in own.data))
  for (const list of ['secret-key/list', 'secret-key/select', 'application-list'])
    assert.ok(!JSON.stringify(await call(`GET /api/v1/user/${list}`, { token })).includes(appid), list)
})

test('a repeated request creates one application', async () => {
  const { token, id } = await testMerchant(deps)
  const body = { name: 'Shop', proof: await mailedProof(deps, id) }
  const click = () => call('POST /api/v1/user/secret-key', { token, body, headers: { 'idempotency-key': 'click-1' } })
  const first = await click()
  assert.match(first.data.secret_key, /^sk_live_/)
  assert.deepEqual(await click(), first)
  const { rows } = await deps.owner.query('select i::text as row from idempotency i where scope like $1', [`${id}%`])
  assert.equal(rows.length, 1)
  assert.ok(!rows[0].row.includes(first.data.secret_key), 'the stored answer is sealed')
})

async function upload(token: string, bytes: Buffer, field = 'file', name = 'logo.png', type = 'image/png') {
  const form = new FormData()
  form.append(field, new Blob([Uint8Array.from(bytes)], { type }), name)
  const answer = await fetch(`${origin}/api/v1/user/upload`, {
    method: 'POST',
    body: form,
    headers: { 'x-token': token },
  })
  return { status: answer.status, ...((await answer.json()) as object) } as Answer
}

test('a picture is uploaded, re-encoded and served under a random name', async () => {
  const { token } = await testMerchant(deps)
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const { data } = await upload(token, picture, 'file', '../../x.html', 'text/html')
  assert.match(data.url, /^\/uploads\/[0-9a-f]{32}\.png$/)
  const served = await fetch(origin + data.url)
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy'].map(name =>
      served.headers.get(name),
    ),
    [
      'image/png',
      'public, max-age=31536000, immutable',
      'nosniff',
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    ],
  )
  assert.equal((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).format, 'png')
  for (const path of [
    '/uploads/x.png',
    '/uploads/..%2f..%2fetc%2fpasswd',
    `${data.url}.html`,
    data.url.replace('.png', ''),
  ])
    assert.equal((await fetch(origin + path)).status, 404, path)
})

test('invalid, too large and misplaced pictures are refused alike', async () => {
  const { token } = await testMerchant(deps)
  const picture = await sharp({ create: { width: 3, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const refused = [
    await upload(token, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    await upload(token, Buffer.concat([picture, Buffer.alloc(3 * 1024 * 1024)])),
    await upload(token, Buffer.concat([picture, Buffer.alloc(3 * 1024 * 1024 - picture.length)])),
    await upload(token, Buffer.alloc(0)),
    await upload(token, picture, 'other'),
    await call('POST /api/v1/user/upload', { token, body: { file: 'x' } }),
    await call('POST /api/v1/user/upload', { token }),
  ]
  for (const [index, answer] of refused.entries())
    assert.deepEqual([answer.status, answer.code], [422, 10053], `case ${index}`)
  const stranger = await upload('x'.repeat(43), picture)
  assert.equal(stranger.status, 401)
})

test('the account log shows device and location in the reader’s language', async () => {
  const { token } = await testMerchant(deps)
  const log = await call('GET /api/v1/user/log', { token, headers: { 'x-language': 'zh-CN' } })
  assert.deepEqual(
    { ...log.data.list[0], id: '' },
    {
      id: '',
      type: 'login',
      outcome: 'done',
      reason: '',
      factor: '',
      subject: '',
      ip: '203.0.113.7',
      device: 'Firefox, Linux',
      address: '未知',
      created_time: deps.clock(),
      session: { device: 'Firefox, Linux', created_time: deps.clock(), current: true },
    },
  )
})

test('a missing proof has its own error code', async () => {
  const { token, id } = await testMerchant(deps)
  const { offer } = (await call('GET /api/v1/user/google-auth', { token })).data
  const body = { offer, google_code: '123456' }
  assert.equal((await call('POST /api/v1/user/google-auth', { token, body })).code, 10068)
  const proof = await mailedProof(deps, id, 5)
  assert.equal((await call('POST /api/v1/user/google-auth', { token, body: { ...body, proof } })).code, 10018)
  const close = await call('DELETE /api/v1/user', { token, body: {} })
  assert.deepEqual([close.status, close.field], [422, 'proof'])
  const action = { proof: { method: 'email', code: '123456' }, action: 'everything' }
  assert.equal((await call('POST /api/v1/user/verification', { token, body: action })).field, 'action')
})

test('the log contains no password, token, code or key', async () => {
  const { email, token } = await testMerchant(deps)
  const { key } = await testApplication(deps, (await testMerchant(deps)).id)
  await call('POST /api/v1/public/login', { body: { email, password: base64(password) } })
  await call('POST /api/v1/public/email/send-verification-code', { body: { email: `new-${email}`, type: 2 } })
  await call('GET /api/v1/user/info', { token })
  await call('GET /api/v1/pay/balances', { headers: { authorization: `Bearer ${key}` } })
  await call('POST /api/v1/user/secret-key', { token, raw: `{"name": "${password}` })
  const text = logged.join('')
  assert.ok(text.includes('/api/v1/public/login'))
  for (const secret of [password, base64(password), token, key]) assert.ok(!text.includes(secret), secret)
  // A code's six digits also occur by chance within a longer number, such as a time in milliseconds.
  assert.doesNotMatch(text, new RegExp(`(?<![\\d.])${codeIn(deps.mails.at(-1))}(?!\\d)`))
})
