import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  emailCodePurpose,
  limits,
  merchantStatus,
  notificationType,
  paymentStatus,
  workOrderStatus,
} from '@coffer/contract'
import { breakOnce } from '../../testing/break.ts'
import { call } from '../../testing/call.ts'
import { type TestDeps, withDeps } from '../../testing/deps.ts'
import {
  codeIn,
  mailedProof,
  ownerOf,
  password,
  testApplication,
  testMerchant,
  visitor,
} from '../../testing/merchants.ts'
import { authenticateKey } from '../applications/authenticate-key.ts'
import { sendEmailCode } from '../identity/codes/send-code.ts'
import type { Proof } from '../identity/proofs/check-proof.ts'
import { identityHandlers } from '../identity/routes.ts'
import { authenticateSession, endOtherSessions, listSessions } from '../identity/sessions/sessions.ts'
import { login } from '../identity/sign-in/login.ts'
import { linkIdentity } from '../identity/store.ts'
import { merchantById } from '../merchants/store.ts'
import { replyToWorkOrder } from '../work-orders/change-order.ts'
import { readWorkOrder } from '../work-orders/store.ts'
import { closeAccount, readAccountClosingObstacles } from './close-account.ts'
import { editProfile } from './edit-profile.ts'
import { freezeMerchant, unfreezeMerchant } from './freeze-merchant.ts'
import { addMerchantNote, askForDocuments, readMerchantFile } from './merchant-file.ts'
import { requestMerchantPermission } from './request-merchant-permission.ts'
import { advanceMerchantReview, approveMerchant, refuseMerchant } from './review-merchant.ts'

const from = visitor
const profile = {
  name: 'Ann & Co',
  time_zone: 'Asia/Shanghai',
  address: { street: '1 Main Street', city: 'Springfield', country: 'US' },
  socials: { telegram: '@ann', twitter: '', facebook: '' },
  website: 'https://example.com',
}
const opening = { ...profile, phone: '5551234567', area_code: '+1' }
const userInfo = (deps: TestDeps, merchantId: string) =>
  call(identityHandlers, 'GET /api/v1/user/info', deps, merchantId)
const events = async (deps: Awaited<ReturnType<typeof withDeps>>) =>
  (await deps.owner.query<{ type: string }>('select type from audit_log order by created_at, seq')).rows.map(
    r => r.type,
  )

test('user info names the fee, which may be the merchant’s own, and whether the server is a sandbox', async t => {
  for (const mode of ['production', 'sandbox'] as const) {
    const deps = await withDeps(t, { config: { mode, feeBps: 40 } })
    const { id } = await testMerchant(deps)
    const before = await userInfo(deps, id)
    await deps.owner.query('update merchants set fee_bps = 70 where id = $1', [id])
    const after = await userInfo(deps, id)
    assert.deepEqual([before.fee_bps, after.fee_bps, after.sandbox], [40, 70, mode === 'sandbox'])
  }
})

test('merchant permission is requested once, audited twice, refused, requested again and approved', async t => {
  const deps = await withDeps(t)
  const { id: merchantId, email } = await testMerchant(deps, { status: merchantStatus.not_opened })
  const ask = () => requestMerchantPermission(deps, { ...opening, merchantId, from })
  const status = async () => (await userInfo(deps, merchantId)).status
  await assert.rejects(approveMerchant(deps, { merchantId }), { reason: 'not_applied' })
  assert.equal(await status(), merchantStatus.not_opened)
  const clicks = await Promise.allSettled([ask(), ask()])
  assert.deepEqual(clicks.map(click => click.status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(ask(), { reason: 'account_under_review' })
  await advanceMerchantReview(deps, { merchantId, who: 'ann@example.com' })
  assert.equal(await status(), merchantStatus.advanced_audit)
  await assert.rejects(advanceMerchantReview(deps, { merchantId }), { reason: 'operation_failed' })
  await assert.rejects(ask(), { reason: 'account_under_review' })
  await refuseMerchant(deps, { merchantId, who: 'bo@example.com', reason: 'The website does not load' })
  const info = await userInfo(deps, merchantId)
  assert.deepEqual([info.status, info.audit_reason], [merchantStatus.failed_audit, 'The website does not load'])
  await deps.delivered()
  assert.equal(deps.mails.at(-1)?.to, email)
  assert.match(deps.mails.at(-1)?.text ?? '', /website does not load/)
  await assert.rejects(refuseMerchant(deps, { merchantId, reason: '' }), { reason: 'operation_failed' })
  const order = await askForDocuments(deps, { merchantId, who: 'bo@example.com', text: 'An extract, please' })
  const { number, status: state, unread } = (await readWorkOrder(deps.pool, merchantId, order))!
  assert.deepEqual([number, state, unread], [order, workOrderStatus.answered, true])
  await deps.delivered()
  assert.match(deps.mails.at(-1)?.text ?? '', /An extract, please/)
  await replyToWorkOrder(deps, { merchantId, number, text: 'Here it is', pictures: [] })
  await addMerchantNote(deps, { merchantId, who: 'cy@example.com', text: 'Seems well' })
  const website = 'https://shop.example'
  assert.deepEqual(await requestMerchantPermission(deps, { ...opening, website, merchantId, from }), {
    status: merchantStatus.primary_audit,
  })
  const file = await readMerchantFile(deps.pool, merchantId)
  assert.deepEqual(
    file.map(({ what, who, text, changes, work_order }) => [what, who, text, changes.length, work_order]),
    [
      ['applied', '', '', 1, ''],
      ['noted', 'cy@example.com', 'Seems well', 0, ''],
      ['documents_requested', 'bo@example.com', 'An extract, please', 0, order],
      ['refused', 'bo@example.com', 'The website does not load', 0, ''],
      ['advanced', 'ann@example.com', '', 0, ''],
      ['applied', '', '', 7, ''],
    ],
  )
  assert.deepEqual(file[0]?.changes, [{ fact: 'website', from: 'https://example.com', to: website }])
  await approveMerchant(deps, { merchantId })
  assert.equal(await status(), merchantStatus.approved)
  for (const again of [
    ask,
    () => approveMerchant(deps, { merchantId }),
    () => refuseMerchant(deps, { merchantId, reason: '' }),
  ])
    await assert.rejects(again(), { reason: 'account_opened' })
  const reported = await deps.owner.query(
    `select message from notifications where types = ${notificationType.account} order by created_at, id`,
  )
  assert.deepEqual(
    reported.rows.map(row => row.message),
    ['account_advanced', 'account_refused', 'work_order_documents', 'account_approved'],
  )
})

test('the phone of a request is stored unverified and does not replace a bound one', async t => {
  const deps = await withDeps(t)
  const first = await testMerchant(deps, { status: merchantStatus.not_opened })
  await requestMerchantPermission(deps, { ...opening, merchantId: first.id, from })
  const info = await userInfo(deps, first.id)
  assert.deepEqual([info.phone, info.area_code, info.security_switch], ['5551234567', '1', ['email']])
  const second = await testMerchant(deps, {
    status: merchantStatus.not_opened,
    phone: '999999',
    area_code: '44',
    phone_verified: true,
  })
  await requestMerchantPermission(deps, { ...opening, merchantId: second.id, from })
  assert.equal((await userInfo(deps, second.id)).phone, '999999')
  const third = await testMerchant(deps, { status: merchantStatus.not_opened })
  const half = { ...opening, merchantId: third.id, area_code: '', from }
  await assert.rejects(requestMerchantPermission(deps, half), { reason: 'phone_and_area_code' })
})

test('after a crash during a review, the merchant is still under review', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps, { status: merchantStatus.primary_audit })
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into notifications/) }
  await assert.rejects(approveMerchant(broken, { merchantId }), /killed here/)
  assert.equal((await merchantById(deps.pool, merchantId))?.status, merchantStatus.primary_audit)
  await deps.delivered()
  assert.ok(!deps.mails.some(mail => /is open/.test(mail.subject)))
  await approveMerchant(deps, { merchantId })
})

test('a freeze stops sessions and sign-ins; lifting it ends the sessions; repeating it does nothing', async t => {
  const deps = await withDeps(t)
  const { id: merchantId, email, token } = await testMerchant(deps)
  await Promise.all([freezeMerchant(deps, { merchantId }), freezeMerchant(deps, { merchantId })])
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'session_frozen' })
  await assert.rejects(authenticateSession(deps, { token, pending: true }), { reason: 'login_expired' })
  await assert.rejects(login(deps, { email, password, from }), { reason: 'account_frozen' })
  await unfreezeMerchant(deps, { merchantId })
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
  await login(deps, { email, password, from })
  assert.deepEqual(await events(deps), ['login', 'frozen', 'unfrozen', 'login'])
  await assert.rejects(freezeMerchant(deps, { merchantId: 'none' }), { reason: 'merchant_not_exist' })
})

test('a frozen merchant reads at the sign-in and on an open page what operators allow, and where to write to', async t => {
  const deps = await withDeps(t, { config: { contact: 'help@example.com' } })
  const { id: merchantId, email } = await testMerchant(deps)
  const detailOf = async (freeze: { reason: string; show_reason?: boolean }) => {
    const { token } = await login(deps, { email, password, from })
    await freezeMerchant(deps, { merchantId, who: 'ann@example.com', ...freeze })
    const refused = await login(deps, { email, password, from }).catch(error => error)
    const open = await authenticateSession(deps, { token, pending: false }).catch(error => error)
    assert.deepEqual([open.reason, open.detail], ['session_frozen', refused.detail])
    deps.pass(limits.sessionIdleSeconds)
    await assert.rejects(
      authenticateSession(deps, { token, pending: false }),
      { reason: 'login_expired' },
      'an old token',
    )
    await unfreezeMerchant(deps, { merchantId })
    assert.equal(refused.reason, 'account_frozen')
    return refused.detail.en
  }
  assert.equal(await detailOf({ reason: 'police asked' }), 'write to help@example.com')
  await deps.delivered()
  assert.ok(!/police/.test(deps.mails.map(mail => mail.text).join()))
  assert.equal(await detailOf({ reason: 'Chargebacks', show_reason: true }), 'Chargebacks; write to help@example.com')
  await deps.delivered()
  assert.match(deps.mails.at(-2)?.text ?? '', /Chargebacks; write to help@example.com/)
  assert.equal((await merchantById(deps.pool, merchantId))?.frozen_reason, '')
  const [last, first] = await readMerchantFile(deps.pool, merchantId)
  assert.deepEqual([last?.what, first?.what, first?.who], ['unfrozen', 'frozen', 'ann@example.com'])
})

test('only the given fields of the profile change', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const rename = (proof?: Proof) =>
    editProfile(deps, { merchantId, changes: { name: 'New', website: undefined }, proof, from })
  await assert.rejects(rename(), { reason: 'proof_needed' }, 'payers see the name')
  await rename(await mailedProof(deps, merchantId, emailCodePurpose.application))
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.subject, /name, logo or website that your payers see/)
  await rename()
  await editProfile(deps, { merchantId, changes: { address: profile.address }, from })
  await editProfile(deps, { merchantId, changes: {}, from })
  const info = await userInfo(deps, merchantId)
  assert.deepEqual([info.name, info.address, info.website], ['New', profile.address, ''])
  assert.equal((await userInfo(deps, other.id)).name, 'Test merchant')
})

test('sessions are listed without secrets, and all others can be ended', async t => {
  const deps = await withDeps(t)
  const { email, token, session } = await testMerchant(deps)
  await testMerchant(deps)
  deps.pass(60)
  const { token: second } = await login(deps, { email, password, from })
  const list = await listSessions(deps, session)
  assert.deepEqual(
    list.map(({ current, device, ip }) => ({ current, device, ip })),
    [
      { current: false, device: 'Firefox, Linux', ip: '203.0.113.7' },
      { current: true, device: 'Firefox, Linux', ip: '203.0.113.7' },
    ],
  )
  assert.ok(!JSON.stringify(list).includes('hash'))
  assert.equal(await endOtherSessions(deps, session, from), 1)
  assert.equal(await endOtherSessions(deps, session, from), 0)
  await assert.rejects(authenticateSession(deps, { token: second, pending: false }), { reason: 'login_expired' })
  await authenticateSession(deps, { token, pending: false })
  deps.pass(1_800)
  assert.deepEqual(await listSessions(deps, session), [])
})

async function closing(deps: TestDeps, merchantId: string): Promise<Proof> {
  await sendEmailCode(deps, { purpose: 12, email: undefined, session: ownerOf(merchantId), from })
  return { method: 'email', code: codeIn(deps.mails.at(-1)) }
}

test('closing an account ends all access, keeps records, and frees the email', async t => {
  const deps = await withDeps(t)
  const { id: merchantId, email, token } = await testMerchant(deps)
  assert.ok(await linkIdentity(deps.owner, 'google', 'sub', merchantId, deps.clock()))
  const { key } = await testApplication(deps, merchantId)
  const proof = await closing(deps, merchantId)
  const broken = { ...deps, pool: breakOnce(deps.pool, /update merchants/) }
  await assert.rejects(closeAccount(broken, { merchantId, proof, from }), /killed here/)
  await authenticateSession(deps, { token, pending: false })
  const clicks = await Promise.allSettled([
    closeAccount(deps, { merchantId, proof, from }),
    closeAccount(deps, { merchantId, proof, from }),
  ])
  assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
  await assert.rejects(login(deps, { email, password, from }), { reason: 'wrong_credentials' })
  await assert.rejects(authenticateKey(deps, { key, ip: '203.0.113.9' }), { reason: 'bad_key' })
  assert.equal((await deps.owner.query('select 1 from merchants')).rowCount, 1)
  const { id: next } = await testMerchant(deps, { email })
  assert.ok(await linkIdentity(deps.owner, 'google', 'sub', next, deps.clock()))
})

test('an account with a balance or an open payment cannot be closed', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const proof = await closing(deps, merchantId)
  const close = () => closeAccount(deps, { merchantId, proof, from })
  await deps.owner.query(
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount,
       tolerance_permille, mixed_payment, created_at, expire_at)
     values ($1, '1', 'app', '1', '', 1, 1, 0, true, 0, 0)`,
    [merchantId],
  )
  const blockedBy = async () => (await readAccountClosingObstacles(deps, merchantId)).blocked_by
  assert.deepEqual(await blockedBy(), ['payments'])
  await assert.rejects(close(), { reason: 'account_not_empty' })
  await deps.owner.query(`update payments set status = ${paymentStatus.paid}`)
  await deps.owner.query(`insert into chains (id, kind, definition) values ('c', 'evm', '{}')`)
  await deps.owner.query(`insert into assets (id, chain_id, symbol, decimals) values ('a', 'c', 'USDT', 6)`)
  await deps.owner.query(
    `insert into ledger_accounts (id, merchant_id, part, asset_id, balance) values ($1 || '/available/a', $1, 'available', 'a', 1000000)`,
    [merchantId],
  )
  assert.deepEqual(await blockedBy(), ['balance'])
  await assert.rejects(close(), { reason: 'account_not_empty' })
  await assert.rejects(closeAccount(deps, { merchantId, proof, forfeit: true, from }), { reason: 'account_not_empty' })
  await deps.owner.query('update ledger_accounts set balance = 0')
  await close()
})

test('an account closes with a balance too small to be withdrawn, once that is given up; it stays booked', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const proof = await closing(deps, merchantId)
  await deps.owner.query(`insert into chains (id, kind, definition) values ('c', 'evm', '{"name":"Chain"}')`)
  await deps.owner.query(
    `insert into assets (id, chain_id, symbol, decimals, contract) values ('a', 'c', 'USDT', 6, '0xa'), ('b', 'c', 'X', 6, '0xb')`,
  )
  const book = (asset: string, part: string, balance: number) =>
    deps.owner.query(
      `insert into ledger_accounts (id, merchant_id, part, asset_id, balance) values ($1, $2, $3, $4, $5)
       on conflict (id) do update set balance = excluded.balance`,
      [`${merchantId}/${part}/${asset}`, merchantId, part, asset, balance],
    )
  // "Max" of a withdrawal leaves one unit, because an amount must be less than the balance.
  await book('a', 'available', 1)
  const dust = [{ token: 'USDT', chain: 'Chain', amount: '0.000001' }]
  assert.deepEqual(await readAccountClosingObstacles(deps, merchantId), { blocked_by: [], dust })
  await book('a', 'held', 1)
  assert.deepEqual(
    (await readAccountClosingObstacles(deps, merchantId)).blocked_by,
    ['balance'],
    'what is on its way out',
  )
  await book('a', 'held', 0)
  await book('b', 'available', 1)
  assert.deepEqual((await readAccountClosingObstacles(deps, merchantId)).blocked_by, ['balance'], 'what has no price')
  await book('b', 'available', 0)
  await assert.rejects(closeAccount(deps, { merchantId, proof, from }), { reason: 'account_not_empty' })
  await closeAccount(deps, { merchantId, proof, forfeit: true, from })
  const { rows } = await deps.owner.query(
    `select (select balance::int from ledger_accounts where asset_id = 'a' and part = 'available') as booked,
       (select subject from audit_log where type = 'closed') as audited`,
  )
  assert.deepEqual(rows, [{ booked: 1, audited: '0.000001 USDT Chain' }])
})
