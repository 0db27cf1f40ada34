import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { applicationStatus, merchantStatus, paymentMode, selectableEvents } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { breakOnce } from '../../testing/break.ts'
import { type TestDeps, withDeps } from '../../testing/deps.ts'
import { mailedProof, testApplication, testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import type { Proof } from '../identity/proofs/check-proof.ts'
import { authenticateKey } from './authenticate-key.ts'
import {
  deleteApplication,
  editApplication,
  endPreviousSecret,
  rotateApplicationSecret,
  setNotifyUrl,
} from './change-application.ts'
import { createApplication } from './create-application.ts'
import { allApplications, applicationById, webhookSecretSealPlace } from './store.ts'

const from = visitor
const ip = '203.0.113.9'
const unknown = { reason: 'application_not_exist' }

async function fresh(deps: TestDeps, merchantId: string): Promise<Proof> {
  deps.pass(60)
  return mailedProof(deps, merchantId)
}

const create = async (deps: TestDeps, merchantId: string, name: string, more = {}) =>
  createApplication(deps, { merchantId, settings: { name, ...more }, proof: await fresh(deps, merchantId), from })

test('both secrets are shown once and stored hashed or sealed', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const made = await create(deps, id, 'Shop')
  assert.match(made.secret_key, /^sk_live_[A-Za-z0-9_-]{43}$/)
  assert.match(made.webhook_secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.deepEqual(await authenticateKey(deps, { key: made.secret_key, ip }), {
    merchantId: id,
    appid: made.appid,
    paymentMode: 1,
    scopes: ['read', 'orders'],
    managesEndpoints: false,
    mayMark: false,
    madeBy: id,
    openedAt: deps.clock(),
    pricing: { rates: null, version: 0 },
    key: { hash: hashSecret(made.secret_key), ip, listedAs: ip },
  })
  const { rows } = await deps.owner.query('select a::text as row from applications a')
  assert.ok(!rows[0].row.includes(made.secret_key.slice(8)) && !rows[0].row.includes(made.webhook_secret.slice(6)))
  const stored = (await applicationById(deps.pool, id, made.appid))!
  assert.equal(deps.seal.open(stored.webhook_secret, webhookSecretSealPlace(made.appid)), made.webhook_secret)
  assert.equal(stored.key_masked, `sk_li...${made.secret_key.slice(-4)}`)
  const sandbox = { ...deps, config: { ...deps.config, mode: 'sandbox' as const } }
  assert.match((await create(sandbox, id, 'Other')).secret_key, /^sk_test_/)
})

test('only an approved merchant can create applications, at most fifty with unique names', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps, { status: merchantStatus.primary_audit })
  await assert.rejects(create(deps, id, 'Shop'), { reason: 'merchant_not_open' })
  await deps.owner.query(`update merchants set status = ${merchantStatus.approved}`)
  await create(deps, id, 'Shop')
  await assert.rejects(create(deps, id, ' shop '), { reason: 'name_duplicate', field: 'name' })
  const twice = { merchantId: id, settings: { name: 'Twice' }, proof: await fresh(deps, id), from }
  const clicks = await Promise.allSettled([createApplication(deps, twice), createApplication(deps, twice)])
  assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)
  for (let i = 2; i < limits.applicationsMax; i++) await testApplication(deps, id)
  await assert.rejects(create(deps, id, 'One more'), { reason: 'limit_reached' })
})

test('a crash during creation leaves no application and keeps the name free', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const broken = { ...deps, pool: breakOnce(deps.pool, /audit_append/) }
  await assert.rejects(create(broken, id, 'Shop'), /killed here/)
  await create(deps, id, 'Shop')
})

test("another merchant's application cannot be read, edited, rotated, redirected or deleted", async t => {
  const deps = await withDeps(t)
  const owner = await testMerchant(deps)
  const { id: merchantId } = await testMerchant(deps)
  const { appid, key } = await testApplication(deps, owner.id)
  const before = await applicationById(deps.pool, owner.id, appid)
  const proof = await mailedProof(deps, merchantId)
  assert.equal(await applicationById(deps.pool, merchantId, appid), undefined)
  await assert.rejects(editApplication(deps, { merchantId, appid, settings: { name: 'Mine' }, from }), unknown)
  await assert.rejects(
    editApplication(deps, { merchantId, appid, settings: {}, status: applicationStatus.disabled, from }),
    unknown,
  )
  await assert.rejects(deleteApplication(deps, { merchantId, appid, proof, from }), unknown)
  await assert.rejects(rotateApplicationSecret(deps, { merchantId, appid, target: 'secret_key', proof, from }), unknown)
  const notify_url = 'https://93.184.216.34/'
  await assert.rejects(setNotifyUrl(deps, { merchantId, appid, notify_url, proof, from }), unknown)
  assert.deepEqual(await applicationById(deps.pool, owner.id, appid), before)
  await authenticateKey(deps, { key, ip })
})

test('deleting an application keeps its records, frees its name and revokes its key at once', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid, secret_key: key } = await create(deps, merchantId, 'Shop')
  const proof = await fresh(deps, merchantId)
  const clicks = await Promise.allSettled([
    deleteApplication(deps, { merchantId, appid, proof, from }),
    deleteApplication(deps, { merchantId, appid, proof, from }),
  ])
  assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)
  await assert.rejects(authenticateKey(deps, { key, ip }), { reason: 'bad_key' })
  assert.equal((await deps.owner.query('select 1 from applications')).rowCount, 1)
  await create(deps, merchantId, 'Shop')
  const listed = async () => (await allApplications(deps.pool, merchantId)).map(row => row.appid)
  assert.ok(!(await listed()).includes(appid), 'without payments there is nothing to filter by')
  await deps.owner.query(
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount,
       tolerance_permille, mixed_payment, created_at, expire_at)
     values ($1, '1', $2, '1', '', 2, 1, 0, true, 0, 0)`,
    [merchantId, appid],
  )
  assert.equal((await listed()).at(-1), appid)
})

test('renewing a key revokes the old one at once, independently of the webhook secret', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid, key, webhookSecret } = await testApplication(deps, merchantId)
  const proof = () => mailedProof(deps, merchantId)
  const rotated = await rotateApplicationSecret(deps, {
    merchantId,
    appid,
    target: 'secret_key',
    proof: await proof(),
    from,
  })
  assert.deepEqual(Object.keys(rotated), ['appid', 'secret_key'])
  await assert.rejects(authenticateKey(deps, { key, ip }), { reason: 'bad_key' })
  await authenticateKey(deps, { key: rotated.secret_key!, ip })
  const again = await rotateApplicationSecret(deps, {
    merchantId,
    appid,
    target: 'webhook_secret',
    proof: await proof(),
    from,
  })
  assert.deepEqual(Object.keys(again), ['appid', 'webhook_secret'])
  assert.notEqual(again.webhook_secret, webhookSecret)
  await authenticateKey(deps, { key: rotated.secret_key!, ip })
})

test('a replaced key lives as long as the merchant chose, or until it is ended', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const { appid, key } = await testApplication(deps, merchantId)
  const target = 'secret_key'
  const rotate = async (keepSeconds: 0 | 3600 | 86400 | 604800) =>
    rotateApplicationSecret(deps, {
      merchantId,
      appid,
      target,
      keepSeconds,
      proof: await mailedProof(deps, merchantId),
      from,
    })
  const end = async (of: string) =>
    endPreviousSecret(deps, { merchantId: of, appid, target, proof: await mailedProof(deps, of), from })
  const second = (await rotate(3_600)).secret_key!
  await authenticateKey(deps, { key, ip })
  deps.pass(3_599)
  await authenticateKey(deps, { key, ip })
  deps.pass(1)
  await assert.rejects(authenticateKey(deps, { key, ip }), { reason: 'bad_key' })
  const third = (await rotate(604_800)).secret_key!
  await assert.rejects(end(stranger.id), unknown)
  await authenticateKey(deps, { key: second, ip })
  await end(merchantId)
  await end(merchantId)
  await assert.rejects(authenticateKey(deps, { key: second, ip }), { reason: 'bad_key' })
  await rotate(86_400)
  await rotate(0)
  await assert.rejects(
    authenticateKey(deps, { key: third, ip }),
    { reason: 'bad_key' },
    'a later rotation ends it at once',
  )
  const frozen = (await rotate(86_400)).secret_key!
  await deps.owner.query('update merchants set frozen = true where id = $1', [merchantId])
  await assert.rejects(authenticateKey(deps, { key: frozen, ip }), { reason: 'account_frozen' })
  await assert.rejects(end(merchantId), { reason: 'account_frozen' })
})

test('creating, renewing and deleting require a proof, with an authenticator its code', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchantId)
  const renew = { merchantId, appid, target: 'secret_key' as const, from }
  const refuse = async (proof?: Proof) => {
    const needed = { reason: 'proof_needed' }
    const settings = { name: 'Shop' }
    await assert.rejects(createApplication(deps, { merchantId, settings, proof, from }), needed)
    await assert.rejects(deleteApplication(deps, { merchantId, appid, proof, from }), needed)
    await assert.rejects(rotateApplicationSecret(deps, { ...renew, proof }), needed)
  }
  await refuse()
  const byMail = await mailedProof(deps, merchantId)
  const { code } = await testAuthenticator(deps, merchantId)
  await refuse(byMail)
  await rotateApplicationSecret(deps, { ...renew, proof: { method: 'google', code: code() } })
})

test('a refused change does not consume the code', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchantId)
  const proof: Proof = { method: 'google', code: (await testAuthenticator(deps, merchantId)).code() }
  await assert.rejects(deleteApplication(deps, { merchantId, appid: 'app_none', proof, from }), unknown)
  await deleteApplication(deps, { merchantId, appid, proof, from })
})

test('changing the callback URL requires a proof and refuses internal addresses', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchantId)
  const set = (notify_url: string, proof?: Proof) => setNotifyUrl(deps, { merchantId, appid, notify_url, proof, from })
  await assert.rejects(set('https://93.184.216.34/hook'), { reason: 'proof_needed' })
  const proof = await mailedProof(deps, merchantId)
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0x7f.1',
    'localhost',
    '2130706433',
  ]
  for (const host of inside) {
    const notify_url = `http://${host}/`
    await assert.rejects(set(notify_url, proof), { reason: 'url_forbidden', field: 'notify_url' }, host)
    const inShop = createApplication(deps, { merchantId, settings: { name: 'Shop', notify_url }, proof, from })
    await assert.rejects(inShop, { reason: 'url_forbidden' })
  }
  await assert.rejects(set('https://93.184.216.34:8443/hook', proof), { reason: 'url_forbidden', field: 'notify_url' })
  await assert.rejects(set('http://93.184.216.34/hook', proof), { reason: 'https_needed', field: 'notify_url' })
  const lenient = { ...deps, config: { ...deps.config, callbackHttp: 'allow' as const } }
  await create(lenient, merchantId, 'Lenient', { notify_url: 'http://93.184.216.34/hook' })
  const own = [{ address: '93.184.216.35' } as os.NetworkInterfaceInfo]
  t.mock.method(os, 'networkInterfaces', () => ({ eth0: own }))
  await assert.rejects(set('https://93.184.216.35/hook', proof), { reason: 'url_forbidden' })
  await set('https://93.184.216.34/hook', await fresh(deps, merchantId))
  assert.equal((await applicationById(deps.pool, merchantId, appid))?.notify_url, 'https://93.184.216.34/hook')
  const sandbox = { ...deps, config: { ...lenient.config, mode: 'sandbox' as const } }
  const local = (host: string) => create(sandbox, merchantId, host, { notify_url: `http://${host}:9000/` })
  await local('127.0.0.1')
  await assert.rejects(local('10.0.0.1'), { reason: 'url_forbidden' })
  const opened = { ...deps, config: { ...lenient.config, callbackPrivate: ['10.0.0.0/24'], callbackPorts: [9000] } }
  await create(opened, merchantId, 'Internal', { notify_url: 'http://10.0.0.1:9000/hook' })
  await assert.rejects(create(opened, merchantId, 'Beside', { notify_url: 'http://10.0.1.1/' }), {
    reason: 'url_forbidden',
  })
})

test('the events that are not chosen are stored, so that a new kind of event is sent', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const callback_events = ['payment.paid', 'payment.late'] as const
  const { appid } = await create(deps, merchantId, 'Shop', { callback_events })
  const muted = async () => (await applicationById(deps.pool, merchantId, appid))?.callbacks_muted
  assert.deepEqual(
    await muted(),
    selectableEvents.filter(event => !(callback_events as readonly string[]).includes(event)),
  )
  await editApplication(deps, {
    merchantId,
    appid,
    settings: { callback_events: selectableEvents },
    proof: await fresh(deps, merchantId),
    from,
  })
  assert.deepEqual(await muted(), [])
  await editApplication(deps, { merchantId, appid, settings: { remark: 'x' }, from })
  assert.deepEqual(await muted(), [])
})

test('a key may pay out only with a proof and an enabled whitelist, which it keeps', async t => {
  const deps = await withDeps(t)
  const { id: merchantId, email } = await testMerchant(deps)
  const { appid, secret_key } = await create(deps, merchantId, 'Shop')
  const edit = async (settings: object, proof?: Proof) =>
    editApplication(deps, { merchantId, appid, settings, proof, from })
  const allowed = { payouts_allowed: true, ip_whitelist_enabled: true, ip_whitelist: [ip] }
  for (const few of [
    { payouts_allowed: true },
    { ...allowed, ip_whitelist: [] },
    { ...allowed, ip_whitelist_enabled: false },
  ])
    await assert.rejects(edit(few), { reason: 'ip_whitelist_needed' })
  await assert.rejects(create(deps, merchantId, 'Other', { payouts_allowed: true }), { reason: 'ip_whitelist_needed' })
  await assert.rejects(edit(allowed), { reason: 'proof_needed' })
  await edit(allowed, await fresh(deps, merchantId))
  assert.equal((await authenticateKey(deps, { key: secret_key, ip })).scopes.includes('payouts'), true)
  await deps.delivered()
  assert.ok(deps.mails.some(mail => mail.to === email && mail.subject.includes('may now request withdrawals')))
  await assert.rejects(edit({ ip_whitelist_enabled: false }), { reason: 'ip_whitelist_needed' })
  await edit({ payouts_allowed: false }, await fresh(deps, merchantId))
  assert.equal((await authenticateKey(deps, { key: secret_key, ip })).scopes.includes('payouts'), false)
})

test('an application is edited field by field and may keep its own name', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const first = await create(deps, merchantId, 'First', { remark: 'kept' })
  const second = await create(deps, merchantId, 'Second')
  const edit = (appid: string, settings: object, proof?: Proof) =>
    editApplication(deps, { merchantId, appid, settings, proof, from })
  await edit(
    first.appid,
    { ip_whitelist: ['203.0.113.1'], tolerance_permille: 5, website: undefined },
    await fresh(deps, merchantId),
  )
  const stored = (await applicationById(deps.pool, merchantId, first.appid))!
  assert.deepEqual([stored.ip_whitelist, stored.tolerance_permille, stored.remark], [['203.0.113.1'], 5, 'kept'])
  await assert.rejects(edit(second.appid, { name: 'FIRST' }, await fresh(deps, merchantId)), {
    reason: 'name_duplicate',
  })
  await edit(second.appid, { name: ' second ' }, await fresh(deps, merchantId))
  await edit(second.appid, { name: ' second ' })
  await edit(second.appid, {})
})

test('settings that affect money or the key require a proof, with an authenticator its code', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const listed = { ip_whitelist_enabled: true, ip_whitelist: ['203.0.113.1'] }
  const shop = { name: 'Shop', logo: '/uploads/a.png', website: 'https://shop.example' }
  const { appid } = await testApplication(deps, merchantId, { ...shop, ...listed })
  const { code, wrong } = await testAuthenticator(deps, merchantId)
  const edit = (settings: object, status?: number, proof?: Proof) =>
    editApplication(deps, { merchantId, appid, settings, status, proof, from })
  const looser: object[] = [
    { name: 'Other' },
    { logo: '' },
    { payment_logo: '/uploads/b.png' },
    { website: 'https://evil.example' },
    { ip_whitelist_enabled: false },
    { ip_whitelist: ['203.0.113.1', '198.51.100.7'] },
    { tolerance_permille: 50 },
    { mixed_payment: false },
    { payment_mode: paymentMode.address },
    { callback_events: ['payment.paid'] },
  ]
  const before = await applicationById(deps.pool, merchantId, appid)
  for (const settings of looser)
    for (const proof of [undefined, { method: 'google', code: wrong() } as const])
      await assert.rejects(edit({ remark: 'Other', ...settings }, applicationStatus.enabled, proof), {
        reason: proof ? 'google_code_error' : 'proof_needed',
      })
  assert.deepEqual(await applicationById(deps.pool, merchantId, appid), before)
  await edit({ name: 'Shop', ...listed, tolerance_permille: 0, remark: 'same as before' }, applicationStatus.disabled)
  await edit({}, applicationStatus.disabled)
  await assert.rejects(edit({}, applicationStatus.enabled), { reason: 'proof_needed' }, 'enabling revives the key')
  deps.pass(900)
  const proof: Proof = { method: 'google', code: code() }
  await edit({ tolerance_permille: 50, name: 'Other', website: '' }, applicationStatus.enabled, proof)
  await deps.delivered()
  const { subject, text } = deps.mails.at(-1)!
  assert.match(subject, /name, logo or website that your payers see was changed/)
  assert.match(text, /Shop .*not you/s)
  await assert.rejects(edit({ tolerance_permille: 49 }, undefined, proof), { reason: 'google_code_error' })
})

test('without an authenticator, a mailed code confirms one change of settings', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchantId)
  const edit = (tolerance_permille: number, proof?: Proof) =>
    editApplication(deps, { merchantId, appid, settings: { tolerance_permille }, proof, from })
  await assert.rejects(edit(5), { reason: 'proof_needed' })
  const wrong = { reason: 'email_code_error' }
  await assert.rejects(edit(5, await mailedProof(deps, other.id)), wrong, 'the code of another merchant')
  const late = await mailedProof(deps, merchantId)
  deps.pass(600)
  await assert.rejects(edit(5, late), wrong, 'an expired code')
  const proof = await mailedProof(deps, merchantId)
  const clicks = await Promise.allSettled([edit(5, proof), edit(5, proof)])
  assert.ok(clicks.some(click => click.status === 'fulfilled'))
  await assert.rejects(edit(6, proof), wrong, 'a used code')
  assert.equal((await applicationById(deps.pool, merchantId, appid))?.tolerance_permille, 5)
  await edit(6, await mailedProof(deps, merchantId))
})
