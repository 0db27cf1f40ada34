import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routes } from '@coffer/contract'
import { operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import type { RouteDefinition } from '@coffer/contract/kit/route.ts'
import { freshCodeCalls, operatorRoles, type RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import pg from 'pg'
import { appRoleConnectionOptions } from '../../migrations/app-role.ts'
import { makeApp } from '../../serve.ts'
import { password } from '../../testing/merchants.ts'
import { moneyWorld } from '../../testing/money.ts'
import { changesOf } from '../../testing/operator-changes.ts'
import { testOperator } from '../../testing/operators.ts'
import { createOwned } from '../../testing/owned.ts'
import { testPicture } from '../../testing/picture.ts'
import { insertIncidents } from '../chains/store.ts'
import { readOperatorActions } from '../operators/action-log.ts'
import { changeRole, removeOperator } from '../operators/change-operator.ts'
import { createWorkOrder } from '../work-orders/create-order.ts'
import { uploadOrderPicture } from '../work-orders/pictures.ts'
import { makeConsoleApp } from './app.ts'

const world = await moneyWorld({ after })
const { deps } = world
const [app, merchants] = await Promise.all([makeConsoleApp(deps), makeApp(deps)])
after(() => Promise.all([app.close(), merchants.close()]))

const entries = Object.entries(operatorRoutes) as [keyof typeof operatorRoutes, RouteDefinition][]
const prefix = '/api/operator/v1/'
const short = (key: string) => key.replace(prefix, '')

interface TestRequest {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

const owned = await createOwned(world)
const { id: picture } = await uploadOrderPicture(deps, {
  merchantId: world.merchant.id,
  number: owned.workOrder,
  file: testPicture,
})
await insertIncidents(deps.pool, [{ id: 'open', kind: 'own_transfer', chain_id: 'eth', detail: {}, created_at: 1 }])
const terms = {
  fee_bps: 5,
  withdraw_fee_bps: null,
  withdraw_single_max: 100,
  withdraw_day_max: null,
  withdraw_approval_above: 50,
  reason: 'a trusted shop',
}
const encoded = Buffer.from(password).toString('base64')
const target = await testOperator(deps, 'viewer')

const hook = { url: 'https://alerts.example.com', kinds: ['incident'] }
const unknownKey = { id: 'x', response: { authenticatorData: 'x', clientDataJSON: 'x', signature: 'x' } }
/** A valid request of every call that takes input. */
const requests: Record<string, TestRequest> = {
  'POST public/login': { body: { email: target.email, password: encoded } },
  'POST public/login/verification': { body: { google_code: '123456' } },
  'POST public/invitation': { body: { invitation: 'x'.repeat(43) } },
  'POST public/invitation/accept': {
    body: { invitation: 'x'.repeat(43), password: encoded, offer: 'x', google_code: '123456' },
  },
  'POST public/login/passkey': { body: { passkey: unknownKey } },
  'POST passkeys': {
    body: { name: 'Laptop', passkey: { id: 'x', response: { attestationObject: 'x', clientDataJSON: 'x' } } },
  },
  'DELETE passkeys/:id': { params: { id: 'x' } },
  'PUT alerts': { body: { off: ['opening'], quiet_from: 22, quiet_until: 7, time_zone: 'Asia/Shanghai' } },
  'POST alert-devices': { body: { endpoint: 'https://push.example/1', p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } },
  'POST alert-devices/:id/test': { params: { id: 'x' } },
  'DELETE alert-devices/:id': { params: { id: 'x' } },
  'POST alert-hooks': { body: hook },
  'PUT alert-hooks/:id': { params: { id: 'x' }, body: hook },
  'POST alert-hooks/:id/renew': { params: { id: 'x' } },
  'POST alert-hooks/:id/test': { params: { id: 'x' } },
  'DELETE alert-hooks/:id': { params: { id: 'x' } },
  'GET withdrawals/:id/passkey': { params: { id: owned.withdrawal } },
  'POST withdrawals/:id/approve-by-passkey': { params: { id: owned.withdrawal }, body: { passkey: unknownKey } },
  'POST refunds/:id/approve': { params: { id: owned.refund }, body: { updated_time: 0 } },
  'POST refunds/:id/paid': { params: { id: owned.refund }, body: { txid: '0'.repeat(64) } },
  'POST refunds/:id/cancel': { params: { id: owned.refund }, body: { reason: 'no' } },
  'GET releases/:owner/:id': { params: { owner: 'withdrawal', id: owned.withdrawal } },
  'POST releases/:owner/:id': { params: { owner: 'withdrawal', id: owned.withdrawal }, body: { passkey: unknownKey } },
  'POST session/fresh': { body: { google_code: '123456' } },
  'GET merchants/:id': { params: { id: world.merchant.mchid } },
  'POST merchants/:id/review': { params: { id: world.merchant.mchid }, body: { decision: 'approve', reason: '' } },
  'POST merchants/:id/note': { params: { id: world.merchant.mchid }, body: { text: 'called, all well' } },
  'POST merchants/:id/documents': { params: { id: world.merchant.mchid }, body: { text: 'An\nextract' } },
  'PUT merchants/:id/risk': {
    params: { id: world.merchant.mchid },
    body: { risk_level: 'pass', reason: 'seen in person' },
  },
  'POST merchants/:id/freeze': { params: { id: world.merchant.mchid }, body: { reason: 'asked' } },
  'POST merchants/:id/unfreeze': { params: { id: world.merchant.mchid }, body: { reason: 'documents seen' } },
  'PUT merchants/:id/terms': { params: { id: world.merchant.mchid }, body: terms },
  'GET stakes': { query: { call: 'POST /api/operator/v1/wallets/:id/resume', id: 'eth' } },
  'POST merchants/:id/remove-authenticator': { params: { id: world.merchant.mchid }, body: { reason: 'lost' } },
  'POST merchants/:id/cancel-removal': { params: { id: world.merchant.mchid } },
  'POST merchants/:id/lift-hold': { params: { id: world.merchant.mchid }, body: { reason: 'called the owner' } },
  'GET search': { query: { text: owned.order.trade_no } },
  'GET merchants/:id/activity': { params: { id: world.merchant.mchid } },
  'GET payments': { query: { text: owned.order.trade_no } },
  'GET payments/:id': { params: { id: owned.order.trade_no } },
  'GET callbacks': { query: { trade_no: owned.order.trade_no } },
  'GET applications': { query: { mchid: world.merchant.mchid } },
  'GET withdrawals/:id': { params: { id: owned.withdrawal } },
  'GET refunds/:id': { params: { id: owned.refund } },
  'POST withdrawals/:id/approve': { params: { id: owned.withdrawal } },
  'POST withdrawals/:id/reject': { params: { id: owned.withdrawal }, body: { reason: 'no' } },
  'POST withdrawals/:id/paid': { params: { id: owned.withdrawal }, body: { txid: '0'.repeat(64) } },
  'POST withdrawals/:id/cancel': { params: { id: owned.withdrawal }, body: { reason: 'no' } },
  'GET work-orders/:id': { params: { id: owned.workOrder } },
  'POST work-orders/:id/answer': { params: { id: owned.workOrder }, body: { text: 'Look\nagain' } },
  'POST work-orders/:id/pictures': { params: { id: owned.workOrder } },
  'GET work-orders/:id/pictures/:picture': { params: { id: owned.workOrder, picture } },
  'POST work-orders/:id/close': { params: { id: owned.workOrder } },
  'POST work-orders/:id/reopen': { params: { id: owned.closedOrder } },
  'POST announcements': {
    body: {
      title_en: 'Upgrade',
      content_en: 'On\nSunday',
      title_zh: '升级',
      content_zh: '周日',
      mchids: [world.merchant.mchid],
      ends_time: deps.clock() + 86_400,
    },
  },
  'POST announcements/:id/withdraw': { params: { id: 'x' } },
  'POST chains/:id/resume': { params: { id: 'eth' }, body: { reason: 'the nodes agree' } },
  'POST chains/:id/reread': { params: { id: 'eth' }, body: { block: 1, apply: false } },
  'POST deposits/:id/undo': { params: { id: 'eth' }, body: { reason: 'left the chain' } },
  'POST deposits/:id/credit': { params: { id: 'eth' }, body: { reason: 'the bridge is sound' } },
  'POST deposits/:id/return': { params: { id: 'eth' }, body: { reason: 'sent by mistake' } },
  'POST assets/:id/release': { params: { id: 'eth:USDT' }, body: { reason: 'contract read' } },
  'POST assets/:id/refuse': { params: { id: 'eth:USDT' }, body: { reason: 'lies' } },
  'GET incidents/:id': { params: { id: 'open' } },
  'GET incidents/:id/deposits': { params: { id: 'open' } },
  'GET incidents/:id/waiting': { params: { id: 'open' } },
  'POST incidents/:id/take': { params: { id: 'eth' } },
  'POST incidents/:id/tick': { params: { id: 'eth' }, body: { step: 'check_nodes', done: true } },
  'POST incidents/:id/note': { params: { id: 'eth' }, body: { text: 'called the custodian' } },
  'POST incidents/:id/close': { params: { id: 'eth' }, body: { reason: 'it was repaired' } },
  'POST wallets/:id/halt': { params: { id: 'eth' }, body: { reason: 'key' } },
  'POST wallets/:id/resume': { params: { id: 'eth' }, body: { reason: 'the key was replaced' } },
  'POST wallets/:id/cancel': { params: { id: 'eth' }, body: { reason: 'key', nonce: 1 } },
  'POST wallets/:id/abandon': { params: { id: 'eth' }, body: { reason: 'it paid nothing', nonce: 1 } },
  'POST wallets/:id/empty': { params: { id: 'eth' }, body: { reason: 'the key has leaked' } },
  'POST wallets/:id/sweep': { params: { id: 'eth' } },
  'POST queues/:id/pause': { params: { id: 'callbacks' }, body: { reason: 'upgrade' } },
  'POST queues/:id/resume': { params: { id: 'callbacks' }, body: { reason: 'upgrade done' } },
  'POST callbacks/:id/resend': { params: { id: owned.callback } },
  'POST operators': { body: { email: 'new@example.com', role: 'viewer' } },
  'PUT operators/:id': { params: { id: target.id }, body: { role: 'viewer' } },
  'POST operators/:id/link': { params: { id: target.id } },
  'DELETE operators/:id': { params: { id: target.id } },
}

let visitors = 0

/** Sends a request; `unknown` params name nothing, so that a call that is allowed changes nothing. */
async function send(key: string, given: TestRequest & { raw?: string }, token?: string, on = app) {
  const [method, path = ''] = key.split(' ')
  const { params = {}, query = {}, body, raw } = given
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name]).toWellFormed()))
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  visitors++
  const answer = await on.inject({
    method: method as 'GET',
    url: `${url}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
    remoteAddress: `10.1.${(visitors >> 8) & 255}.${visitors & 255}`,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { 'x-token': token }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, text: answer.body, json: () => JSON.parse(answer.body) }
}

const requestOf = (key: string): TestRequest => requests[short(key)] ?? {}
/** The same request about things that do not exist. */
const ofNothing = ({ params = {}, ...rest }: TestRequest): TestRequest => ({
  ...rest,
  params: Object.fromEntries(Object.keys(params).map(name => [name, '0'])),
})

test('has a request for every call that takes input', () => {
  for (const [key, { params, query, body }] of entries) {
    const needsNone = !params && !body && (query?.safeParse({}).success ?? true)
    assert.ok(requests[short(key)] || needsNone, key)
  }
})

test('allows every call to exactly the roles of the table', async () => {
  for (const role of operatorRoleNames) {
    const { token } = await testOperator(deps, role)
    const changes: string[] = []
    for (const [key, allowed] of Object.entries(operatorRoles)) {
      const { status, text } = await send(key, ofNothing(requestOf(key)), token)
      assert.equal(status === 403, !allowed.includes(role), `${key} as ${role}: ${status} ${text}`)
      assert.ok(status !== 401 && status < 500, `${key} as ${role}: ${status} ${text}`)
      if (status !== 403 && !key.startsWith('GET ')) changes.push(short(key))
    }
    assert.deepEqual(changes.sort(), changesOf(role), role)
  }
})

test('asks for a fresh code exactly where the table says', async () => {
  const { token, code } = await testOperator(deps, 'owner', { fresh: false })
  for (const key of Object.keys(operatorRoles)) {
    const answer = await send(key, ofNothing(requestOf(key)), token)
    assert.equal(
      answer.json().code === 10160,
      freshCodeCalls.includes(key as RoleRestrictedCall),
      `${key}: ${answer.text}`,
    )
  }
  assert.equal(
    (await send('POST /api/operator/v1/session/fresh', { body: { google_code: code() } }, token)).status,
    200,
  )
  const changed = await send(
    'PUT /api/operator/v1/operators/:id',
    requestOf('PUT /api/operator/v1/operators/:id'),
    token,
  )
  assert.equal(changed.status, 200)
  deps.pass(301)
  const later = await send('PUT /api/operator/v1/operators/:id', requestOf('PUT /api/operator/v1/operators/:id'), token)
  assert.equal(later.json().code, 10160)
})

test('refuses every call without a session of an operator', async () => {
  const gone = await testOperator(deps, 'owner')
  await removeOperator(deps, { id: gone.id })
  const login = await send('POST /api/operator/v1/public/login', requestOf('POST /api/operator/v1/public/login'))
  const pending: string = login.json().data.token
  for (const [key, { auth }] of entries) {
    if (auth === 'public') continue
    const wrong = [undefined, 'x'.repeat(43), world.merchant.token, gone.token]
    for (const token of auth === 'pending' ? wrong : [...wrong, pending]) {
      const { status, text } = await send(key, requestOf(key), token)
      assert.equal(status, 401, `${key}: ${text}`)
      assert.ok(!('data' in JSON.parse(text)), key)
    }
  }
})

test('serves no path of the console on the port of merchants, and none of theirs on its own', async () => {
  const { token } = await testOperator(deps, 'owner')
  for (const [key] of entries) assert.equal((await send(key, requestOf(key), token, merchants)).status, 404, key)
  for (const key of Object.keys(routes)) {
    const { status } = await send(key, { params: { trade_no: '1', name: 'x', id: '1' } }, world.merchant.token)
    assert.equal(status, 404, key)
  }
  for (const path of ['/login', '/pay/1', '/docs', '/metrics', '/healthz', '/sandbox', '/operator.html', '/index.html'])
    assert.equal((await send(`GET ${path}`, {})).status, 404, path)
  assert.equal((await send('GET /operator.html', {}, undefined, merchants)).status, 404)
})

test('applies a changed role to the next call of an operator, and refuses one who was removed', async () => {
  const { id, token } = await testOperator(deps, 'owner')
  const change = () =>
    send('PUT /api/operator/v1/operators/:id', requestOf('PUT /api/operator/v1/operators/:id'), token)
  assert.equal((await change()).status, 200)
  await changeRole(deps, { id, role: 'viewer' })
  assert.equal((await change()).status, 403)
  await removeOperator(deps, { id })
  assert.equal((await change()).status, 401)
})

test('no GET changes anything', async t => {
  const { token } = await testOperator(deps, 'owner')
  const options = `${appRoleConnectionOptions} -c default_transaction_read_only=on`
  const pool = new pg.Pool({ connectionString: deps.url, max: 3, options })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const reading = await makeConsoleApp({ ...deps, pool, pools: { jobs: pool, chains: pool, probes: pool } })
  t.after(() => reading.close())
  for (const [key] of entries.filter(([each]) => each.startsWith('GET '))) {
    const { status, text } = await send(key, requestOf(key), token, reading)
    assert.equal(status, 200, `${key}: ${text.slice(0, 300)}`)
  }
})

const oddTexts = ['x\u0000y', 'x\u202egnp.exe', 'x\ud800y', "'; drop table operators; --", 'x'.repeat(20_000), '']
const oddNames = ['-1', '1e400', '9223372036854775808', '../../etc/passwd', '%00']
const oddValues = [-1, 0, 2 ** 53, 1.5, null, true, [], ['x'], {}]
const hostile: unknown[] = [...oddTexts, ...oddNames, ...oddValues]

test('answers hostile input in any field of any call without an internal error, and unknown fields with 422', async () => {
  const { token } = await testOperator(deps, 'owner')
  for (const [key, { auth, body, query }] of entries) {
    if (auth === 'pending' || key === 'DELETE /api/operator/v1/session') continue
    const request = requestOf(key)
    if (body) {
      assert.equal((await send(key, { ...request, body: { ...request.body, unknown: 1 } }, token)).status, 422, key)
      for (const raw of ['[]', '"text"', '7', '{'])
        assert.equal((await send(key, { ...request, raw }, token)).status, 422)
    }
    const tries = hostile.flatMap(value => [
      ...Object.keys(request.body ?? {}).map(name => ({ ...request, body: { ...request.body, [name]: value } })),
      ...Object.keys(request.params ?? {}).map(name => ({
        ...request,
        params: { ...request.params, [name]: value as string },
      })),
      ...Object.keys(query?.shape ?? {}).map(name => ({
        ...request,
        query: { ...request.query, [name]: value as string },
      })),
    ])
    for (const each of tries) {
      const { status, text } = await send(key, each, token)
      assert.ok(status < 500, `${key} ${JSON.stringify(each).slice(0, 200)}: ${status} ${text}`)
    }
  }
})

test('names price sources that are silent before their prices are too old for orders', async t => {
  const { token } = await testOperator(deps, 'support')
  const now = deps.clock()
  await world.owner.query(
    `insert into prices (symbol, source, price, at) values ('ETH', 'okx', '1', $1), ('EUR', 'okx', '1', $1 - 900),
    ('ETH', 'ecb', '1', $1 - 121)`,
    [now],
  )
  const ask = async (path: string) => (await send(`GET ${prefix}${path}`, {}, token)).json().data
  t.after(() => Object.assign(deps.prices, { sources: [], since: 0 }))
  Object.assign(deps.prices, { sources: ['okx', 'kraken'], since: now - 120 })
  assert.deepEqual((await ask('today')).silent_prices, [{ source: 'ecb', time: now - 121 }])
  Object.assign(deps.prices, { since: now - 121 })
  const silent = [
    { source: 'ecb', time: now - 121 },
    { source: 'kraken', time: 0 },
  ]
  assert.deepEqual((await ask('today')).silent_prices, silent, 'one that never answered, after two minutes')
  const { prices } = await ask('queues')
  assert.deepEqual(prices.map((each: { source: string; silent: boolean }) => [each.source, each.silent]).sort(), [
    ['ecb', true],
    ['kraken', true],
    ['okx', false],
  ])
})

test('answers, closes and reopens a work order: found by what is in it, in the log', async () => {
  const { token, email } = await testOperator(deps, 'support')
  const ask = async (key: string, given: TestRequest = {}) =>
    (await send(key.replace(' ', ` ${prefix}`), given, token)).json()
  const request = { type: 'other', theme: 'Not here', description: 'See picture' } as const
  const id = await createWorkOrder(deps, { merchantId: world.merchant.id, ...request, pictures: [] })
  const found = async (query: Record<string, string>): Promise<string[]> =>
    (await ask('GET work-orders', { query: { pageSize: '100', ...query } })).data.list.map(
      (row: { number: string }) => row.number,
    )
  for (const query of [{ text: id }, { text: world.merchant.mchid }, { status: '1' }] as Record<string, string>[])
    assert.ok((await found(query)).includes(id), JSON.stringify(query))
  for (const query of [{ text: '%' }, { status: '3' }, { type: 'billing' }] as Record<string, string>[])
    assert.ok(!(await found(query)).includes(id), JSON.stringify(query))
  const params = { id }
  const waiting: number = (await ask('GET today')).data.work_orders
  await ask('POST work-orders/:id/answer', { params, body: { text: 'Sent again' } })
  assert.equal((await ask('GET today')).data.work_orders, waiting - 1)
  await ask('POST work-orders/:id/close', { params })
  assert.equal((await ask('POST work-orders/:id/answer', { params, body: { text: 'Late' } })).code, 10127)
  await ask('POST work-orders/:id/reopen', { params })
  const { data } = await ask('GET work-orders/:id', { params })
  assert.deepEqual([data.status, data.messages.map((each: { operator: string }) => each.operator)], [1, ['', email]])
  const [reopened, refused, closed, answered] = (await readOperatorActions(deps, { text: id })).list
  assert.deepEqual(
    [reopened!.before?.status, reopened!.after?.status, refused!.outcome, closed!.after?.status, answered!.after?.text],
    ['closed', 'in_progress', 'refused', 'closed', 'Sent again'],
  )
})

test('records who changed what, before and after, refusals and refused sign-ins', async () => {
  const other = await testOperator(deps, 'owner')
  const { token, email } = await testOperator(deps, 'owner')
  const changed = await testOperator(deps, 'viewer')
  const key = 'PUT /api/operator/v1/operators/:id'
  for (const owner of [other.token, token])
    await send(key, { params: { id: changed.id }, body: { role: 'support' } }, owner)
  await send(key, { params: { id: 'nobody' }, body: { role: 'support' } }, token)
  await send('POST /api/operator/v1/public/login', {
    body: { email, password: Buffer.from('Wrong1Horse').toString('base64') },
  })
  const [failed, refused, done] = (await readOperatorActions(deps, {})).list
  assert.deepEqual([failed!.who, failed!.action, failed!.reason], [email, 'login', 'wrong_credentials'])
  assert.deepEqual([refused!.outcome, refused!.reason], ['refused', 'operator_not_exist'])
  assert.deepEqual(
    [done!.who, done!.action, done!.subject, done!.outcome],
    [email, 'PUT operators/:id', changed.id, 'done'],
  )
  assert.deepEqual([done!.before?.role, done!.after?.role], ['viewer', 'support'])
})
