import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proofActions, securityChoices, securityGroups } from '../codes/proofs.ts'
import { accountAttempts, emailCodePurpose, phoneCodePurpose } from '../codes.ts'
import { accountEventLabels } from '../labels.ts'
import { type Language, languages } from '../languages.ts'
import { accountEventName, subjectText } from './account-event.ts'

const words = [
  ...Object.keys({ ...emailCodePurpose, ...phoneCodePurpose, ...proofActions, ...securityGroups }),
  ...securityChoices,
]

test('no code word stands in the subject of an entry, in any language', () => {
  for (const language of Object.keys(languages) as Language[])
    for (const word of words) {
      const text = subjectText(accountEventLabels[language], { type: 'code_sent', subject: `email ${word}` })
      assert.doesNotMatch(text, /[a-z][A-Z]|^(?!Email · Sign-in$).*\w-\w|undefined/, `${language} ${word}`)
      if (language === 'zh-CN') assert.doesNotMatch(text, /[a-z]/, word)
    }
  const sent = { type: 'code_sent', subject: 'email bindPhone' }
  assert.equal(subjectText(accountEventLabels.en, sent), 'Email · Binding a phone')
  assert.equal(subjectText(accountEventLabels['zh-CN'], sent), '邮箱 · 绑定手机')
})

test('what is no word is shown as it is, and so is what a person named', () => {
  const masked = { type: 'code_sent', subject: 'email login a***@example.com' }
  assert.equal(subjectText(accountEventLabels.en, masked), 'Email · Sign-in · a***@example.com')
  assert.equal(
    subjectText(accountEventLabels['zh-CN'], { type: 'passkey_added', subject: 'wallet phone' }),
    'wallet phone',
  )
  assert.equal(subjectText(accountEventLabels.en, { type: 'action_confirmed', subject: 'constructor' }), 'constructor')
})

test('what was refused is named as an attempt', () => {
  for (const type of accountAttempts)
    assert.doesNotMatch(
      accountEventName(accountEventLabels.en, { type, outcome: 'refused' }),
      /\b(?:changed|sent|made|added|removed|bound|created|renewed|requested|signed)\b/i,
      type,
    )
  assert.equal(accountEventName(accountEventLabels.en, { type: 'login', outcome: 'done' }), 'Signed in')
  assert.equal(accountEventName(accountEventLabels.en, { type: 'from_tomorrow', outcome: 'refused' }), 'from_tomorrow')
})
