import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ErrorName, errors } from '@coffer/contract'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { makeApp } from '../../serve.ts'
import { breakOnce } from '../../testing/break.ts'
import { testApplication, testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, moneyWorld, rowsOf } from '../../testing/money.ts'
import { changeApplicationByKey } from './change-application.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant } = world
const app = await makeApp(deps)
after(() => app.close())
const before = 'https://shop.example/before'
const next = 'https://shop.example/next'

let shops = 0
/** A shop whose key may change settings, unless said otherwise. */
const newShop = (settings: object = { settings_allowed: true }, merchantId = merchant.id) =>
  testApplication(deps, merchantId, { name: `Shop ${++shops}`, notify_url: before, ...settings })
async function call(key: string, payload?: object, click = '') {
  const headers = { authorization: `Bearer ${key}`, ...(click && { 'idempotency-key': click }) }
  const method = payload ? 'POST' : 'GET'
  return (await app.inject({ method, url: '/api/v1/pay/application', headers, ...(payload && { payload }) })).json()
}
const entries = async (appid: string) =>
  (await rowsOf(owner, 'select type from audit_log where subject = $1 order by seq', [appid])).map(row => row.type)
const stored = (appid: string) => firstRow(owner, 'select * from applications where appid = $1', [appid])
const isRefused = async (key: string, payload: object, ...names: ErrorName[]) =>
  assert.ok(names.map(name => errors[name].code as number).includes((await call(key, payload)).code), names.join())

test('a key reads its application, and changes once where callbacks go', async () => {
  const { key, appid } = await newShop()
  const other = await newShop()
  const { data: own } = await call(key)
  assert.deepEqual([own.appid, own.notify_url, own.settings_allowed], [appid, before, true])
  assert.ok(!['key', 'ip_whitelist', 'webhook_secret', 'previous_key'].some(name => name in own), 'no secrets')
  const change = { notify_url: next, callback_events: ['payment.paid'], remark: 'set by the shop' }
  for (const click of ['one', 'one', '', '']) {
    const { code, data } = await call(key, change, click && `${click}-${appid}`)
    assert.deepEqual([code, data], [200, { ...own, ...change }])
  }
  assert.deepEqual(await entries(appid), ['notify_url_changed'])
  await call(key, { remark: 'another' })
  assert.deepEqual(await entries(appid), ['notify_url_changed', 'application_changed'])
  assert.equal((await call(key, { notify_url: '' })).data.notify_url, '')
  assert.equal((await stored(other.appid)).notify_url, before)
})

test('a key without the right changes nothing: it is off for new and existing keys', async () => {
  const { key, appid } = await newShop({})
  const row = await stored(appid)
  for (const payload of [{ notify_url: next }, { remark: 'x' }, {}])
    await isRefused(key, payload, 'settings_not_allowed')
  const foreign = await newShop({ settings_allowed: true }, (await testMerchant(deps)).id)
  assert.equal((await call(foreign.key, { notify_url: next })).data.appid, foreign.appid)
  assert.deepEqual(await stored(appid), row)
})

test('a key changes no right, rate, secret or whitelist, and nothing that payers see or that counts as paid', async () => {
  const { key, appid } = await newShop()
  const row = await stored(appid)
  const forbidden = {
    settings_allowed: true,
    marks_allowed: true,
    payouts_allowed: true,
    status: 1,
    appid: 'app_other',
    ip_whitelist: ['203.0.113.7'],
    ip_whitelist_enabled: false,
    rates: {},
    spread: '0',
    key: 'sk_live_x',
    tolerance_permille: 50,
    mixed_payment: true,
    payment_mode: 2,
    name: 'Payee',
    website: next,
    logo: 'x',
    embed_origins: [],
    webhook_secret: 'whsec_x',
    opened_at: 0,
    merchant_id: 'other',
    callbacks_muted: [],
  }
  for (const [name, value] of Object.entries(forbidden))
    await isRefused(key, { notify_url: next, [name]: value }, 'parameter_error')
  await isRefused(key, { callback_events: [] }, 'parameter_error')
  await isRefused(key, { callback_events: ['payment.stolen'] }, 'parameter_error')
  await isRefused(key, { remark: 'x'.repeat(201) }, 'parameter_error')
  assert.deepEqual(await stored(appid), row)
})

test('a key sends callbacks to no internal, unencrypted or malformed URL', async () => {
  const { key, appid } = await newShop()
  const inside = ['https://127.0.0.1/', 'https://169.254.169.254/latest', 'https://[::1]/', 'https://0x7f000001/']
  for (const url of [...inside, 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/'])
    await isRefused(key, { notify_url: url }, 'url_forbidden')
  await isRefused(key, { notify_url: 'http://shop.example/' }, 'https_needed')
  const malformed = ['file:///etc/passwd', 'javascript:alert(1)', 'https://user:word@shop.example/', 'shop', 'https://']
  for (const url of [...malformed, 7, null, `https://shop.example/${'x'.repeat(500)}`])
    await isRefused(key, { notify_url: url }, 'bad_url', 'parameter_error')
  assert.equal((await stored(appid)).notify_url, before)
})

test('a right that ends meanwhile, a crash and a frozen account change nothing', async () => {
  const { key, appid } = await newShop()
  const c = await owner.connect()
  try {
    await c.query('begin')
    await c.query('update applications set settings_allowed = false where appid = $1', [appid])
    const waiting = call(key, { notify_url: next })
    await untilBlocked(owner)
    await c.query('commit')
    assert.equal((await waiting).code, errors.settings_not_allowed.code)
  } finally {
    c.release()
  }
  await owner.query('update applications set settings_allowed = true where appid = $1', [appid])
  const input = { merchantId: merchant.id, appid, settings: { notify_url: next }, from: visitor }
  await assert.rejects(changeApplicationByKey({ ...deps, pool: breakOnce(deps.pool, /audit_/) }, input), /killed here/)
  await owner.query('update merchants set frozen = true where id = $1', [merchant.id])
  await isRefused(key, { notify_url: next }, 'account_frozen')
  await assert.rejects(changeApplicationByKey(deps, input), { reason: 'account_frozen' })
  await owner.query('update merchants set frozen = false where id = $1', [merchant.id])
  assert.deepEqual([(await stored(appid)).notify_url, await entries(appid)], [before, []])
  const two = await Promise.all([next, before].map(notify_url => call(key, { notify_url, remark: notify_url })))
  assert.deepEqual(
    two.map(each => each.code),
    [200, 200],
  )
  const { notify_url, remark } = await stored(appid)
  assert.ok([next, before].includes(notify_url) && [next, before].includes(remark))
})
