import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToldEvent } from '@coffer/contract/audiences.ts'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { languageList } from '@coffer/contract/languages.ts'
import { notificationMessages } from '../notifications/messages.ts'
import { codeMail, codeMessage, eventMail, quoteMerchantName } from './mails.ts'

test('each purpose has a distinct text per language that contains the code once', () => {
  for (const language of languageList) {
    const named = new Set<string>()
    for (const purpose of Object.values(emailCodePurpose)) {
      const { subject, text } = codeMail(language, purpose, '012345')
      assert.ok(subject.includes('012345'))
      assert.equal(text.match(/(?<!\d)\d{6}(?!\d)/g)?.join(), '012345')
      named.add(text)
    }
    assert.equal(named.size, Object.values(emailCodePurpose).length, 'the texts differ')
    assert.ok(codeMessage(language, '012345').includes('012345'))
  }
})

test('a merchant’s name in mails to others is quoted, short and no link', () => {
  const of = (name: string) => quoteMerchantName({ name, email: 'shop@example.com' })
  assert.equal(of('Corner shop'), '“Corner shop”')
  assert.equal(of('  '), '“shop@example com”')
  assert.equal(of('Pay at https://evil.example/x” now\r\nSubject: x'), '“Pay at https evil example x now Subject:…”')
  assert.equal([...of('店'.repeat(100))].length, 43)
})

test('event mails exist in both languages; mails on operator actions give no security warning', () => {
  const link = 'https://pay.example/login#not-me=x'
  const accountKeys = Object.keys(notificationMessages).filter(key => key.startsWith('account_'))
  assert.ok(accountKeys.length > 10)
  for (const key of accountKeys) {
    const event = key.replace('account_', '') as ToldEvent
    const en = eventMail('en', event, 'detail', link)
    const zh = eventMail('zh-CN', event, 'detail', link)
    assert.equal(en === undefined, zh === undefined, event)
    if (!en || !zh) continue
    assert.ok(en.text.includes('detail') && zh.text.includes('detail'))
    assert.doesNotMatch(en.subject + en.text, /[\u4e00-\u9fff]/)
    assert.match(zh.subject, /[\u4e00-\u9fff]/)
  }
  assert.match(eventMail('en', 'password_changed', '', link)?.text ?? '', /not you.*#not-me=x/s)
  for (const renewed of ['secret_key_renewed', 'webhook_secret_renewed'] as const)
    assert.match(eventMail('en', renewed, 'app_1', link)?.text ?? '', /renewed.*app_1.*not you/s)
  assert.doesNotMatch(eventMail('en', 'frozen', '', link)?.text ?? '', /not you/)
})
