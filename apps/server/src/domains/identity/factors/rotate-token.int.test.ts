import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RouteKey } from '@coffer/contract'
import { generateSync } from 'otplib'
import { makeApp } from '../../../serve.ts'
import { withDeps } from '../../../testing/deps.ts'
import { codeIn, password, testMerchant } from '../../../testing/merchants.ts'

const deps = await withDeps({ after })
const app = await makeApp(deps)
after(() => app.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function send(key: RouteKey, token: string, body?: object, headers: Record<string, string> = {}) {
  const [method, url = ''] = key.split(' ')
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: { 'x-token': token, ...headers },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, ...answer.json() }
}

/** Returns a fresh code mailed for a purpose. */
async function mailed(token: string, type: number, email?: string): Promise<string> {
  deps.pass(60)
  await send('POST /api/v1/public/email/send-verification-code', token, { type, ...(email && { email }) })
  return codeIn(deps.mails.at(-1))
}

const changes: Record<string, [RouteKey, (token: string) => Promise<object>]> = {
  'the password': [
    'PUT /api/v1/user/password',
    async token => ({
      old_password: base64(password),
      password: base64('Fresh1Horse'),
      confirm_password: base64('Fresh1Horse'),
      proof: { method: 'email', code: await mailed(token, 7) },
    }),
  ],
  'the email': [
    'PUT /api/v1/user/mailbox',
    async token => {
      const email = `${token
        .slice(0, 8)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, 'x')}@example.org`
      const code = await mailed(token, 9, email)
      return { email, code, proof: { method: 'email', code: await mailed(token, 6) } }
    },
  ],
  'the authenticator': [
    'POST /api/v1/user/google-auth',
    async token => {
      const code = await mailed(token, 5)
      const { secret, offer } = (await send('GET /api/v1/user/google-auth', token)).data
      return {
        offer,
        google_code: generateSync({ secret, epoch: deps.clock() }),
        proof: { method: 'email', code },
      }
    },
  ],
  'the phone': [
    'PUT /api/v1/user/phone',
    async token => {
      const number = { area_code: '+1', phone: '5551234567' }
      await send('POST /api/v1/public/sms/send-verification-code', token, { type: 1, ...number })
      const code = codeIn(deps.texts.at(-1))
      return { ...number, code, proof: { method: 'email', code: await mailed(token, 10) } }
    },
  ],
}

for (const [what, [key, make]] of Object.entries(changes))
  test(`a change of ${what} replaces the token; a retry gets the same answer`, async () => {
    const { token: old } = await testMerchant(deps)
    const body = await make(old)
    const click = { 'idempotency-key': `click-${what.replace(' ', '-')}` }
    const answer = await send(key, old, body, click)
    assert.equal(answer.code, 200, JSON.stringify(answer))
    const { token } = answer.data
    assert.notEqual(token, old)
    assert.equal((await send('GET /api/v1/user/info', old)).status, 401)
    assert.equal((await send('GET /api/v1/user/info', token)).code, 200)
    const sessions = (await send('GET /api/v1/user/sessions', token)).data.list
    assert.deepEqual(
      sessions.map(({ current }: { current: boolean }) => current),
      [true],
    )
    assert.deepEqual((await send(key, old, body, click)).data, answer.data)
    assert.equal((await send(key, old, body, { 'idempotency-key': 'another' })).status, 401)
  })
