import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantStatus } from '@coffer/contract'
import type { Refusal } from '../../../kit/refusal.ts'
import { withDeps } from '../../../testing/deps.ts'
import { codeIn, ownerOf, testMerchant, visitor } from '../../../testing/merchants.ts'
import { deleteExpiredSessions } from '../../people/sessions.ts'
import { deleteExpiredCredentials } from '../store.ts'
import { sendEmailCode, sendPhoneCode } from './send-code.ts'

const from = visitor
const anonymous = { session: null, from }

test('a code is stored as a hash keyed with the operator’s secret', async t => {
  const deps = await withDeps(t)
  await sendEmailCode(deps, { purpose: 2, email: 'ann@example.com', ...anonymous })
  const code = codeIn(deps.mails[0])
  const { rows } = await deps.owner.query('select * from verification_codes')
  assert.equal(rows.length, 1)
  assert.equal(rows[0].code_hash.length, 32)
  assert.ok(!JSON.stringify(rows[0]).includes(code))
})

test('a new code can be requested after a minute', async t => {
  const deps = await withDeps(t)
  const ask = () => sendEmailCode(deps, { purpose: 2, email: 'ann@example.com', ...anonymous })
  const results = await Promise.allSettled([ask(), ask()])
  assert.equal(results.filter(result => result.status === 'fulfilled').length, 1, 'a second click sends no second mail')
  deps.pass(59)
  await assert.rejects(ask(), { reason: 'frequent_operation' })
  deps.pass(1)
  await ask()
  assert.equal(deps.mails.length, 2)
})

test('known and unknown emails are indistinguishable', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  for (const purpose of [1, 3]) {
    const answers = []
    for (const to of [email, 'nobody@example.com']) {
      const { challenge, ...answer } = await sendEmailCode(deps, { purpose, email: to, ...anonymous })
      answers.push({ ...answer, length: challenge.length })
      await assert.rejects(sendEmailCode(deps, { purpose, email: to, ...anonymous }), { reason: 'frequent_operation' })
    }
    assert.deepEqual(answers[0], answers[1])
  }
  assert.deepEqual(new Set(deps.mails.map(mail => mail.to)), new Set([email]))
})

test('a mail that fails reveals nothing without a session and can be retried with one', async t => {
  const broken = { send: async () => Promise.reject(new Error('no route')), check: async () => {} }
  const deps = await withDeps(t, { mail: broken })
  const merchant = await testMerchant(deps)
  const register = () => sendEmailCode(deps, { purpose: 2, email: 'ann@example.com', ...anonymous })
  await assert.rejects(register(), { reason: 'mail_failed' })
  await assert.rejects(register(), { reason: 'mail_failed' })
  for (const email of [merchant.email, 'nobody@example.com']) {
    await sendEmailCode(deps, { purpose: 1, email, ...anonymous })
    // Let the failed mail settle.
    await new Promise(resolve => setImmediate(resolve))
    await deps.pool.query('select 1')
    const again = sendEmailCode(deps, { purpose: 1, email, ...anonymous })
    await assert.rejects(again, { reason: 'frequent_operation' }, email)
  }
  const own = () =>
    sendEmailCode(deps, {
      purpose: 8,
      email: undefined,
      session: ownerOf(merchant.id),
      from,
    })
  await assert.rejects(own(), { reason: 'mail_failed' })
  await assert.rejects(own(), { reason: 'mail_failed' })
})

test('a mail server that cannot be used is reported to everyone, and uses up no code', async t => {
  let works = false
  const check = async () => {
    if (!works) throw new Error('no route')
  }
  const deps = await withDeps(t, { mail: { send: async () => {}, check } })
  const { email } = await testMerchant(deps)
  for (const purpose of [1, 3])
    for (const to of [email, 'nobody@example.com'])
      await assert.rejects(sendEmailCode(deps, { purpose, email: to, ...anonymous }), { reason: 'mail_failed' }, to)
  works = true
  for (const to of [email, 'nobody@example.com']) await sendEmailCode(deps, { purpose: 1, email: to, ...anonymous })
})

test('codes for session actions go to the merchant’s own email', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  for (const purpose of [4, 5, 6, 7, 8, 10, 11, 12])
    await sendEmailCode(deps, {
      purpose,
      email: 'elsewhere@example.com',
      session: ownerOf(merchant.id),
      from,
    })
  assert.deepEqual(new Set(deps.mails.map(mail => mail.to)), new Set([merchant.email]))
  await sendEmailCode(deps, {
    purpose: 9,
    email: 'new@example.com',
    session: ownerOf(merchant.id),
    from,
  })
  assert.equal(deps.mails.at(-1)?.to, 'new@example.com')
  const same = { purpose: 9, email: merchant.email, session: ownerOf(merchant.id), from }
  await assert.rejects(sendEmailCode(deps, same), { reason: 'mailbox_exists' })
})

test('codes for session actions require a session', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  for (const purpose of [4, 5, 6, 7, 8, 9, 10, 11, 12])
    await assert.rejects(sendEmailCode(deps, { purpose, email, ...anonymous }), { reason: 'login_expired' })
  await assert.rejects(sendEmailCode(deps, { purpose: 2, email: undefined, ...anonymous }), { reason: 'bad_email' })
  const phone = { phone: '5551234567', area_code: '1', ...anonymous }
  for (const purpose of [1, 2, 3])
    await assert.rejects(sendPhoneCode(deps, { purpose, ...phone }), { reason: 'login_expired' })
  assert.deepEqual([deps.mails, deps.texts], [[], []])
})

test('codes beyond shares of address, network and mailbox cost work', async t => {
  const deps = await withDeps(t)
  const ask = (email: string, ip: string) =>
    sendEmailCode(deps, { purpose: 2, email, session: null, from: { ...from, ip } })
  const needed = { reason: 'work_needed' }
  for (let i = 0; i < 30; i++) await ask(`a${i}@example.com`, '192.0.2.1')
  await assert.rejects(ask('one@example.com', '192.0.2.1'), needed, 'an address gets thirty an hour')
  for (let i = 0; i < 10; i++) await ask('one@example.com', `198.51.100.${i}`)
  await assert.rejects(ask('one@example.com', '198.51.100.99'), needed, 'a network gets ten for one mailbox')
  for (let i = 0; i < 20; i++) await ask('one@example.com', `203.0.${i}.1`)
  await assert.rejects(ask('one@example.com', '203.0.99.1'), needed, 'a mailbox gets thirty an hour')
  await ask('two@example.com', '203.0.99.1')
})

test('refused requests use up no quota', async t => {
  const deps = await withDeps(t)
  const ask = () => sendEmailCode(deps, { purpose: 2, email: 'ann@example.com', ...anonymous })
  await ask()
  for (let i = 0; i < 40; i++) await assert.rejects(ask(), { reason: 'frequent_operation' })
  const { rows } = await deps.owner.query('select distinct n from throttles')
  assert.deepEqual(rows, [{ n: 1 }])
  for (let i = 1; i < 10; i++) {
    deps.pass(60)
    await ask()
  }
})

test('a new email gets at most ten codes from all merchants together', async t => {
  const deps = await withDeps(t)
  const merchants = await Promise.all([testMerchant(deps), testMerchant(deps)])
  const ask = (n: number) =>
    sendEmailCode(deps, {
      purpose: 9,
      email: 'somebody@example.com',
      session: ownerOf(merchants[n % 2]!.id),
      from,
    })
  for (let i = 0; i < 10; i++) {
    await ask(i)
    deps.pass(60)
  }
  await assert.rejects(ask(0), { reason: 'frequent_operation' })
  await assert.rejects(ask(1), { reason: 'frequent_operation' })
  assert.equal(deps.mails.length, 10)
  await sendEmailCode(deps, {
    purpose: 6,
    email: undefined,
    session: ownerOf(merchants[0].id),
    from,
  })
})

test('a phone code goes to the number to bind, or to the bound one for a withdrawal', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const ask = (purpose: number, phone?: string, area_code?: string) =>
    sendPhoneCode(deps, { purpose, phone, area_code, session: ownerOf(merchantId), from })
  await assert.rejects(ask(1), { reason: 'area_code_needed' })
  await assert.rejects(ask(1, '', '44'), { reason: 'phone_and_area_code' })
  await assert.rejects(ask(3, '5551234567', '1'), { reason: 'not_bound' })
  await ask(1, '5551234567', '+1')
  assert.equal(deps.texts.at(-1)?.to, '+15551234567')
  await deps.owner.query(`update persons set phone = '5557654321', area_code = '1', phone_verified = true`)
  await ask(3, '5551234567', '1')
  assert.equal(deps.texts.at(-1)?.to, '+15557654321')
})

test('text messages are limited by number, numbers, country, network and in all', async t => {
  const deps = await withDeps(t)
  const approved = await testMerchant(deps)
  const newcomers = await Promise.all(
    Array.from({ length: 13 }, () => testMerchant(deps, { status: merchantStatus.not_opened })),
  )
  let number = 5_550_000
  const ask = ({ id }: { id: string }, area_code: string, given: { phone?: string; ip?: string } = {}) => {
    number++
    const { phone = String(number), ip = `198.51.${number % 200}.1` } = given
    return sendPhoneCode(deps, {
      purpose: 1,
      phone,
      area_code,
      session: ownerOf(id),
      from: { ...from, ip },
    })
  }
  const limited = (en: string) => (error: Refusal) =>
    error.reason === 'sms_limit' && error.detail?.en === en && (error.retryAfter ?? 0) > 0
  for (let i = 0; i < 20; i++) await ask(newcomers[i % 4]!, '1')
  await assert.rejects(ask(newcomers[4]!, '1'), limited('+1'))
  await assert.rejects(ask(newcomers[0]!, '44'), limited('other numbers'))
  for (let i = 0; i < 40; i++) await ask(newcomers[4 + (i % 8)]!, i % 2 ? '44' : '86')
  await assert.rejects(ask(newcomers[12]!, '49'), { reason: 'frequent_operation' })
  await ask(approved, '1')
  deps.pass(3_600)
  await ask(newcomers[12]!, '1', { phone: '777777' })
  for (let i = 0; i < 19; i++) {
    deps.pass(3_600)
    await ask(newcomers[12]!, '1', { phone: '777777' })
  }
  await assert.rejects(ask(newcomers[12]!, '1', { phone: '777777' }), { reason: 'frequent_operation' })
  deps.pass(61)
  await assert.rejects(ask(newcomers[12]!, '1', { phone: '777777' }), limited('this number'))
  deps.pass(86_400)
  const many = await Promise.all(Array.from({ length: 9 }, () => testMerchant(deps)))
  for (let i = 0; i < 40; i++) await ask(many[i % 8]!, '1', { ip: `192.0.2.${i % 20}` })
  await assert.rejects(ask(many[8]!, '1', { ip: '192.0.2.99' }), limited('this network'))
  await ask(many[8]!, '1')
})

test('text messages go to the countries of the operator only', async t => {
  const deps = await withDeps(t, { config: { smsCountries: ['44', '86'] } })
  const { id: merchantId } = await testMerchant(deps)
  const ask = (area_code: string) =>
    sendPhoneCode(deps, {
      purpose: 1,
      phone: '5551000',
      area_code,
      session: ownerOf(merchantId),
      from,
    })
  await assert.rejects(ask('1'), { reason: 'sms_country', detail: { en: '+44, +86', 'zh-CN': '+44、+86' } })
  await ask('+44')
  assert.equal(deps.texts.length, 1)
})

test('an unverified phone confirms nothing', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps, { phone: '5557654321', area_code: '1' })
  const withdrawal = { purpose: 3, phone: undefined, area_code: undefined, session: ownerOf(merchantId), from }
  await assert.rejects(sendPhoneCode(deps, withdrawal), { reason: 'not_bound' })
})

test('deletes expired rows only', async t => {
  const deps = await withDeps(t)
  await testMerchant(deps)
  const deleted = async () =>
    (await deleteExpiredCredentials(deps)) + (await deleteExpiredSessions(deps.pool, deps.clock()))
  await sendEmailCode(deps, { purpose: 2, email: 'ann@example.com', ...anonymous })
  deps.pass(599)
  assert.equal(await deleted(), 0)
  deps.pass(1)
  assert.equal(await deleted(), 1)
  deps.pass(1_200)
  assert.equal(await deleted(), 1)
  deps.pass(86_400)
  assert.equal(await deleted(), 6)
})
