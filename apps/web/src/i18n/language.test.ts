import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialLanguage } from './language.ts'

test('stored choice first, then a supported browser language, then English', () => {
  assert.equal(initialLanguage('zh-CN', 'en-US'), 'zh-CN')
  assert.equal(initialLanguage('en', 'zh-CN'), 'en')
  assert.equal(initialLanguage(null, 'zh-CN'), 'zh-CN')
  assert.equal(initialLanguage(null, 'en-GB'), 'en')
  assert.equal(initialLanguage(null, 'de-DE'), 'en')
  assert.equal(initialLanguage('fr', 'zh-TW'), 'en')
})
