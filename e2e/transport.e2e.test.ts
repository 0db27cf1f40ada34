import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors } from '@coffer/contract'
import { makeApp } from '../apps/server/src/serve.ts'
import { withDeps } from '../apps/server/src/testing/deps.ts'
import { codeIn, mailedProof, password, testAuthenticator, testMerchant } from '../apps/server/src/testing/merchants.ts'
import { createClient } from '../apps/web/src/api/client.ts'
import { RequestRefused, RequestUnanswered } from '../apps/web/src/api/failure.ts'
import { type Fault, withProxy } from './proxy.ts'

// Sections 7 and 8 of the specification, tested with the web client, a faulty network, the real server and its
// database.
const deps = await withDeps({ after })
const app = await makeApp(deps)
after(() => app.close())
const proxy = await withProxy({ after }, await app.listen({ port: 0, host: '127.0.0.1' }))

const encoded = Buffer.from(password).toString('base64')
const info = 'GET /api/v1/user/info'
const detail = 'GET /api/v1/callback/detail'
const create = 'POST /api/v1/user/secret-key'
const unknown = { query: { id: 'none' } }

/** Creates a page's API client behind a network with the given faults, one per call. */
async function world(
  faults: Fault[],
  given: { timeoutMs?: number; language?: string; token?: string | null; sending?: () => void } = {},
) {
  const merchant = await testMerchant(deps)
  const page = { token: given.token === undefined ? merchant.token : given.token, now: Date.UTC(2026, 10, 21, 1, 2, 3) }
  const reported = { errors: [] as string[], expired: 0, redirects: 0 }
  let clicks = 0
  proxy.faults = faults
  proxy.calls = []
  const client = createClient({
    fetch: (path, init) => {
      given.sending?.()
      return fetch(new URL(String(path), proxy.url), init)
    },
    now: () => new Date(page.now),
    newId: () => `${merchant.id}-${++clicks}`,
    timeZone: () => 'UTC',
    language: () => given.language ?? 'en-US',
    token: () => page.token,
    storeToken: token => {
      page.token = token
    },
    openShop: () => {},
    forgetToken: () => {
      page.token = null
    },
    showError: message => reported.errors.push(message),
    showLoginExpired: () => {
      reported.expired++
    },
    goToLogin: () => {
      reported.redirects++
    },
    work: async () => '',
    pass: () => null,
    patience: { timeoutMs: given.timeoutMs ?? 2_000, retryMs: 20 },
  })
  /** The request that creates an application, confirmed by a mailed code. */
  const shop = async () => ({ body: { name: 'Shop', proof: await mailedProof(deps, merchant.id) } })
  return { client, merchant, page, reported, shop }
}

const answer = (status: number, body: unknown): Fault => ({ status, body: JSON.stringify(body) })
const page = (status: number): Fault => ({ status, body: '<html>an error page of a proxy</html>', type: 'text/html' })
const count = async (sql: string, ...values: unknown[]) => Number((await deps.owner.query(sql, values)).rows[0].count)

test('section 7, headers: sends language, GMT time and token, but no token for login and register', async () => {
  const { client, merchant } = await world([], { language: 'zh-CN' })
  await client.api(info, {})
  await client.api('POST /api/v1/public/login', { body: { email: merchant.email, password: encoded }, token: null })
  const [read, login] = proxy.calls
  assert.equal(read?.headers['x-language'], 'zh-CN')
  assert.equal(read?.headers['x-time'], 'Sat, 21 Nov 2026 01:02:03 GMT')
  assert.equal(read?.headers['x-token'], merchant.token)
  assert.equal(login?.headers['x-token'], undefined)
})

test('section 7, submissions: rejects a URL in flight or being retried', async () => {
  // The same call again, at the moment of each attempt.
  const again: Promise<void>[] = []
  const sending = () => {
    const reason = again.length === 0 ? 'duplicate' : 'retrying'
    again.push(assert.rejects(client.api(create, given), new RequestUnanswered(reason)))
  }
  const { client, shop } = await world(['silent'], { sending })
  const given = await shop()
  await client.api(create, given)
  await Promise.all(again)
  assert.equal(again.length, 2)
  assert.equal(proxy.calls.length, 2)
})

for (const [language, text] of [
  ['en-US', errors.callback_not_exist.en],
  ['zh-CN', errors.callback_not_exist['zh-CN']],
] as const) {
  test(`section 8, HTTP 422: shows the message of the body (${language})`, async () => {
    const { client, reported } = await world([], { language })
    assert.deepEqual(await client.request(detail, unknown), { status: 422, code: 10069, msg: text })
    assert.deepEqual(reported.errors, [text])
  })
}

/** Rows with one answer: the answer on the wire, the reply given to the page, the messages shown. */
const rows: [row: string, fault: Fault, reply: object, shown: string[]][] = [
  [
    'HTTP 422 with message',
    answer(422, { code: 1, message: 'Words' }),
    { status: 422, code: 1, msg: 'Words' },
    ['Words'],
  ],
  ['HTTP 422 with code 10038', answer(422, { code: 10038, msg: 'V' }), { status: 422, code: 10038, msg: 'V' }, []],
  ['HTTP 422 without a body', { status: 422, body: '' }, { status: 422, code: 422 }, ['']],
  ['HTTP 500', answer(500, { code: 500, data: [1], msg: 'M' }), { status: 500, code: 500, data: [1], msg: 'M' }, []],
  ['HTTP 500 with a page', page(500), { status: 500, code: 500, data: undefined }, []],
  ['HTTP 502 with a page', page(502), { status: 502, code: 502 }, []],
  ['HTTP 503', answer(503, { code: 503, data: 1, msg: 'M' }), { status: 503, code: 503, msg: 'M' }, []],
  ['code 403', answer(403, { code: 403, data: 1, msg: 'M' }), { status: 403, code: 403, msg: 'M' }, []],
  ['code other than 200', answer(200, { code: 10001, data: 1 }), { status: 200, code: 10001 }, []],
  ['HTTP 200 with a page', page(200), { status: 200, code: 0 }, []],
  ['HTTP 200 with half of a JSON', { status: 200, body: '{"code":200,"da' }, { status: 200, code: 0 }, []],
  ['HTTP 200 with null', answer(200, null), { status: 200, code: 0 }, []],
  ['HTTP 200 with a list', answer(200, [200]), { status: 200, code: 0 }, []],
  ['HTTP 200 with a string as code', answer(200, { code: '200', data: 1 }), { status: 200, code: 0 }, []],
  [
    'JSON served as text/plain',
    { status: 200, body: '{"code":200,"data":1}', type: 'text/plain' },
    { status: 200, code: 200, data: 1 },
    [],
  ],
]
for (const [row, fault, reply, shown] of rows) {
  test(`section 8, ${row}`, async () => {
    const { client, reported } = await world([fault, fault])
    assert.deepEqual(await client.request(info, {}), reply)
    assert.deepEqual([reported.errors, reported.expired, reported.redirects], [shown, 0, 0])
    if (!('code' in reply) || reply.code !== 200) await assert.rejects(client.api(info, {}), RequestRefused)
  })
}

test('section 8, HTTP 401: shows one toast per second, drops the token and opens the login page', async () => {
  const { client, merchant, page, reported } = await world([])
  await client.api('POST /api/v1/user/login-out', { body: {} })
  const both = await Promise.all([client.request(info, {}), client.request(detail, unknown)])
  assert.deepEqual(
    both.map(({ status, code }) => [status, code]),
    [
      [401, 401],
      [401, 401],
    ],
  )
  assert.deepEqual([reported.expired, page.token, reported.errors], [1, null, []])
  assert.ok(reported.redirects > 0)
  page.token = merchant.token
  page.now += 1_000
  await client.request(info, {})
  assert.equal(reported.expired, 2)
})

for (const fault of ['silent', 'lost', 'stalled'] as const) {
  test(`section 8, timeout (${fault}): retries with the same key and runs once`, async () => {
    const { client, merchant, reported, shop } = await world([fault])
    const made = await client.api(create, await shop())
    assert.match(made.secret_key, /^sk_/)
    const keys = proxy.calls.map(call => call.headers['idempotency-key'])
    assert.deepEqual(keys, [`${merchant.id}-1`, `${merchant.id}-1`])
    assert.equal(await count('select count(*) from applications where merchant_id = $1', merchant.id), 1)
    assert.deepEqual(reported.errors, [])
  })
}

test('section 8, timeout: fails after five retries and frees the URL', async () => {
  const { client, reported } = await world(
    Array.from({ length: 6 }, () => 'silent'),
    { timeoutMs: 100 },
  )
  await assert.rejects(client.api(create, { body: { name: 'Shop' } }), new RequestUnanswered('timeout'))
  assert.equal(proxy.calls.length, 6)
  assert.deepEqual(reported.errors, [])
  // As often as it is tried: on a busy machine an answer may take longer than the timeout.
  proxy.faults = Array.from({ length: 6 }, () => answer(200, { code: 200, data: {} }))
  assert.equal((await client.request(create, { body: { name: 'Shop' } })).code, 200)
})

for (const fault of ['cut', 'cut after', 'half'] as const) {
  test(`section 8, no timeout (${fault}): reports a lost connection without a retry`, async () => {
    const { client, reported } = await world([fault])
    await assert.rejects(client.api(detail, unknown), new RequestUnanswered('network'))
    assert.equal(proxy.calls.length, 1)
    assert.deepEqual([reported.errors, reported.redirects], [[], 0])
  })
}

test('runs code, registration, sign-in and its second step once when each answer is lost', async () => {
  const { client } = await world(['lost'], { token: null })
  const email = 'patient@example.com'
  const sent = () => deps.mails.filter(mail => mail.to === email)
  await client.api('POST /api/v1/public/email/send-verification-code', { body: { email, type: 2 }, token: null })
  assert.equal(sent().length, 1)
  proxy.faults = ['lost']
  const form = { email, code: codeIn(sent()[0]), password: encoded, confirm_password: encoded }
  const { token } = await client.api('POST /api/v1/public/register', { body: form, token: null })
  assert.equal((await client.api(info, { token })).email, email)

  const { rows } = await deps.owner.query('select id from persons where email = $1', [email])
  const sessions = () => count('select count(*) from sessions where merchant_id = $1', rows[0].id)
  const before = await sessions()
  proxy.faults = ['lost']
  await client.api('POST /api/v1/public/login', { body: { email, password: encoded }, token: null })
  assert.equal(await sessions(), before + 1)

  const { code } = await testAuthenticator(deps, rows[0].id)
  const login = await client.api('POST /api/v1/public/login', { body: { email, password: encoded }, token: null })
  assert.equal(login.verification, true)
  proxy.faults = ['lost']
  const second = await client.api('POST /api/v1/public/login/verification', {
    body: { google_code: code() },
    token: login.token,
  })
  assert.equal((await client.api(info, { token: second.token })).email, email)
})

test('separates idempotency keys by browser, token and body', async () => {
  const { merchant } = await world([])
  const ask = async (headers: object, body: object) => {
    const response = await fetch(`${proxy.url}/api/v1/public/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'one', 'user-agent': 'a', ...headers },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { code: number; data?: { token: string } }
  }
  const body = { email: merchant.email, password: encoded }
  const first = (await ask({}, body)).data?.token
  assert.ok(first)
  assert.equal((await ask({}, body)).data?.token, first)
  assert.notEqual((await ask({ 'user-agent': 'b' }, body)).data?.token, first)
  assert.notEqual((await ask({ 'x-token': 'b' }, body)).data?.token, first)
  const other = await ask({}, { ...body, password: Buffer.from('Wrong1Horse').toString('base64') })
  assert.equal(other.code, errors.idempotency_conflict.code)
})

test('gives a concurrent retry the answer of the first request', async () => {
  const { client, merchant, shop } = await world([])
  const click = { ...(await shop()), guarded: false, idempotencyKey: 'twice' }
  const [one, two] = await Promise.all([client.api(create, click), client.api(create, click)])
  assert.deepEqual(one, two)
  assert.equal(await count('select count(*) from applications where merchant_id = $1', merchant.id), 1)
})
