import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  applicationStatus,
  emailCodePurpose,
  errors,
  limits,
  type RouteDefinition,
  type RouteKey,
} from '@coffer/contract'
import { isFull } from '@coffer/local/testing/full.ts'
import { login } from '../domains/identity/sign-in/login.ts'
import { changeMerchant } from '../domains/merchants/store.ts'
import type { TestRequest } from '../testing/every-request.ts'
import { asKey, asToken, entries, everyRoute, everyScope, type Headers } from '../testing/every-route.ts'
import {
  mailedProof,
  password,
  testApplication,
  testAuthenticator,
  testMerchant,
  visitor,
} from '../testing/merchants.ts'
import { rowsOf } from '../testing/money.ts'

const { deps, owner, merchant, appid, owned, request, requests, send, rows } = await everyRoute({ after })

test('has a request for every route that takes input', () => {
  for (const [route, { params, query, body, kind }] of entries) {
    const needsNone = !params && !body && (query?.safeParse({}).success ?? true)
    assert.ok(request[route] || needsNone || kind === 'multipart', route)
  }
})

test('refuses every route without a valid session or key, and changes nothing', async () => {
  const pending = await testMerchant(deps)
  await testAuthenticator(deps, pending.id)
  const { token: pendingToken } = await login(deps, { email: pending.email, password, from: visitor })
  const frozen = await testMerchant(deps)
  const { key: frozenKey } = await testApplication(deps, frozen.id)
  const closed = await testMerchant(deps)
  const { key: closedKey } = await testApplication(deps, closed.id)
  const disabled = await testApplication(deps, merchant.id, { status: applicationStatus.disabled })
  const deleted = await testApplication(deps, merchant.id, { deleted_at: undefined } as object)
  await owner.query('update applications set deleted_at = 1 where appid = $1', [deleted.appid])
  const elsewhere = { ip_whitelist_enabled: true, ip_whitelist: ['198.51.100.1'] }
  const listed = await testApplication(deps, merchant.id, elsewhere)
  await changeMerchant(deps.pool, frozen.id, { frozen: true, frozen_reason: 'Chargebacks' })
  await changeMerchant(deps.pool, closed.id, { deleted_at: deps.clock() })
  const nobody: Headers[] = [{}, asToken(''), asToken('x'.repeat(43)), asToken(merchant.id), asKey(''), asKey(appid)]
  const notSignedIn = [asToken(pendingToken), asToken(frozen.token), asToken(closed.token)]
  const notAKey = [frozenKey, closedKey, disabled.key, deleted.key, listed.key, `${owned.key}x`].map(asKey)
  const wrong: Record<RouteDefinition['auth'], Headers[]> = {
    public: [],
    token: [...nobody, ...notSignedIn, asKey(owned.key)],
    key: [...nobody, ...notAKey, asToken(merchant.token), { authorization: owned.key }],
    pending: [...nobody, asToken(merchant.token), asToken(frozen.token), asToken(closed.token)],
  }
  const before = await rows()
  let refused = 0
  for (const [key, { auth }] of entries)
    for (const headers of wrong[auth]) {
      const { status, text } = await send(key, requests[key], headers)
      const why = `${key} with ${JSON.stringify(headers).slice(0, 60)}: ${status} ${text}`
      assert.ok(auth === 'key' ? [401, 403, 422].includes(status) : status === 401, why)
      assert.ok(!('data' in JSON.parse(text)) && JSON.parse(text).code !== 200, why)
      // Whoever found an open page of a frozen account learns why, and nothing else.
      if (auth === 'token' && headers['x-token'] === frozen.token)
        assert.deepEqual(JSON.parse(text), { code: 10287, msg: `${errors.session_frozen.en} (Chargebacks)` }, why)
      refused++
    }
  assert.ok(refused > 400)
  assert.deepEqual(await rows(), before)
})

test('shows and changes nothing of another merchant, on any route', async () => {
  const stranger = await testMerchant(deps, { phone_verified: false })
  const { key } = await testApplication(deps, stranger.id, { name: 'Strange shop', ...everyScope })
  const known = await rowsOf(owner, 'select txid, from_address from deposits where merchant_id = $1', [merchant.id])
  const secrets = [
    merchant.id,
    merchant.mchid,
    merchant.email,
    appid,
    'Corner shop',
    'Second shop',
    owned.order.trade_no,
    owned.open.trade_no,
    owned.callback,
    'Own subject',
    'Own supplier',
    'own attach',
    'own answer',
    'shop.example/notify',
    known[0].txid,
  ]
  const before = await rows()
  let sent = 0
  for (const [route, { auth, kind }] of entries) {
    if (auth === 'public' || auth === 'pending') continue
    if (kind === 'events' || route.startsWith('POST /api/v1/user/login-out')) continue
    const { status, text } = await send(route, requests[route], auth === 'key' ? asKey(key) : asToken(stranger.token))
    assert.ok(status < 500, `${route}: ${status} ${text}`)
    // The stranger's own new order may repeat values of the request; nothing else of the owner may appear.
    for (const secret of secrets) assert.ok(!text.includes(secret), `${route} leaks ${secret}: ${text}`)
    sent++
  }
  assert.ok(sent > 45)
  assert.deepEqual(await rows(), before)
})

test('refuses the key of another application of the same merchant', async () => {
  const { key } = await testApplication(deps, merchant.id, { name: 'Other shop of the same', marks_allowed: true })
  for (const route of [
    'GET /api/v1/pay/orders/:trade_no',
    'POST /api/v1/pay/orders/:trade_no/close',
    'POST /api/v1/pay/orders/:trade_no/mark-paid',
  ] as const) {
    const answer = await send(route, requests[route], asKey(key))
    assert.equal(JSON.parse(answer.text).code, 10006, route)
  }
  const list = await send('GET /api/v1/pay/orders', {}, asKey(key))
  assert.equal(JSON.parse(list.text).data.total, 0)
})

test('separates idempotency keys by caller', async () => {
  const stranger = await testMerchant(deps)
  const { key } = await testApplication(deps, stranger.id)
  const click = { 'idempotency-key': 'the-same-for-both' }
  const order = { body: { out_trade_no: 'twice', amount: '1' } }
  const first = JSON.parse((await send('POST /api/v1/pay/orders', order, { ...asKey(owned.key), ...click })).text)
  const second = JSON.parse((await send('POST /api/v1/pay/orders', order, { ...asKey(key), ...click })).text)
  assert.deepEqual([first.code, second.code], [200, 200])
  assert.notEqual(first.data.trade_no, second.data.trade_no)
})

test('refuses unknown fields, wrong types and oversize bodies on every route', async () => {
  const { id, email } = await testMerchant(deps)
  await testAuthenticator(deps, id)
  const pending = asToken((await login(deps, { email, password, from: visitor })).token)
  const { token, id: other } = await testMerchant(deps)
  const { key } = await testApplication(deps, other, everyScope)
  const by = { public: asToken(token), token: asToken(token), key: asKey(key), pending }
  const large = JSON.stringify({ x: 'x'.repeat(limits.bodyBytesMax) })
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const [route, { auth, body, query, kind, endsToken }] of entries) {
    const request = requests[route]
    // Bodies of strangers are smaller, also of calls whose token may have ended.
    const isKnown = (auth === 'token' && !endsToken) || auth === 'key'
    const deep = nested(isKnown ? 100_000 : limits.publicBodyBytesMax / 2)
    const sent = async (more: TestRequest & { raw?: string }, status: number, what: string, headers: Headers = {}) => {
      const answer = await send(route, { ...request, ...more }, { ...by[auth], ...headers })
      assert.equal(answer.status, status, `${route}, ${what}: ${answer.text}`)
      return JSON.parse(answer.text)
    }
    if (query)
      for (const name of ['unknown', '__proto__', 'constructor', 'merchant_id'])
        await sent({ query: { ...request.query, [name]: '1' } }, 422, `query ${name}`)
    if (!body || kind === 'multipart') continue
    for (const name of ['unknown', '__proto__', 'constructor', 'merchant_id']) {
      const raw = JSON.stringify({ ...request.body, unknown: 1 }).replace('"unknown"', JSON.stringify(name))
      await sent({ raw }, 422, `body ${name}`)
    }
    for (const raw of ['[]', '"text"', '7', 'true', '{', deep]) await sent({ raw }, 422, raw.slice(0, 10))
    await sent({ raw: deep }, 422, 'nested, as a submission', { 'idempotency-key': 'deep' })
    assert.equal((await sent({ raw: large }, 413, 'too large')).code, 413)
  }
})

const hostile: unknown[] = [
  'x\u0000y',
  'x\u202egnp.exe',
  'x\u061cy',
  'x\u0085y',
  'x\ud800y',
  "'; drop table merchants; --",
  'x'.repeat(20_000),
  '-1',
  '9223372036854775808',
  '1e400',
  '99999999999999999999999999999999',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  '=cmd|calc',
  '%00',
  '',
  -1,
  0,
  2 ** 53,
  1e308,
  1.5,
  null,
  true,
  [],
  ['x'],
  {},
  { $gt: '' },
]

/** Paths of all leaves. */
function* leavesOf(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return void (yield path)
  for (const [name, part] of Object.entries(value)) yield* leavesOf(part, [...path, name])
}

/** A copy with one leaf replaced. */
function withLeaf<T>(value: T, [name, ...rest]: string[], by: unknown): T {
  if (name === undefined) return by as T
  const changed = withLeaf((value as Record<string, unknown>)[name], rest, by)
  return (Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }) as T
}

const parts = ['params', 'query', 'body'] as const

/** Whether the values fit the contract of the part, so that they reach the handler. */
function fits(definition: RouteDefinition, part: (typeof parts)[number], value: object): boolean {
  const inUrl = () => Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]))
  return definition[part]?.safeParse(part === 'body' ? value : inUrl()).success ?? true
}

/**
 * Requests with one hostile value each. All that the contract accepts, and of those that it refuses one for each field,
 * since all routes refuse in the same way. `npm test -- --full` sends all of them.
 */
function* hostileRequests(route: RouteKey, definition: RouteDefinition): Generator<TestRequest> {
  const request = requests[route]
  // Each export starts a worker; its filters are those of the list, which gets every value.
  const values = route.endsWith('/export') ? hostile.slice(0, 6) : hostile
  const filters = Object.fromEntries(Object.keys(definition.query?.shape ?? {}).map(name => [name, '']))
  let field = 0
  for (const part of parts)
    for (const path of leavesOf(part === 'query' ? filters : (request[part] ?? {}))) {
      // Another value first for each field.
      const turn = field++ % values.length
      let refused = 0
      for (const value of [...values.slice(turn), ...values.slice(0, turn)]) {
        const changed = withLeaf(request[part] ?? {}, path, value)
        if (fits(definition, part, changed) || refused++ === 0 || isFull()) yield { ...request, [part]: changed }
      }
    }
}

test('answers hostile values in any field of any route without an internal error', async () => {
  const { token, id } = await testMerchant(deps)
  const { key } = await testApplication(deps, id, everyScope)
  let sent = 0
  for (const [route, definition] of entries) {
    const { auth, kind } = definition
    if (kind === 'events' || route === 'POST /api/v1/user/login-out' || auth === 'pending') continue
    for (const each of hostileRequests(route, definition)) {
      const { status, text } = await send(route, each, auth === 'key' ? asKey(key) : asToken(token))
      assert.ok(status < 500 || status === 503, `${route} ${JSON.stringify(each).slice(0, 300)}: ${status} ${text}`)
      sent++
    }
  }
  assert.ok(sent > 2_000, `${sent}`)
})

const { application, addressBook, markPayment, members, withdrawal, withdrawalSettings } = emailCodePurpose
/** What confirms a call; the others are confirmed as changes of applications. */
const purposes: Partial<Record<RouteKey, number>> = {
  'POST /api/v1/transactions/mark': markPayment,
  'POST /api/v1/account/withdrawal': withdrawal,
  'POST /api/v1/transactions/refund': withdrawal,
  'PUT /api/v1/account/withdrawal-policy': withdrawalSettings,
  'PUT /api/v1/account/withdraw-setting': withdrawalSettings,
  'POST /api/v1/address': addressBook,
  'POST /api/v1/address/import': addressBook,
  'PUT /api/v1/address': addressBook,
  'DELETE /api/v1/address': addressBook,
  'POST /api/v1/member/invitation': members,
  'PUT /api/v1/member/invitation': members,
  'PUT /api/v1/member': members,
  'DELETE /api/v1/member': members,
}

test('grants the owner what others are refused: the requests above are valid', async t => {
  const { deps, merchant, ownKey, requests, send, rows } = await everyRoute(t)
  const before = await rows()
  const excluded =
    /email|sms|mark-paid|login|register|password|mailbox|phone|opening|google-auth|verification|notify-url|transactions.mark|POST .*internal-transfer|POST .*(withdrawal-approval|approval-link|approval.decide|account.sweep|pay.(application|withdrawals|refund|members)|refund-claim)|(POST|DELETE) .*(passkey|wallet)$|recovery|security-switch|wallet.new|login.wallet|not-me|shop.test$|webhook-endpoints.:id.remove|POST .*message.(push|channel)|DELETE .*user$/
  let granted = 0
  for (const [route, { auth, kind }] of entries) {
    if (kind === 'events' || kind === 'multipart' || excluded.test(route)) continue
    if (
      /login-out|user.edit|sessions|secret-key$|rates$|previous|refresh|user.shop(?:.key)?$|webhook-endpoint(?:.secret)?$|mark$|withdrawal$|policy$|refund$|refund-link$|withdraw-setting$|v1.address$|address.import$|v1.member|public.invitation/.test(
        route,
      ) &&
      !route.startsWith('GET')
    )
      continue
    const first = auth === 'key' ? asKey(ownKey) : asToken(merchant.token)
    const { status, text } = await send(route, requests[route], first)
    // The order exists with other contents, which shows that it was found.
    assert.equal(status, route === 'POST /api/v1/pay/orders' ? 409 : 200, `${route}: ${text.slice(0, 300)}`)
    granted++
  }
  for (const route of [
    'PUT /api/v1/user/secret-key/rates',
    'POST /api/v1/transactions/mark',
    'POST /api/v1/account/withdrawal',
    'POST /api/v1/transactions/refund',
    'PUT /api/v1/account/withdrawal-policy',
    'PUT /api/v1/account/withdraw-setting',
    'POST /api/v1/address',
    'POST /api/v1/address/import',
    'PUT /api/v1/address',
    'DELETE /api/v1/address',
    'POST /api/v1/member/invitation',
    'PUT /api/v1/member/invitation',
    'PUT /api/v1/member',
    'DELETE /api/v1/member',
    'PUT /api/v1/user/secret-key/refresh-google-secret',
    'DELETE /api/v1/user/secret-key/previous',
    'PUT /api/v1/user/edit',
    'POST /api/v1/user/shop',
    'PUT /api/v1/user/shop/key',
    'DELETE /api/v1/user/shop',
    'POST /api/v1/user/webhook-endpoint',
    'PUT /api/v1/user/webhook-endpoint',
    'PUT /api/v1/user/webhook-endpoint/secret',
    'DELETE /api/v1/user/webhook-endpoint',
    'PUT /api/v1/user/secret-key',
    'DELETE /api/v1/user/secret-key',
  ] as const) {
    deps.pass(60)
    const purpose = purposes[route] ?? application
    const body = { ...requests[route].body, proof: await mailedProof(deps, merchant.id, purpose) }
    assert.equal((await send(route, { body }, asToken(merchant.token))).status, 200, route)
  }
  assert.ok(granted > 35, `${granted}`)
  assert.notDeepEqual(await rows(), before)
})
