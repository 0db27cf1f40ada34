import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { merchantStatus } from '@coffer/contract'
import fastify from 'fastify'
import { codeMail } from '../domains/merchants/mails.ts'
import { merchantById } from '../domains/merchants/store.ts'
import { answerError } from '../http/errors.ts'
import { withDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'
import { makeSandboxInbox } from './inbox.ts'
import { mountSandboxPage } from './page.ts'

const deps = await withDeps({ after })
const inbox = makeSandboxInbox()
const app = fastify()
app.setErrorHandler(answerError)
mountSandboxPage(app, deps, inbox)
const get = async (url: string) => (await app.inject({ url })).json()
const post = async (payload: object) =>
  (await app.inject({ method: 'POST', url: '/sandbox/merchants', payload })).json()

test('lists messages newest first, optionally by receiver, with their code extracted', async () => {
  await inbox.mail.send({ to: 'Ann@example.com', ...codeMail('en', 2, '042391') })
  await inbox.text.send({
    to: '+15551234567',
    text: 'No code, but 1234567, 29.739782, 250000 USDT, 0x8ba1f109551bD4 and #x-109551-x.',
  })
  const all = await get('/sandbox/inbox')
  assert.deepEqual(
    all.data.list.map(({ channel, to, code }: Record<string, string>) => [channel, to, code]),
    [
      ['phone', '+15551234567', ''],
      ['email', 'Ann@example.com', '042391'],
    ],
  )
  const hers = await get('/sandbox/inbox?to=ann@EXAMPLE.com')
  assert.deepEqual([hers.data.total, hers.data.list[0].subject], [1, '042391 is your verification code'])
  assert.deepEqual((await get('/sandbox/inbox?to=nobody@example.com')).data, { list: [], total: 0 })
})

test('keeps only the last 500 messages', async () => {
  const small = makeSandboxInbox()
  for (let i = 0; i < 600; i++) await small.mail.send({ to: 'a@example.com', subject: String(i), text: '' })
  assert.deepEqual([small.list().length, small.list()[0]?.subject], [500, '599'])
})

test('lists merchants under review, and approves or refuses them', async () => {
  const first = await testMerchant(deps, { status: merchantStatus.primary_audit })
  const second = await testMerchant(deps, { status: merchantStatus.advanced_audit })
  await testMerchant(deps)
  const waiting = async () => (await get('/sandbox/merchants')).data.list.map((row: { mchid: string }) => row.mchid)
  assert.deepEqual((await waiting()).sort(), [first.mchid, second.mchid].sort())
  assert.equal((await post({ mchid: first.mchid, decision: 'approve' })).code, 200)
  assert.equal((await post({ mchid: second.mchid, decision: 'refuse', reason: 'No website' })).code, 200)
  assert.deepEqual(await waiting(), [])
  assert.equal((await merchantById(deps.pool, first.id))?.status, merchantStatus.approved)
  assert.equal((await merchantById(deps.pool, second.id))?.audit_reason, 'No website')
  assert.equal((await post({ mchid: first.mchid, decision: 'approve' })).code, 10014)
  assert.equal((await post({ mchid: 'M0', decision: 'approve' })).code, 10021)
  assert.equal((await post({ mchid: first.mchid, decision: 'delete' })).code, 10002)
})
