import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type RouteKey } from '@coffer/contract'
import { btcpayRefundPermission } from '@coffer/contract/codes/shops.ts'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { mailedProof, testApplication, testMerchant } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'

const deps = await withDeps({ after })
const { owner } = deps
const app = await makeApp(deps)
after(() => app.close())

const whitelist = { ip_whitelist_enabled: true, ip_whitelist: ['203.0.113.7', '203.0.113.8'] }

/** A shop whose only member has a role, with an application whose key has these rights. */
async function shopWith(role: string, rights: object) {
  const { id: merchantId, token } = await testMerchant(deps, { password_hash: null })
  const { appid } = await testApplication(deps, merchantId, {
    ...whitelist,
    ...rights,
    notify_url: 'https://a.example/',
  })
  await setTestRole(owner, { personId: merchantId, merchantId, role, now: deps.clock() })
  const send = async (key: RouteKey, body: Record<string, unknown>) => {
    deps.pass(60)
    const [method = '', url = ''] = key.split(' ')
    const proof = await mailedProof(deps, merchantId, key.endsWith('notify-url') ? 11 : undefined)
    const headers = { 'x-token': token }
    const answer = await app.inject({ method: method as 'POST', url, headers, payload: { ...body, proof } })
    return {
      status: answer.statusCode,
      code: answer.json().code as number,
      data: answer.json().data,
      text: answer.body,
    }
  }
  const rows = () =>
    rowsOf(
      owner,
      `select a::text as row from applications a where merchant_id = $1 union all
       select e::text from webhook_endpoints e where merchant_id = $1 union all
       select s::text from shop_connections s where merchant_id = $1`,
      [merchantId],
    )
  return { appid, send, rows, merchantId }
}

/** What an owner does with a key that moves money, and a developer does with other keys. */
const guarded = (appid: string): [RouteKey, object][] => [
  ['PUT /api/v1/user/secret-key/refresh-google-secret', { appid, target: 'secret_key', keep_seconds: 86_400 }],
  ['PUT /api/v1/user/secret-key/refresh-google-secret', { appid, target: 'webhook_secret' }],
  ['PUT /api/v1/user/secret-key/notify-url', { appid, notify_url: 'https://93.184.216.34/' }],
  ['PUT /api/v1/user/secret-key/notify-url', { appid, notify_url: '' }],
  ['PUT /api/v1/user/secret-key/rates', { appid, spread: '1', sources: ['market'], fixed: [], own: [] }],
  ['POST /api/v1/user/webhook-endpoint', { appid, url: 'https://93.184.216.34/two' }],
  ['POST /api/v1/user/shop', { appid, protocol: 'epay' }],
  ['PUT /api/v1/user/secret-key', { appid, ip_whitelist: [...whitelist.ip_whitelist, '198.51.100.1'] }],
  ['PUT /api/v1/user/secret-key', { appid, settings_allowed: true }],
  ['PUT /api/v1/user/secret-key', { appid, status: 2 }],
  ['PUT /api/v1/user/secret-key', { appid, status: 1 }],
]
const isOpen = (body: object) => 'status' in body && body.status === 2

for (const right of ['refunds_allowed', 'payouts_allowed', 'marks_allowed', 'members_allowed'])
  test(`a developer holds nothing of a key with ${right}, and may end what it does`, async () => {
    const { appid, send, rows } = await shopWith('developer', { [right]: true })
    for (const [key, body] of guarded(appid)) {
      const before = await rows()
      const answer = await send(key, { ...body })
      assert.deepEqual([key, answer.status], [key, isOpen(body) ? 200 : 403], answer.text)
      if (!isOpen(body)) assert.deepEqual(await rows(), before, key)
    }
    for (const body of [{ ip_whitelist: ['203.0.113.7'] }, { name: 'Renamed' }, { [right]: false }])
      assert.equal((await send('PUT /api/v1/user/secret-key', { appid, ...body })).status, 200, JSON.stringify(body))
    const gives = await send('PUT /api/v1/user/secret-key', { appid, [right]: true })
    assert.deepEqual([gives.status, gives.code], [403, 403], gives.text)
  })

test('a developer makes keys that move no money, and no others', async () => {
  const { send, rows } = await shopWith('developer', {})
  const before = await rows()
  for (const right of ['refunds_allowed', 'payouts_allowed', 'marks_allowed', 'members_allowed']) {
    const answer = await send('POST /api/v1/user/secret-key', { name: right, ...whitelist, [right]: true })
    assert.equal(answer.status, 403, answer.text)
  }
  assert.deepEqual(await rows(), before)
  const rights = { read_allowed: true, orders_allowed: true, settings_allowed: true }
  assert.equal((await send('POST /api/v1/user/secret-key', { name: 'Plain', ...rights })).status, 200)
})

test('a developer changes keys that move no money; an owner all', async () => {
  for (const [role, rights] of [
    ['developer', {}],
    ['owner', { refunds_allowed: true, payouts_allowed: true, marks_allowed: true, members_allowed: true }],
  ] as const) {
    const { appid, send } = await shopWith(role, rights)
    for (const [key, body] of guarded(appid)) {
      const answer = await send(key, { ...body })
      assert.equal(answer.status, 200, `${role}, ${key}: ${answer.text}`)
    }
  }
})

test('a developer connects no shop that may refund, and holds no key of one', async () => {
  const { appid, send } = await shopWith('developer', {})
  const refunds = { appid, protocol: 'btcpay', permissions: [btcpayRefundPermission] }
  assert.equal((await send('POST /api/v1/user/shop', refunds)).status, 403)
  const { data } = await send('POST /api/v1/user/shop', { appid, protocol: 'btcpay' })
  assert.equal((await send('PUT /api/v1/user/shop/key', { id: data.id })).status, 200)
  for (const change of [
    {
      sql: 'update shop_connections set permissions = array[$2] where id = $1',
      values: [data.id, btcpayRefundPermission],
    },
    { sql: 'update applications set refunds_allowed = true where appid = $1', values: [appid] },
  ]) {
    await owner.query(change.sql, change.values)
    assert.equal((await send('PUT /api/v1/user/shop/key', { id: data.id })).status, 403, change.sql)
    await owner.query(`update shop_connections set permissions = '{}'`)
  }
  assert.equal((await send('DELETE /api/v1/user/shop', { id: data.id })).status, 200)
})

test('an owner gives rights only to a key whose secrets owners made', async () => {
  const { appid, send, rows, merchantId } = await shopWith('owner', {})
  const { personId } = await testMember(deps, owner, { merchantId, role: 'developer' })
  const made = (by: string, previousBy = '', until = 0) =>
    owner.query(
      `update applications set secret_by = $2, previous_secret_by = $3, previous_key_until = $4::bigint,
         previous_key_hash = case when $4::bigint > 0 then sha256('previous') end where appid = $1`,
      [appid, by, previousBy, until],
    )
  const give = (right: string) => send('PUT /api/v1/user/secret-key', { appid, [right]: true })
  const rights = ['refunds_allowed', 'payouts_allowed', 'marks_allowed', 'members_allowed']
  const later = deps.clock() + 604_800
  const others: Parameters<typeof made>[] = [
    [personId],
    [merchantId, personId, later],
    [personId, merchantId, later],
    [''],
  ]
  for (const makers of others) {
    await made(...makers)
    const before = await rows()
    for (const right of rights) {
      const answer = await give(right)
      assert.deepEqual([answer.status, answer.code], [403, errors.secret_of_no_owner.code], answer.text)
    }
    assert.deepEqual(await rows(), before)
    // What takes no owner, and what takes rights away, stays open.
    for (const body of [{ settings_allowed: true }, { settings_allowed: false }, { refunds_allowed: false }])
      assert.equal((await send('PUT /api/v1/user/secret-key', { appid, ...body })).status, 200)
  }
  const renewed = await send('PUT /api/v1/user/secret-key/refresh-google-secret', { appid, target: 'secret_key' })
  assert.equal(renewed.status, 200, renewed.text)
  for (const right of rights) assert.equal((await give(right)).status, 200, right)
  // The replaced secret has ended by then.
  for (const right of rights) await send('PUT /api/v1/user/secret-key', { appid, [right]: false })
  await made(merchantId, personId, deps.clock())
  assert.equal((await give('payouts_allowed')).status, 200)
})

test('who made a secret may lose the role while an owner gives its key rights', async () => {
  const { appid, send, merchantId } = await shopWith('owner', {})
  const { personId } = await testMember(deps, owner, { merchantId, role: 'owner' })
  await owner.query('update applications set secret_by = $2 where appid = $1', [appid, personId])
  const demotion = await owner.connect()
  try {
    await demotion.query('begin')
    await demotion.query(`update members set role = 'developer' where person_id = $1 and merchant_id = $2`, [
      personId,
      merchantId,
    ])
    const answer = send('PUT /api/v1/user/secret-key', { appid, payouts_allowed: true })
    await untilBlocked(owner)
    await demotion.query('commit')
    assert.equal((await answer).code, errors.secret_of_no_owner.code)
  } finally {
    demotion.release()
  }
})
