import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { runCommand } from './commands.ts'
import { verifyWebhook, WebhookError } from './index.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const body = JSON.stringify({ type: 'test.ping', timestamp: '2026-01-01T00:00:00.000Z', data: { appid: 'app_1' } })
const signed = (text = body, at = new Date()) => ({
  'Webhook-Id': 'cb-1',
  'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
  'Webhook-Signature': new Webhook(secret).sign('cb-1', at, text),
})

test('returns the event of a signed callback, from any form of headers and body', () => {
  const event = { id: 'cb-1', type: 'test.ping', timestamp: '2026-01-01T00:00:00.000Z', data: { appid: 'app_1' } }
  assert.deepEqual(verifyWebhook({ secret, headers: signed(), body }), event)
  assert.deepEqual(
    verifyWebhook({ secret, headers: new Headers(signed()), body: new TextEncoder().encode(body) }),
    event,
  )
  assert.deepEqual(
    verifyWebhook({ secret, headers: { ...signed(), cookie: ['a', 'b'], none: undefined }, body: Buffer.from(body) }),
    event,
  )
})

test('accepts either secret while a secret is being replaced', () => {
  const old = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  const at = new Date()
  const both = [secret, old].map(each => new Webhook(each).sign('cb-1', at, body)).join(' ')
  const headers = { ...signed(body, at), 'Webhook-Signature': both }
  for (const each of [secret, old]) assert.equal(verifyWebhook({ secret: each, headers, body }).id, 'cb-1')
})

test('rejects any other request', () => {
  const refused = (request: Partial<Parameters<typeof verifyWebhook>[0]>) =>
    assert.throws(() => verifyWebhook({ secret, headers: signed(), body, ...request }), WebhookError)
  refused({ body: body.replace('app_1', 'app_2') })
  refused({ headers: {} })
  refused({ headers: { ...signed(), 'Webhook-Id': 'cb-2' } })
  refused({ headers: { ...signed(), 'Webhook-Signature': '' } })
  refused({ headers: { ...signed(), 'Webhook-Signature': 'v1' } })
  refused({ headers: { ...signed(), 'Webhook-Signature': ['v1,a', 'v1,b'] } })
  refused({ secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}` })
  refused({ headers: signed(body, new Date(Date.now() - 400_000)) })
  refused({ headers: signed(body, new Date(Date.now() + 400_000)) })
  refused({ body: 'not json', headers: signed('not json') })
})

test('says what it was given instead of the raw body', () => {
  for (const [given, what] of [
    [JSON.parse(body), 'a parsed object'],
    [[1], 'an array'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'number'],
  ])
    assert.throws(() => verifyWebhook({ secret, headers: signed(), body: given }), {
      name: 'TypeError',
      message: new RegExp(`must be the raw body, a string or bytes, but is ${what}: read it before a JSON parser`),
    })
})

test('throws TypeError on a malformed secret', () => {
  for (const wrong of ['', 'sk_test_123', 'whsec_', 'whsec_***'])
    assert.throws(() => verifyWebhook({ secret: wrong, headers: signed(), body }), TypeError, wrong)
  const unset = { secret: undefined, headers: signed(), body }
  assert.throws(() => verifyWebhook(unset), { name: 'TypeError', message: /must start with whsec_/ })
})

/** Runs a command line against replies; a thrown reply is a lost connection. */
async function command(args: string[], reply: (url: URL, init: RequestInit) => Response, signal = AbortSignal.abort()) {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const send: typeof fetch = async (url, init = {}) => reply(new URL(String(url)), init)
  const env = { COFFER_URL: 'https://pay.example', COFFER_KEY: 'sk_test_1', COFFER_WEBHOOK_SECRET: secret }
  const code = await runCommand(args, { env, signal, print, complain: print, fetch: send, pauseMs: 1 })
  return { code, lines }
}
const failed = (status: number) => Response.json({ code: status, msg: 'no' }, { status })

test('coffer listen forwards each event once, signed, and loses none in an outage of either side', async () => {
  const event = (n: number) => ({ id: `cb-${n}`, type: 'payment.paid', timestamp: 't', data: { trade_no: `P${n}` } })
  const stop = new AbortController()
  const cursors: (string | null)[] = []
  const got: string[] = []
  let refusals = 3
  const reads = [[event(1)], 'lost', 503, [event(1), event(2)], 429, [event(2), event(3)]]
  const { code, lines } = await command(
    ['listen', '--forward-to', 'http://localhost:3000/hook', '--since', '1700000000'],
    (url, init) => {
      if (url.pathname === '/hook') {
        const { id, ...rest } = verifyWebhook({ secret, headers: init.headers as Headers, body: String(init.body) })
        assert.equal(init.body, JSON.stringify(rest))
        if (id === 'cb-2' && refusals-- > 0) {
          if (refusals === 1) throw new TypeError('fetch failed')
          return failed(refusals === 0 ? 503 : 429)
        }
        got.push(id)
        return new Response(null, { status: id === 'cb-3' ? 500 : 204 })
      }
      cursors.push(url.searchParams.get('cursor'))
      const read = reads.shift()
      if (read === undefined) stop.abort()
      if (read === 'lost') throw new TypeError('fetch failed')
      if (typeof read === 'number') return failed(read)
      return Response.json({ code: 200, data: { list: read ?? [], next_cursor: `c${cursors.length}` } })
    },
    stop.signal,
  )
  assert.equal(code, 0)
  assert.deepEqual(got, ['cb-1', 'cb-2', 'cb-3'])
  const start = '1700000000-00000000-0000-0000-0000-000000000000'
  assert.deepEqual([...new Set(cursors)], [start, 'c1', 'c4', 'c6'])
  assert.match(lines.join('\n'), /payment\.paid P2 no response\n.* payment\.paid P2 503\n.* payment\.paid P2 204/)
  assert.match(lines.join('\n'), /P3 500$/m)
})

test('coffer lists, adds, tests, renews and removes webhook endpoints', async () => {
  const endpoint = { id: 'e1', url: 'https://shop.example/hook', enabled: false }
  const server = (url: URL, { method = 'GET' }: RequestInit) => {
    const [, last = ''] = /^\/api\/v1\/pay\/webhook-endpoints\/?(.*)$/.exec(url.pathname) ?? []
    const data = { list: [endpoint], endpoint, secret: 'whsec_x', id: `${method} ${last}` }
    return Response.json({ code: 200, data })
  }
  const said = async (...args: string[]) => (await command(['endpoints', ...args], server, AbortSignal.any([]))).lines
  assert.deepEqual(await said('list'), ['e1 https://shop.example/hook (off)'])
  assert.deepEqual(await said('add', endpoint.url), ['e1 https://shop.example/hook whsec_x'])
  assert.deepEqual(await said('renew', 'e1'), ['e1 https://shop.example/hook whsec_x'])
  assert.deepEqual(await said('test', 'e1'), ['test.ping is sent: callback POST e1/test'])
  assert.deepEqual(await said('remove', 'e1'), ['e1 is removed'])
})

test('coffer lists, invites and removes the people of the shop', async () => {
  const sent: unknown[] = []
  const server = (url: URL, { method = 'GET', body }: RequestInit) => {
    sent.push([method, url.pathname, body && JSON.parse(String(body))])
    const invitation = { id: 'i1', email: 'till@shop.example', role: 'clerk' }
    const list = [{ id: 'p1', email: 'owner@shop.example', role: 'owner' }]
    return Response.json({ code: 200, data: method === 'GET' ? { list, invitations: [invitation] } : invitation })
  }
  const said = async (...args: string[]) => (await command(['members', ...args], server, AbortSignal.any([]))).lines
  assert.deepEqual(await said('list'), ['p1 owner@shop.example owner\ntill@shop.example clerk (invited)'])
  assert.deepEqual(await said('invite', 'till@shop.example', '--role', 'clerk'), ['till@shop.example is invited'])
  assert.deepEqual(await said('invite', 'till@shop.example'), ['coffer: --role is missing (--help)'])
  assert.deepEqual(await said('remove', 'p/2'), ['p/2 is removed'])
  assert.deepEqual(sent.slice(1), [
    ['POST', '/api/v1/pay/members', { email: 'till@shop.example', role: 'clerk' }],
    ['POST', '/api/v1/pay/members/p%2F2/remove', {}],
  ])
})

test('coffer reports a refusal and a wrong command in one line, and triggers events in a sandbox only', async () => {
  const refused = () => Response.json({ code: 10401, msg: 'Wrong key' }, { status: 401 })
  for (const [args, line] of [
    [['orders', 'create', '--amount', '5'], 'coffer: 10401 Wrong key'],
    [['listen', '--forward-to', 'http://localhost/'], 'coffer: 10401 Wrong key'],
    [['liste'], /unknown command "liste": there are listen/],
    [['listen', '--forwardto', 'x'], /--forwardto/],
    [['addresses', 'verify', 'export.xlsx'], /--xpub-evm or --xpub-tron is missing/],
    [['events', 'resend'], /an event ID is missing/],
    [['endpoints', 'add'], /a URL is missing/],
    [['endpoints', 'renew'], /an endpoint ID is missing/],
    [['endpoints', 'list'], 'coffer: 10401 Wrong key'],
    [['endpoints', 'lost'], /unknown command "endpoints lost"/],
    [['trigger', 'payment.paid'], /a sandbox only, and https:\/\/pay.example is none/],
  ] as const) {
    const { code, lines } = await command([...args], refused, new AbortController().signal)
    assert.equal(code, 1, args.join(' '))
    assert.match(lines.at(-1) ?? '', typeof line === 'string' ? new RegExp(line) : line)
  }
  const posts: string[] = []
  const sandbox = (url: URL, { body }: RequestInit) => {
    if (url.pathname.startsWith('/sandbox/') && body) posts.push(`${url.pathname} ${body}`)
    // Paid at the third reading.
    const status = url.pathname.endsWith('/orders/P1') ? (++reads < 3 ? 1 : 2) : 1
    return Response.json({ code: 200, data: { trade_no: 'P1', usdt_amount: '10', status } })
  }
  let reads = 0
  for (const event of ['paid', 'partial', 'over', 'timeout', 'late', 'error'])
    assert.equal((await command(['trigger', `payment.${event}`], sandbox, new AbortController().signal)).code, 0)
  assert.deepEqual(posts, [
    '/sandbox/pay {"trade_no":"P1"}',
    '/sandbox/pay {"trade_no":"P1","amount":"5.000000"}',
    '/sandbox/pay {"trade_no":"P1","amount":"20.000000"}',
    '/sandbox/expire {"trade_no":"P1"}',
    ...['expire', 'pay', 'pay'].map(path => `/sandbox/${path} {"trade_no":"P1"}`),
    '/sandbox/mine {"blocks":10}',
    '/sandbox/reverse {"trade_no":"P1"}',
  ])
  assert.equal(reads, 3)
  assert.match((await command(['trigger', 'constructor'], sandbox)).lines[0] ?? '', /trigger takes payment.paid,/)
})

test('coffer logs tail prints each event and each attempt once', async () => {
  const stop = new AbortController()
  const event = (n: number) => ({ id: `cb-${n}`, type: 'payment.paid', timestamp: 't', data: { trade_no: `P${n}` } })
  const attempts: object[] = []
  let reads = 0
  const { code, lines } = await command(
    ['logs', 'tail', '--since', '1700000000'],
    url => {
      const respond = (data: object) => Response.json({ code: 200, data })
      if (url.pathname.endsWith('/events')) {
        if (++reads === 4) {
          stop.abort()
          throw new TypeError('fetch failed')
        }
        // Later answers have another attempt; the newest is first.
        if (reads > 1)
          attempts.unshift({
            time: 1_700_000_000 + reads,
            duration_ms: 5,
            result: `HTTP 50${reads}`,
            answer: 'no\nnever',
          })
        return respond({ list: reads > 2 ? [event(1), event(2)] : [event(1)], next_cursor: 'c' })
      }
      const callback = {
        id: 'cb-1',
        event: 'payment.paid',
        trade_no: 'P1',
        notify_url: 'http://a',
        attempts: attempts.length,
      }
      return respond(url.pathname.endsWith('/callbacks') ? { list: [callback] } : { callback, attempts })
    },
    stop.signal,
  )
  assert.equal(code, 0)
  assert.deepEqual(lines, [
    't payment.paid P1 cb-1',
    '2023-11-14T22:13:22.000Z -> http://a payment.paid P1 HTTP 502 5 ms no',
    't payment.paid P2 cb-2',
    '2023-11-14T22:13:23.000Z -> http://a payment.paid P1 HTTP 503 5 ms no',
  ])
})

test('coffer scenarios prints how an endpoint handled each, and fails when it did not', async () => {
  const row = { title: 'Paid', state: 'handled', sent: [{ event: 'payment.paid', status: 200 }], paid: [true], why: '' }
  const bad = { ...row, title: 'Forged', state: 'failed', sent: [{ event: 'payment.paid', status: 0, forged: true }] }
  let reads = 0
  const run = (rows: object[]) =>
    command(
      ['scenarios', '--endpoint', 'http://127.0.0.1:1/', '--only', 'paid,forged'],
      ({ pathname }, { method = 'GET', body, headers }) => {
        if (method === 'POST') {
          assert.deepEqual(JSON.parse(String(body)), { endpoint: 'http://127.0.0.1:1/', scenarios: ['paid', 'forged'] })
          assert.equal(new Headers(headers).get('authorization'), 'Bearer sk_test_1')
          return Response.json({ code: 200, data: { id: 'R' } })
        }
        const list = ++reads % 2 === 0 ? [{ ...row, state: 'running' }] : rows
        return Response.json({ code: 200, data: { list: pathname.endsWith('/scenarios/R') ? list : [] } })
      },
      new AbortController().signal,
    )
  const failed = await run([row, { ...bad, paid: [null], why: 'no answer' }])
  assert.equal(failed.code, 1)
  assert.deepEqual(failed.lines.slice(1), [
    'Scenario  Sent and answered        Status URL  Verdict  Why',
    'Paid      payment.paid 200         paid        handled',
    'Forged    payment.paid (forged) -  ?           failed   no answer',
    'coffer: 1 of 2 scenarios are not handled',
  ])
  const fine = await run([row])
  assert.deepEqual([fine.code, fine.lines.at(-1)], [0, 'all 1 scenarios are handled, as far as responses show it'])
})
