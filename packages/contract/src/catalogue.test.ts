import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { errors, languageList, proofActions, routes } from './index.ts'

test('every error has a unique code and a text in every language', () => {
  const next = Math.max(...Object.values(errors).map(error => error.code)) + 1
  const names = new Map<number, string>()
  for (const [name, error] of Object.entries(errors)) {
    assert.equal(names.get(error.code), undefined, `${name} has the code of another error: the next is ${next}`)
    names.set(error.code, name)
    for (const language of languageList) assert.ok(error[language].length > 0, name)
    assert.match(error['zh-CN'], /[\u4e00-\u9fff]/, `${name} is not Chinese`)
    assert.notEqual(error.code, 200)
  }
})

test('queries and path parameters reject unknown fields', () => {
  for (const [key, route] of Object.entries(routes) as [
    string,
    { query?: z.ZodType; body?: z.ZodType; params?: z.ZodType },
  ][])
    for (const part of ['query', 'params'] as const) {
      const schema = route[part]
      if (!schema) continue
      const result = schema.safeParse({ surprise: '1' })
      assert.ok(
        !result.success && result.error.issues.some(issue => issue.code === 'unrecognized_keys'),
        `${key} ${part} accepts unknown fields`,
      )
    }
})

test('the data of every route converts to JSON Schema', () => {
  for (const [key, route] of Object.entries(routes))
    assert.ok(z.toJSONSchema(route.data, { io: 'output', unrepresentable: 'any' }), key)
})

test('a code can be sent for every action that a code confirms', () => {
  const sent = {
    email: routes['POST /api/v1/public/email/send-verification-code'].body,
    phone: routes['POST /api/v1/public/sms/send-verification-code'].body,
  }
  for (const [action, purposes] of Object.entries(proofActions)) {
    for (const channel of ['email', 'phone'] as const) {
      const type = purposes[channel]
      if (type !== null) assert.ok(sent[channel].safeParse({ type }).success, `${action} by ${channel}`)
    }
  }
  assert.ok(!sent.email.safeParse({ type: 0 }).success)
})
