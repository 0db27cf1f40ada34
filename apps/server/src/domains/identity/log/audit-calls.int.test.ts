import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { emailCodePurpose, type RouteKey } from '@coffer/contract'
import exceljs from 'exceljs'
import { pino } from 'pino'
import { readPlaces } from '../../../outside/places.ts'
import { makeApp } from '../../../serve.ts'
import { withDeps } from '../../../testing/deps.ts'
import { password, testAuthenticator, testMerchant } from '../../../testing/merchants.ts'
import { placeRecords, writePlacesFile } from '../../../testing/places-file.ts'
import { checkAudit } from '../../audit/check-audit.ts'

const logged: string[] = []
const deps = await withDeps({ after }, { log: pino({ level: 'info' }, { write: line => void logged.push(line) }) })
const app = await makeApp(deps)
after(() => app.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')
const wrong = base64('Wrong1Horse')
let address = 0

async function send(key: RouteKey, body: object, token = '') {
  const [method, url = ''] = key.split(' ')
  const answer = await app.inject({
    method: method as 'POST',
    url,
    payload: body,
    remoteAddress: `198.51.100.${++address % 250}`,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0', ...(token && { 'x-token': token }) },
  })
  return answer.json()
}

/** Reads entries of a chain, without the sign-in that made the merchant. */
async function entries(merchantId: string): Promise<unknown[][]> {
  const { rows } = await deps.pool.query(
    `select type, outcome, reason, factor, subject from audit_log
     where merchant_id = $1 and (merchant_id = '' or seq > 1) order by seq`,
    [merchantId],
  )
  return rows.map(Object.values)
}

test('records failed and successful sign-ins with factor, reason and origin', async () => {
  const { id, email } = await testMerchant(deps)
  const { code, wrong: wrongCode } = await testAuthenticator(deps, id)
  await send('POST /api/v1/public/login', { email, password: wrong })
  await send('POST /api/v1/public/login', { email, code: '000000' })
  const { data } = await send('POST /api/v1/public/login', { email, password: base64(password) })
  await send('POST /api/v1/public/login/verification', { google_code: wrongCode() }, data.token)
  await send('POST /api/v1/public/login/verification', { google_code: code() }, data.token)
  assert.deepEqual(await entries(id), [
    ['login', 'refused', 'wrong_credentials', 'password', ''],
    ['login', 'refused', 'email_code_error', 'email', ''],
    ['login', 'refused', 'google_code_error', 'google', ''],
    ['login', 'done', '', 'google', ''],
  ])
  const { rows } = await deps.pool.query(
    'select ip, device, address from audit_log where merchant_id = $1 and seq = 2',
    [id],
  )
  assert.match(rows[0].ip, /^198\.51\.100\.\d+$/)
  assert.deepEqual([rows[0].device, rows[0].address], ['Firefox, Linux', 'unknown'])
})

test('records attempts at unknown accounts without their email', async () => {
  await deps.owner.query('truncate audit_log, audit_heads')
  await send('POST /api/v1/public/login', { email: 'nobody@example.com', password: wrong })
  await send('POST /api/v1/public/login', { google_auth_code: 'x' })
  await send('POST /api/v1/public/email/send-verification-code', {
    email: 'nobody@example.com',
    type: emailCodePurpose.retrievePassword,
  })
  await send('POST /api/v1/public/email/send-verification-code', {
    email: 'new@example.com',
    type: emailCodePurpose.register,
  })
  assert.deepEqual(await entries(''), [
    ['login', 'refused', 'wrong_credentials', 'password', 'n***@example.com'],
    ['login', 'refused', 'sign_in_failed', 'third_party', ''],
    ['code_sent', 'refused', 'account_not_exist', '', 'email retrievePassword n***@example.com'],
    ['code_sent', 'done', '', '', 'email register n***@example.com'],
  ])
})

test('records codes, confirmations and refused changes of a signed-in merchant', async () => {
  const { id, token } = await testMerchant(deps)
  // The new email belongs to nobody yet: the code is the merchant's all the same.
  await send('POST /api/v1/public/email/send-verification-code', { email: 'other@example.com', type: 9 }, token)
  await send('POST /api/v1/public/email/send-verification-code', { type: emailCodePurpose.updatePassword }, token)
  await send(
    'POST /api/v1/user/verification',
    { action: 'password', proof: { method: 'email', code: '000000' } },
    token,
  )
  const change = { old_password: wrong, password: base64('Fresh1Horse'), confirm_password: base64('Fresh1Horse') }
  await send('PUT /api/v1/user/password', change, token)
  await send('PUT /api/v1/user/secret-key/notify-url', { appid: 'app_x', notify_url: '' }, token)
  assert.deepEqual(await entries(id), [
    ['code_sent', 'done', '', '', 'email updateMailboxNew'],
    ['code_sent', 'done', '', '', 'email updatePassword'],
    ['action_confirmed', 'refused', 'email_code_error', 'email', 'password'],
    ['password_changed', 'refused', 'different_password', 'password', ''],
    ['notify_url_changed', 'refused', 'proof_needed', '', 'app_x'],
  ])
})

test('keeps no secret and no invalid input', async () => {
  const { email } = await testMerchant(deps)
  await send('POST /api/v1/public/login', { email, password: wrong, extra: 1 })
  await send('POST /api/v1/public/login', { email: 'no email', password: wrong })
  const { rows } = await deps.owner.query(`select string_agg(l::text, ' ') as text from audit_log l`)
  for (const secret of ['Wrong1Horse', wrong, 'no email', '000000', 'nobody@', 'extra'])
    assert.ok(!rows[0].text.includes(secret), secret)
})

test('bounds the failures that strangers can have recorded of one account', async () => {
  const { id, email } = await testMerchant(deps)
  await deps.pool.query(`insert into throttles (key, n, since) values ('audit ' || $1, 999, $2)`, [id, deps.clock()])
  for (let n = 0; n < 3; n++) await send('POST /api/v1/public/login', { email, password: wrong })
  assert.equal((await entries(id)).length, 1)
})

test('shows the log to its merchant, in the reader’s language, and exports it', async () => {
  const { id, email, token } = await testMerchant(deps)
  await send('POST /api/v1/public/login', { email, password: wrong })
  const get = (url: string, language: string) =>
    app.inject({ url, headers: { 'x-token': token, 'x-language': language, 'x-download': '1' } })
  const list = (await get('/api/v1/user/log?pageSize=1', 'zh-CN')).json().data
  assert.equal(list.total, 2)
  const { type, outcome, reason, factor, id: seq } = list.list[0]
  assert.deepEqual([type, outcome, reason, factor, seq], ['login', 'refused', '邮箱或密码错误', 'password', '2'])
  const file = await get('/api/v1/user/log/export', 'en')
  assert.equal(file.statusCode, 200)
  assert.equal(file.headers['x-total-rows'], '2')
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load(file.rawPayload as never)
  const rows = (workbook.worksheets[0]!.getSheetValues() as unknown[][])
    .slice(1)
    .map(row => [3, 4, 5].map(column => row[column] ?? ''))
  assert.deepEqual(rows, [
    ['Event', 'Refused because', 'Confirmed by'],
    ['Sign-in', 'Wrong email or password', 'Password'],
    ['Signed in', '', ''],
  ])
  assert.equal((await entries(id)).length, 1)
})

test('shows place and session of each entry, and reports a new device with its place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-places-'))
  after(() => rmSync(folder, { recursive: true }))
  writePlacesFile(join(folder, 'city.mmdb'), placeRecords)
  const there = await makeApp({ ...deps, places: readPlaces(join(folder, 'city.mmdb')) })
  after(() => there.close())
  const { email } = await testMerchant(deps)
  const signIn = async (remoteAddress: string, given: string) => {
    const payload = { email, password: base64(given) }
    const headers = { 'user-agent': 'Chrome/140 Windows', 'x-language': 'zh-CN' }
    const answer = await there.inject({ method: 'POST', url: '/api/v1/public/login', payload, remoteAddress, headers })
    return answer.json().data?.token as string
  }
  await signIn('10.0.0.1', password)
  deps.pass(60)
  const token = await signIn('192.0.2.7', password)
  await signIn('192.0.2.9', wrong)
  deps.pass(60)
  const get = (url: string, language: string) =>
    there.inject({ url, headers: { 'x-token': token, 'x-language': language, 'x-download': '1' } })
  await send('PUT /api/v1/user/password', { password: wrong, confirm_password: wrong }, token)
  const since = deps.clock() - 60
  const rows = async (language: string) =>
    (await get('/api/v1/user/log', language))
      .json()
      .data.list.map((row: Record<string, unknown>) => [row.type, row.address, row.session])
  const current = { device: 'Chrome, Windows', created_time: since, current: true }
  const before = { ...current, created_time: since - 60, current: false }
  const shown = await rows('en')
  assert.deepEqual(shown.slice(0, 5), [
    ['password_changed', 'Unknown', current],
    ['login', 'Singapore', null],
    ['new_device', 'Berlin, Germany', current],
    ['login', 'Berlin, Germany', current],
    ['login', 'Private network', before],
  ])
  assert.equal((await rows('zh-CN'))[2][1], '德国 柏林')
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load((await get('/api/v1/user/log/export', 'zh-CN')).rawPayload as never)
  const line = workbook.worksheets[0]!.getRow(4)
  const [device, location] = [8, 12].map(column => line.getCell(column).value)
  assert.deepEqual([device, location], ['Chrome, Windows', '德国 柏林'])
  const [session, offset] = [9, 10].map(column => line.getCell(column).value)
  assert.match((session as Date).toISOString(), /^2025-06-02T/)
  assert.equal(offset, 'UTC+00:00')
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /192\.0\.2\.7 · 德国 柏林 · Chrome, Windows/)
  const messages = (await get('/api/v1/message', 'zh-CN')).json().data.list
  assert.equal(messages.find((message: { title: string }) => message.title === '新设备登录').address, '德国 柏林')
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('the request log has the address, and for refusals the account and the reason', async () => {
  const { id, email, token } = await testMerchant(deps)
  logged.length = 0
  await send('POST /api/v1/public/login', { email, password: wrong })
  await send('PUT /api/v1/user/edit', { name: 7 }, token)
  const lines = logged.map(line => JSON.parse(line)).filter(line => line.msg === 'request')
  assert.deepEqual(
    lines.map(({ account, refusal, status }) => [account, refusal, status]),
    [
      [id, 'wrong_credentials', 422],
      [id, 'text_needed', 422],
    ],
  )
  for (const { ip } of lines) assert.match(ip, /^198\.51\.100\.\d+$/)
})
