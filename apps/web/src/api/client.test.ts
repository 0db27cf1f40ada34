import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type RouteDefinition, routes } from '@coffer/contract'
import { createClient, shopOpeningCalls, tokenReplacingCalls } from './client.ts'
import { RequestRefused, RequestUnanswered } from './failure.ts'

interface Call {
  url: string
  method: string
  headers: Record<string, string>
  body: unknown
}
type Answer = Response | 'never' | 'refused'

/** A client with scripted responses that records its calls and effects. */
function world(...answers: Answer[]) {
  const seen = { calls: [] as Call[], errors: [] as string[], expired: 0, redirects: 0, why: [] as unknown[] }
  const page = { token: 'token-1' as string | null, now: Date.UTC(2026, 10, 21, 1, 2, 3), pass: null as string | null }
  let id = 0
  const client = createClient({
    fetch: async (url, init) => {
      seen.calls.push({
        url: String(url),
        method: init?.method ?? '',
        headers: init?.headers as Record<string, string>,
        body: init?.body,
      })
      const answer = answers.shift()
      if (answer === 'refused') throw new TypeError('fetch failed')
      if (answer === 'never' || answer === undefined) {
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
        })
      }
      return answer
    },
    now: () => new Date(page.now),
    newId: () => `id-${++id}`,
    language: () => 'zh-CN',
    timeZone: () => 'Asia/Shanghai',
    token: () => page.token,
    storeToken: token => {
      page.token = token
    },
    openShop: token => {
      page.token = token
    },
    forgetToken: () => {
      page.token = null
    },
    showError: message => seen.errors.push(message),
    showLoginExpired: () => {
      seen.expired += 1
    },
    goToLogin: why => {
      seen.redirects += 1
      seen.why.push(why)
    },
    pass: () => page.pass,
    work: async challenge => `work for ${challenge}`,
  })
  return { client, seen, page }
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const good = () => json(200, { code: 200, data: {} })
const edit = 'PUT /api/v1/user/edit'
const info = 'GET /api/v1/user/info'
const body = { name: 'N' }

/** Lets promises settle between clock steps. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}
async function pass(t: TestContext, milliseconds: number) {
  t.mock.timers.tick(milliseconds)
  await settle()
}

test('every call sends language, GMT time and token', async () => {
  const { client, seen } = world(good())
  await client.api(info, {})
  assert.deepEqual(seen.calls[0]?.headers, {
    'X-Language': 'zh-CN',
    'X-Time': 'Sat, 21 Nov 2026 01:02:03 GMT',
    'X-Token': 'token-1',
  })
})

test('login and register send no token; the second step sends its own', async () => {
  const { client, seen } = world(good(), good())
  await client.api('POST /api/v1/public/login', { body: { email: 'a@b.co', password: 'eA==' }, token: null })
  await client.api('POST /api/v1/public/login/verification', { body: { google_code: '123456' }, token: 'pending' })
  assert.equal('X-Token' in (seen.calls[0]?.headers ?? {}), false)
  assert.equal(seen.calls[1]?.headers['X-Token'], 'pending')
})

test('a submission sends JSON, its own Idempotency-Key and the time zone; a read sends none', async () => {
  const { client, seen } = world(good(), good(), good())
  await client.api(edit, { body })
  await client.api(edit, { body })
  await client.api(info, {})
  assert.deepEqual(
    seen.calls.map(call => call.headers['Idempotency-Key']),
    ['id-1', 'id-2', undefined],
  )
  assert.deepEqual(
    seen.calls.map(call => call.headers['X-Time-Zone']),
    ['Asia/Shanghai', 'Asia/Shanghai', undefined],
  )
  assert.equal(seen.calls[0]?.headers['Content-Type'], 'application/json')
  assert.equal(seen.calls[0]?.body, '{"name":"N"}')
  assert.equal(seen.calls[2]?.headers['Content-Type'], undefined)
})

test('a number that JSON does not have is not sent, as null in its place says something else', async () => {
  const { client, seen } = world(good())
  for (const id of [Number.NaN, Number.POSITIVE_INFINITY])
    await assert.rejects(client.api('POST /api/v1/currency/rearrange', { body: { list: [id] } } as never), RangeError)
  assert.deepEqual(seen.calls, [])
})

test('multipart forms are sent unchanged', async () => {
  const { client, seen } = world(good())
  const form = new FormData()
  await client.api('POST /api/v1/user/upload', { body: form })
  assert.equal(seen.calls[0]?.body, form)
  assert.equal(seen.calls[0]?.headers['Content-Type'], undefined)
})

test('a second submission to a URL in flight is rejected locally, and allowed afterwards', async () => {
  const { client, seen } = world(good(), good())
  const first = client.api(edit, { body })
  await assert.rejects(client.api(edit, { body }), new RequestUnanswered('duplicate'))
  await first
  await client.api(edit, { body })
  assert.equal(seen.calls.length, 2)
})

test('an unguarded submission still sends an Idempotency-Key', async () => {
  const { client, seen } = world(good(), good())
  const read = { body: { message_ids: ['a'] }, guarded: false }
  await Promise.all([client.api('PUT /api/v1/message/read', read), client.api('PUT /api/v1/message/read', read)])
  assert.deepEqual(
    seen.calls.map(call => call.headers['Idempotency-Key']),
    ['id-1', 'id-2'],
  )
})

test('a call that needs work is sent again with it, under the same key, and gives up after three', async () => {
  const needed = () => json(429, { code: 10230, data: { challenge: 'c' } })
  const ask = (client: ReturnType<typeof world>['client']) =>
    client.request('PUT /api/v1/public/password', {
      body: { email: 'a@b.co', code: '1', password: 'x', confirm_password: 'x' },
      token: null,
    })
  const { client, seen, page } = world(needed(), good())
  page.pass = 'pass.1'
  assert.equal((await ask(client)).code, 200)
  assert.deepEqual(
    seen.calls.map(({ headers }) => [headers['X-Work'], headers['Idempotency-Key']]),
    [
      ['pass.1', 'id-1'],
      ['work for c', 'id-1'],
    ],
  )
  const stubborn = world(needed(), needed(), needed(), needed())
  assert.equal((await ask(stubborn.client)).code, 10230)
  assert.deepEqual(stubborn.seen.errors, [])
})

test('the pass of a mail goes with public calls only', async () => {
  const { client, seen, page } = world(good())
  page.pass = 'pass.1'
  await client.api(info, {})
  assert.equal(seen.calls[0]?.headers['X-Work'], undefined)
})

test('reads are not guarded', async () => {
  const { client, seen } = world(good(), good())
  await Promise.all([client.api(info, {}), client.api(info, {})])
  assert.equal(seen.calls.length, 2)
})

test('a timeout is retried after 500 ms with the same Idempotency-Key; meanwhile a second submission is rejected', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { client, seen } = world('never', good())
  const call = client.api(edit, { body })
  await pass(t, 29_999)
  assert.equal(seen.calls.length, 1)
  await pass(t, 1)
  await pass(t, 499)
  assert.equal(seen.calls.length, 1)
  await assert.rejects(client.api(edit, { body }), new RequestUnanswered('retrying'))
  await pass(t, 1)
  await call
  assert.deepEqual(
    seen.calls.map(each => each.headers['Idempotency-Key']),
    ['id-1', 'id-1'],
  )
})

test('a timeout fails after five retries and releases the URL', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { client, seen } = world()
  const failed = assert.rejects(client.api(edit, { body }), new RequestUnanswered('timeout'))
  for (let attempt = 0; attempt < 6; attempt++) {
    await pass(t, 30_000)
    await pass(t, 500)
  }
  await failed
  assert.equal(seen.calls.length, 6)
  void client.api(edit, { body })
  assert.equal(seen.calls.length, 7)
})

test('a stalled response body counts as a timeout', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let abort = () => {}
  const stalled = new Response(
    new ReadableStream({
      start: controller => {
        abort = () => controller.error(new DOMException('aborted', 'AbortError'))
      },
    }),
  )
  const { client, seen } = world(stalled, good())
  const call = client.api(info, {})
  await pass(t, 30_000)
  abort()
  await settle()
  await pass(t, 500)
  await call
  assert.equal(seen.calls.length, 2)
})

test('a lost connection is not retried', async () => {
  const { client, seen } = world('refused')
  await assert.rejects(client.api(info, {}), new RequestUnanswered('network'))
  assert.equal(seen.calls.length, 1)
})

test('the caller can abort, even during the pause before a retry', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { client, seen } = world('never')
  const stop = new AbortController()
  const failed = assert.rejects(client.api(info, { signal: stop.signal }), new RequestUnanswered('aborted'))
  await pass(t, 30_000)
  stop.abort()
  await failed
  assert.equal(seen.calls.length, 1)
})

test('422 shows its text and rejects with the named field', async () => {
  const { client, seen } = world(json(422, { code: 10023, msg: 'Insufficient balance', field: 'amount' }))
  const error = await client.api(edit, { body }).catch(thrown => thrown)
  assert.ok(error instanceof RequestRefused)
  assert.deepEqual(
    [error.status, error.code, error.message, error.field],
    [422, 10023, 'Insufficient balance', 'amount'],
  )
  assert.deepEqual(seen.errors, ['Insufficient balance'])
})

test('422 accepts message for msg, and shows nothing for code 10038', async () => {
  const { client, seen } = world(
    json(422, { code: 1, message: 'Other words' }),
    json(422, { code: 10038, msg: 'Verify' }),
  )
  assert.equal((await client.request(edit, { body })).code, 1)
  assert.equal((await client.request(edit, { body })).code, 10038)
  assert.deepEqual(seen.errors, ['Other words'])
})

test('a 500 is a normal result with its body; other codes have no data', async () => {
  const { client, seen } = world(
    json(500, { code: 500, data: { seen: true }, msg: 'Ours' }),
    json(200, { code: 10001, data: { hidden: true }, msg: 'No' }),
    json(404, { code: 404, data: { hidden: true } }),
    new Response('<html>Bad gateway</html>', { status: 502 }),
    new Response('<html>A proxy</html>', { status: 200 }),
  )
  assert.deepEqual(await client.request(info, {}), { status: 500, code: 500, data: { seen: true }, msg: 'Ours' })
  assert.deepEqual(await client.request(info, {}), { status: 200, code: 10001, msg: 'No' })
  assert.deepEqual(await client.request(info, {}), { status: 404, code: 404 })
  assert.deepEqual(await client.request(info, {}), { status: 502, code: 502 })
  assert.deepEqual(await client.request(info, {}), { status: 200, code: 0 })
  assert.deepEqual(seen.errors, [])
})

test('401 removes the token, redirects to login and shows the toast at most once a second', async () => {
  const expired = () => json(401, { code: 401, msg: 'Login expired' })
  const { client, seen, page } = world(expired(), expired(), json(401, { code: 10287, msg: 'Frozen (chargebacks)' }))
  await assert.rejects(client.api(info, {}), RequestRefused)
  page.now += 999
  await assert.rejects(client.api(info, {}), RequestRefused)
  assert.deepEqual([seen.expired, seen.redirects, page.token], [1, 2, null])
  page.now += 1
  await assert.rejects(client.api(info, {}), RequestRefused)
  assert.equal(seen.expired, 2)
  assert.deepEqual(seen.why, [undefined, undefined, 'Frozen (chargebacks)'], 'the login page says it')
})

test('a late 401 keeps the token of a newer login', async () => {
  const { client, seen, page } = world(json(401, { code: 401 }))
  const late = client.request(info, {})
  page.token = 'token-2'
  await late
  assert.deepEqual([page.token, seen.redirects], ['token-2', 0])
})

test('open returns the raw response, or rejects like api', async () => {
  const { client, seen } = world(new Response('file'), json(422, { code: 1, msg: 'No rows' }), 'refused')
  const key = 'GET /api/v1/transactions/list/export'
  const answer = await client.open(key, { query: { status: 2 }, headers: { 'X-DOWNLOAD': '1' } })
  assert.equal(await answer.text(), 'file')
  assert.equal(seen.calls[0]?.url, '/api/v1/transactions/list/export?status=2')
  assert.equal(seen.calls[0]?.headers['X-DOWNLOAD'], '1')
  await assert.rejects(client.open(key, {}), RequestRefused)
  await assert.rejects(client.open(key, {}), new RequestUnanswered('network'))
})

const changePassword = 'PUT /api/v1/user/password'
const passwords = { password: 'eA==', confirm_password: 'eA==' }

test('a change of password stores the token that replaces the old one', async () => {
  const { client, page } = world(json(200, { code: 200, data: { token: 'token-2' } }))
  await client.api(changePassword, { body: passwords })
  assert.equal(page.token, 'token-2')
})

test('a call refused while the token is replaced does not sign out', async () => {
  let answer = (_: Response) => {}
  const slow = new Promise<Response>(resolve => {
    answer = resolve
  })
  const racing = world(slow as never, json(401, { code: 401 }))
  const change = racing.client.api(changePassword, { body: passwords })
  const late = racing.client.request(info, {})
  await settle()
  assert.deepEqual([racing.page.token, racing.seen.redirects], ['token-1', 0])
  answer(json(200, { code: 200, data: { token: 'token-2' } }))
  await change
  assert.equal((await late).status, 401)
  assert.deepEqual([racing.page.token, racing.seen.redirects, racing.seen.expired], ['token-2', 0, 0])
})

test('a change that is itself refused as signed out goes to login', async () => {
  const { client, seen, page } = world(json(401, { code: 401 }))
  await assert.rejects(client.api(changePassword, { body: passwords }), RequestRefused)
  assert.deepEqual([page.token, seen.redirects], [null, 1])
})

test('takes the new token of every call that ends the old one', () => {
  const ending = Object.entries<RouteDefinition>(routes).filter(([, route]) => route.endsToken)
  // Who left a shop is signed out.
  const taken = [...tokenReplacingCalls, ...shopOpeningCalls, 'POST /api/v1/member/leave']
  assert.deepEqual(taken.sort(), ending.map(([key]) => key).sort())
})
