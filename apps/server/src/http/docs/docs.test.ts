import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors, routes } from '@coffer/contract'
import { exampleOrder } from './examples.ts'
import { docsPage } from './page.ts'

test('the page is whole in both languages and has every call and every error', () => {
  for (const language of ['en-US', 'zh-CN'] as const) {
    const page = docsPage('https://pay.example', language)
    assert.ok(page.includes('curl https://pay.example/api/v1/pay/orders'))
    for (const { code } of Object.values(errors)) assert.ok(page.includes(`<td>${code}</td>`), String(code))
    assert.ok(page.includes('/api/v1/pay/orders/:trade_no/close'))
    assert.ok(!page.includes('<script'))
  }
  assert.match(docsPage('https://pay.example', 'zh-CN'), /<html lang="zh-CN">/)
})

test('the example is a payment that the contract takes', () => {
  assert.equal(routes['POST /api/v1/pay/orders'].body.safeParse(exampleOrder).success, true)
})
