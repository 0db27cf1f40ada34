import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { languageList } from '@coffer/contract/languages.ts'
import { codeMail, codeMessage, quoteMerchantName } from './mails.ts'

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
