import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from '@coffer/contract'
import Fastify from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { answerError } from './errors.ts'

const refused = async (error: Error, language = 'en-US') => {
  const app = Fastify()
  app.setErrorHandler(answerError)
  app.get('/', () => {
    throw error
  })
  return app.inject({ url: '/', headers: { 'x-language': language } })
}

test('too many requests say when to try again, to programs and to people', async () => {
  const soon = await refused(new Refusal('frequent_operation', { retryAfter: 45 }))
  assert.equal(soon.headers['retry-after'], '45')
  assert.deepEqual(soon.json(), {
    code: errors.frequent_operation.code,
    msg: 'Frequent operation (try again in 45 s)',
    retry_after: 45,
  })
  const later = await refused(new Refusal('frequent_operation', { retryAfter: 841 }), 'zh-CN')
  assert.equal(later.json().msg, '操作过于频繁（请 15 分钟后重试）')
})

test('a refusal that names what it refuses says so instead of the catalogue', async () => {
  const text = { en: 'Your withdrawal policy does not allow this refund', 'zh-CN': '提现策略不允许该笔退款' }
  const refusal = new Refusal('policy_refused', { text, detail: { en: 'limit: 5', 'zh-CN': '限额：5' } })
  assert.equal((await refused(refusal)).json().msg, 'Your withdrawal policy does not allow this refund (limit: 5)')
  assert.equal((await refused(refusal, 'zh-CN')).json().msg, '提现策略不允许该笔退款（限额：5）')
})

test('a refusal without details has the text of the catalogue alone', async () => {
  const answer = await refused(new Refusal('google_code_error', { field: 'google_code' }))
  assert.equal(answer.headers['retry-after'], undefined)
  assert.deepEqual(answer.json(), { code: 10018, msg: 'Google code error', field: 'google_code' })
})
